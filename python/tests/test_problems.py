"""The certified problems."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import livens as lv
import numpy as np
import pytest


def test_each_is_a_function_with_its_certificate():
    assert len(lv.problems.names) >= 25
    for name in lv.problems.names:
        problem = getattr(lv.problems, name)()
        assert problem.name == name and problem.title and problem.source and problem.units
        d = len(problem.certificate["coordinates"])
        assert problem.times.shape == (5,) and problem.times[-1] == pytest.approx(problem.end)
        assert problem.q.values.shape == problem.v.values.shape == (5, d)
        for kind in (problem.q, problem.v, problem.multipliers, problem.energy):
            assert len(kind.values) == len(kind.error) == 5 and np.isfinite(kind.error).all()
        # What it says of its digits is no more than what its errors leave.
        largest = np.abs(problem.q.values).max(axis=1)
        assert (problem.q.error <= largest * 10.0**-problem.q.digits).all()


def test_certificates_are_parsed_when_they_are_asked_for():
    """Not by the import, nor by another module."""
    seen = subprocess.run([sys.executable, "-c", "import livens.problems as p, livens\n"
                           "print(p._problems.cache_info().currsize, 'names' in dir(p), 'pendulum_a01' in p.__all__, "
                           "p._problems.cache_info().currsize, p.heavy_top is p.heavy_top)"],
                          capture_output=True, text=True, check=True).stdout
    assert seen.split() == ["0", "True", "True", "1", "True"]


def test_a_run_is_measured():
    problem = lv.problems.pendulum_a01()
    run = lv.Ensemble(problem.system, problem.scheme("taylor", steps=5)).run()
    distance, certain = problem.error(run.final.q[0])
    assert distance <= certain < 1e-12  # taylor is one of the programs of the certificate
    coarse = lv.Ensemble(problem.system, problem.scheme("taylor", steps=5, relative_tolerance=1e-6)).run()
    assert certain < problem.error(coarse.final.q[0])[0] < 1e-2
    with pytest.raises(ValueError, match="shape"):
        problem.error([1.0])


def test_an_unknown_name():
    with pytest.raises(lv.UnknownName, match="pendulum_a01"):
        lv.problems.pendulum_a02()


def test_a_problem_is_told_in_a_line():
    assert repr(lv.problems.henon_heiles()) == "<livens.problems.henon_heiles: Henon and Heiles' star, 12 digits to 100>"


@pytest.fixture(scope="module")
def measured():
    """scripts/work_precision.py."""
    script = Path(__file__).parents[2] / "scripts" / "work_precision.py"
    if not script.is_file():
        pytest.skip("tests without the checkout")
    spec = importlib.util.spec_from_file_location("work_precision", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_work_and_precision_is_that_of_its_table(measured):
    where, rows = measured.read()
    assert measured.page(where, rows) == measured.PAGE.read_text(encoding="utf-8")
    assert {row["problem"] for row in rows} == set(measured.PROBLEMS)


@pytest.mark.parametrize(("order", "setting"), [("", "1000"), ("8", "120")])
def test_errors_of_work_and_precision_come_out_anew(measured, order, setting):
    """To the last bit, on every machine."""
    cell = measured.OfLivens(lv.problems.henon_heiles(), "steps", "rattle", setting, {}, order)
    cell.first()
    row = next(row for row in measured.read()[1] if row["problem"] == "henon_heiles" and row["method"] == "rattle"
               and (row["order"], row["setting"]) == (order, setting))
    assert (str(cell.error), str(cell.evaluations)) == (row["error"], row["evaluations"])
