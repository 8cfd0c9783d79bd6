#!/usr/bin/env python3
"""Steps a second of every pair, as Markdown, from the rows that a call of gpu_check.sh or `cuda_selftest --time` has left.

usage: table.py FILE.json|FILE.jsonl [BEFORE.jsonl]      with BEFORE, a column of ratios to it
"""

import json
import sys


def rows(path):
    """{(system, scheme, form): {precision: row}} of the largest ensembles."""
    with open(path) as file:
        if path.endswith(".json"):
            report = json.load(file)
            lines = [row for name in report if name == "all" or name.startswith("time_") for row in report[name]]
        else:
            lines = [json.loads(line) for line in file]
    largest = max(line["instances"] for line in lines)
    found = {}
    for line in lines:
        if line["instances"] == largest and not line.get("variant") and "steps_per_second" in line:
            found.setdefault((line["system"], line["scheme"], line["form"]), {})[line["precision"]] = line
    return found


def main(path, before=None):
    now, then = rows(path), rows(before) if before else {}
    print("| system | scheme | unknowns | Newton | steps/s | single |" + (" before | ratio |" if before else ""))
    print("| --- " * (8 if before else 6) + "|")
    for (system, scheme, form), of in sorted(now.items()):
        row = of["double"]
        single = f"{of['single']['steps_per_second']:.3g}" if "single" in of else ""
        cells = [system, scheme, row["unknowns"], f"{row['newton_iterations_per_step']:.2f}", f"{row['steps_per_second']:.3g}", single]
        if before:
            old = then[system, scheme, form]["double"]["steps_per_second"]
            cells += [f"{old:.3g}", f"{row['steps_per_second'] / old:.2f}"]
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
