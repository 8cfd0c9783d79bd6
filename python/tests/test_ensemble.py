"""An Ensemble is a frozen dataclass, and TOML."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import livens as lv
from livens._toml import frozen, tomllib


def test_it_is_frozen(study):
    with pytest.raises(dataclasses.FrozenInstanceError):
        study.size = 3


def test_nothing_in_it_changes():
    """What follows from a study may be kept, as the TOML of a text is."""
    text = lv.System.from_expressions("spring", kinetic="1/2*x'^2", potential="k*x^2/2", coordinates={"x": 1},
                                      parameters={"k": {"default": 2, "unit": "N/m"}}).replace(k=3)
    study = full_study().replace(initial={"q": [0.1]}, system=text, further={"output.joint": {"of": ["x"]}})
    for table in (study.vary, study.initial, study.further, study.tangent, study.scheme.options, text.parameters, text.text,
                  text.text["parameters"], text.text["parameters"]["k"], study.observe[1], study.further["output.joint"]):
        before = dict(table)
        for change in (lambda: table.update(k=1), lambda: table.pop(next(iter(table))), lambda: table.setdefault("k", 1),
                       lambda: table.__setitem__("k", 1), lambda: table.__delitem__(next(iter(table))), table.popitem,
                       table.clear, lambda: table.__ior__({"k": 1})):
            with pytest.raises(TypeError, match="replace"):
                change()
        assert table == before
    for same in (copy.deepcopy(study), pickle.loads(pickle.dumps(study))):
        assert same == study and same.to_toml() == study.to_toml()
    together = study.replace(tangent={"lyapunov": {"count": 2}}, further={"tangent.lyapunov.every": 10})
    assert tomllib.loads(together.to_toml())["tangent"]["lyapunov"] == {"count": 2, "every": 10}
    given = {"k": np.array([1.0, 2.0]), "deep": [{"a": (1, None)}]}
    kept = frozen(given)
    given["k"][0] = 5
    assert kept == {"k": (1.0, 2.0), "deep": ({"a": (1, None)},)}


def test_toml_has_what_was_given_and_nothing_else(circle):
    assert tomllib.loads(circle.to_toml()) == {
        "system": {"name": "unit_circle"},
        "scheme": {"name": "ems", "step": 0.1, "end": 1.0},
        "ensemble": {"size": 16, "vary": [
            {"what": "initial.v[1]", "law": "normal", "mean": 0, "std": 0.1, "mode": "add"}]},
        "output": {"every": 1},
    }


LAWS = {
    "initial.v[0]": lv.Normal(0.1, 0.2, mode="add"),
    "initial.v[1]": lv.Uniform(-1, 1),
    "initial.v[2]": lv.LogNormal(0, 1, mode="multiply"),
    "initial.v[3]": lv.Triangular(0, 1, 2),
    "initial.v[4]": lv.Exponential(2),
    "initial.v[5]": lv.TruncatedNormal(0, 1, -float("inf"), 2),
    "system.mass": lv.Linspace(1, 2, 3, shared=True),
    "system.length[0]": lv.Logspace(1, 2, 3),
    "system.damping[0]": lv.Values([0.1, 0.2]),
}


def full_study():
    return lv.Ensemble(
        lv.systems.four_particle(damping=np.array([0.1, 0.1])),
        lv.schemes.ems(step=0.1, tolerance=0, max_iterations=30),
        initial={"consistency": "project"}, vary=LAWS, observe=["energy", {"name": "height", "expression": "q[2] + 1"}],
        size=18, seed=3, every=2, trajectories=0, design="sobol", on_failure="error", max_failed_fraction=0.5,
        sampling="log", quantiles=[0.25, 0.75], extremes=True, energy_bound=0.1, checkpoint_every=0.0,
        stop=[{"when": "q[2] - 100"}], instances=[0, 5],
        tangent={"of": ["initial.q[0]", "system.length[0]"], "lyapunov": {"count": 1, "every": 10}})


def test_a_spec_comes_back_from_its_toml():
    study = full_study()
    assert lv.Ensemble.from_toml(study.to_toml()) == study
    study.check()


def test_the_fields_are_all_keys_of_a_spec():
    """Each key of the contract in a spec of its own comes back in the same words."""
    read = tomllib.loads(full_study().to_toml())
    again = tomllib.loads(lv.Ensemble.from_toml(full_study().to_toml()).to_toml())
    assert read == again
    assert set(read["ensemble"]) == {"size", "seed", "design", "on_failure", "max_failed_fraction", "instances", "vary"}


def test_a_key_without_a_field_is_kept_for_the_program_to_judge(circle):
    study = lv.Ensemble.from_toml(circle.to_toml() + "\n[output.unheard_of]\nbins = 3\n")
    assert study.further == {"output.unheard_of": {"bins": 3}}
    assert lv.Ensemble.from_toml(study.to_toml()) == study
    with pytest.raises(lv.SpecError, match="unheard_of"):
        study.check()


def test_replace(study):
    assert study.replace(size=7).size == 7
    assert study.replace(size=7).replace(size=study.size) == study
    table = lv.Table({"system.mass[0]": np.linspace(1, 2, 5)})
    again = study.replace(vary=table, size=None)
    assert again.vary == {} and again.table == table and again.size is None
    assert again.replace(vary=study.vary, size=study.size) == study
    both = again.replace(vary=[table, study.vary])
    assert both.table == table and both.vary == study.vary


def test_files_that_a_spec_names_are_looked_for_beside_it(tmp_path):
    (tmp_path / "design.csv").write_text("initial.v[1]\n0.1\n0.2\n")
    (tmp_path / "study.toml").write_text('[system]\nname = "unit_circle"\n[scheme]\nstep = 0.1\nend = 1.0\n'
                                         '[ensemble.table]\nfile = "design.csv"\n')
    run = lv.Ensemble.from_toml(tmp_path / "study.toml").run()
    assert list(run.instances["initial.v[1]"].values) == [0.1, 0.2]
    assert lv.run(tmp_path / "study.toml").instances.equals(run.instances)


def test_an_interval_is_a_multiple_of_the_step(circle):
    assert len(circle.replace(every=None, interval=0.5).run().statistics.time) == 3
    with pytest.raises(lv.SpecError, match="2.5 steps") as wrong:
        circle.replace(every=None, interval=0.25).run()
    assert wrong.value.key == "output.interval"
