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
    for name, values in columns.items():
        ax.plot(time, values, label=name)
    ax.set_ylabel(unit)


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
