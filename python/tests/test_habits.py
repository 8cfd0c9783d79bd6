"""What a user of Python, xarray and pandas expects of a run and a study."""

import pickle
import subprocess
from types import SimpleNamespace

import livens as lv
from livens._said import spec_of
import numpy as np
import pytest
import xarray as xr

ball = """name = "ball"
kinetic = "1/2*y'^2"
potential = "9.81*y"
impact = [{ gap = "y", restitution = 0.5 }]
coordinates = { y = 1 }
initial = { q = { y = 1 } }
"""
rod = """name = "rod"
kinetic = "1/2*(x'^2 + y'^2)"
constraints = ["(x^2 + y^2 - 1)/2"]
coordinates = { x = 1, y = 1 }
initial = { q = { x = 1 } }
"""


def test_equal_studies_have_equal_hashes(study):
    same = lv.Ensemble.from_toml(study.to_toml())
    assert hash(same) == hash(study) and {study: 1}[same] == 1 and hash(study.replace(seed=2)) != hash(study)
    observed = [{"name": "r", "expression": "q[0]^2"}]
    assert hash(study.replace(observe=observed)) == hash(study.replace(observe=observed)) != hash(study)
    assert hash(study.system) == hash(lv.systems.four_particle(damping=[0.03, 0.03]))


def test_a_file_is_kept_unless_it_may_be_replaced(circle, tmp_path):
    run = circle.run()
    run.save(tmp_path / "a.h5")
    with pytest.raises(lv.SpecError, match="a.h5: already exists.*overwrite=True"):
        run.save(tmp_path / "a.h5")
    run.save(tmp_path / "a.h5", overwrite=True)
    assert lv.open(tmp_path / "a.h5").instances.equals(run.instances)


def test_runs_as_a_data_frame(study):
    pytest.importorskip("pandas")
    run = study.run()
    frame = run.to_dataframe()
    assert len(frame) == 32 and frame.index.name == "instance"
    assert frame["final_q[9]"].tolist() == run.instances.final_q.sel(coordinate=9).values.tolist()
    assert frame["system.damping[1]"].tolist() == run.instances["system.damping"][:, 1].values.tolist()
    assert frame["final_energy"].tolist() == run.instances.final_energy.values.tolist()


def test_a_store_of_zarr(study, tmp_path):
    pytest.importorskip("zarr")
    run = study.run()
    run.to_zarr(tmp_path / "a.zarr")
    opened = xr.open_datatree(tmp_path / "a.zarr", engine="zarr", consolidated=False)
    assert opened["instances"].final_q.equals(run.instances.final_q)
    assert opened["instances"].failed_step.equals(run.instances.failed_step)
    assert opened["statistics/energy"]["mean"].equals(run.statistics.energy["mean"])
    with pytest.raises(lv.SpecError, match="already exists"):
        run.to_zarr(tmp_path / "a.zarr")


def test_laws_of_points_are_axes(tmp_path):
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, end=0.1), vary={
        "system.damping[0]": lv.Linspace(0.0, 0.1, 3), "system.mass[0]": lv.Values([1.0, 2.0])})
    run = study.run(file=tmp_path / "a.h5")
    grid = run.grid()
    assert grid.final_q.dims == ("system.damping[0]", "system.mass[0]", "coordinate") and grid.final_q.shape == (3, 2, 12)
    for number in range(6):
        values = run.instances.isel(instance=number)
        there = grid.sel({name: values[name] for name in ("system.damping[0]", "system.mass[0]")})
        assert there.initial_energy == values.initial_energy and (there.final_q == values.final_q).all()
    both = study.replace(vary={**study.vary, "initial.v[0]": lv.Normal(0, 1)}, size=12).run()
    assert both.grid().status.dims == ("system.damping[0]", "system.mass[0]", "instance")
    assert (both.grid()["initial.v[0]"][2, 1] == both.instances["initial.v[0]"][[5, 11]].values).all()
    with pytest.raises(lv.SpecError, match="no whole grid"):
        study.replace(vary={**study.vary, "initial.v[0]": lv.Normal(0, 1)}, size=7).run().grid()
    with pytest.raises(lv.SpecError, match="no laws of points"):
        study.replace(vary={}).run().grid()


def test_labels_of_a_grid_are_the_values(circle):
    """What a law adds is not what an instance had; of equal factors only the program knows the last place."""
    study = circle.replace(size=None, vary={"system.mass": lv.Linspace(-0.1, 0.1, 3, mode="add"),
                                            "initial.v[1]": lv.Logspace(0.1, 7.3, 7)})
    run = study.run()
    grid = run.grid()
    assert grid.final_q.shape == (3, 7, 2)
    np.testing.assert_allclose(grid["system.mass"], [0.9, 1.0, 1.1], rtol=1e-15)
    assert grid["system.mass"].values.tolist() == run.instances["system.mass"].values[::7].tolist()
    assert grid["initial.v[1]"].values.tolist() == run.instances["initial.v[1]"].values[:7].tolist()
    assert grid["system.mass"].attrs["unit"] == "kg"
    with pytest.raises(lv.SpecError, match="not kept 'initial.v\\[1\\]'"):
        study.replace(further={"output.columns": ["final_q", "system.mass"]}).run().grid()
    for instances in ([0, 2], [1, 0], list(range(21))):
        with pytest.raises(lv.SpecError, match="other instances"):
            study.replace(instances=instances).run().grid()


def test_values_that_differ_at_a_point_are_no_labels():
    """Where x starts at a, and a law adds to it."""
    text = rod.replace("constraints", "parameters = { a = 1 }\nconstraints").replace("x = 1 } }", "x = 'a' } }")
    study = lv.Ensemble(lv.System.from_text(text.replace("- 1)/2", "- a^2)/2")), lv.schemes.ems(step=0.01, end=0.02), vary={
        "system.a": lv.Values([2.0, 3.0]), "initial.x": lv.Linspace(0, 0.5, 3, mode="add")})
    grid = study.run().grid()
    assert grid.status.dims == ("system.a", "initial.x_point") and grid["initial.x_point"].values.tolist() == [0, 0.25, 0.5]
    assert grid["initial.x"].values.tolist() == [[2, 2.25, 2.5], [3, 3.25, 3.5]]
    assert grid["system.a"].values.tolist() == [2, 3]


def test_what_the_command_line_replaced_counts(circle, program, tmp_path):
    """Its step is the one of a label, its instances and laws are those of a grid."""
    (tmp_path / "a.toml").write_text(circle.replace(size=None, vary={"initial.v[1]": lv.Linspace(0, 1, 4)}).to_toml())

    def run(*options):
        subprocess.run([program, "run", str(tmp_path / "a.toml"), *options, "-o", str(tmp_path / "a.h5"), "--force"],
                       check=True, capture_output=True)
        return lv.open(tmp_path / "a.h5")

    one = run("--set", "scheme.step=0.05", "--set", "ensemble.vary[0].count=2", "--steps", "3")
    assert lv.plot.growth(one).get_legend().get_texts()[0].get_text().startswith("ems, h = 0.05 s")
    assert one.grid()["initial.v[1]"].values.tolist() == [0, 1] and one.instances.sizes["instance"] == 2
    assert spec_of(one)["scheme"] == {"name": "ems", "step": 0.05, "steps": 3}
    with pytest.raises(lv.SpecError, match="other instances"):
        run("--set", "ensemble.instances=[0, 1, 2, 3]").grid()


def test_overrides_are_read_as_a_shell_reads_them():
    typed = "--size 4 --seed 7 --set 'output.file=it'\\''s.h5' --set 'ensemble.size=9' --set 'a.b.c=[1, \"=\"]'"
    run = SimpleNamespace(attributes={"spec": "ensemble.size = 2\nensemble.vary = [{ std = 1.0 }]\n", "overrides": typed})
    assert spec_of(run) == {"ensemble": {"size": 4, "seed": 7, "vary": [{"std": 1.0}]},
                                    "output": {"file": "it's.h5"}, "a": {"b": {"c": [1, "="]}}}


def test_multipliers_have_a_name_of_python(study):
    run = study.run()
    assert run.multipliers.equals(run.trajectories["lambda"])
    with pytest.raises(lv.SpecError, match="no constraints"):
        lv.Ensemble(lv.systems.spring_pendulum(), lv.schemes.livens(step=0.01, end=0.02)).run().multipliers


def test_what_is_shown_is_pythons(circle):
    compared = lv.compare(circle.replace(size=4), scheme=["ems", "vi_a"], step=[0.1, 0.05])
    assert "np." not in repr(compared) and "scheme = ['ems', 'vi_a']" in repr(compared)
    assert [values for values, _ in compared.items()][0] == ["ems", 0.1]
    assert type(next(compared.items())[0][0]) is str
    law = lv.Normal(np.float64(0), np.array(0.1), mode=np.str_("add"))
    assert repr(law) == "Normal(mode='add', shared=False, mean=0.0, std=0.1)" and law == lv.Normal(0, 0.1, mode="add")
    assert repr(lv.Linspace(np.float32(0.5), 2, np.int64(3))) == "Linspace(mode='set', shared=False, low=0.5, high=2, count=3)"
    assert "np." not in repr(circle.replace(vary={"initial.v[1]": lv.Normal(*np.array([0, 1]))}))


def test_tab_shows_what_is_public():
    assert dir(lv) == sorted(lv.__all__) and "Ensemble" in dir(lv) and "integration" not in dir(lv)
    assert "ems" in dir(lv.schemes) and "annotations" not in dir(lv.schemes)
    for module in (lv.plot, lv.jax, lv.torch):
        assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize("make, said", [
    (lambda: lv.Ensemble("four_particle", "ems"), r"system: 'four_particle' is a text; expected .*systems.four_particle\(\)"),
    (lambda: lv.Ensemble(lv.systems.unit_circle(), "ems"), r"scheme: 'ems' is a text; expected .*schemes.ems\("),
    (lambda: lv.Ensemble(lv.systems.unit_circle(), observe="energy"), r"observe: 'energy' is a text; expected a list"),
    (lambda: lv.Ensemble(lv.systems.unit_circle(), stop={"when": "q[0]"}), "stop: is a dict; expected a list"),
    (lambda: lv.Ensemble(lv.systems.unit_circle(), initial=np.zeros(2)), "initial: is a ndarray; expected {'q'"),
    (lambda: lv.Ensemble(lv.systems.unit_circle(), vary=lv.Normal(0, 1)), "vary: is a Normal; expected {'initial"),
])
def test_wrong_types_are_told_in_the_words_of_python(make, said):
    with pytest.raises(lv.SpecError, match=said):
        make()


def test_a_data_frame_becomes_a_table(circle):
    frame = pytest.importorskip("pandas").DataFrame({"initial.v[1]": [0.5, 1.0]})
    with pytest.raises(lv.SpecError, match=r"vary: is a DataFrame; expected .*livens.Table\(frame\)"):
        circle.replace(vary=frame)
    assert circle.replace(vary=lv.Table(frame), size=None).run().instances["initial.v[1]"].values.tolist() == [0.5, 1.0]


def test_a_start_that_is_moved_is_told_of(recwarn):
    study = lv.Ensemble(lv.System.from_text(rod), lv.schemes.ems(step=0.01, end=0.02))
    study.run()
    study.replace(initial={"x": 0.6, "y": 0.8, "x'": 0.8, "y'": -0.6}).run()
    assert not recwarn.list
    with pytest.warns(UserWarning, match="moved onto them: q by up to 0.1"):
        study.replace(initial={"q": [0.9, 0.0]}).run()
    with pytest.warns(UserWarning, match="v by up to 0.3"):
        study.replace(initial={"x'": 0.3}).run()


def test_what_is_compiled_is_said_before(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("LIVENS_CACHE", str(tmp_path / "cache"))
    study = lv.Ensemble(lv.System.from_text(rod.replace('"rod"', '"another_rod"')), lv.schemes.ems(step=0.01, end=0.02))
    study.run()
    said = capfd.readouterr().err
    assert "livens: compiling another_rod" in said and "ems" in said
    study.run()
    assert "compiling" not in capfd.readouterr().err


def test_events_and_impacts_have_fields():
    study = lv.Ensemble(
        lv.System.from_text(ball), lv.schemes.ems(step=0.01, end=1.5), keep_impacts=2,
        event=[{"name": "halfway", "when": "y - 1/2", "direction": "down", "keep": 3, "state": True}])
    assert lv.Ensemble.from_toml(study.to_toml()) == study and study.to_toml().count("keep_impacts = 2") == 1
    run = study.run()
    fallen, period = np.sqrt(2 / 9.81), np.sqrt(1 / 9.81)
    assert run.impacts["count"].sizes == {"instance": 1, "impact": 1} and run.impacts.time.dims[-1] == "event"
    # The fall is a parabola, which ems meets to round-off of some 100 steps.
    assert run.impacts.time[0, 0, 0] == pytest.approx(fallen, abs=1e-12)
    crossings = run.events["halfway"]
    assert crossings["count"][0] == 1 and crossings.time[0, 0] == pytest.approx(period, abs=1e-12)
    assert np.isnan(crossings.time[0, 1:]).all() and crossings.q.dims == ("instance", "event", "coordinate")
    assert pickle.loads(pickle.dumps(run)).events["halfway"].identical(crossings)


def test_runs_without_events_and_walls(circle):
    run = circle.run()
    assert run.events == {}
    with pytest.raises(lv.SpecError, match="no walls"):
        run.impacts
