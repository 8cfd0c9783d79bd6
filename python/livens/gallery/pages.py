"""The files of the gallery: a picture, a table and specs for each figure, and a page about all."""

from __future__ import annotations

import csv
import os
from html import escape
from pathlib import Path
from typing import Union

from livens.gallery.figures import Drawn, Entry


def draw(chosen: list[Entry], folder: Union[str, os.PathLike[str]], quick: bool = False) -> dict[str, Drawn]:
    """Draws the entries that can be drawn into DIR/PAPER/NUMBER.svg and .csv, with the specs of their runs beside them.

    DIR/index.html is about all.
    """
    import matplotlib
    import matplotlib.pyplot as plt

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "livens"  # the same picture is the same file
    drawn: dict[str, Drawn] = {}
    for entry in chosen:
        if entry.lacking:
            continue
        one = drawn[entry.name] = entry.draw(quick)
        target = Path(folder) / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        one.figure.savefig(target.with_suffix(".svg"), metadata={"Date": None})
        plt.close(one.figure)
        with target.with_suffix(".csv").open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(one.columns)
            table.writerows(zip(*(column.tolist() for column in one.columns.values())))
    specs = write_specs(chosen, folder, quick)
    Path(folder).mkdir(parents=True, exist_ok=True)
    (Path(folder) / "index.html").write_text(page(chosen, drawn, specs), encoding="utf-8")
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


def page(chosen: list[Entry], drawn: dict[str, Drawn], specs: dict[str, list[str]]) -> str:
    """Each entry with its picture, the numbers expected beside ours, and what agrees; or why it is missing."""
    parts = ["<!DOCTYPE html><meta charset='utf-8'><title>livens: gallery</title>", "<h1>Figures of the papers</h1>",
             f"<p>{len(drawn)} of {len(chosen)} are drawn.</p>"]
    for entry in chosen:
        parts.append(f"<h2>{escape(entry.name)}</h2><p>{escape(entry.title)}. {escape(entry.note)}</p>")
        if entry.name not in drawn:
            parts.append(f"<p>Missing: {escape(entry.lacking)}</p>")
            continue
        links = {"numbers": f"{entry.name}.csv", **{Path(name).name: name for name in specs[entry.name]}}
        parts.append(f"<p><img src='{escape(entry.name)}.svg' alt='{escape(entry.title)}'> "
                     + " ".join(f"<a href='{escape(to)}'>{escape(name)}</a>" for name, to in links.items()) + "</p>")
        rows = "".join(f"<tr><td>{escape(one.what)}</td><td>{one.expected:.12g}</td><td>{one.ours:.12g}</td>"
                       f"<td>{one.bound:.1e}</td><td>{'agrees' if one.agrees else 'does not agree'}</td></tr>"
                       for one in drawn[entry.name].findings)
        if rows:
            parts.append("<table><tr><th></th><th>expected</th><th>ours</th><th>bound</th><th></th></tr>"
                         f"{rows}</table>")
    return "\n".join(parts) + "\n"
