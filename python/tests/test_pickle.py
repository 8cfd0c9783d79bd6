"""What crosses to another process and back: runs, errors, studies."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import livens as lv


def again(value):
    return pickle.loads(pickle.dumps(value))


def failing():
    return lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, steps=2),
                       vary={"system.mass[0]": lv.Values([1.0, -1.0, 2.0])}, on_failure="error")


def same(a, b):
    assert a.instances.identical(b.instances) and a.trajectories.identical(b.trajectories)
    assert list(a.statistics) == list(b.statistics)
    for name in a.statistics:
        assert a.statistics[name].identical(b.statistics[name])
    assert {key: b.attributes[key] for key in a.attributes} == a.attributes


def test_a_run_in_memory(study):
    run = study.run()
    there = again(run)
    assert there.path is None and repr(there) == repr(run) and there.summary() == run.summary()
    same(run, there)
    same(run, again(there))
    same(run, copy.deepcopy(run))


def test_a_run_in_a_file(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = study.run(file="a.h5")
    data = pickle.dumps(run)
    assert len(data) < 1000  # its path
    same(run, again(run))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    same(run, pickle.loads(data))


def test_a_run_in_a_file_of_its_own(circle):
    run = circle.replace(error_against="taylor").run()
    there = again(run)
    path = run.path
    same(run, there)
    del run
    assert path != there.path and "position_error" in there.instances
    assert np.isfinite(there.instances.position_error.values).all()


def test_instances_that_failed(tmp_path):
    for file in (None, tmp_path / "a.h5"):
        with pytest.raises(lv.InstancesFailed) as failed:
            failing().run(file=file)
        there = again(failed.value)
        assert type(there) is lv.InstancesFailed and str(there) == str(failed.value)
        assert there.run.failed == 1
        same(failed.value.run, there.run)
        if file is None:
            with pytest.raises(lv.InstancesFailed):
                there.run.check()


def test_errors_keep_what_they_say(circle):
    with pytest.raises(lv.SpecError) as wrong:
        circle.replace(size=0).check()
    there = again(wrong.value)
    assert there.key == "ensemble.size" and there.mistakes == wrong.value.mistakes and str(there) == str(wrong.value)
    with pytest.raises(lv.SpecError) as named:
        lv.schemes.ems(stp=0.1)
    assert again(named.value).key == "scheme.stp"


def test_studies_and_where_they_start(circle):
    study = circle.replace(initial=circle.run().final, vary={}, size=None)
    np.testing.assert_array_equal(again(study).run().final.q, study.run().final.q)
    assert again(circle) == circle
    table = lv.Table({"initial.v[1]": [0.1, 0.2]})
    assert again(table) == table


def test_from_another_process(circle):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = pool.submit(lv.run, circle).result()
        assert there.instances.identical(circle.run().instances) and there.path is None
        with pytest.raises(lv.InstancesFailed):
            pool.submit(lv.run, failing()).result()
