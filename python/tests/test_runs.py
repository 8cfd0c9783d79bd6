"""Runs report, let others work, and can be interrupted."""

import gc
import os
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import livens as lv

INTERRUPTED = """
import signal, sys, threading, time
import os
import livens as lv
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with it ignored
study = lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=.001, end=1e6), size=2048, every=10**8,
                    checkpoint_every=.5)
begun = threading.Event()
pressed = []
def press():
    begun.wait()
    time.sleep(1)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    study.run(file={file!r}, progress=lambda done, total, failed: begun.set())
except KeyboardInterrupt:
    print(time.monotonic() - pressed[0])
"""


@pytest.mark.parametrize("file", [None, "long.h5"])
def test_keyboard_interrupt_within_3_s(tmp_path, file):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED.format(file=file)], cwd=tmp_path, check=True,
                          capture_output=True, text=True)
    assert float(done.stdout) < 3.0
    assert os.path.isdir(tmp_path / "long.h5.checkpoint") == (file is not None)


def test_an_interrupted_run_goes_on(tmp_path):
    """Interrupted once, then resumed: the numbers of a run that was not."""
    study = lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.001, end=5.0),
                        vary={"initial.v[1]": lv.Normal(0, 0.1, mode="add")}, size=20000, every=500, trajectories=0,
                        checkpoint_every=0.2)
    file = tmp_path / "a.h5"

    def stop(done, total, failed):
        if 0 < done < total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run(file=file, progress=stop, threads=1)
    assert not file.exists() and os.path.isdir(f"{file}.checkpoint")
    with pytest.raises(lv.SpecError, match="checkpoint"):
        study.run(file=file, resume=False)
    resumed = study.run(file=file)
    assert resumed.instances.equals(study.run().instances)
    assert not os.path.exists(f"{file}.checkpoint")


def test_what_a_progress_raises_comes_out(long_study):
    def fail(done, total, failed):
        raise LookupError("enough")

    begun = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        long_study.run(progress=fail)
    assert time.monotonic() - begun < 10


def test_progress_counts_instances_times_steps(circle):
    told = []
    circle.run(progress=lambda done, total, failed: told.append((done, total, failed)))
    assert told[-1] == (160, 160, 0) and all(a[0] <= b[0] for a, b in zip(told, told[1:]))


@pytest.mark.parametrize("bar", ["tqdm", "rich"])
def test_bars(circle, bar, capsys):
    pytest.importorskip(bar)
    circle.run(progress=bar)
    shown = capsys.readouterr()
    assert "160" in shown.err or "100%" in shown.out


def test_true_takes_what_is_installed(circle, monkeypatch, capsys):
    from livens import progress

    monkeypatch.setattr(progress.importlib.util, "find_spec", lambda name: name == "rich" or None)
    assert isinstance(progress.bar_for(False), progress.Silent)
    pytest.importorskip("rich")
    bar = progress.bar_for(True)
    assert isinstance(bar, progress.RichBar)
    bar.close()
    monkeypatch.setattr(progress.importlib.util, "find_spec", lambda name: None)
    assert type(progress.bar_for(True)) is progress.Silent


def test_a_bar_in_a_notebook_is_a_widget(monkeypatch):
    """tqdm.auto draws a widget where there is a kernel of Jupyter; it is what is used."""
    pytest.importorskip("tqdm")
    from livens.progress import TqdmBar

    import tqdm.auto

    made = []
    monkeypatch.setattr(tqdm.auto, "tqdm", lambda **options: made.append(options))
    TqdmBar()
    assert len(made) == 1


def test_other_threads_go_on_while_a_run_integrates(long_study):
    """They count while the run holds no lock of the interpreter."""
    counted = [0]
    running = threading.Event()

    def count():
        while not running.is_set():
            counted[0] += 1
            time.sleep(0.01)

    def stop(done, total, failed):
        if time.monotonic() - begun > 2:
            raise StopIteration

    thread = threading.Thread(target=count)
    begun = time.monotonic()
    thread.start()
    with pytest.raises(StopIteration):
        long_study.run(progress=stop, threads=1)
    running.set()
    thread.join()
    assert counted[0] > 20  # a tenth of what an idle interpreter would do in 2 s


def test_two_runs_at_once(circle):
    results = [None, None]

    def work(k):
        results[k] = circle.run().instances

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0].equals(results[1])


def test_what_is_worth_knowing_is_a_warning(circle):
    with pytest.warns(UserWarning, match="there are as many as instances"):
        circle.replace(trajectories=100).run()


def test_error_against_makes_a_file_of_its_own(circle):
    study = circle.replace(error_against="reference_ode")
    try:
        study.check()
    except lv.SpecError as missing:
        pytest.skip(str(missing))
    assert "position_error" in study.run().instances




def test_values_that_are_not_finite_are_told_of(circle):
    study = circle.replace(vary={"initial.q[0]": lv.Values([1.0, -1.0])}, size=2, observe=[{"name": "root", "expression": "sqrt(q[0])"}])
    with pytest.warns(UserWarning, match="root: not finite in up to 1 of 2 instances"):
        study.run()


@pytest.mark.parametrize("scheme", ["rattle", "taylor"])
def test_energies_have_one_scale(scheme):
    """p.v/2 + the sum of |V_k|, with terms that cancel and a kinetic energy of every degree."""
    text = lv.System.from_text("""
name = "spinning"
kinetic = "1/2*m*(x'^2 + y'^2) + w*(x*y' - y*x') + 1/2*m*w^2*(x^2 + y^2)"
potential = "m*g*(y - 1000) - -m*g*1000 + 1/2*k*(x - y)^2"
[coordinates]
x = 1
y = 1
[parameters]
m = 2.0
w = 0.5
g = 9.81
k = 4.0
[initial]
q = { x = 1.0 }
v = { y = 0.2 }
""")
    study = lv.Ensemble(text, getattr(lv.schemes, scheme)(step=0.01, end=0.02), size=1)
    expected = (2.0 * 0.2 + 0.5) * 0.2 / 2 + 2 * 2.0 * 9810 + 2.0
    for device in ("cpu", "reference") if scheme == "rattle" else ("cpu",):
        scale = float(study.run(device=device).instances.energy_scale[0])
        assert abs(scale - expected) < 1e-12 * expected, device


def test_arrays_keep_a_file_that_nobody_named(circle):
    """Of a run whose file is a temporary one, whatever is left of the run."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        error = circle.replace(error_against="taylor").run().instances.position_error
        final = circle.run(executor=ThreadPoolExecutor(2)).instances.final_q
        gc.collect()
        assert np.isfinite(error.values).all() and np.isfinite(final.values).all()
        del error, final
        gc.collect()


def test_no_folder_is_made_for_a_file(circle, tmp_path):
    for how in ({}, {"executor": ThreadPoolExecutor(1)}):
        with pytest.raises(lv.LivensError, match="none"):
            circle.run(file=tmp_path / "none" / "run.h5", **how)
        assert not (tmp_path / "none").exists()


def test_joint_histograms_are_held_to_memory_together(circle):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    samples = int(0.2 * memory / (8 * 1000 * 1000))  # of 1000 x 1000 counts: a fifth of the memory

    def with_joints(count):
        joints = [{"name": f"joint{k}", "of": ["energy", "q[0]"], "bins": [1000, 1000], "at": "samples"} for k in range(count)]
        return circle.replace(scheme=lv.schemes.ems(step=0.1, steps=samples), further={"output.joint": joints})

    with_joints(1).check()
    with pytest.raises(lv.SpecError, match="the counts of all joint histograms up to this one take"):
        with_joints(6).check()


def test_joint_histograms_are_counted_again(circle, tmp_path):
    """By numpy, from what the run has of every instance; of a file and in memory."""
    joints = [{"name": "plane", "of": ["q[0]", "q[1]"], "bins": [8, 5], "at": "samples"},
              {"name": "last", "of": ["energy", "q[0]"], "bins": [4, 5]}]
    study = circle.replace(observe=["energy"], further={"output.joint": joints})
    for run in (study.run(), study.run(file=tmp_path / "run.h5")):
        assert set(run.joints) == {"plane", "last"}
        last, plane = run.joints["last"], run.joints["plane"]
        assert plane.histogram.dims == ("time", "q[0]", "q[1]") and int(plane.histogram[-1].sum()) == run.instances.sizes["instance"]
        counts, *_ = np.histogram2d(run.instances["final_energy"], run.instances.final_q[:, 0],
                                    bins=[last["energy_edges"].values, last["q[0]_edges"].values])
        np.testing.assert_array_equal(last.histogram, counts)
    assert circle.run().joints == {}
