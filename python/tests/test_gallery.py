"""The gallery: its list is whole, and what it draws agrees with the papers."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
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
    "ggl-structure-preserving-integrators/figure-2", "ggl-variational-principle/figure-4",
    "gamma-convergence-constrained/table-1", "herglotz-nonholonomic/figure-4-7", "livens/plane-jumps", "livens/roofline",
])
def test_a_figure_agrees_with_its_paper(name, tmp_path):
    """One of a paper that takes some seconds; CI draws all of them (python -m livens.gallery --quick)."""
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
    for spec, text in entry.specs(quick=True).items():
        assert f"<a href='{spec}'>" in page and (tmp_path / spec).read_text() == text


def test_every_figure_has_specs_that_can_be_run(tmp_path):
    """At full size, nothing run; so does a build."""
    every = gallery.entries()
    written = gallery.write_specs(every, tmp_path)
    # Nothing is run: figure 5 shows the swing at rest, the roofline a table.
    assert {name for name, specs in written.items() if not specs} == {
        "gamma-convergence-constrained/figure-5", "livens/roofline", *(entry.name for entry in every if entry.lacking)}
    names = [name for specs in written.values() for name in specs]
    assert sorted(names) == sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.toml"))
    for name in names:
        lv.Ensemble.from_toml(tmp_path / name).check()


def test_the_command_line_runs_what_is_drawn(program, tmp_path):
    """The same bits: repr, which the .csv has, keeps all of them."""
    entry, = gallery.entries("livens-energy-consistent/figure-4")
    gallery.draw([entry], tmp_path)
    with open(tmp_path / f"{entry.name}.csv") as file:
        drawn = [float(row["g"]) for row in csv.DictReader(file)]
    subprocess.run([program, "run", f"{entry.name}.toml", "-o", "run.h5"], cwd=tmp_path, check=True,
                   capture_output=True)
    assert np.array_equal(lv.open(tmp_path / "run.h5").trajectories["constraint[0]"].values[0], drawn)


def test_figures_of_one_study_share_its_run(tmp_path, monkeypatch):
    run = []
    monkeypatch.setattr(gallery.figures, "run", lambda spec: run.append(spec) or lv.run(spec))
    gallery.figures.run_of.cache_clear()
    first, second = gallery.entries("livens-energy-consistent")[:2]
    gallery.draw([first, second], tmp_path)
    assert len(run) == 1 and all((tmp_path / f"{entry.name}.toml").is_file() for entry in (first, second))


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
    written = run("gamma-convergence-constrained/figure-4", "--specs", "specs")
    assert written.returncode == 0 and "5 specs of 1 figures" in written.stdout
    assert len(list((tmp_path / "specs" / "gamma-convergence-constrained").glob("figure-4-*.toml"))) == 5
    wrong = run("figure-1")
    assert wrong.returncode == 2 and "expected" in wrong.stderr
    drawn = run("livens/roofline", "-o", "drawn")
    assert drawn.returncode == 0 and "livens/roofline" in (tmp_path / "drawn" / "index.html").read_text()
