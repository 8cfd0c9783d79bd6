"""Writes the pages of the certified problems, docs/problems: one a problem, with a picture.

usage: problem_pages.py LIVENS CHECKOUT [NAME ...]

LIVENS is the program, which has texts and certificates in it. Names: only their pages. Pictures are of a run of `taylor`;
needs h5py.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import h5py
import numpy as np

COLOURS = ("#1b6ca8", "#c2410c", "#3f7d20", "#7c3aed", "#b45309", "#0f766e", "#be123c")


def motion(livens, problem, nodes=240):
    """Times and q of a run of taylor."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "text.toml").write_text(problem["text"])
        (folder / "spec.toml").write_text(
            f'[system]\nfile = "text.toml"\n[scheme]\nname = "taylor"\nstep = {problem["end"] / nodes!r}\nsteps = {nodes}\n'
            "[output]\nevery = 1\ntrajectories = 1\n")
        subprocess.run([livens, "run", folder / "spec.toml", "-o", folder / "run.h5", "--quiet", "--backend", "cpu"],
                       check=True, capture_output=True)
        with h5py.File(folder / "run.h5") as result:
            return result["trajectories/time"][:], result["trajectories/q"][0]


def polyline(x, y, colour):
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.2" points="{points}"/>'


def picture(problem, about, times, q):
    """An SVG: paths of points in the plane, to one scale, or coordinates over the time."""
    names = problem["certificate"]["coordinates"]
    column = {name: q[:, i] for i, name in enumerate(names)}
    wanted = about["picture"]
    in_plane = isinstance(wanted[0], list)
    curves = [(column[a], column[b]) for a, b in wanted] if in_plane else [(times, column[a]) for a in wanted]
    labels = [", ".join(pair) for pair in wanted] if in_plane else wanted
    low = [min(curve[k].min() for curve in curves) for k in (0, 1)]
    high = [max(curve[k].max() for curve in curves) for k in (0, 1)]
    width, height, edge = 420, 280, 30
    scale = [(size - 2 * edge) / max(h - l, 1e-300) for size, l, h in zip((width, height), low, high)]
    if in_plane:
        scale = [min(scale)] * 2
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="10">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, (x, y) in enumerate(curves):
        colour = COLOURS[i % len(COLOURS)]
        lines.append(polyline(edge + (x - low[0]) * scale[0], height - edge - (y - low[1]) * scale[1], colour))
        lines.append(f'<text x="{edge + 90 * (i % 4)}" y="{12 + 11 * (i // 4)}" fill="{colour}">{labels[i]}</text>')
    across = f"{low[0]:.3g} to {high[0]:.3g}" + ("" if in_plane else ", time")
    lines.append(f'<text x="{edge}" y="{height - 8}">across: {across}; up: {low[1]:.3g} to {high[1]:.3g}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def table(rows):
    head, *body = rows
    return "\n".join(["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |",
                      *("| " + " | ".join(row) + " |" for row in body)])


def parameters(text):
    rows = [("parameter", "value", "unit", "meaning")]
    for name, given in text.get("parameters", {}).items():
        given = given if isinstance(given, dict) else {"default": given}
        value = str(given["default"]) + (f" ({given['count']} times)" if "count" in given else "")
        rows.append((f"`{name}`", value, given.get("unit", ""), given.get("meaning", "")))
    return rows


def page(name, problem, about, where):
    c = problem["certificate"]
    text = tomllib.loads(problem["text"])
    kinds = [("q", "q"), ("v", "v"), ("lambda", "multipliers"), ("energy", "energy")]
    errors = [("at", *(title for _, title in kinds), "tangent map")]
    for k, time in enumerate(c["times"]):
        errors.append((f"{time:.6g}", *(f"{c[kind]['error'][k]:.1e}" if c[kind]["values"][k] else "none"
                                        for kind, _ in kinds), f"{c['tangent_norm'][k]:.1e}"))
    shown = c["coordinates"][:16]
    values = [("coordinate", f"at {c['times'][1]:.6g}", f"at {c['times'][4]:.6g}")]
    for i, coordinate in enumerate(shown):
        values.append((f"`{coordinate}`", f"{c['q']['values'][1][i]:.16g}", f"{c['q']['values'][4][i]:.16g}"))
    values.append(("energy", f"{c['energy']['values'][1][0]:.16g}", f"{c['energy']['values'][4][0]:.16g}"))
    parts = [f"# {problem['title']}", f"![The motion of {name}]({name}.svg)",
             f"Text: `{where}`. Source: {problem['source']}. Units: {problem['units']}. {len(c['coordinates'])} "
             f"coordinates, {len(c['lambda']['values'][0])} rows, to t = {c['end']:.10g}.", problem["note"],
             table(parameters(text)) if text.get("parameters") else "",
             f"**{c['digits']} digits** of the largest entries of q and v are certain at all five times; error bars, "
             "and the norm of the tangent map from the start:", table(errors),
             "The middle and the end" + ("" if len(shown) == len(c["coordinates"]) else f", the first {len(shown)} of "
             f"{len(c['coordinates'])} coordinates") + "; all values are in the certificate "
             f"(`problems/{name}.json`):", table(values), about.get("page", "").strip(),
             f"`livens certify {name}` makes the certificate anew and compares; `livens problems {name}` writes text and "
             "certificate."]
    return "\n\n".join(part for part in parts if part) + "\n"


def main(livens, checkout, *names):
    root = pathlib.Path(checkout)
    docs = root / "docs/problems"
    docs.mkdir(parents=True, exist_ok=True)
    printed = subprocess.run([livens, "problems", "--json"], check=True, capture_output=True, text=True).stdout
    problems = json.loads(printed)
    about = tomllib.loads((root / "problems/about.toml").read_text())
    for name, problem in problems.items():
        if names and name not in names:
            continue
        own = root / "problems" / f"{name}.toml"
        where = f"problems/{name}.toml" if own.exists() else f"examples/systems/{name}.toml"
        (docs / f"{name}.md").write_text(page(name, problem, about[name], where))
        (docs / f"{name}.svg").write_text(picture(problem, about[name], *motion(livens, problem)))
        print(name)
    rows = [("problem", "", "d", "rows", "to", "digits of q, v", "growth")]
    for name, problem in problems.items():
        c = problem["certificate"]
        rows.append((f"[{name}]({name}.md)", problem["title"], str(len(c["coordinates"])),
                     str(len(c["lambda"]["values"][0])), f"{c['end']:.6g}", str(c["digits"]),
                     f"{max(c['tangent_norm']):.1e}"))
    (docs / "table.md").write_text("# All certified problems\n\n" + table(rows) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
