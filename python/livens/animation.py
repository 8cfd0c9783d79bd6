"""The motion of an instance as a film."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from livens.drawings import Drawing, Links, drawings
from livens.errors import Mistake, SpecError
from livens.progress import bar_for
from livens.run import Run

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation


def animate(run: Run, instance: int = 0, file: Union[str, os.PathLike[str], None] = None, *, fps: int = 25,
            draw: Drawing | None = None, speed: float = 1.0, trail: float = 0.0, trail_of: Sequence[int] | None = None,
            most_frames: int = 600, progress: Union[bool, str, Callable[..., None]] = False) -> FuncAnimation:
    """A film of a trajectory, in the time of the motion: a second of it takes a second, or as ``speed`` says.

    Parameters
    ----------
    instance
        Number of the instance, one of ``run.trajectories.instance``.
    file
        A .gif, or what else matplotlib can write; without it nothing is written.
    fps
        Frames a second. A frame shows the last sample before its time, and none is shown twice: with few samples there
        are fewer frames a second. A .gif holds hundredths of a second, from two on: it has 25 a second of ``fps=30``.
    draw
        ``livens.drawing(system, points, links)``, or a function from q, shape (K, d), to points, shape (K, n, 3), and
        the pairs of points that are linked. Not needed for the systems of livens and for texts with ``[drawing]`` or
        bodies.
    speed
        Seconds of the motion in one of the film.
    trail
        s, for which points leave a trail.
    trail_of
        Numbers of those points; default: the last.
    most_frames
        A film that would have more ends there, with a warning.
    progress
        As of ``Ensemble.run``, in frames, while the file is written.

    Raises SpecError where there is no drawing of the system, or no trajectory of the instance.
    """
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation, writers

    system = run.attributes["system"]
    drawn = drawing_of(run, draw)
    if not speed > 0 or not fps > 0 or trail < 0:
        raise SpecError(Mistake(f"speed = {speed}, fps = {fps}, trail = {trail}", "speed", "speed > 0, fps > 0, trail >= 0"))
    followed = run.trajectories
    points, links = drawn(instance, followed.q.values[followed_rows(run, [instance])[0]], followed.time.values)
    seen = np.isfinite(points).all(axis=(1, 2))  # up to a failure
    if not seen.any():
        raise SpecError(Mistake(f"{instance} has no sample that can be drawn", "instance", "one that came through a step"))
    points, times = points[seen], followed.time.values[seen]
    traced = trail_points(trail_of, points.shape[1])
    gif = file is not None and os.fspath(file).endswith(".gif")
    frames, between = _frames(times, speed, fps, most_frames, in_hundredths=gif)
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
    trails = [ax.plot(*points[:0, one, :axes].T, "-", color="C1", linewidth=1.2, alpha=0.7)[0]
              for one in (traced if trail else [])]
    lines = [ax.plot(*points[0, list(link), :axes].T, "o-", color="C0", markersize=5, solid_capstyle="round")[0]
             for link in links]
    digits = max(2, int(np.ceil(-np.log10(between * speed))))

    def put(line: Any, ends: np.ndarray) -> None:
        line.set_data(ends[:, 0], ends[:, 1])
        if not flat:
            line.set_3d_properties(ends[:, 2])

    def show(frame: int) -> list:
        for line, link in zip(lines, links):
            put(line, points[frame, list(link)])
        first = int(np.searchsorted(times, times[frame] - trail))
        for line, one in zip(trails, traced):
            put(line, points[first:frame + 1, one])
        ax.set_title(f"{system.replace('_', ' ')}, instance {instance}, {times[frame]:.{digits}f} s", y=1.0)
        return [*lines, *trails]

    if file is not None and not gif and not writers.is_available("ffmpeg"):
        raise SpecError(Mistake("there is no ffmpeg, which makes it", "file", "a name that ends in .gif, or ffmpeg installed",
                                file=os.fspath(file)))
    show(frames[-1])
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    if file is not None:
        resolution = plt.rcParams["savefig.dpi"]
        figure.set_dpi(figure.dpi if resolution == "figure" else resolution)
        bar = bar_for(progress)
        rate: Any = 1 / between  # which may be below 1
        writer = _gif_writer(rate) if gif else writers["ffmpeg"](fps=rate)
        try:
            with writer.saving(_DrawnOnce(figure, ax, [*trails, *lines, ax.title]), os.fspath(file), figure.dpi):
                for k, frame in enumerate(frames):
                    show(frame)
                    writer.grab_frame()
                    bar(k + 1, len(frames), 0)
        finally:
            bar.close()
    plt.close(figure)
    film = FuncAnimation(figure, show, frames=frames, interval=1000 * between)
    film._draw_was_started = file is not None  # which leaves nothing to warn of
    return film


class _DrawnOnce:
    """A figure as matplotlib's writers of films see it: what does not move is drawn once, and copied behind the rest."""

    def __init__(self, figure: Any, ax: Any, moving: Sequence[Any]):
        self.figure, self.ax, self.moving, self.behind = figure, ax, moving, None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.figure, name)

    def savefig(self, file: Any, **how: Any) -> None:
        """The figure as it is now, in bytes of RGBA."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        canvas = self.figure.canvas
        if self.behind is None:
            canvas = FigureCanvasAgg(self.figure)
            self._show(False)
            canvas.draw()
            self.behind = canvas.copy_from_bbox(self.figure.bbox)
            self._show(True)
        canvas.restore_region(self.behind)
        for artist in self.moving:
            self.ax.draw_artist(artist)
        file.write(canvas.buffer_rgba())

    def _show(self, visible: bool) -> None:
        for artist in self.moving:
            artist.set_visible(visible)


def _gif_writer(rate: float) -> Any:
    """Of one palette, which holds the colours as they come, no two of them nearly the same."""
    from matplotlib.animation import AbstractMovieWriter
    from PIL import Image

    class Gif(AbstractMovieWriter):
        def setup(self, fig: Any, outfile: Any, dpi: Any = None) -> None:
            super().setup(fig, outfile, dpi)
            self.pictures: list[np.ndarray] = []
            self.palette = np.empty((0, 3), dtype=int)
            self.places = np.full(2**24, -1, dtype=np.int16)  # in the palette, of every colour met

        def grab_frame(self, **savefig_kwargs: Any) -> None:
            buffer = BytesIO()
            self.fig.savefig(buffer)
            colours = np.frombuffer(buffer.getbuffer(), "<u4") & 0xffffff
            new, counts = np.unique(colours[self.places[colours] < 0], return_counts=True)
            for colour in new[np.argsort(-counts)]:
                self.places[colour] = self.place_of(np.array([colour & 255, colour >> 8 & 255, colour >> 16], dtype=int))
            self.pictures.append(self.places[colours].astype(np.uint8).reshape(self.frame_size[::-1]))

        def place_of(self, colour: np.ndarray) -> int:
            apart = np.abs(self.palette - colour).max(axis=1, initial=0)
            if len(apart) < 256 and np.all(apart > 8):
                self.palette = np.vstack([self.palette, colour])
                return len(apart)
            return int(np.argmin(apart))

        def finish(self) -> None:
            pictures = [Image.fromarray(picture, "P") for picture in self.pictures]
            for picture in pictures:
                picture.putpalette(self.palette.astype(np.uint8).tobytes())
            # In whole hundredths of a second, which the time between frames is.
            pictures[0].save(self.outfile, save_all=True, append_images=pictures[1:], loop=0, duration=10 * round(100 / self.fps))

    return Gif(fps=rate)


def _frames(times: np.ndarray, speed: float, fps: float, most: int,
            in_hundredths: bool = False) -> tuple[list[int], float]:
    """Samples, one a frame, and the time between frames, s: 1/fps, or that between samples where that is longer, and in
    hundredths the next one of these that is no shorter."""
    between = 1 / fps if len(times) == 1 else max(1 / fps, float(np.min(np.diff(times))) / speed)
    if in_hundredths:
        between = max(int(np.ceil(100 * between * (1 - 1e-12))), 2) / 100
    if len(times) == 1:
        return [0], between
    at = np.arange(times[0], times[-1] + 1e-9 * (times[-1] - times[0]), between * speed)
    frames = np.searchsorted(times, at * (1 + 1e-12), side="right") - 1
    if len(frames) > most:
        import warnings

        warnings.warn(f"the film ends at {times[frames[most - 1]]:g} s of {times[-1]:g} s, after {most} frames; a larger "
                      "speed or most_frames shows more", stacklevel=3)
    return [int(frame) for frame in frames[:most]], between


def drawing_of(run: Run, draw: Drawing | None) -> Callable[[int, np.ndarray, np.ndarray], tuple[np.ndarray, Links]]:
    """The one given, or that of the system, by number of an instance, q and times. Raises SpecError where there is none."""
    from livens.text_drawings import TextDrawing, drawing_of_text

    system = run.attributes["system"]
    found = draw or drawing_of_text(run) or drawings.get(system)
    if found is None:
        raise SpecError(Mistake(f"no drawing of {system} is known", "draw", "[drawing] in its text, livens.drawing(system, "
                                "points, links), or a function from q to points and links"))
    if not isinstance(found, TextDrawing):
        return lambda instance, q, times: found(q)
    of_run = found.of_run(run)
    return lambda instance, q, times: of_run.with_drawn(run, instance)(q, times)


def followed_rows(run: Run, instances: Sequence[int]) -> list[int]:
    """Where the trajectories have these instances. Raises SpecError for one that has none."""
    known = run.trajectories.instance.values.tolist()
    for one in instances:
        if one not in known:
            raise SpecError(Mistake(f"{one} has no trajectory", "instance", f"one of {known}"))
    if not instances:
        raise SpecError(Mistake("no instance", "instance", f"one of {known}"))
    return [known.index(one) for one in instances]


def trail_points(trail_of: Sequence[int] | None, count: int) -> list[int]:
    """Numbers of points, of ``count``; default: the last."""
    chosen = [count - 1] if trail_of is None else [int(one) for one in trail_of]
    if any(not 0 <= one < count for one in chosen):
        raise SpecError(Mistake(repr(list(chosen)), "trail_of", f"numbers from 0 to {count - 1}"))
    return chosen
