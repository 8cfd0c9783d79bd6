"""The reference of the site, from the program's own tables: a page a system, and a page a scheme; from those of the
contract the keys of a spec and the statuses, each under a heading of its own, which is what the search looks at first.

usage: reference_pages.py DOCS        writes DOCS/systems/*.md and DOCS/schemes/*.md, with pictures, keys.md, statuses.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import livens as lv  # noqa: E402
from livens import _tables  # noqa: E402
from livens.drawings import drawings  # noqa: E402

KEPT = {"max_energy_error": "energy (J)", "max_momentum_error": "momentum maps (SI)",
        "max_constraint": "constraints (SI)", "max_velocity_constraint": "their velocities (SI)"}
OF_TRUE_MOTION = ("reference_ode", "reference_dae", "taylor")


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    def line(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(heads), line(["---"] * len(heads)), *map(line, rows)])


def short_run(system: str, scheme: str, steps: int) -> lv.Run:
    """One instance, at the system's own step, or at 1/10 of it where the scheme has no solution with that."""
    step = _tables.systems[system]["scheme"]["step"]
    options = {} if scheme in OF_TRUE_MOTION else {"tolerance": 0}
    for cuts in (1, 10):
        run = lv.Ensemble(lv.System(system), lv.Scheme(scheme, {"step": step / cuts, "steps": steps * cuts, **options}),
                          every=steps * cuts, trajectories=1).run()
        if run.failed == 0:
            break
    return run


def picture(system: str, file: Path) -> str:
    """The initial state, where there is a drawing of the system; else nothing."""
    if system not in drawings:
        return ""
    q = short_run(system, _tables.systems[system]["schemes"][0], 1).trajectories.q.values[0, :1]
    points, links = drawings[system](q)
    spatial = float(np.ptp(points[0, :, 2])) > 1e-9
    figure = plt.figure(figsize=(4, 3), layout="constrained")
    ax = figure.add_subplot(projection="3d" if spatial else None)
    axes = slice(0, 3 if spatial else 2)
    for first, second in links:
        ax.plot(*points[0, [first, second], axes].T, color="0.4")
    ax.plot(*points[0, :, axes].T, "o")
    ax.set_aspect("equal", adjustable="box" if spatial else "datalim")
    for name, values in zip("xyz"[axes], points[0].T):
        if spatial and np.ptp(values) < 1e-9:  # a plane: ticks across it would lie on each other
            getattr(ax, f"set_{name}ticks")(values[:1])
    figure.savefig(file)
    plt.close(figure)
    return f"![{system} at the start]({file.name})\n"


def equations_of(name: str, docs: Path) -> list[str]:
    """Links to the sections of docs/equations whose heading names it."""
    links = []
    for page in sorted((docs / "equations").glob("*.md")):
        for heading in re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            if f"`{name}`" in heading:
                slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
                links.append(f"[{heading.replace('`', '')}](../equations/{page.name}#{slug})")
    return links


def default_of(parameter: dict[str, Any]) -> str:
    return parameter.get("derived", "") if parameter["default"] is None else f"`{parameter['default']}`"


def system_page(system: dict[str, Any], docs: Path) -> str:
    name = system["name"]
    run = short_run(name, system["schemes"][0], 1)
    q, v = (run.trajectories[key].values[0, 0] for key in "qv")
    kind = "nonholonomic constraints" if system["nonholonomic"] else "holonomic constraints"
    parts = [f"# `{name}`", f"{system['meaning'][0].upper()}{system['meaning'][1:]}.", picture(name, docs / "systems" / f"{name}.svg"),
             f"* from {system['paper']}" if system["paper"] else "",
             f"* q, d = {system['d']}: {system['layout']}",
             f"* {system['m']} {kind}, {system['momentum']} conserved momentum maps",
             "* equations: " + (", ".join(equations_of(name, docs)) or "[systems](../equations/systems.md)"),
             "\n## Parameters\n",
             table(("name", "symbol", "default", "unit", "domain", "meaning"),
                   [(f"`{one['name']}`", one["symbol"], default_of(one), one["unit"], one["domain"].replace("_", " "),
                     one["meaning"]) for one in system["parameters"]]),
             "\n## Initial state\n", f"```text\nq = {np.array2string(q, max_line_width=100)}\n"
             f"v = {np.array2string(v, max_line_width=100)}\n```"]
    own = [("of an instance", *one) for one in observed(system["observables"])]
    own += [("at a sample", *one) for one in observed(system["sampled"])]
    if own:
        parts += ["\n## What it observes\n", table(("", "name", "unit", "meaning"), own)]
    standard = system["scheme"]
    parts += ["\n## Schemes\n", f"Default: [`{standard['name']}`](../schemes/{standard['name']}.md), step "
              f"{standard['step']} s, end {standard['end']} s.\n",
              table(("scheme", "unknowns of a step"), [(f"[`{scheme}`](../schemes/{scheme}.md)", unknowns(scheme, name))
                                                       for scheme in system["schemes"]])]
    return "\n".join(parts) + "\n"


def observed(entries: list[Any]) -> list[tuple[str, str, str]]:
    return [(f"`{one['name']}`", one["unit"], one["meaning"]) for one in entries]


def unknowns(scheme: str, system: str) -> str:
    forms = next(one["forms"] for one in _tables.schemes[scheme]["systems"] if one["name"] == system)
    return ", ".join(f"{count} ({form})" for form, count in forms.items())


def kept_by(scheme: dict[str, Any]) -> str:
    """The largest errors over a hundred steps of each system, to round-off."""
    rows = []
    for system in (one["name"] for one in scheme["systems"]):
        run = short_run(system, scheme["name"], 100)
        errors = [f"{float(run.instances[key][0]):.1e}" if key in run.instances else "" for key in KEPT]
        step = lv.Ensemble.from_toml(run.attributes["spec"]).scheme.options["step"]
        rows.append((f"[`{system}`](../systems/{system}.md)", unknowns(scheme["name"], system), f"{step:g}", *errors))
    return table(("system", "unknowns", "h (s)", *KEPT.values()), rows)


def scheme_page(scheme: dict[str, Any], docs: Path) -> str:
    name = scheme["name"]
    parts = [f"# `{name}`", f"{scheme['meaning'][0].upper()}{scheme['meaning'][1:]}.\n", f"* from {scheme['paper']}",
             f"* order {scheme['order']}" + (f"; by composition {', '.join(map(str, scheme['orders'][1:]))}"
                                            if len(scheme["orders"]) > 1 else ""),
             f"* needs {scheme['needs']}",
             "* [when to choose which](../tutorials/compare_schemes.md#when-to-choose-which)"]
    if links := equations_of(name, docs):
        parts.append("* equations: " + ", ".join(links))
    if scheme["options"]:
        parts += ["\n## Options\n", table(("name", "default", "values", "meaning"),
                                          [(f"`{one['name']}`", default_of(one),
                                            " or ".join(one["words"]) if "words" in one else one["range"], one["meaning"])
                                           for one in scheme["options"]])]
    parts += ["\n## What it keeps\n", "Measured when this page was made: the largest errors over a hundred steps of one "
              "instance, with Newton's method to round-off. Damping is zero by default; where it is not, the energy "
              "error counts it.\n", kept_by(scheme)]
    return "\n".join(parts) + "\n"


def index(title: str, text: str, entries: Iterable[dict[str, Any]]) -> str:
    names = [one["name"] for one in entries]
    rows = [(f"[`{one['name']}`]({one['name']}.md)", one["meaning"]) for one in entries]
    return f"# {title}\n\n{text}\n\n{table(('name', ''), rows)}\n\n```{{toctree}}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def keys_page(contract: str) -> str:
    """The lines of the spec in section 2 of the contract under the key that they are about, as `output.joint.bins`."""
    lines: dict[str, list[str]] = {}
    section = name = ""
    for line in contract.split("\n## 2. The spec")[1].split("```toml\n")[1].split("\n```")[0].splitlines():
        setting, remark, _ = line.partition("# ")
        if setting.startswith("["):
            section = name = setting.strip(" []")
        elif setting.strip():
            name = f"{section}.{setting.partition('=')[0].strip()}"
        if remark or not setting.startswith("["):
            lines.setdefault(name, []).append(line)
    parts = ["# Keys of a spec", "Each with what it may be; what is said \"below\", and all else, is in "
             "[section 2 of the contract](contract.md#2-the-spec)."]
    for name, said in lines.items():
        parts += [f"## `{name}`", "```toml\n" + "\n".join(said) + "\n```"]
    return "\n\n".join(parts) + "\n"


def statuses_page(contract: str) -> str:
    rows = contract.split("<!-- livens list --statuses -->")[1].split("<!-- end -->")[0].splitlines()[3:]
    parts = ["# Statuses of an instance", "How an instance of a run ended, `run.instances.status`, and what to try "
             "([contract](contract.md#statuses-of-an-instance)); `livens show STATUS` says the same."]
    for number, name, what, remedy in ([cell.strip() for cell in row.strip("|").split(" |")] for row in rows):
        parts += [f"## {name}", f"Status {number}: {what}." + (f" To try: {remedy}." if remedy else "")]
    return "\n\n".join(parts) + "\n"


def main(docs: Path) -> None:
    for folder, title, text, entries, page in (
            ("systems", "Systems", "All that this program was built with.", _tables.systems, system_page),
            ("schemes", "Schemes", "What each needs, has for options, and keeps.", _tables.schemes, scheme_page)):
        (docs / folder).mkdir(exist_ok=True)
        for one in entries.values():
            (docs / folder / f"{one['name']}.md").write_text(page(one, docs), encoding="utf-8")
        (docs / folder / "index.md").write_text(index(title, text, list(entries.values())), encoding="utf-8")
    contract = (docs / "contract.md").read_text(encoding="utf-8")
    (docs / "keys.md").write_text(keys_page(contract), encoding="utf-8")
    (docs / "statuses.md").write_text(statuses_page(contract), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
