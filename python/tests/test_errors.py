"""Errors have a type, and say what is wrong with what."""

import pytest

import livens as lv
from livens.errors import Mistake


def test_a_spec_error_is_a_value_error_with_key_expected_suggestion(circle):
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
    assert wrong.value.mistakes[0].where.startswith("spec:")


@pytest.mark.parametrize("line, mistake", [
    ("a:b.toml:12: scheme.step: -1 is out of range; expected a finite time > 0 (s)",
     ("a:b.toml:12", "scheme.step", "a finite time > 0 (s)", None)),
    ("--set: 'x'; expected KEY=VALUE", ("--set", None, "KEY=VALUE", None)),
    ("s.toml:2: output.fiel: unknown key 'fiel'; the nearest known key is 'file'",
     ("s.toml:2", "output.fiel", None, "file")),
    ("s.toml:2: ensemble.vary[0].law: unknown law 'x'; did you mean 'normal'? expected normal or uniform",
     ("s.toml:2", "ensemble.vary[0].law", "normal or uniform", "normal")),
    ("not enough memory", (None, None, None, None)),
])
def test_a_line_of_the_program_is_taken_apart(line, mistake):
    assert Mistake.from_line(line) == Mistake(line, *mistake)


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
