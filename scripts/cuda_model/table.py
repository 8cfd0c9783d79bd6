"""The tables of docs/performance.md: Newton's iterations are read from one, the model is written as the other."""

import json
import sys

from cuda_model.names import pair_name

BEGIN, END = "<!-- cuda-model: begin -->", "<!-- cuda-model: end -->"
COLUMNS = ["system", "scheme", "Newton", "FP64/all a step", "an iteration", "local", "shared", "loop", "warps"]
COLUMNS += ["FP64", "issue", "memory", "latency", "steps/s", "before", "ratio"]


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def measured_iterations(path):
    """{(system, scheme, form): Newton iterations a step}, of the table that `livens bench` measured."""
    found, columns = {}, None
    for line in path.read_text().splitlines():
        if not line.startswith("|"):
            columns = None
            continue
        cells = cells_of(line)
        if columns is None:
            columns = cells
        elif {"form", "Newton"} <= set(columns) and not cells[0].startswith("-"):
            row = dict(zip(columns, cells))
            found[(row["system"], row["scheme"], row["form"])] = float(row["Newton"])
    if not found:
        sys.exit(f"cuda_resources.py: {path} has no table with columns system, scheme, form, Newton")
    return found


def read_before(path):
    """{pair: cycles of its bound} as keep() wrote them; nothing where there is no such file."""
    if not path.exists():
        return {}
    return {pair: bound["cycles"] for pair, bound in json.loads(path.read_text())["bounds"].items()}


def keep(path, rows):
    """Writes the bounds of now, to be the ones before a change."""
    lines = [
        f'  "{pair_name(row)}": {{"cycles": {row["cycles"]}, "limit": "{row["limit"]}", '
        f'"steps_per_second": {row["steps_per_second"]:.2g}}}'
        for row in rows
    ]
    head = '"model": "cycles of an H100 multiprocessor for a step of 32 instances; nothing here is measured"'
    path.write_text(f'{{\n {head},\n "bounds": {{\n' + ",\n".join(lines) + "\n }\n}\n")


def line_of(row, before):
    step, iteration, bounds = row["step"], row["iteration"], row["bounds"]
    earlier = before.get(pair_name(row))
    newton = f"{row['newton_iterations']:.2f}" if row["iterations_measured"] else "2 assumed"

    def marked(name):
        return f"**{bounds[name]}**" if name == row["limit"] else str(bounds[name])

    cells = [
        row["system"],
        row["scheme"],
        newton,
        f"{step['fp64']}/{step['instructions']}",
        f"{iteration['fp64']}/{iteration['instructions']}",
        str(step["local"]) + ("" if row["stack_in_cache"] or not step["local"] else "†"),
        str(step["shared"]),
        f"{row['loop']['instructions'] * 16 / 1024:.0f} KB",
        str(bounds["warps"]),
        *(marked(name) for name in ("fp64", "issue", "memory", "latency")),
        ("≤ " if row["at_least"] else "") + f"{row['steps_per_second']:.2g}",
        str(earlier) if earlier else "",
        f"{earlier / row['cycles']:.1f}" if earlier else "",
    ]
    return "| " + " | ".join(cells) + " |"


def markdown(rows, before, kept=()):
    """The table; `kept`: lines of an earlier one, of pairs that are not among the rows."""
    built = {(row["system"], row["scheme"]) for row in rows}
    lines = [line_of(row, before) for row in rows]
    lines += [line for line in kept if tuple(cells_of(line)[:2]) not in built]
    head, rule = "| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)
    return "\n".join([head, rule, *sorted(lines)])


def write(path, rows, before):
    """Puts the table between its marks; rows of pairs that were not built stay."""
    text = path.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"cuda_resources.py: {path} lacks the lines {BEGIN} and {END}, between which the table stands")
    head, rest = text.split(BEGIN, 1)
    old, tail = rest.split(END, 1)
    table = [line for line in old.splitlines() if line.startswith("| ")]
    kept = table[2:]  # behind its head and rule
    path.write_text(f"{head}{BEGIN}\n{markdown(rows, before, kept)}\n{END}{tail}")
