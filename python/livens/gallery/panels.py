"""Panels that several figures have: quantities of one trajectory against time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from livens.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(count: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure with so many axes beside each other, time below each."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, count, figsize=(5.0 * count, 3.4), layout="constrained", squeeze=False)
    for ax in axes[0]:
        ax.set_xlabel("t (s)")
    return figure, list(axes[0])


def over_time(ax: Axes, time: np.ndarray, columns: Mapping[str, np.ndarray], unit: str) -> None:
    """A line for each column, shape (K,)."""
    for name, values in columns.items():
        ax.plot(time, values, label=name)
    ax.set_ylabel(unit)
    ax.legend()


def increments(values: np.ndarray) -> np.ndarray:
    """x_{n+1} - x_n, shape (K - 1,)."""
    return np.diff(values)


def largest(values: np.ndarray) -> float:
    """The largest magnitude."""
    return float(np.max(np.abs(values)))


def energies(run: Run, row: int) -> dict[str, np.ndarray]:
    """T, V and their sum of a trajectory, from the observed kinetic_energy and potential_energy."""
    followed = run.trajectories.isel(trajectory=row)
    kinetic, potential = followed["kinetic_energy"].values, followed["potential_energy"].values
    return {"T": kinetic, "V": potential, "T + V": kinetic + potential}
