"""The gallery: its lists are whole, and what it draws has the verdicts that are recorded."""

import ast
import csv
import html
import json
import math
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import livens as lv
from livens import gallery
from livens.gallery import gamma_convergence_constrained

NUMBERED = {
    "ggl-variational-principle": [f"figure-{k}" for k in [*range(3, 11), *range(12, 24)]],
    "ggl-structure-preserving-integrators": ["figure-2", "figure-3", "orders", "symplecticity"],
    "livens-energy-consistent": [*(f"figure-{k}" for k in (2, 3, 4, 6, 7, 8)), "proposition-5-5"],
    "herglotz-nonholonomic": [*(f"figure-4-{k}" for k in range(3, 20)), *(f"experiment-{k}" for k in range(1, 5)), "steps"],
    "gamma-convergence-constrained": [*(f"figure-{k}" for k in (1, 3, 4, 5, 6, 7, 8)), "table-1", "table-2", "action", "quadratures",
                                      "grids"],
    "livens": ["energy-drift", "damping-quantiles", "distribution", "time-to-fall", "plane-jumps", "closer-scheme", "roofline"],
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


# What the papers have: figures and tables by their numbers, and the numbers that their texts print of results and models.
FIGURES = {
    "ggl-variational-principle": [str(k) for k in range(1, 24)],
    "ggl-structure-preserving-integrators": ["1", "2", "3"],
    "livens-energy-consistent": [str(k) for k in range(1, 9)],
    "herglotz-nonholonomic": ["2.1", *(f"4.{k}" for k in range(1, 20))],
    "gamma-convergence-constrained": [str(k) for k in range(1, 9)],
}
TABLES = {"ggl-structure-preserving-integrators": ["1"], "livens-energy-consistent": ["1", "2"],
          "herglotz-nonholonomic": ["2.1"], "gamma-convergence-constrained": ["1", "2"]}
PRINTED = {
    "ggl-variational-principle": ["0.7069", "5.3014e-4", "135.6", "0.0375", "0.002 s", "0.001 s", "1e-3", "0.5 N s/m", "9.81"],
    "ggl-structure-preserving-integrators": ["1, 3, 2.3, 1.7", "1, 10", "(0, 3, 2)", "0.05", "10 s"],
    "livens-energy-consistent": ["{1, 1}", "{1, 3}", "0.1", "1e-9", "300", "1.05", "pi/2", "1e-4", "0.01 s"],
    "herglotz-nonholonomic": ["28 kg", "67 m", "49", "1e-3", "1e-4", "5 kg", "0.5 m", "1e-6", "0.005", "1/2 N", "pi/36",
                              "11.1", "1.112335e+01", "3.951806e-14", "7.7", "t/16", "22.8", "refined by 20", "38.868"],
    "gamma-convergence-constrained": [
        "14.437579674951671", "11.992045771547241", "11.979460050283279", "11.979355188823591", "11.979353929835233",
        "21.264358970618083", "21.502895414634740", "29.211974341839312", "29.414409469970764", "28.986258982641335",
        "28.970130936433204", "28.964966706946093", "175 480.7692", "547 500", "114.0625", "10.2656", "13.7401", "7500",
        "1.5625", "0.1406", "10 000", "0.125", "0.25", "0.36", "0.02", "0.01 kg", "4000", "1e-3", "1e-4", "href = 1e-5",
        "m1 = 10", "m2 = 5", "l2 = 1.5"],
}


def test_every_figure_table_and_printed_number_has_a_judge():
    """A judge that is drawn, a sketch, or a reason; and every entry of the papers judges something."""
    listed = gallery.claims()
    drawn = {entry.name for entry in gallery.entries()}
    for paper, numbers in FIGURES.items():
        of = [claim for claim in listed if claim.paper == paper]
        for kind, wanted in (("figure", numbers), ("table", TABLES.get(paper, []))):
            named = {match for claim in of for match in re.findall(rf"{kind} ([0-9]+(?:\.[0-9]+)?)", claim.at)}
            assert named == set(wanted), (paper, kind)
        said = " ".join(claim.says for claim in of)
        assert [number for number in PRINTED[paper] if number not in said] == [], paper
    for claim in listed:
        assert claim.entry in drawn if claim.by else claim.sketch or claim.why, claim
    assert {name for name in drawn if not name.startswith("livens/")} == {claim.entry for claim in listed if claim.by}


def test_a_claim_has_the_worst_verdict_of_its_findings_and_lacks_none():
    rows = [{"what": what, "verdict": verdict, "kind": kind, "remark": ""} for what, verdict, kind in (
        ("vi_a: |g|", "agrees", "closed form"), ("vi_b: |g|", "does not agree", "paper's print"))]
    claim = gallery.Claim("paper", "figure 1", "", "figure-1")
    assert claim.verdict(rows) == "does not agree" and claim.verdict(None) == "not drawn"
    of_one = gallery.Claim("paper", "figure 1", "", "figure-1", ["vi_a"])
    assert of_one.verdict(rows) == "agrees" and of_one.sources(rows) == ["closed form"]
    name = "gamma-convergence-constrained/table-2"
    lacking = gallery.unjudged({name: {"quick": True, "findings": [{"what": "h = 1e-02 s"}]}})
    assert len(lacking) == 3 and all(name in line for line in lacking)  # steps below 5e-4 are not quick
    assert len(gallery.unjudged({name: {"quick": False, "findings": [{"what": "h = 1e-02 s"}]}})) == 6
    assert gallery.Claim("paper", "", "", "table-2", ["h = 1e-05"], full=True).verdict(rows) == "not with --quick"


def recorded():
    """Findings of all entries by their names: the findings.csv of python -m livens.gallery --quick, as it was committed."""
    by_entry = {}
    with open(gallery.figures.of_checkout("docs/measurements/gallery_quick.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by_entry.setdefault(row["entry"], []).append(row)
    return by_entry


def test_every_claim_has_its_findings_in_the_record():
    of_entries = recorded()
    assert set(of_entries) == {entry.name for entry in gallery.entries()}
    assert gallery.unjudged({name: {"quick": True, "findings": rows} for name, rows in of_entries.items()}) == []
    assert [row["what"] for rows in of_entries.values() for row in rows if row["as_recorded"] != "yes"] == []


def test_index_and_claims_say_what_the_findings_say(tmp_path):
    """Of the record: numbers of verdicts, and no claim with a verdict that its entry has not."""
    of_entries = recorded()
    for name, rows in of_entries.items():
        target = (tmp_path / name).with_suffix(".json")
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps({"quick": True, "specs": [], "findings": [
            {**row, "link": "", "why": "", "remark": ""} for row in rows]}))
    gallery.write_pages(tmp_path)
    index = (tmp_path / "index.html").read_text()
    for entry in gallery.entries():
        line, = re.findall(rf"<li><a href='{entry.paper}.html#{entry.number}'>.*", index)
        said = {verdict: int(number) for verdict, number in re.findall(r">([a-z ]+) ([0-9]+)</span>", line)}
        assert said == Counter(row["verdict"] for row in of_entries[entry.name]), entry.name
    for paper in NUMBERED:
        findings, *of_claims = (re.findall(r"<td>([0-9]*)</td>", row) for row in re.findall(
            rf"(?:{paper}.html'>{paper}</a>.*?findings|#{paper}'>claims</a>)(.*?)</tr>", index.split("<h2>What")[0]))
        counted = [Counter(row["verdict"] for entry in gallery.entries(paper) for row in of_entries[entry.name])]
        listed = [claim for claim in gallery.claims() if claim.paper == paper]
        verdicts = [claim.verdict(of_entries[claim.entry] if claim.by else None) for claim in listed]
        kinds = ["agrees", "does not agree", "cannot be judged", "no result"]
        assert [int(cell or 0) for cell in findings[:3]] == [counted[0][kind] for kind in kinds[:3]]
        if of_claims:
            rest = sum(verdict not in kinds for verdict in verdicts)
            assert [int(cell) for cell in of_claims[0]] == [*map(verdicts.count, kinds), rest] and sum(
                int(cell) for cell in of_claims[0]) == len(listed)
        for claim, verdict in zip(listed, verdicts):
            assert not claim.by or verdict in {row["verdict"] for row in of_entries[claim.entry]} or claim.full, claim


def test_a_finding_has_a_unit_and_a_source_that_can_be_opened():
    """No bare SI; and where a source is a file of the checkout, it is there."""
    for rows in recorded().values():
        for row in rows:
            assert "(SI)" not in row["what"] and "not in the repository" not in row["where"], row
            for path in re.findall(r"\b(?:docs|scripts|tests)/[a-z_/]+\.(?:md|py|cpp)", row["where"]):
                assert gallery.figures.of_checkout(path).is_file(), row
            assert row["kind"] in gallery.findings.KINDS, row


def pattern_of(text):
    """What an expression that names a finding may come to; none where nothing of it is written out."""
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    if not all(isinstance(part, ast.FormattedValue) or isinstance(part, ast.Constant) and isinstance(part.value, str)
               for part in parts):
        return None
    written = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    if not re.search("[A-Za-z]", "".join(filter(None, written))):
        return None
    return re.compile("".join(".*" if part is None else re.escape(part) for part in written))


def test_the_record_has_the_findings_that_the_code_has():
    """Nothing is drawn: a finding that is named anew, added or taken away is missed here until the record is made again."""
    of_entries = recorded()
    for paper in NUMBERED:
        whats = {row["what"] for name, rows in of_entries.items() if name.startswith(f"{paper}/") for row in rows}
        here = gallery.figures.of_checkout(f"python/livens/gallery/{paper.replace('-', '_')}")
        nodes = [node for path in (sorted(here.rglob("*.py")) if here.is_dir() else [here.with_suffix(".py")])
                 for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        named = [pattern_of(node.args[0]) for node in nodes
                 if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Finding", "cannot_judge")]
        assert [one.pattern for one in named if one and not any(map(one.fullmatch, whats))] == [], paper
        texts = [one for one in map(pattern_of, nodes) if one]
        assert [what for what in whats if not any(text.fullmatch(what) for text in texts)] == [], paper


@pytest.mark.parametrize("name", [
    "ggl-structure-preserving-integrators/figure-2", "ggl-variational-principle/figure-4",
    "gamma-convergence-constrained/table-1", "herglotz-nonholonomic/figure-4-7", "livens/plane-jumps", "livens/roofline",
])
def test_a_figure_agrees_with_its_paper(name, tmp_path):
    """One of a paper that takes some seconds; all of them are drawn by hand, and what came out is recorded, below."""
    entry, = gallery.entries(name)
    if entry.lacking:
        pytest.skip(entry.lacking)
    drawn = gallery.draw([entry], tmp_path, quick=True)[name]
    assert drawn.findings and [one for one in drawn.findings if not one.as_recorded] == []
    assert gallery.unjudged({name: gallery.stored(tmp_path)[name]}) == []
    assert [finding.what for finding in drawn.findings] == [row["what"] for row in recorded()[name]]
    with open(tmp_path / f"{name}.csv") as file:
        rows = list(csv.reader(file))
    assert rows[0] == list(drawn.columns) and len(rows) == 1 + len(next(iter(drawn.columns.values())))
    assert (tmp_path / f"{name}.svg").read_text().startswith("<?xml")
    page = html.unescape((tmp_path / f"{entry.paper}.html").read_text())
    assert all(kind in page for kind in {finding.source.kind for finding in drawn.findings})
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
    first, second = gallery.entries("livens-energy-consistent")[1:3]
    gallery.draw([first, second], tmp_path)
    assert len(run) == 1 and all((tmp_path / f"{entry.name}.toml").is_file() for entry in (first, second))


def test_a_build_without_sundials_says_so(monkeypatch):
    """As a wheel is: the entry is listed with the reason, and so is the scheme asked for by its name."""
    monkeypatch.delitem(lv._tables.schemes, "reference_ode", raising=False)
    entry, = gallery.entries("herglotz-nonholonomic/figure-4-5")
    assert "no reference_ode: it was built without SUNDIALS" in entry.lacking
    with pytest.raises(lv.UnknownName, match="without SUNDIALS.*expected"):
        lv.schemes.ems().replace("reference_ode")


def test_expected_numbers_are_found_by_hand():
    """Those whose source is scripts/papers_by_hand.py, without livens."""
    hand = runpy.run_path(str(gallery.figures.of_checkout("scripts/papers_by_hand.py")))
    known = gamma_convergence_constrained.double_spherical_pendulum
    # A rounding of a node turns all steps after it.
    assert abs(float(hand["double_spherical_pendulum"]("0.01")[0]) - known.TABLE_1[1e-2]) < 1e-12 * known.TABLE_1[1e-2]
    speed, amplitude = hand["double_spherical_pendulum"]("0.001")
    assert abs(float(speed) / known.EXACT[1e-3] - 1) < 4 * np.finfo(float).eps and abs(float(amplitude) - 1.347e-3) < 0.5e-6
    assert abs(np.abs(np.diff(hand["spring_pendulum"]())).max() - 4.3e-5) < 0.05e-5
    nodes, angle = hand["plane"](hand["foucault"]("lagrange_dalembert", 1e-4, 0.145))
    jumps = np.degrees(np.abs(np.diff(angle)))
    assert abs(jumps.max() - 10.07) < 0.005 and abs(nodes[jumps.argmax() + 1] * 0.145 - 3201.6) < 0.15
    assert np.abs(hand["mass_spring"]().max(axis=0) - [1.000, 0.988, 1.0]).max() < 0.5e-3
    forwards = 0.5 * (-5.319914 + 0.3 * np.pi * np.sin(np.pi / 9))
    start = np.array([0, 0, np.pi / 9, 0, 0, forwards, 0, 0, -0.3 * np.pi, -5.319914])
    assert abs(hand["disk_rate"](start, 0.0)[7]) < 1e-5 * 9.81 / 0.5  # a steady circle, to the digits of psi'


def test_a_number_that_is_off_does_not_agree():
    source = gallery.Source("closed form", "of a test")

    def finding(expected, ours, **how):
        return gallery.Finding("", expected, ours, 0.2, source, **how)

    assert finding(1.0, 1.1).verdict == "agrees" and finding(1.0, 1.3).verdict == "does not agree"
    assert finding(1.0, float("nan")).verdict == "does not agree"
    assert finding(gallery.Between(1.0, 2.0), 1.5).verdict == "agrees"
    assert finding(gallery.Between(-math.inf, 2.0), 2.3).verdict == "does not agree"
    # What is known not to agree must not, and what is not known has a reason.
    assert not finding(1.0, 1.3).as_recorded and finding(1.0, 1.3, differs="a misprint").as_recorded
    assert not finding(1.0, 1.1, differs="a misprint").as_recorded
    assert finding(math.nan, 1.3, open="not printed").verdict == "cannot be judged"
    with pytest.raises(ValueError, match="is expected, or 'open' says"):
        finding(math.nan, 1.3)


def test_pages_keep_what_was_drawn_before(tmp_path):
    for name in ("livens-energy-consistent/figure-4", "gamma-convergence-constrained/figure-5"):
        gallery.draw(gallery.entries(name), tmp_path, quick=True)
    assert set(gallery.stored(tmp_path)) == {"livens-energy-consistent/figure-4", "gamma-convergence-constrained/figure-5"}
    index, claims = ((tmp_path / f"{name}.html").read_text() for name in ("index", "claims"))
    assert f"2 of {len(gallery.entries())} are drawn" in index
    for paper in NUMBERED:
        assert f"<a href='{paper}.html'>" in index and (tmp_path / f"{paper}.html").is_file()
    assert "0.36 sqrt(2)" in claims and "not drawn" in claims
    row = json.loads((tmp_path / "livens-energy-consistent" / "figure-4.json").read_text())["findings"][0]
    assert row["verdict"] == "agrees" and row["kind"] == "paper's print"


def test_a_build_without_a_system_draws_the_others(monkeypatch, tmp_path):
    monkeypatch.delitem(lv._tables.systems, "three_bar_swing", raising=False)
    entry, = gallery.entries("gamma-convergence-constrained/table-2")
    assert gallery.draw([entry], tmp_path) == {}
    page = (tmp_path / "index.html").read_text()
    assert f"0 of {len(gallery.entries())} are drawn" in page and "Missing: this build of livens has no three_bar_swing" in page


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
    assert drawn.returncode == 0 and "1 of 1 drawn in drawn/index.html: 2 agree, 0 do not, 0 cannot be judged" in drawn.stdout
    assert "livens.html#roofline" in (tmp_path / "drawn" / "index.html").read_text()
