"""What a state looks like: for each system a function of q, shape (K, d), and the links between its points.

A drawing is ``(points, links)``: points of shape (K, n, 3), in m, and pairs of their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Links = Sequence[tuple[int, int]]
Drawing = Callable[[np.ndarray], tuple[np.ndarray, Links]]


def _with_support(points: np.ndarray) -> np.ndarray:
    """The origin as point 0, before those that hang from it."""
    return np.concatenate([np.zeros((len(points), 1, 3)), points], axis=1)


def _in_plane(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.stack([x, y, np.zeros_like(x)], axis=-1)


def four_particle(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """Bars 1-2 and 3-4, springs 1-3 and 2-4."""
    return q.reshape(-1, 4, 3), [(0, 1), (2, 3), (0, 2), (1, 3)]


def double_spherical_pendulum(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The second vector is relative to the first mass."""
    return _with_support(np.cumsum(q.reshape(-1, 2, 3), axis=1)), [(0, 1), (1, 2)]


def heavy_top(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The support, the centre of mass and the three directors there."""
    parts = q.reshape(-1, 4, 3)
    return _with_support(np.concatenate([parts[:, :1], parts[:, :1] + 0.05 * parts[:, 1:]], axis=1)), [
        (0, 1), (1, 2), (1, 3), (1, 4)]


def unit_circle(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """A point and the centre of its circle."""
    return _with_support(_in_plane(q[:, 0], q[:, 1])[:, None]), [(0, 1)]


def foucault_pendulum(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The bob from above."""
    return _with_support(_in_plane(q[:, 0], q[:, 1])[:, None]), [(0, 1)]


drawings: dict[str, Drawing] = {drawing.__name__: drawing for drawing in (
    four_particle, double_spherical_pendulum, heavy_top, unit_circle, foucault_pendulum)}
