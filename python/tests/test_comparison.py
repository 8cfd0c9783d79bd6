"""Comparisons, pictures and films."""

import matplotlib
import numpy as np
import pytest

import livens as lv
from livens.plot import errors_by_step

matplotlib.use("Agg")


@pytest.fixture
def comparison(circle):
    return lv.compare(circle.replace(every=None, interval=0.5), scheme=["ems", "vi_a"], step=[0.1, 0.05, 0.025])


def test_the_keys_are_axes(comparison, circle):
    assert comparison.runs.dims == ("scheme", "step") and comparison.runs.shape == (2, 3)
    assert comparison.instances.max_energy_error.dims == ("scheme", "step", "instance")
    assert comparison.statistics["energy_error"].rms.dims == ("scheme", "step", "time")
    one = circle.replace(every=None, interval=0.5, scheme=lv.schemes.vi_a(step=0.05, end=1.0)).run()
    assert one.instances.equals(comparison.sel(scheme="vi_a", step=0.05).instances)
    np.testing.assert_array_equal(comparison.instances.final_q.sel(scheme="vi_a", step=0.05), one.final.q)
    with pytest.raises(lv.SpecError, match="step: not given"):
        comparison.sel(scheme="ems")


def test_other_keys(circle, tmp_path):
    c = lv.compare(circle, {"mass": [1.0, 2.0]}, seed=[1, 2], folder=tmp_path / "runs")
    assert c.runs.dims == ("mass", "seed") and len(list((tmp_path / "runs").glob("*.h5"))) == 4
    assert "mass" in repr(c) and "<table>" in c._repr_html_()


def test_samples_at_other_times_are_nan(circle):
    c = lv.compare(circle.replace(every=5), step=[0.1, 0.05])
    rms = c.statistics["energy_error"].rms
    assert list(rms.time.values) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert np.isnan(rms.sel(step=0.1, time=0.25)) and np.isfinite(rms.sel(step=0.05, time=0.25))


@pytest.mark.parametrize("wrong", [
    lambda circle: lv.compare(circle),
    lambda circle: lv.compare(circle, step=[]),
    lambda circle: lv.compare(circle, scheme=["emss"]),
    lambda circle: lv.compare(circle, stp=[0.1]),
    lambda circle: lv.compare(circle, step=[0.1, -1.0]),
])
def test_wrong_keys_are_told_before_the_first_run(circle, wrong):
    with pytest.raises(lv.SpecError):
        wrong(circle)


def test_the_order_is_that_of_the_schemes(comparison):
    """Both are of order 2. Errors against the step h0 = 0.025 are c (h^2 - h0^2), of slope log2(15/3) = 2.32."""
    for label, steps, errors in errors_by_step(comparison):
        assert label in ("ems", "vi_a") and list(steps) == [0.1, 0.05]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(np.log2(15 / 3), abs=0.1)


def test_pictures(study, comparison):
    run = study.run()
    ax = lv.plot.fan(run, "energy")
    assert ax.get_ylabel() == "energy (J)" and ax.get_xlabel() == "time (s)"
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), run.statistics.energy.quantiles.sel(level=0.5))
    assert [collection.get_label() for collection in ax.collections] == ["90 %", "50 %"]
    ax = lv.plot.joint(run, "system.damping[0]", "energy")
    assert np.nansum(ax.collections[0].get_array()) == 32
    ax = lv.plot.growth(comparison)
    assert len(ax.lines) == 6
    ax = lv.plot.order(comparison)
    assert len(ax.lines) == 2 and "slope 2." in ax.get_legend().get_texts()[0].get_text()
    for x, y in (("system.damping", "energy"), ("energy", "enrgy")):
        with pytest.raises(lv.SpecError):
            lv.plot.joint(run, x, y)
    matplotlib.pyplot.close("all")


def test_a_film(study, circle, tmp_path):
    from PIL import Image

    lv.animate(study.run(), instance=1, file=tmp_path / "motion.gif")
    with Image.open(tmp_path / "motion.gif") as film:
        assert film.n_frames == 5
    lv.animate(circle.run(), file=tmp_path / "circle.gif")
    with pytest.raises(lv.SpecError, match="instance: 99"):
        lv.animate(study.run(), instance=99)
