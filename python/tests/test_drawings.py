"""Every system has a drawing, and what is rigid stays so."""

import numpy as np
import pytest

import livens as lv
from livens.drawings import drawings


def moved(system, steps=50):
    """The points of a drawing over a run, shape (K, n, 3), and its links."""
    run = lv.Ensemble(lv.System(system), lv.Scheme(lv.System(system).description()["schemes"][0], {"steps": steps}),
                      every=1, trajectories=1).run()
    assert run.failed == 0
    return drawings[system](run.trajectories.q.values[0])


def lengths(points, links):
    first, second = np.array(links).T
    return np.linalg.norm(points[:, first] - points[:, second], axis=-1)


@pytest.mark.parametrize("system", [name for name in lv.systems.__all__ if name != "System"])
def test_every_system_has_one(system):
    points, links = moved(system, 2)
    assert points.ndim == 3 and points.shape[0] == 3 and points.shape[2] == 3 and np.isfinite(points).all()
    assert all(0 <= end < points.shape[1] for link in links for end in link)


def test_the_bars_of_the_linkage_keep_their_length_and_meet():
    points, links = moved("double_four_bar")
    np.testing.assert_allclose(lengths(points, links), 1.0, rtol=0, atol=1e-9)  # Newton's method ends at 1e-10
    for one, other in ((1, 6), (3, 7), (3, 8), (5, 9)):  # P4, P5, P5', P6
        np.testing.assert_allclose(points[:, one], points[:, other], rtol=0, atol=1e-9)
    np.testing.assert_allclose(points[:, [0, 2, 4], 1], 0.0, rtol=0, atol=1e-9)  # on the ground


def test_the_swing_hangs_on_two_points_and_its_rods_are_rigid():
    points, links = moved("three_bar_swing")
    assert np.ptp(points[:, 6], axis=0)[1] > 0  # midspan, where the load is
    np.testing.assert_allclose(points[:, 0], np.broadcast_to([0.0, 0.0, 0.0], (len(points), 3)), rtol=0, atol=1e-14)
    np.testing.assert_allclose(points[:, -1], np.broadcast_to([0.0, 1.08, 0.0], (len(points), 3)), rtol=0, atol=1e-14)
    rods = lengths(points, links)[:, [0, -1]]
    np.testing.assert_allclose(rods, np.broadcast_to(0.36 * np.sqrt([1.0, 2.0]), rods.shape), rtol=0, atol=1e-14)


def test_the_disk_touches_the_ground_and_rolls():
    points, links = moved("rolling_disk")
    centre, rim = points[:, :1], points[:, 1:]
    np.testing.assert_allclose(np.linalg.norm(rim - centre, axis=-1), 0.5, rtol=0, atol=1e-12)
    # The least height of a rim of 24 points: at most half a division from the lowest one.
    assert -1e-12 < rim[..., 2].min() and rim[..., 2].min(axis=1).max() <= 0.5 * (1 - np.cos(np.pi / 24)) + 1e-12
    # A point of the rim that touches the ground stands still: near it a cycloid has moved by less than half of what
    # the centre has, in steps of 36 degrees.
    step = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    lowest = rim[:-1, :, 2].argmin(axis=1)
    assert np.all(step[np.arange(len(step)), 1 + lowest] < 0.5 * step[:, 0])
