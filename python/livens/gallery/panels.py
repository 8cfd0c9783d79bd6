"""Panels that several figures have: quantities of one trajectory against time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from livens.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3  # of panels, that a page of 12 inches has room for
LOOKS = (("-", 2.4), ("--", 1.6), ("-.", 1.2), (":", 1.2))
"""Of lines and their widths (pt): those drawn later are narrower and broken, so that a curve below them is seen."""
LINE, BOX = 1.5, (357.0, 266.0)
"""Width of a line and size of the axes (pt), the defaults of Matplotlib; those of Matlab are 0.5 pt on 326 by 257 pt, so
that what cannot be told apart with these is what no print can have as two curves."""


def panels(count: int = 1, label: str = "t (s)") -> tuple[Figure, list[Axes]]:
    """A figure with so many axes, three beside each other at most, and a label below each."""
    import matplotlib.pyplot as plt

    columns = 2 if count == 4 else min(count, COLUMNS)
    rows = -(-count // columns)
    width = {1: 7.5, 2: 11.0, 3: 12.0}[columns]
    figure, grid = plt.subplots(rows, columns, figsize=(width, 3.3 * rows), layout="constrained", squeeze=False)
    axes = list(grid.flat)
    for spare in axes[count:]:
        figure.delaxes(spare)
    for ax in axes[:count]:
        ax.set_xlabel(label)
    return figure, axes[:count]


def legends(figure: Figure) -> None:
    """Beside the curves: one below the figure where a colour means the same in all panels, else one to the right of each."""
    axes = [ax for ax in figure.axes if ax.get_legend_handles_labels()[1]]
    handles: dict[str, Any] = {}
    alike = len(axes) > 1
    for ax in axes:
        if (legend := ax.get_legend()) is not None:
            legend.remove()
        for handle, label in zip(*ax.get_legend_handles_labels()):
            alike &= _looks(handles.setdefault(label, handle)) == _looks(handle)
    alike &= len({_looks(handle) for handle in handles.values()}) == len(handles)
    if alike:
        # Below the figure, which is saved with all that it has around it.
        figure.legend(list(handles.values()), list(handles), loc="upper center", bbox_to_anchor=(0.5, 0.0),
                      ncol=min(len(handles), 4), frameon=False)
        return
    for ax in axes:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), frameon=False, fontsize="small")


def _looks(handle: Any) -> str:
    """What tells a line from the others; of what is no line, itself."""
    line = hasattr(handle, "get_marker")
    return f"{handle.get_color()} {handle.get_linestyle()} {handle.get_marker()}" if line else str(handle)


def over_time(ax: Axes, time: np.ndarray, columns: Mapping[str, np.ndarray], unit: str) -> None:
    """A line for each column, shape (K,)."""
    for k, (name, values) in enumerate(columns.items()):
        style, width = LOOKS[k % len(LOOKS)] if len(columns) > 1 else ("-", 1.2)
        ax.plot(time, values, style, linewidth=width if len(time) < 2000 or len(columns) == 2 else width / 2, label=name)
    ax.set_ylabel(unit)


def apart(time: np.ndarray, one: np.ndarray, other: np.ndarray, until: float = np.inf) -> float:
    """How far two curves are apart in a figure that shows both, pt: by less than LINE they lie on each other.

    The farthest node of one from the nearest place of the other, up to a time; not in the first and last twentieth of the
    axis, where that place may lie outside.
    """
    both = np.concatenate([one, other])
    scale = np.array(BOX) / [np.ptp(time), np.ptp(both)]
    curves = [np.stack([time, values], axis=1) * scale for values in (one, other)]
    length = np.ptp(time)
    inside = (time >= time[0] + length / 20) & (time <= min(until, time[-1] - length / 20))
    found = 0.0
    for nodes, along in (curves, curves[::-1]):
        pieces = np.diff(along, axis=0)
        to = nodes[inside, None] - along[:-1]
        share = np.clip(np.sum(to * pieces, axis=2) / np.sum(pieces**2, axis=1), 0, 1)
        found = max(found, float(np.max(np.min(np.linalg.norm(to - share[..., None] * pieces, axis=2), axis=1))))
    return found


def difference(ax: Axes, time: np.ndarray, values: np.ndarray, label: str, unit: str) -> None:
    """Of two curves that hide each other: a panel of its own."""
    ax.plot(time, values, color="k", linewidth=0.8)
    ax.set_ylabel(unit)
    ax.set_title(label, fontsize="medium")


def slope(ax: Axes, along: np.ndarray, through: tuple[float, float], exponent: float, label: str) -> None:
    """A grey line of this slope on logarithmic axes, through a point."""
    ax.plot(along, through[1] * (np.asarray(along) / through[0]) ** exponent, color="grey", linestyle=":", label=label)


def increments(values: np.ndarray) -> np.ndarray:
    """x_{n+1} - x_n, shape (K - 1,)."""
    return np.diff(values)


def largest(values: np.ndarray) -> float:
    """The largest magnitude."""
    return float(np.max(np.abs(values)))


def change(values: np.ndarray) -> float:
    """The largest change since the start."""
    return largest(values - values[0])


def energies(run: Run, row: int) -> dict[str, np.ndarray]:
    """T, V and their sum of a trajectory, from the observed kinetic_energy and potential_energy."""
    followed = run.trajectories.isel(trajectory=row)
    kinetic, potential = followed["kinetic_energy"].values, followed["potential_energy"].values
    return {"T": kinetic, "V": potential, "T + V": kinetic + potential}
