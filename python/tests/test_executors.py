"""Executors: the same bits, resumed after workers died, progress, and what is refused."""

import multiprocessing
import os
import signal
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest

import livens as lv


@pytest.fixture
def wide(circle):
    """Five blocks of instances, a few steps each."""
    return circle.replace(size=5 * 1024 - 7, observe=["q[0]"])


@pytest.fixture
def slow(circle):
    """Five blocks, some seconds a shard on one thread."""
    return circle.replace(size=5 * 1024, scheme=lv.schemes.ems(step=0.01, end=60.0), every=1500, checkpoint_every=0.2,
                          trajectories=0)


def processes(workers=2):
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def same(one, other):
    return (one.instances.equals(other.instances) and one.trajectories.equals(other.trajectories)
            and all(one.statistics[name].equals(other.statistics[name]) for name in other.statistics))


def test_shards_on_processes_are_the_run_to_the_bit(wide, tmp_path):
    told = []
    with processes() as executor, warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is worth a note
        run = wide.run(executor=executor, shards=3, file=tmp_path / "run.h5", progress=lambda *at: told.append(at))
        in_no_file = wide.run(executor=executor)
    assert same(run, wide.run()) and same(in_no_file, wide.run())
    assert os.listdir(tmp_path) == ["run.h5"]
    assert all(done <= total and failed == 0 for done, total, failed in told)
    assert told[-1][0] == wide.size * 10


def kill_a_worker(folder, pids):
    """As soon as a checkpoint of a shard stands there."""
    for _ in range(3000):
        if any(folder.glob("*.checkpoint/*")):
            break
        time.sleep(0.02)
    os.kill(pids()[0], signal.SIGKILL)


def test_goes_on_after_a_worker_was_killed(slow, tmp_path):
    folder = tmp_path / "run.h5.shards"
    with processes() as executor:
        killer = threading.Thread(target=kill_a_worker, args=(folder, lambda: list(executor._processes)))
        killer.start()
        with pytest.raises(BrokenProcessPool):
            slow.run(executor=executor, shards=5, file=tmp_path / "run.h5")
        killer.join()
    assert any(folder.glob("*.checkpoint"))
    with processes() as executor:
        with pytest.raises(lv.SpecError, match="shards of another run"):
            slow.replace(seed=2).run(executor=executor, shards=5, file=tmp_path / "run.h5")
        run = slow.run(executor=executor, shards=5, file=tmp_path / "run.h5")
    assert same(run, slow.run())


def test_an_end_leaves_checkpoints(slow, tmp_path):
    def end(done, total, failed):
        raise KeyboardInterrupt

    long = slow.replace(scheme=lv.schemes.ems(step=0.01, end=6000.0), every=150000)  # minutes
    began = time.monotonic()
    with processes() as executor, pytest.raises(KeyboardInterrupt):
        long.run(executor=executor, file=tmp_path / "run.h5", progress=end)
    assert time.monotonic() - began < 60
    assert any((tmp_path / "run.h5.shards").glob("*.checkpoint"))


def test_a_cluster_of_dask_with_a_worker_killed_once(slow, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            pids = [one.pid for one in cluster.workers.values()]
            killer = threading.Thread(target=kill_a_worker, args=(tmp_path / "run.h5.shards", lambda: pids))
            killer.start()
            run = slow.run(executor=client.get_executor(), shards=5, file=tmp_path / "run.h5")
            killer.join()
    assert same(run, slow.run())


def test_loky(wide):
    loky = pytest.importorskip("loky")
    with loky.ProcessPoolExecutor(2) as executor:
        assert same(wide.run(executor=executor, shards=2), wide.run())


def test_what_is_refused(wide, circle, tmp_path):
    with processes(1) as executor:
        with pytest.raises(lv.SpecError, match="1 to 5"):
            wide.run(executor=executor, shards=6)
        with pytest.raises(lv.SpecError, match="executor"):
            wide.run(shards=2)
        (tmp_path / "run.h5").write_text("mine")
        with pytest.raises(lv.SpecError, match="already exists"):
            wide.run(executor=executor, file=tmp_path / "run.h5")
        assert (tmp_path / "run.h5").read_text() == "mine"
        further = circle.replace(initial=circle.run().final, vary={}, size=None)
        with pytest.raises(lv.SpecError, match="run in memory"):
            further.run(executor=executor)


def test_failures_count_over_the_whole(tmp_path):
    """A mass that is none fails its instance, in the second of two shards."""
    mass = np.ones(2048)
    mass[1500] = -1.0
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, steps=2), vary=lv.Table({"system.mass[0]": mass}),
                        on_failure="error")
    with processes(1) as executor:
        with pytest.raises(lv.InstancesFailed, match="1 of 2048") as raised:
            study.run(executor=executor)
        assert raised.value.run.failed == 1
        few = study.replace(on_failure=None, max_failed_fraction=1e-3)
        assert few.run(executor=executor).failed == 1
    # The share is the program's: 29 of 100 are no more than 0.29, whose product with 100 is less than 29.
    share = study.replace(on_failure=None, max_failed_fraction=0.29)._study()
    assert share.too_many(29, 100) == "" and "30 of 100" in share.too_many(30, 100)
