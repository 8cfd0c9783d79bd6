"""The gallery: its list is whole, and what it draws agrees with the papers."""

import csv
import os
import subprocess
import sys

import pytest

import livens as lv
from livens import gallery

NUMBERED = {
    "ggl-variational-principle": [f"figure-{k}" for k in [*range(3, 11), *range(12, 24)]],
    "ggl-structure-preserving-integrators": ["figure-2", "figure-3"],
    "livens-energy-consistent": [f"figure-{k}" for k in (2, 3, 4, 6, 7, 8)],
    "herglotz-nonholonomic": [f"figure-4-{k}" for k in range(3, 20)] + [f"experiment-{k}" for k in range(1, 5)],
    "gamma-convergence-constrained": [f"figure-{k}" for k in (1, 3, 4, 5, 6, 7, 8)] + ["table-1", "table-2"],
    "livens": ["energy-drift", "damping-quantiles", "time-to-fall", "plane-jumps", "closer-scheme", "roofline"],
}


def test_the_list_has_every_figure_and_table():
    """Each once, and each has its function."""
    assert {entry.paper for entry in gallery.entries()} == set(NUMBERED)
    for paper, numbers in NUMBERED.items():
        assert sorted(entry.number for entry in gallery.entries(paper)) == sorted(numbers)
    assert all(callable(entry.function()) for entry in gallery.entries())
    with pytest.raises(lv.SpecError) as wrong:
        gallery.entries("livens-energy-consistent/figure-9")
    assert "figure-" in wrong.value.suggestion


@pytest.mark.parametrize("name", [
    "ggl-structure-preserving-integrators/figure-2", "ggl-structure-preserving-integrators/figure-3",
    "ggl-variational-principle/figure-4", "ggl-variational-principle/figure-17",
    "gamma-convergence-constrained/figure-1", "gamma-convergence-constrained/table-1",
    "gamma-convergence-constrained/figure-7", "gamma-convergence-constrained/table-2",
    "herglotz-nonholonomic/figure-4-7", "herglotz-nonholonomic/figure-4-9", "livens/plane-jumps",
    "livens/roofline",
])
def test_a_figure_agrees_with_its_paper(name, tmp_path):
    """One of each study that takes some seconds; CI draws all of them (python -m livens.gallery --quick)."""
    entry, = gallery.entries(name)
    if entry.lacking:
        pytest.skip(entry.lacking)
    drawn = gallery.draw([entry], tmp_path, quick=True)[name]
    assert drawn.findings and [one for one in drawn.findings if not one.agrees] == []
    with open(tmp_path / f"{name}.csv") as file:
        rows = list(csv.reader(file))
    assert rows[0] == list(drawn.columns) and len(rows) == 1 + len(next(iter(drawn.columns.values())))
    assert (tmp_path / f"{name}.svg").read_text().startswith("<?xml")
    page = (tmp_path / "index.html").read_text()
    assert "agrees" in page and "does not agree" not in page


def test_a_build_without_sundials_says_so(monkeypatch):
    """As a wheel is: the entry is listed with the reason, and so is the scheme asked for by its name."""
    monkeypatch.delitem(lv._tables.schemes, "reference_ode", raising=False)
    entry, = gallery.entries("herglotz-nonholonomic/figure-4-5")
    assert "no reference_ode: it was built without SUNDIALS" in entry.lacking
    with pytest.raises(lv.UnknownName, match="without SUNDIALS.*expected"):
        lv.schemes.ems().replace("reference_ode")


def test_a_number_that_is_off_does_not_agree():
    assert gallery.Finding("", 1.0, 1.1, 0.2).agrees and not gallery.Finding("", 1.0, 1.3, 0.2).agrees
    assert not gallery.Finding("", 1.0, float("nan"), 0.2).agrees


def test_a_build_without_a_system_draws_the_others(monkeypatch, tmp_path):
    monkeypatch.delitem(lv._tables.systems, "three_bar_swing", raising=False)
    entry, = gallery.entries("gamma-convergence-constrained/table-2")
    assert gallery.draw([entry], tmp_path) == {}
    page = (tmp_path / "index.html").read_text()
    assert "0 of 1 are drawn" in page and "Missing: this build of livens has no three_bar_swing" in page


def test_the_command(tmp_path):
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "livens.gallery", *arguments], capture_output=True, text=True,
                              cwd=tmp_path, env=os.environ)

    listed = run("--list")
    assert listed.returncode == 0
    assert len(listed.stdout.splitlines()) == len(gallery.entries())
    wrong = run("figure-1")
    assert wrong.returncode == 2 and "expected" in wrong.stderr
    drawn = run("livens/roofline", "-o", "drawn")
    assert drawn.returncode == 0 and "livens/roofline" in (tmp_path / "drawn" / "index.html").read_text()
