"""Errors have a type, and say what is wrong with what."""

from dataclasses import replace

import pytest

import livens as lv
from livens.errors import Mistake


def test_a_spec_error_is_a_value_error_with_the_fields_of_its_first_mistake(circle):
    study = circle.replace(scheme=lv.schemes.ems(step=-1.0))
    for wrong_call in (study.check, study.run, lambda: lv.run(study.to_toml())):
        with pytest.raises(ValueError) as wrong:
            wrong_call()
        assert isinstance(wrong.value, lv.SpecError)
        assert wrong.value.key == "scheme.step" and wrong.value.expected == "a finite time > 0 (s)"
        assert wrong.value.suggestion is None


def test_every_mistake_is_told(circle):
    study = circle.replace(scheme=lv.schemes.ems(step=-1.0), further={"output.evry": 3})
    with pytest.raises(lv.SpecError) as wrong:
        study.check()
    told = {(one.key, one.suggestion) for one in wrong.value.mistakes}
    assert told == {("scheme.step", None), ("output.evry", "every")}


def test_a_spec_that_is_no_ensemble_is_told_of_with_line_and_key(circle):
    with pytest.raises(lv.SpecError) as wrong:
        lv.Ensemble.from_toml(circle.to_toml().replace('"normal"', '"nrmal"'))
    assert wrong.value.key == "ensemble.vary[0].law" and wrong.value.suggestion == "normal"
    assert (wrong.value.file, wrong.value.line) == ("spec", 12)


def of_files(files):
    """A study whose spec, table or text is a file of these contents."""
    def call(folder):
        for name, content in files.items():
            (folder / name).write_text(content)
        lv.run("study.toml")
    return call


circle_toml = '[system]\nname = "unit_circle"\n[scheme]\nstep = 0.1\nend = 1.0\n'
text_toml = """name = "bead"
kinetic = "1/2*mass*x'^2"
potential = "mass*9.81*sinn(x)"
[coordinates]
x = 1
[parameters]
mass = 1.0
"""


@pytest.mark.parametrize("call, told, mistake", [
    pytest.param(of_files({"study.toml": circle_toml.replace("0.1", "-0.1")}),
                 "study.toml:4: scheme.step: -0.1 is out of range; expected a finite time > 0 (s)",
                 Mistake("-0.1 is out of range", "scheme.step", "a finite time > 0 (s)", None, "study.toml", 4),
                 id="spec"),
    pytest.param(of_files({"study.toml": circle_toml.replace("step", "stpe")}),
                 "study.toml:4: scheme.stpe: unknown key 'stpe'; did you mean 'step'?",
                 Mistake("unknown key 'stpe'", "scheme.stpe", None, "step", "study.toml", 4), id="spec, a name"),
    pytest.param(of_files({"study.toml": circle_toml.replace('name = "unit_circle"', 'file = "bead.toml"'),
                           "bead.toml": text_toml}),
                 "bead.toml:3: potential: unknown function 'sinn'; did you mean 'sin'?\n"
                 "  mass*9.81*sinn(x)\n            ^",
                 Mistake("unknown function 'sinn'", "potential", None, "sin", "bead.toml", 3, "mass*9.81*sinn(x)", 10),
                 id="expression of a text"),
    pytest.param(of_files({"study.toml": circle_toml + '[output]\nstop = [{ when = "q[0] +" }]\n'}),
                 "study.toml:7: output.stop[0].when: found the end; expected a number, a name or '('\n"
                 "  q[0] +\n        ^",
                 Mistake("found the end", "output.stop[0].when", "a number, a name or '('", None, "study.toml", 7,
                         "q[0] +", 6), id="expression of a spec"),
    pytest.param(of_files({"study.toml": circle_toml + '[ensemble.table]\nfile = "design.csv"\n',
                           "design.csv": "initial.v[1]\n0.5\nfast\n"}),
                 "design.csv:3: initial.v[1]: 'fast' is no number; expected one like 0.25, nan or inf",
                 Mistake("'fast' is no number", "initial.v[1]", "one like 0.25, nan or inf", None, "design.csv", 3),
                 id="table"),
    pytest.param(lambda folder: lv.run(circle_toml, threads=-1), "threads: -1; expected a whole number from 0 on",
                 Mistake("-1", "threads", "a whole number from 0 on"), id="option"),
    pytest.param(lambda folder: lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(stp=0.1)),
                 "scheme.stp: ems has no 'stp'; did you mean 'step'? expected ",
                 Mistake("ems has no 'stp'", "scheme.stp", None, "step"), id="argument"),
    pytest.param(lambda folder: lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.1, end=1.0),
                                            further={"output.evry": 3}).check(),
                 "ensemble:10: output.evry: unknown key 'evry'; did you mean 'every'?",
                 Mistake("unknown key 'evry'", "output.evry", None, "every", "ensemble", 10), id="further key"),
])
def test_a_mistake_arrives_with_its_fields(call, told, mistake, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(lv.SpecError) as wrong:
        call(tmp_path)
    assert str(wrong.value).startswith(told)
    (found,) = wrong.value.mistakes
    if found.expected and mistake.suggestion:
        found = replace(found, expected=None)  # all the names there are
    assert found == mistake


@pytest.mark.parametrize("make", [
    lambda study: study.replace(vary={"initial.v[1]": 3.0}),
    lambda study: lv.Ensemble.from_toml(study.to_toml().replace('"normal"', '"nrmal"')),
    lambda study: lv.Ensemble.from_toml(study.to_toml().replace("std =", "sdt =")),
    lambda study: lv.Ensemble.from_toml("[system\nname = 1"),
    lambda study: lv.run("missing.toml"),
    lambda study: study.run(device="tpu"),
    lambda study: study.run(progress="dots"),
    lambda study: study.replace(size=0).run(),
    lambda study: lv.Table({"a": [1.0, 2.0], "b": [1.0]}),
])
def test_wrong_input_is_a_spec_error(circle, make):
    with pytest.raises(lv.SpecError):
        make(circle)


def test_a_device_that_is_not_there(circle):
    from livens import _livens

    if _livens.cuda_usable():
        pytest.skip("there is a GPU")
    for device in ("cuda", "cuda:1", 0, [0, 1], "all"):
        with pytest.raises(lv.DeviceError):
            circle.run(device=device)


def test_a_file_that_cannot_be_written(circle, tmp_path):
    with pytest.raises(lv.ResultError):
        circle.run(file=tmp_path / "missing" / "a.h5")
    with pytest.raises(OSError):
        circle.run().save(tmp_path / "missing" / "a.h5")


def test_instances_that_failed_come_with_their_run(tmp_path):
    """A radius of no domain fails its instance."""
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, steps=2),
                        vary={"system.mass[0]": lv.Values([1.0, -1.0, 2.0])}, on_failure="error")
    for file in (None, tmp_path / "a.h5"):
        with pytest.raises(lv.InstancesFailed) as failed:
            study.run(file=file)
        assert failed.value.run.failed == 1
        assert list(failed.value.run.instances.status.values) == [0, 6, 0]
    assert study.replace(on_failure=None).run().failed == 1
