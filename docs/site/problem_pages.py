"""The pages of the certified problems: one a problem, with a picture, and the table of all below what certificates are.

usage: problem_pages.py DOCS        writes DOCS/problems/*.md and *.svg
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from reference_pages import table  # noqa: E402

import livens as lv  # noqa: E402

CHECKOUT = Path(__file__).parents[2]
NODES = 240  # of the motion that a picture shows
SEEN = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}  # Arenstorf's orbit makes a million times as much of it
LONGEST = 16  # coordinates of the table of values
KINDS = {"q": "q", "v": "v", "lambda": "multipliers", "energy": "energy"}


def picture(problem: lv.problems.Problem, shown: list[Any], file: Path) -> None:
    """Paths of points in the plane, to one scale, or coordinates over the time."""
    scheme = problem.scheme("reference_ode", steps=NODES, **SEEN)  # compiles nothing
    run = lv.Ensemble(problem.system, scheme, every=1, trajectories=1).run()
    q = dict(zip(problem.certificate["coordinates"], run.trajectories.q.values[0].T))
    figure, ax = plt.subplots(figsize=(5, 3.3), layout="constrained")
    for one in shown:
        if isinstance(one, list):
            ax.plot(q[one[0]], q[one[1]], linewidth=1, label=", ".join(one))
            ax.set_aspect("equal", adjustable="datalim")
        else:
            ax.plot(run.trajectories.time, q[one], linewidth=1, label=one)
            ax.set_xlabel("time")
    figure.legend(loc="outside right upper", fontsize="small", frameon=False)
    figure.savefig(file)
    plt.close(figure)


def parameters(text: dict[str, Any]) -> str:
    rows = []
    for name, given in text.get("parameters", {}).items():
        given = given if isinstance(given, dict) else {"default": given}
        value = str(given["default"]) + (f" ({given['count']} times)" if "count" in given else "")
        rows.append((f"`{name}`", value, given.get("unit", ""), given.get("meaning", "")))
    return table(("parameter", "value", "unit", "meaning"), rows) if rows else ""


def page(problem: lv.problems.Problem, text: dict[str, Any], about: dict[str, Any], where: str) -> str:
    c, name = problem.certificate, problem.name
    errors = [(f"{time:.6g}", *(f"{c[kind]['error'][k]:.1e}" if c[kind]["values"][k] else "none" for kind in KINDS),
               f"{c['tangent_norm'][k]:.1e}") for k, time in enumerate(problem.times)]
    values = [(f"`{coordinate}`", *(f"{problem.q.values[k, i]:.16g}" for k in (1, 4)))
              for i, coordinate in enumerate(c["coordinates"][:LONGEST])]
    values.append(("energy", *(f"{problem.energy.values[k]:.16g}" for k in (1, 4))))
    d, rows = problem.q.values.shape[1], problem.multipliers.values.shape[1]
    first = f", the first {LONGEST} of {d} coordinates" if d > LONGEST else ""
    parts = [f"# {problem.title}", f"![The motion of {name}]({name}.svg)",
             f"Text: `{where}`. Source: {problem.source}. Units: {problem.units}. {d} coordinates, {rows} rows, "
             f"to t = {problem.end:.10g}.", problem.note, parameters(text),
             f"**{c['digits']} digits** of the largest entries of q and v are certain at all five times; error bars, "
             "and the norm of the tangent map from the start:", table(("at", *KINDS.values(), "tangent map"), errors),
             f"The middle and the end{first}; all values are in the certificate (`problems/{name}.json`):",
             table(("coordinate", *(f"at {problem.times[k]:.6g}" for k in (1, 4))), values),
             about.get("page", "").strip(),
             f"`livens certify {name}` makes the certificate anew and compares; `livens problems {name}` writes text and "
             "certificate."]
    return "\n\n".join(part for part in parts if part) + "\n"


def main(docs: Path) -> None:
    about = tomllib.loads((CHECKOUT / "problems/about.toml").read_text(encoding="utf-8"))
    rows = []
    for name in lv.problems.names:
        problem = getattr(lv.problems, name)()
        where = next(f"{folder}/{name}.toml" for folder in ("problems", "examples/systems")
                     if (CHECKOUT / folder / f"{name}.toml").is_file())
        text = tomllib.loads((CHECKOUT / where).read_text(encoding="utf-8"))
        (docs / f"{name}.md").write_text(page(problem, text, about[name], where), encoding="utf-8")
        picture(problem, about[name]["picture"], docs / f"{name}.svg")
        rows.append((f"[{name}]({name}.md)", problem.title, problem.q.values.shape[1], problem.multipliers.values.shape[1],
                     f"{problem.end:.6g}", problem.certificate["digits"], f"{max(problem.certificate['tangent_norm']):.1e}"))
    with (docs / "README.md").open("a", encoding="utf-8") as readme:
        readme.write("\n## All of them\n\n"
                     + table(("problem", "", "d", "rows", "to", "digits of q, v", "growth"), rows) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) / "problems")
