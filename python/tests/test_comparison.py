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
    assert ax.get_xlabel() == "damping[0] (N s/m)" and ax.get_ylabel() == "energy at the end (J)"
    for x, y in (("system.damping", "energy"), ("energy", "enrgy")):
        with pytest.raises(lv.SpecError):
            lv.plot.joint(run, x, y)
    matplotlib.pyplot.close("all")


def test_a_fan_of_many_is_shaded_by_their_histogram(circle):
    """Between the quantiles of the study, which it has, and of a law that is known: the speeds at the start."""
    run = circle.replace(size=4096, observe=["v[1]"], quantiles=[0.1, 0.5, 0.9]).run()
    ax = lv.plot.fan(run, "v[1]")
    assert len(ax.collections) == 19 and len(ax.lines) == 3
    of = run.statistics["v[1]"]
    found = lv.plot._quantiles_of_bins(of, np.array([0.1, 0.5, 0.9]))
    width = of.bin_width.values
    assert np.all(np.abs(found - of.quantiles.values.T) <= width)
    matplotlib.pyplot.close("all")


def test_a_colour_a_scheme_and_a_shade_a_step(comparison, circle):
    from matplotlib.colors import to_rgb

    ax = lv.plot.growth(comparison)
    named = [line for line in ax.lines if not line.get_label().startswith("_")]
    assert [line.get_label().split(", slope")[0] for line in named] == [
        f"{scheme}, h = {step} s" for scheme in ("ems", "vi_a") for step in (0.1, 0.05, 0.025)]
    shades = [np.array(to_rgb(line.get_color())) for line in named]
    np.testing.assert_allclose([shades[2], shades[5]], [to_rgb("#0072B2"), to_rgb("#D55E00")], atol=1e-12)
    for k in (0, 1, 3, 4):
        assert np.all(shades[k] >= shades[k + 1]) and np.any(shades[k] > shades[k + 1])
    assert {text.get_text() for text in ax.texts} == {"slope 1/2", "slope 1"}
    ax = lv.plot.order(comparison)
    assert [text.get_text().split(", slope 2.")[0] for text in ax.get_legend().get_texts()] == ["ems", "vi_a"]
    assert [text.get_text() for text in ax.texts] == ["slope 2"] and len(ax.lines) == 3
    dotted = np.log(ax.lines[-1].get_xydata())
    assert (dotted[-1, 1] - dotted[0, 1]) / (dotted[-1, 0] - dotted[0, 0]) == pytest.approx(2)
    # Where there are several orders, each slope is below the lines of its order, and touches half the lowest.
    both = lv.compare(circle.replace(every=None, interval=0.5), order=[2, 4], step=[0.1, 0.05, 0.025])
    ax = lv.plot.order(both)
    for (_, steps, errors), dotted, slope in zip(errors_by_step(both), ax.lines[2:], (2, 4), strict=True):
        x, y = dotted.get_xydata()[0]
        assert (errors / (y * (steps / x)**slope)).min() == pytest.approx(2)
    one = lv.plot.growth(comparison.sel(scheme="ems", step=0.05))
    assert one.get_legend().get_texts()[0].get_text().startswith("ems, h = 0.05 s")
    matplotlib.pyplot.close("all")


def test_a_style_for_print_ends_where_it_ends(study):
    before = dict(matplotlib.rcParams)
    with lv.plot.style(width=3.4):
        ax = lv.plot.fan(study.run(), "energy")
        assert ax.figure.get_size_inches()[0] == 3.4 and ax.xaxis.label.get_size() == 8
    assert dict(matplotlib.rcParams) == before
    matplotlib.pyplot.close("all")


def test_a_film(study, circle, tmp_path):
    """Samples every 0.5 s: two frames a second, in the motion's own time."""
    from PIL import Image

    told = []
    lv.animate(study.run(), instance=1, file=tmp_path / "motion.gif", trail=1.0, progress=lambda *at: told.append(at))
    with Image.open(tmp_path / "motion.gif") as film:
        assert film.n_frames == 5 and film.info["duration"] == 500
    assert told == [(k, 5, 0) for k in range(1, 6)]
    lv.animate(circle.run(), file=tmp_path / "circle.gif")
    # In hundredths of a second, and in the motion's own time: of 0.2 s at 30 a second 6 frames at 25.
    for fps, frames, duration in ((30, 6, 40), (17, 4, 60)):
        lv.animate(circle.run(), file=tmp_path / "fast.gif", fps=fps, speed=5.0)
        with Image.open(tmp_path / "fast.gif") as film:
            assert (film.n_frames, film.info["duration"]) == (frames, duration)
    with pytest.MonkeyPatch.context() as without:
        without.setattr("matplotlib.animation.writers.is_available", lambda name: False)
        with pytest.raises(lv.SpecError, match="there is no ffmpeg"):
            lv.animate(circle.run(), file=tmp_path / "motion.mp4")
    with pytest.raises(lv.SpecError, match="instance: 99"):
        lv.animate(study.run(), instance=99)
    with pytest.raises(lv.SpecError, match="speed"):
        lv.animate(study.run(), speed=0)


def test_a_film_draws_its_axes_once(study, circle, tmp_path, monkeypatch):
    """And looks as one that draws all of it for every frame, but for the shades that a palette has; also as ffmpeg gets it."""
    from matplotlib.animation import PillowWriter
    from matplotlib.figure import Figure
    from PIL import Image

    draws, draw = [], Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda *given: draws.append(0) or draw(*given))
    for name, run, frames in (("solid", study.run(), 5), ("flat", circle.run(), 11)):
        draws.clear()
        film = lv.animate(run, file=tmp_path / f"{name}.gif", trail=1.0)
        assert len(draws) <= 2
        film.save(tmp_path / "slow.png", writer=PillowWriter(fps=2))
        with Image.open(tmp_path / f"{name}.gif") as ours, Image.open(tmp_path / "slow.png") as theirs:
            for frame in range(frames):
                ours.seek(frame), theirs.seek(frame)
                apart = np.abs(np.asarray(ours.convert("RGB"), int) - np.asarray(theirs.convert("RGB"), int))
                assert ours.size == theirs.size and apart.max() <= 8
    program = tmp_path / "ffmpeg"
    program.write_text('#!/bin/sh\nfor last; do :; done\nexec cat > "$last"\n')
    program.chmod(0o755)
    with matplotlib.rc_context({"animation.ffmpeg_path": str(program), "savefig.dpi": 50}):
        lv.animate(run, file=tmp_path / "flat.mp4")
    assert (tmp_path / "flat.mp4").stat().st_size == 11 * 320 * 240 * 4


def test_the_time_of_a_film():
    from livens.animation import _frames

    times = np.arange(101) * 0.01
    assert _frames(times, 1.0, 25, 600) == (list(range(0, 101, 4)), 0.04)
    assert _frames(times, 0.1, 25, 600) == (list(range(101)), pytest.approx(0.1))
    assert _frames(times, 5.0, 25, 600)[0] == [0, 20, 40, 60, 80, 100]
    assert _frames(times, 1.0, 30, 600, in_hundredths=True) == (list(range(0, 101, 4)), 0.04)
    assert _frames(times, 1.0, 100, 600, in_hundredths=True) == (list(range(0, 101, 2)), 0.02)
    assert _frames(times[:1], 1.0, 30, 600, in_hundredths=True) == ([0], 0.04)
    with pytest.warns(UserWarning, match="after 10 frames"):
        assert _frames(times, 1.0, 25, 10)[0] == list(range(0, 40, 4))
