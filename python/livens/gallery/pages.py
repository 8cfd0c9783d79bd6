"""The files of the gallery: for each figure a picture, a table, specs and findings; pages about all that a folder has, and
all of its findings in one table."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Union

from livens.gallery.claims import NO_RESULT, NOT_DRAWN, Claim, claims, titles
from livens.gallery.figures import Drawn, Entry, entries
from livens.gallery.findings import AGREES, DIFFERS, OPEN
from livens.gallery.panels import legends

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1rem; color: #222; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
img { max-width: 100%; height: auto; display: block; margin: 0.5rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.6rem; border-bottom: 1px solid #ddd; }
td { overflow-wrap: anywhere; min-width: 5rem; }
span.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
.agrees { color: #17652c; } .differs { color: #a31515; font-weight: 600; } .open { color: #7a5200; }
.small { font-size: 0.85rem; color: #555; } nav { font-size: 0.9rem; } a { color: #0b4f9e; }
"""
RECORDED = ("what", "expected", "ours", "bound", "verdict", "kind", "where", "as_recorded")
"""Of a finding, in findings.csv."""
CLASSES = {AGREES: "agrees", DIFFERS: "differs", OPEN: "open"}
HOW_TO_READ = """
<p>Each figure is drawn from runs of <code>livens</code>, whose specs are linked below it. Beside it stands what was compared:
a number that is expected, ours, how far they may be apart and why, and the verdict. What a number is compared with decides
what agreement means:</p>
<ul>
<li><b>paper's print</b>: a number, a sentence or an axis of the paper. Agreement means that the paper can be reproduced.</li>
<li><b>authors' code</b>: what the authors' published scripts say or give, cited with repository, path and version. It shows
what was computed, even where the paper prints no number.</li>
<li><b>closed form</b>: a formula that gives the number. It shows that the result is right.</li>
<li><b>theory</b>: what a theorem or an argument says of every result: the order of a scheme, a law that it keeps, a limit.</li>
<li><b>own reference</b>: another program of ours, or a solver of others on the same equations; <em>the true motion</em> is that of
CVODE with a tolerance that leaves nothing of the figure open. It shows that livens does what it says, <em>not</em> that the paper
did.</li>
</ul>
<p><span class="agrees">agrees</span>: within the bound. Bounds are derived; one that is
said to be <em>by convention</em> is our choice of what a word of the paper means, one <em>by
observation</em> is what was found. Curves are indistinguishable where they are closer to each other than the width of a line,
1.5 pt on axes of 357 by 266 pt, Matplotlib's defaults. <span class="differs">does not agree</span>: not within it, and the
remark says why. <span class="open">cannot be judged</span>: the paper does not say enough; the remark says of what. So it is
where a paper prints no step and what it says comes true with ours, but not with most: then it may be chance.</p>
<p>The verdict of a claim is the worst of the findings that judge it; an entry may have others besides, so that its findings are
counted, not summed up. Numbers of figures that are missing are of sketches, which show no result; the list of claims has them
as well.</p>
"""


def draw(chosen: list[Entry], folder: Union[str, os.PathLike[str]], quick: bool = False) -> dict[str, Drawn]:
    """Draws the entries that can be drawn into DIR/PAPER/NUMBER.svg, .csv and .json, with the specs of their runs beside them.

    The pages are about all that the folder has then, whatever was drawn before.
    """
    import matplotlib
    import matplotlib.pyplot as plt

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "livens"  # the same picture is the same file
    specs = write_specs(chosen, folder, quick)
    drawn: dict[str, Drawn] = {}
    for entry in chosen:
        if entry.lacking:
            continue
        one = drawn[entry.name] = entry.draw(quick)
        target = Path(folder) / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        legends(one.figure)
        one.figure.savefig(target.with_suffix(".svg"), metadata={"Date": None}, bbox_inches="tight")
        plt.close(one.figure)
        with target.with_suffix(".csv").open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(one.columns)
            table.writerows(zip(*(column.tolist() for column in one.columns.values())))
        target.with_suffix(".json").write_text(json.dumps({
            "quick": quick, "specs": specs[entry.name], "findings": [finding.row() for finding in one.findings]},
            indent=1) + "\n", encoding="utf-8")
        write_pages(folder)  # after each: a long run can be looked at while it goes on
    write_pages(folder)
    return drawn


def write_specs(chosen: list[Entry], folder: Union[str, os.PathLike[str]], quick: bool = False) -> dict[str, list[str]]:
    """The specs of what the entries that can be drawn run, below the folder; their names, for each entry. Runs nothing."""
    written: dict[str, list[str]] = {}
    for entry in chosen:
        specs = {} if entry.lacking else entry.specs(quick)
        for name, spec in specs.items():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(spec, encoding="utf-8")
        written[entry.name] = list(specs)
    return written


def stored(folder: Union[str, os.PathLike[str]]) -> dict[str, dict[str, Any]]:
    """What the folder has of each entry that was drawn into it."""
    files = {entry.name: (Path(folder) / entry.name).with_suffix(".json") for entry in entries()}
    return {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items() if file.is_file()}


def write_pages(folder: Union[str, os.PathLike[str]]) -> None:
    """index.html, claims.html, PAPER.html and findings.csv about all that the folder has."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    had = stored(folder)
    with (Path(folder) / "findings.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["entry", *RECORDED], extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows({"entry": name, **row} for name, one in had.items() for row in one["findings"])
    by_paper: dict[str, list[Entry]] = {}
    for entry in entries():
        by_paper.setdefault(entry.paper, []).append(entry)
    pages = {"index": _index(by_paper, had), "claims": _claims(had),
             **{paper: _paper(paper, of, had) for paper, of in by_paper.items()}}
    for name, text in pages.items():
        (Path(folder) / f"{name}.html").write_text(text, encoding="utf-8")


def _page(title: str, body: Iterable[str]) -> str:
    return "\n".join(["<!DOCTYPE html><html lang='en'><meta charset='utf-8'>",
                      "<meta name='viewport' content='width=device-width'>",
                      f"<title>livens: {escape(title)}</title><style>{STYLE}</style>", f"<h1>{escape(title)}</h1>", *body,
                      "</html>", ""])


def _verdict(verdict: str) -> str:
    return f"<span class='{CLASSES.get(verdict, 'small')}'>{escape(verdict)}</span>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML already."""
    return ("<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"
            + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) + "</table>")


def _title(paper: str) -> str:
    return f"{paper}: {titles().get(paper, 'figures of livens’ own')}"


def _count(verdicts: Sequence[str]) -> str:
    """How many of each."""
    return ", ".join(f"<span class='{CLASSES[verdict]}'>{verdict} {verdicts.count(verdict)}</span>"
                     for verdict in CLASSES if verdict in verdicts) or "nothing compared"


def _verdicts(had: Mapping[str, dict[str, Any]], of: Iterable[Claim]) -> list[str]:
    """Of claims."""
    return [claim.verdict(had[claim.entry]["findings"] if claim.by and claim.entry in had else None) for claim in of]


def _kinds(entry: Mapping[str, Any]) -> str:
    """What an entry is compared with."""
    kinds = ", ".join(dict.fromkeys(row["kind"] for row in entry["findings"]))
    return f" <span class='small'>({escape(kinds)})</span>" if kinds else ""


def _index(by_paper: Mapping[str, list[Entry]], had: Mapping[str, dict[str, Any]]) -> str:
    parts = [HOW_TO_READ, "<h2>The papers</h2>"]
    rows, kinds = [], (AGREES, DIFFERS, OPEN, NO_RESULT)
    for paper, of in by_paper.items():
        found = [row["verdict"] for entry in of if entry.name in had for row in had[entry.name]["findings"]]
        claimed = _verdicts(had, (claim for claim in claims() if claim.paper == paper))
        rows.append([f"<a href='{paper}.html'>{escape(paper)}</a><br><span class='small'>"
                     f"{escape(titles().get(paper, 'figures of livens’ own'))}</span>",
                     f"{sum(entry.name in had for entry in of)} of {len(of)}", "findings",
                     *(str(found.count(kind)) for kind in kinds[:3]), "", ""])
        if claimed:
            rows.append(["", "", f"<a href='claims.html#{paper}'>claims</a>", *(str(claimed.count(kind)) for kind in kinds),
                         str(sum(verdict not in kinds for verdict in claimed))])
    parts.append(_table(["", "drawn", "", *kinds, "not drawn"], rows))
    parts.append("<p><a href='claims.html'>Every figure, table and printed number of the five papers</a>, with verdict and "
                 "source.</p>")
    parts.append(f"<p>{len(had)} of {sum(map(len, by_paper.values()))} are drawn.</p>")
    for verdict in (DIFFERS, OPEN):
        of_verdict = [[f"<a href='{entry.paper}.html#{entry.number}'>{escape(entry.name)}</a>", escape(row["what"]),
                       *(f"<span class='n'>{escape(row[key])}</span>" for key in ("expected", "ours")),
                       escape(f"{row['kind']}: {row['where']}"), escape(row["remark"])]
                      for of in by_paper.values() for entry in of if entry.name in had
                      for row in had[entry.name]["findings"] if row["verdict"] == verdict]
        if of_verdict:
            parts += [f"<h2>What {verdict}, and why</h2>", _table(["", "", "expected", "ours", "of", "why"], of_verdict)]
    parts.append("<h2>Contents</h2>")
    for paper, of in by_paper.items():
        parts.append(f"<h3><a href='{paper}.html'>{escape(_title(paper))}</a></h3><ul>")
        for entry in of:
            state = (_count([row["verdict"] for row in had[entry.name]["findings"]]) + _kinds(had[entry.name]) if entry.name in had
                     else f"<span class='small'>{escape(f'Missing: {entry.lacking}' if entry.lacking else NOT_DRAWN)}</span>")
            parts.append(f"<li><a href='{paper}.html#{entry.number}'>{escape(entry.number)}</a>: {escape(entry.title)}: "
                         f"{state}</li>")
        parts.append("</ul>")
    return _page("Figures of the papers", parts)


def _paper(paper: str, of: Sequence[Entry], had: Mapping[str, dict[str, Any]]) -> str:
    parts = ["<nav><a href='index.html'>All papers, and how to read this</a></nav>",
             "<p>" + " ".join(f"<a href='#{entry.number}'>{escape(entry.number)}</a>" for entry in of) + "</p>"]
    for entry in of:
        parts.append(f"<h2 id='{entry.number}'>{escape(entry.number)}: {escape(entry.title)}</h2>")
        if entry.note:
            parts.append(f"<p>{escape(entry.note)}</p>")
        if entry.name not in had:
            parts.append(f"<p>{escape(f'Missing: {entry.lacking}' if entry.lacking else NOT_DRAWN)}</p>")
            continue
        one = had[entry.name]
        specs = " ".join(f"<a href='{escape(name)}'>{k + 1}</a>" for k, name in enumerate(one["specs"]))
        if len(one["specs"]) > 20:
            specs = f"<details style='display: inline'><summary>1 to {len(one['specs'])}</summary>{specs}</details>"
        parts.append(f"<img src='{escape(entry.name)}.svg' alt='{escape(entry.title)}'><p class='small'>"
                     f"<code>python -m livens.gallery {escape(entry.name)}</code>{' --quick' if one['quick'] else ''}: "
                     f"<a href='{escape(entry.name)}.csv'>numbers</a>{f', specs {specs}' if specs else ''}</p>")
        if one["findings"]:
            parts.append(_table(["", "expected", "ours", "apart by at most", "verdict", "compared with"],
                                map(_row, one["findings"])))
    return _page(_title(paper), parts)


def _row(row: Mapping[str, str]) -> list[str]:
    where = escape(row["where"])
    of = f"<b>{escape(row['kind'])}</b>: " + (f"<a href='{escape(row['link'])}'>{where}</a>" if row["link"] else where)
    bound = "<br>".join(escape(text) for text in (row["bound"], row["why"]) if text)
    remark = f"<br><span class='small'>{escape(row['remark'])}</span>" if row["remark"] else ""
    expected, ours = (f"<span class='n'>{escape(row[key])}</span>" for key in ("expected", "ours"))
    return [escape(row["what"]), expected, ours, bound, _verdict(row["verdict"]) + remark, of]


def _claims(had: Mapping[str, dict[str, Any]]) -> str:
    parts = ["<nav><a href='index.html'>All papers, and how to read this</a></nav>",
             "<p>In the order of each paper. The verdict is the worst of the findings that judge it; those that are not there with "
             "<code>--quick</code> are drawn without.</p>"]
    by_paper: dict[str, list[Claim]] = {}
    for claim in claims():
        by_paper.setdefault(claim.paper, []).append(claim)
    for paper, of in by_paper.items():
        parts.append(f"<h2 id='{paper}'>{escape(_title(paper))}</h2>")
        rows = []
        for claim in of:
            entry = had.get(claim.entry) if claim.by else None
            findings = entry["findings"] if entry else []
            reasons = [claim.why, *claim.remarks(findings)]
            link = f"<a href='{'.html#'.join(claim.entry.split('/'))}'>{escape(claim.by)}</a>" if claim.by else ""
            rows.append([escape(claim.at), escape(claim.says),
                         _verdict(claim.verdict(findings if entry else None)),
                         escape(", ".join(claim.sources(findings))), link, escape(" ".join(filter(None, reasons)))])
        parts.append(_table(["where", "what the paper shows or says", "verdict", "compared with", "in", "remark"], rows))
    return _page("Every figure, table and printed number", parts)
