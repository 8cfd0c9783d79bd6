"""Escape times and basins, of problems whose answer is known."""

import numpy as np
import pytest

import livens as lv


def test_escape_from_a_line(well):
    """x = x0 + v0 t comes to 1 at (1 - x0)/v0."""
    x, v = np.linspace(-0.5, 0.8, 4), np.linspace(-1.0, 3.0, 5)
    found = lv.escape(well, {"initial.x": x, "initial.x'": v}, when="x - 1")
    with np.errstate(divide="ignore"):
        known = (1 - x[:, None]) / v
    known = np.where((known > 0) & (known <= 1.0), known, np.nan)
    assert found.time.dims == ("initial.x", "initial.x'") and np.all(found["initial.x"] == x)
    np.testing.assert_allclose(found.time, known, rtol=0, atol=1e-12)


def test_a_condition_of_the_study_is_no_escape(well):
    """At a speed of 2: from 0 the study ends at x = 1/2, from 0.6 and below 1 it is an escape, from 3 neither is met."""
    study = well.replace(stop=[{"when": "x - 0.5"}], vary={})
    found = lv.escape(study, {"initial.x": [0.0, 0.6, 3.0], "initial.x'": [2.0]}, when=["x - 1", "x - 1.5"])
    np.testing.assert_allclose(found.time.values[:, 0], [np.nan, 0.2, np.nan], rtol=0, atol=1e-12)


def test_columns_of_ones_own(circle):
    """A point on a circle released at rest, by its angle: gravity takes nothing from the angle's own symmetry."""
    angle = np.linspace(0.3, 1.2, 4)

    def columns(a, speed):
        return {"initial.q": np.stack([np.cos(a), np.sin(a)], axis=1),
                "initial.v": speed[:, None] * np.stack([-np.sin(a), np.cos(a)], axis=1)}

    found = lv.escape(circle.replace(vary={}, size=None, scheme=lv.schemes.ems(step=0.001, end=2.0), every=100),
                      {"angle": angle, "speed": [1.0, 2.0]}, when="q[0]", columns=columns)
    known = (np.pi / 2 - angle)[:, None] / [1.0, 2.0]
    np.testing.assert_allclose(found.time, known, atol=1e-5)


def test_basins_of_a_double_well(well):
    """From rest within +-sqrt(2) the energy is below the barrier, and the well is that of the sign; a map turned by half a
    turn is itself with the wells exchanged."""
    study = well.replace(system=well.system.replace(k=-1.0, b=1.0, c=0.5), scheme=lv.schemes.livens(step=0.05, end=40.0))
    x, v = np.linspace(-2.0, 2.0, 14), np.linspace(-1.5, 1.5, 7)
    grid = {"initial.x": x, "initial.x'": v}
    named = lv.basins(study, grid, {"left": -1.0, "right": 1.0}, of=["q[0]"])
    assert list(named.basin_number.values) == ["left", "right"]
    basin = named.basin.values
    at_rest = basin[:, 3]
    inner = np.abs(x) < np.sqrt(2)
    assert np.array_equal(at_rest[inner], (x[inner] > 0).astype(int))
    assert np.array_equal(basin, 1 - basin[::-1, ::-1]) and np.all(named.share == 0.5)
    found = lv.basins(study, grid, of=["q[0]"])
    np.testing.assert_allclose(np.sort(found.attractor.values.ravel()), [-1, 1], atol=1e-2)
    first = basin.ravel()[0]
    assert np.array_equal(found.basin.values, np.where(basin == first, 0, 1))


def test_instances_around_one_rest_are_of_one_basin(well):
    """All are within 0.01 of 1, the first and the last are not within 0.01 of each other; 1.03 is another rest."""
    found = lv.basins(well, {"initial.x": [1.009, 1.0, 0.991, 1.03]}, of=["q[0]"], within=0.01)
    assert list(found.basin.values) == [0, 0, 0, 1] and np.array_equal(found.attractor.values[:, 0], [1.009, 1.03])


def test_what_still_moves_is_of_no_basin(well):
    study = well.replace(system=well.system.replace(k=1.0))
    found = lv.basins(study, {"initial.x": [0.0, 1.0]}, {"middle": [0.0, 0.0, 0.0]})
    assert list(found.basin.values) == [0, -1] and found.share.values == 0.5


def test_what_is_refused(well):
    with pytest.raises(lv.SpecError, match="no axes"):
        lv.escape(well, {}, when="x")
    with pytest.raises(lv.SpecError, match="shape"):
        lv.escape(well, {"initial.x": [[1.0]]}, when="x")
    with pytest.raises(lv.SpecError, match="3 each"):
        lv.basins(well, {"initial.x": [1.0]}, {"middle": 0.0})
    with pytest.raises(lv.LivensError, match="more than 2"):
        lv.basins(well, {"initial.x": np.arange(5.0)}, most=2)


def test_pictures_of_maps_and_indices(well):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    study = well.replace(system=well.system.replace(k=-1.0, b=1.0, c=0.5), scheme=lv.schemes.livens(step=0.05, end=40.0))
    grid = {"initial.x": np.linspace(-1.0, 1.0, 4), "initial.x'": np.linspace(-0.1, 0.1, 3)}
    ax = lv.plot.grid(lv.basins(study, grid, {"left": -1.0, "right": 1.0}, of=["q[0]"]).basin)
    bar = ax.figure.axes[1]
    assert [text.get_text() for text in bar.get_yticklabels()] == ["left", "right"]
    assert ax.get_xlabel() == "initial x (SI units)" and ax.collections[0].get_array().shape == (3, 4)
    ax = lv.plot.grid(lv.escape(study, grid, when="x - 1").time)
    assert ax.figure.axes[1].get_ylabel() == "time of the escape (s)"
    with pytest.raises(lv.SpecError, match="two axes"):
        lv.plot.grid(lv.escape(study, {"initial.x": [0.5]}, when="x - 1").time)
    pytest.importorskip("SALib")
    varied = well.replace(vary={"initial.x": lv.Normal(0, 1), "initial.y": lv.Normal(0, 1)}, observe=["q[0]"])
    ax = lv.plot.indices(lv.sobol(varied, 16, "q[0]"))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["initial x", "initial y"]
    ax = lv.plot.indices(lv.sobol(varied, 16, "q[0]", over_time=True))
    assert ax.get_xlabel() == "time (s)" and len(ax.lines) == 2
    matplotlib.pyplot.close("all")
