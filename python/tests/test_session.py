"""A session from the study to the film, as its users write it: each line, and what it leaves."""

import os

import numpy as np
import pytest

import livens as lv

matplotlib = pytest.importorskip("matplotlib")
qmc = pytest.importorskip("scipy.stats.qmc")
SIZE = 4096  # of 100 000, for the time that it takes; that of the design, whose rows begin where the first run ended


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """In a folder of its own: the study, its run, what went on from it, the comparison, and the file once more."""
    matplotlib.use("Agg")
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("session"))
    study = lv.Ensemble(
        lv.systems.four_particle(damping=[.03, .03]),
        lv.schemes.ems(step=.05, end=10., tolerance=0),
        vary={"initial.p[10:12]": lv.Normal(0, .1, mode="add"),
              "system.damping": lv.Uniform(0, .05, shared=True)},
        observe=["energy", "q[9]"], size=SIZE, seed=1, interval=.5)
    run = study.run(device="auto", file="study.h5", progress=True)
    design = lv.Table({"system.mass": qmc.scale(qmc.Sobol(4).random(4096), .9, 1.1)})
    again = study.replace(vary=design, initial=run.final, size=None)
    c = lv.compare(study.replace(size=64), scheme=["ems", "vi_a"], step=[.1, .05])
    yield {"study": study, "run": run, "design": design, "again": again, "c": c, "old": lv.open("study.h5")}
    os.chdir(before)


def test_the_study_is_toml(session):
    assert lv.Ensemble.from_toml(session["study"].to_toml()) == session["study"]


def test_the_results_are_labelled(session):
    run = session["run"]
    assert run.instances.status.dims == ("instance",) and run.instances.status.shape == (SIZE,)
    assert not run.instances.status.any()
    above = run.statistics.energy.sel(level=.95)
    assert above.quantiles.dims == ("time",) and above.quantiles.attrs["units"] == "J"
    middle = run.trajectories.q.sel(time=5., method="nearest")
    assert middle.dims == ("trajectory", "coordinate") and float(middle.time) == 5.0


def test_an_ensemble_goes_on_with_a_design(session):
    again = session["again"].run()
    assert again.instances.sizes["instance"] == 4096 and again.failed == 0
    np.testing.assert_array_equal(again.instances["system.mass[3]"], session["design"].columns["system.mass[3]"])
    # The momenta were on the constraints of masses that are now others: the start is where the first run ended, in q.
    np.testing.assert_allclose(again.instances.initial_q, session["run"].final.q, rtol=0, atol=1e-12)


def test_a_comparison_has_scheme_and_step_as_dims(session):
    c = session["c"]
    assert c.runs.dims == ("scheme", "step") and c.runs.shape == (2, 2)
    error = c.instances.max_energy_error
    assert error.dims == ("scheme", "step", "instance")
    # ems keeps the balance to round-off at any step; the error of vi_a is of the second order in it.
    assert float(error.sel(scheme="ems").max()) < 1e-12 < float(error.sel(scheme="vi_a").min())


def test_pictures_and_a_film(session):
    run, c = session["run"], session["c"]
    for ax in (lv.plot.fan(run, "energy"), lv.plot.joint(run, "system.damping[0]", "energy"), lv.plot.growth(c),
               lv.plot.order(c)):
        assert ax.has_data() and ax.get_xlabel() and ax.get_ylabel()
    lv.animate(run, instance=0, file="motion.gif")
    with open("motion.gif", "rb") as film:
        assert film.read(3) == b"GIF"
    matplotlib.pyplot.close("all")


def test_the_file_is_the_run(session):
    old = session["old"]
    assert not old.trajectories.q.variable._in_memory  # nothing was read yet
    assert old.instances.equals(session["run"].instances)
