"""The motion of an instance as a film."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Union

import numpy as np

from livens.drawings import Drawing, drawings
from livens.errors import Mistake, SpecError
from livens.run import Run

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation


def animate(run: Run, instance: int = 0, file: Union[str, os.PathLike[str], None] = None, *, fps: int = 25,
            draw: Drawing | None = None) -> FuncAnimation:
    """A frame for every sample of a trajectory.

    Parameters
    ----------
    instance
        Number of the instance, one of ``run.trajectories.instance``.
    file
        A .gif, or what else matplotlib can write; without it nothing is written.
    fps
        Frames a second.
    draw
        A function from q, shape (K, d), to points, shape (K, n, 3), and the pairs of points that are linked: of a
        system that livens has no drawing of (``livens.drawings``).
    """
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation, PillowWriter

    system = run.attributes["system"]
    draw = draw or drawings.get(system)
    if draw is None:
        raise SpecError(Mistake(f"no drawing of {system} is known", "draw", "a function from q to points and links"))
    followed = run.trajectories
    rows = np.flatnonzero(followed.instance.values == instance)
    if len(rows) == 0:
        raise SpecError(Mistake(f"{instance} has no trajectory", "instance",
                                f"one of {followed.instance.values.tolist()}"))
    points, links = draw(followed.q.values[rows[0]])
    seen = np.isfinite(points).all(axis=(1, 2))  # up to a failure
    points, times = points[seen], followed.time.values[seen]
    figure = plt.figure(layout="constrained")
    flat = not np.any(points[..., 2])
    ax = figure.add_subplot() if flat else figure.add_subplot(projection="3d")
    axes = 2 if flat else 3
    middle = (points.max((0, 1)) + points.min((0, 1))) / 2
    reach = max(float(np.ptp(points, axis=(0, 1)).max()) / 2 * 1.05, 1e-12)
    for k, name in enumerate("xyz"[:axes]):
        getattr(ax, f"set_{name}lim")(middle[k] - reach, middle[k] + reach)
        getattr(ax, f"set_{name}label")(f"{name} (m)")
    ax.set_aspect("equal")
    lines = [ax.plot(*points[0, list(link), :axes].T, "o-", color="C0")[0] for link in links]

    def show(frame: int) -> list:
        for line, link in zip(lines, links):
            ends = points[frame, list(link)].T
            line.set_data(ends[0], ends[1])
            if not flat:
                line.set_3d_properties(ends[2])  # type: ignore[union-attr]
        ax.set_title(f"{system}, instance {instance}, {times[frame]:.2f} s")
        return lines

    film = FuncAnimation(figure, show, frames=len(points), interval=1000 / fps)
    if file is not None:
        film.save(os.fspath(file), writer=PillowWriter(fps=fps) if os.fspath(file).endswith(".gif") else None)
    plt.close(figure)
    return film
