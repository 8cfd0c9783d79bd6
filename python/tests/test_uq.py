"""Sobol indices, rare events and levels of the step, each by a problem whose answer is known."""

import numpy as np
import pytest

import livens as lv
from livens._inputs import all_at_the_end
from livens._said import of_instances
from livens.uq import subset_levels

stats = pytest.importorskip("scipy.stats")


def test_ishigami(well):
    """Ishigami's function of three uniform inputs, a = 7, b = 0.1, of a system at rest: its variance is known in parts."""
    pytest.importorskip("SALib")
    law = lv.Uniform(-np.pi, np.pi)
    study = well.replace(vary={f"initial.{name}": law for name in "xyz"},
                         observe=[{"name": "f", "expression": "sin(x) + 7*sin(y)^2 + 0.1*z^4*sin(x)"}])
    found = lv.sobol(study, 512, "f", seed=1).sel(of="f")
    parts = np.array([0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 0.0])
    both = 0.1**2 * np.pi**8 * (1 / 18 - 1 / 50)
    whole = parts.sum() + both
    first, total = parts / whole, (parts + [both, 0, both]) / whole
    for known, name in ((first, "first"), (total, "total")):
        half = (found[f"{name}_interval"].sel(bound="high") - found[name]).values
        # The interval is of 95 %; twice as far is beyond four standard errors.
        assert np.all(np.abs(found[name].values - known) < 2 * half + 1e-3), name
        assert np.all(half < 0.25)
    assert found.points == 512 and list(found.input.values) == ["initial.x", "initial.y", "initial.z"]


def test_indices_over_time(well):
    """x = x0 + v0 t with variances 1 and 4: x0 has 1/(1 + 4 t^2) of it."""
    pytest.importorskip("SALib")
    study = well.replace(vary={"initial.x": lv.Normal(1, 1), "initial.x'": lv.Normal(0, 2, mode="add")}, interval=0.2)
    found = lv.sobol(study, 512, ["q[0]"], over_time=True, seed=1).sel(of="q[0]")
    share = 1 / (1 + 4 * found.time.values**2)
    assert found.first.dims == ("time", "input") and found.time.size == 6
    half = (found.first_interval.sel(bound="high") - found.first).values
    assert np.all(np.abs(found.first.values - np.stack([share, 1 - share], axis=1)) < 2 * half + 1e-3)


def test_entries_and_shared_draws_are_inputs(study):
    """An input for every entry, one for a shared law; and the values are those of the laws."""
    from livens._inputs import Inputs

    inputs = Inputs(study.replace(vary={**study.vary, "system.mass[*]": lv.Uniform(1, 3)}))
    assert inputs.names == ["initial.p[10]", "initial.p[11]", "system.damping", *(f"system.mass[{k}]" for k in range(4))]
    middle = inputs.study_at(np.full((1, 7), 0.5)).table.columns
    assert [middle[f"system.mass[{k}]"] for k in range(4)] == [2.0] * 4
    assert middle["system.damping[0]"] == middle["system.damping[1]"] == 0.025
    still = study.replace(vary={"initial.p[10:12]": lv.Uniform(0, 0, mode="add")}, size=1,
                          trajectories=0).run().instances
    assert middle["initial.p[10]"] == still["initial.p[10:12]"].values[0, 0]


def test_what_adds_to_the_start_adds_to_that_of_the_row(circle):
    """The default start of the circle is (radius, 0): a median of 0 leaves it there, and one of a factor 1."""
    from livens._inputs import Inputs

    u = np.array([[0.5, 0.1], [0.5, 0.9]])
    for law in (lv.Normal(0, 0.01, mode="add"), lv.LogNormal(0, 0.01, mode="multiply")):
        inputs = Inputs(circle.replace(vary={"initial.q[0]": law, "system.radius": lv.Uniform(1, 3)}))
        columns = inputs.study_at(u).table.columns
        np.testing.assert_allclose(columns["system.radius"], [1.2, 2.8], rtol=1e-15)
        np.testing.assert_allclose(columns["initial.q[0]"], columns["system.radius"], rtol=1e-15)


def test_a_step_is_an_input_like_others(circle):
    """It decides the error of a scheme, which falls as its square."""
    pytest.importorskip("SALib")
    study = circle.replace(vary={"scheme.step": lv.Values([0.1])}, every=None, interval=0.5)
    with pytest.raises(lv.SpecError, match="a grid"):
        lv.sobol(study, 8, "q[0]")
    study = circle.replace(scheme=lv.schemes.ems(step=0.01, end=1.0), every=None, interval=0.5,
                           vary={"scheme.step": lv.Uniform(-0.005, 0.04, mode="add"), "initial.v[1]": lv.Uniform(0, 1e-6, mode="add")})
    found = lv.sobol(study, 64, "q[1]", seed=1).sel(of="q[1]")
    assert list(found.input.values) == ["scheme.step", "initial.v[1]"]
    # Of 64 points an index of 1 is estimated to some 10 %; the other input moves q by 1e-6, the steps by 1e-4.
    assert found.total.sel(input="scheme.step") > 0.5 and found.total.sel(input="initial.v[1]") < 0.01
    with pytest.raises(lv.SpecError, match="scheme.step' varies"):
        lv.multilevel(study, "q[1]", 0.1)
    with pytest.raises(lv.SpecError, match="interval: missing"):
        lv.sobol(study.replace(interval=None), 8, "q[1]")


def test_intervals_are_those_of_the_seed(well):
    """With seed 0, too, and nothing is taken from the numbers of NumPy that all share."""
    pytest.importorskip("SALib")
    study = well.replace(vary={"initial.x": lv.Normal(0, 1), "initial.y": lv.Normal(0, 1)}, observe=["q[0]"])
    before = np.random.get_state()[1:3]
    first, again = (lv.sobol(study, 16, "q[0]", seed=0) for _ in range(2))
    assert first.identical(again) and np.all(np.isfinite(first.first_interval.sel(input="initial.x")))
    after = np.random.get_state()[1:3]
    assert np.array_equal(before[0], after[0]) and before[1] == after[1]


def test_no_index_once_an_instance_has_stopped(well):
    pytest.importorskip("SALib")
    study = well.replace(vary={"initial.x": lv.Normal(0, 0.1), "initial.x'": lv.Normal(0, 2)}, every=1,
                         stop=[{"when": "x - 1"}])
    found = lv.sobol(study, 16, "q[0]", over_time=True).first.sel(of="q[0]")
    known = np.isfinite(found.values).all(axis=1)
    assert known[0] and not known[-1] and np.array_equal(known, np.sort(known)[::-1])


@pytest.mark.parametrize("law", [lv.Normal(2, 3), lv.Uniform(-1, 4), lv.LogNormal(0.2, 0.5), lv.Triangular(0, 1, 3),
                                 lv.Exponential(2.0), lv.TruncatedNormal(0, 1, -0.5, 2)])
def test_quantiles_are_those_of_the_program(law, well):
    """The median and the quarters of the draws of the program, within four standard errors of an order statistic."""
    from livens._inputs import quantile_of

    n = 4096
    drawn = np.sort(well.replace(vary={"initial.x": law}, size=n).run().instances["initial.x"].values)
    for level in (0.25, 0.5, 0.75):
        spread = 4 * np.sqrt(level * (1 - level) / n)
        low, high = quantile_of(law, "x")(np.array([level - spread, level + spread]))
        assert low < drawn[int(level * n)] < high


def test_a_rare_event(well):
    """x0 + v0 of standard normal x0, v0 beyond 3.7 standard deviations: 1.1e-4. A run of this size has a coefficient of
    variation of some 0.25; a factor of e^1 is four of them."""
    study = well.replace(vary={"initial.x": lv.Normal(0, 1), "initial.x'": lv.Normal(0, 1)})
    found = lv.subset_simulation(study, "q[0]", above=3.7 * np.sqrt(2), n=1000, seed=3)
    known = stats.norm.sf(3.7)
    assert abs(np.log(float(found.probability) / known)) < 1 and 0.1 < float(found.variation) < 0.5
    assert found["values"].min() >= 3.7 * np.sqrt(2) and np.all(np.diff(found.threshold) > 0)
    assert int(found.instances) == 1000 + (found.sizes["level"] - 1) * 900
    mirrored = lv.subset_simulation(study, "q[0]", below=3.0, n=100, seed=3)
    assert abs(float(mirrored.probability) - stats.norm.cdf(3 / np.sqrt(2))) < 0.1


def test_levels_of_subset_simulation_are_not_biased():
    """Of a linear function of ten inputs beyond 4 standard deviations, 40 times: the mean of the estimates is the
    probability within four standard errors, and their spread what a run says of itself, which leaves out the correlation
    between levels, within half of it."""
    random = np.random.default_rng(1)
    known = stats.norm.sf(4.0)
    runs = [subset_levels(lambda z: z.sum(axis=1) / np.sqrt(10), 10, 4.0, 500, 50, 10, 20, 0.8, random) for _ in range(40)]
    found = np.array([np.prod(one[1]) for one in runs])
    assert abs(found.mean() - known) < 4 * found.std(ddof=1) / np.sqrt(40)
    said = np.sqrt(np.mean([one[2] for one in runs]))
    assert 0.5 < found.std(ddof=1) / known / said < 1.6


def test_levels_of_the_step(well):
    """E[cos(sqrt(k) 4)] for k uniform in 0.5 ... 1.5, by quadrature."""
    study = well.replace(scheme=lv.schemes.livens(step=0.5, end=4.0),
                         vary={"initial.x": lv.Normal(1, 0.1), "system.k": lv.Uniform(0.5, 1.5)})
    error = 5e-3
    found = lv.multilevel(study, "q[0]", error, seed=1)
    root = np.sqrt([0.5, 1.5])
    # The antiderivative of cos(4 sqrt(k)) is (sqrt(k)/2) sin(4 sqrt(k)) + cos(4 sqrt(k))/8.
    known = np.diff(root / 2 * np.sin(4 * root) + np.cos(4 * root) / 8)[0]
    assert abs(float(found["mean"]) - known) < 4 * error
    assert float(found.standard_error) <= error / np.sqrt(2) * 1.01 and float(found.bias) <= error / np.sqrt(2)
    # Coupled: of a scheme of order 2 the variance of a difference falls as h^4, and the first levels are the large ones.
    assert np.all(found.variance.values[1:-1] / found.variance.values[2:] > 10)
    assert np.all(np.diff(found["size"].values) <= 0)


def test_a_correction_that_is_near_0_by_chance(well):
    """(x - c)^2 with c in the middle between x of level 1 and of level 2, whose difference is 0: that is not the end."""
    one = well.replace(system=well.system.replace(k=1.0), scheme=lv.schemes.livens(step=0.5, end=4.0),
                       vary={"initial.x": lv.Uniform(1, 1)})
    coarse, fine = (one.replace(scheme=one.scheme.replace(step=step), size=1).run().instances.final_q.values[0, 0]
                    for step in (0.25, 0.125))
    c = float(coarse + fine) / 2
    # x of level l is off by e 4^(2 - l), and so c by 2.5 e: the square of level 2 by 4 e^2, that of level 3 by 1.2 e^2.
    limit = 3 * (fine - np.cos(4.0)) ** 2
    found = lv.multilevel(one.replace(observe=[{"name": "f", "expression": f"(x - ({c!r}))^2"}]), "f",
                          np.sqrt(2) * limit, n=4)
    assert abs(found.correction.values[2]) < 1e-6 * abs(found.correction.values[1])
    assert abs(float(found["mean"]) - (np.cos(4.0) - c) ** 2) < limit


def test_what_is_refused(well, study):
    with pytest.raises(lv.SpecError, match="power of two"):
        lv.sobol(well, 100, "q[0]")
    with pytest.raises(lv.SpecError, match="nothing varies"):
        lv.subset_simulation(well, "q[0]", above=1)
    random = well.replace(vary={"initial.x": lv.Normal(0, 1)})
    with pytest.raises(lv.SpecError, match="above, below"):
        lv.subset_simulation(random, "q[0]")
    with pytest.raises(lv.SpecError, match="grid"):
        lv.subset_simulation(well.replace(vary={"initial.x": lv.Linspace(0, 1, 3)}), "q[0]", above=1)
    with pytest.raises(lv.LivensError, match="within 2 levels"):
        lv.subset_simulation(random, "q[0]", above=9, n=100, most_levels=2)
    with pytest.raises(lv.LivensError, match="no way on"):
        lv.subset_simulation(random, "q[1]", above=1, n=100)
    with pytest.raises(lv.SpecError, match="whole multiple"), pytest.warns(UserWarning, match="scheme.end"):
        lv.multilevel(random.replace(scheme=lv.schemes.livens(step=0.4, end=1.0)), "q[0]", 0.1)
    with pytest.raises(lv.InstancesFailed):
        lv.subset_simulation(study.replace(vary={"system.mass[0]": lv.Normal(0, 1)}), "energy", above=9, n=100)
    with pytest.raises(lv.SpecError, match="is a result"):
        lv.subset_simulation(random.replace(initial={"from": "before.h5"}), "q[0]", above=1)
    for law in (lv.Linspace(0, 1, 3), lv.Logspace(1, 2, 3), lv.Values([0, 1])):
        with pytest.raises(lv.SpecError, match="grid"):
            lv.multilevel(random.replace(vary={"initial.x": law}), "q[0]", 0.1)
    with pytest.raises(lv.SpecError, match="ensemble.instances"):
        lv.multilevel(random.replace(size=4, instances=[1, 3]), "q[0]", 0.1)


def test_what_never_stops_has_no_side_of_a_threshold(well):
    study = well.replace(vary={"initial.x'": lv.Uniform(0, 2)}, stop=[{"when": "x - 1"}])
    done = study.replace(size=16, seed=1).run()
    never = int(np.isnan(done.instances.stop_time.values).sum())
    assert 0 < never < 16
    with pytest.raises(lv.LivensError, match=f"stop_time is not finite of {never} of 16 instances"):
        all_at_the_end(done, "stop_time")
    with pytest.raises(lv.LivensError, match="stop_time is not finite"):
        lv.subset_simulation(study, "stop_time", below=0.4, n=20)
    with pytest.raises(lv.LivensError, match="stop_time is not finite"):
        lv.multilevel(study, "stop_time", 0.1, n=16)


def test_without_salib(well, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "SALib.sample.sobol", None)
    with pytest.raises(lv.LivensError, match="pip install SALib"):
        lv.sobol(well, 4, "q[0]")


def test_own_names_of_coordinates_say_what_comes_out():
    text = lv.System.from_text("""
name = "two"
kinetic = "1/2*dot(u', u') + 1/2*x'^2"
[coordinates]
u = 2
x = 1
[initial]
q = { u = [0.1, 0.2], x = 0.3 }
v = { u = [1, 2], x = 3 }
""")
    run = lv.Ensemble(text, lv.schemes.rattle(step=0.1, end=1.0), size=2).run()
    for name, dataset, place in (("x", "final_q", 2), ("u[1]", "final_q", 1), ("u[0]'", None, 0), ("u'[0]", "final_v", 0),
                                 ("x'", "final_v", 2), ("p(u)[1]", "final_p", 1), ("p(x)", "final_p", 2)):
        if dataset is None:
            with pytest.raises(lv.LivensError, match="no quantity"):
                of_instances(run, name)
        else:
            np.testing.assert_array_equal(of_instances(run, name), run.instances[dataset][:, place])
