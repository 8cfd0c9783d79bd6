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


def double_four_bar(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The ends of the five bars, phi -+ l/2 d1. The first one stands on the origin, which tells their length l."""
    middle, along = (q.reshape(-1, 5, 3, 2)[:, :, part] for part in (0, 1))
    length = 2 * np.sum(middle[:, 0] * along[:, 0], axis=-1)
    half = length[:, None, None] / 2 * along
    ends = np.stack([middle - half, middle + half], axis=2).reshape(-1, 10, 2)
    return _in_plane(ends[..., 0], ends[..., 1]), [(2 * bar, 2 * bar + 1) for bar in range(5)]


def three_bar_swing(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """Ground, the nodes of the beam, ground. A rod's centre of mass is at a quarter of the way from the ground."""
    phi = q.reshape(len(q), -1, 4, 3)[:, :, 0]
    rods, nodes = phi[:, [0, -1]], phi[:, 1:-1]
    ground = (4 * rods - nodes[:, [0, -1]]) / 3
    points = np.concatenate([ground[:, :1], nodes, ground[:, 1:]], axis=1)
    return points, [(k, k + 1) for k in range(points.shape[1] - 1)]


def mass_spring(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The wall, the far edge of the first mass, and the second one behind a spring of 1 m, its default, at rest."""
    x = np.stack([np.zeros(len(q)), q[:, 1], q[:, 1] + 1.0 + q[:, 2]], axis=1)
    return _in_plane(x, np.zeros_like(x)), [(0, 1), (1, 2)]


def spring_pendulum(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The support and the bob, theta from the z axis."""
    r, theta, phi = q.T
    bob = np.stack([r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)], axis=-1)
    return _with_support(bob[:, None]), [(0, 1)]


def rolling_disk(q: np.ndarray) -> tuple[np.ndarray, Links]:
    """The centre, a rim of the default radius, 0.5 m, and one spoke; equations/herglotz.md, section 4."""
    radius, count = 0.5, 24
    x, y, theta, phi, psi = q.T
    zero = np.zeros_like(x)
    ahead = np.stack([np.cos(phi), np.sin(phi), zero], axis=-1)
    up = np.stack([-np.sin(theta) * np.sin(phi), np.sin(theta) * np.cos(phi), np.cos(theta)], axis=-1)
    turn = psi[:, None, None] + np.arange(count)[:, None] * 2 * np.pi / count
    centre = np.stack([x, y, radius * np.cos(theta)], axis=-1)[:, None]
    rim = centre + radius * (np.cos(turn) * up[:, None] + np.sin(turn) * ahead[:, None])
    return np.concatenate([centre, rim], axis=1), [(0, 1), *((k, k % count + 1) for k in range(1, count + 1))]


drawings: dict[str, Drawing] = {drawing.__name__: drawing for drawing in (
    four_particle, double_spherical_pendulum, heavy_top, unit_circle, foucault_pendulum, double_four_bar, mass_spring,
    spring_pendulum, rolling_disk, three_bar_swing)}
