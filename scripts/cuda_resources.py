#!/usr/bin/env python3
"""The CUDA kernels as compiled: registers, stack, spills, and the bound that a model makes of their machine code.

The build keeps the report of ptxas beside every CUDA object (kernels/backends/cuda/with_log.sh). Usage:

    cuda_resources.py BUILD_DIRECTORY                   registers, stack and spills of every kernel
    cuda_resources.py BUILD_DIRECTORY --objects         the same from the objects, whoever built them, but without
                                                        spills, which only ptxas tells
    cuda_resources.py BUILD_DIRECTORY --model           every pair's instructions a step and an iteration, and its bound
    cuda_resources.py BUILD_DIRECTORY --model --markdown FILE
                                                        the same into FILE (docs/performance.md), between its marks;
                                                        what it says of pairs that were not built is kept
    cuda_resources.py BUILD_DIRECTORY --model --before FILE
                                                        keeps the bounds in FILE
                                                        (docs/measurements/model-before.json), to be compared with
                                                        after a change of the kernels
    cuda_resources.py BUILD_DIRECTORY [--model] --json  as JSON
    cuda_resources.py BUILD_DIRECTORY --check FILE      against a budget; exit status 1 where a kernel takes more, or
                                                        spills without a reason
    cuda_resources.py BUILD_DIRECTORY --budget FILE     writes the budget; what it says of pairs that were not built is
                                                        kept, and so are its reasons

A kernel row holds the functions it calls out of line as well: their spills are added up in "called spills", their stack
is part of the kernel's cumulative stack. The budget adds up all spills, stores and loads, in bytes.

--model, --check and --budget read machine code (objects, or cubins), with cuobjdump. The model is explained in
scripts/cuda_model/hot_path.py and bounds.py; nothing in it is measured on a GPU. Newton's iterations are those of the
table of `livens bench` in docs/performance.md, the figures before are those of docs/measurements/model-before.json.
"""

import argparse
import json
import pathlib
import sys

from cuda_model import budget, pairs, resources, table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PERFORMANCE = ROOT / "docs/performance.md"
BEFORE = ROOT / "docs/measurements/model-before.json"


def files_of(build, *patterns):
    """The files of a build, without those of other builds inside it (a test builds a project of its own there)."""
    others = {cache.parent for cache in build.rglob("CMakeCache.txt")} - {build}
    found = sorted(path for pattern in patterns for path in build.rglob(pattern) if others.isdisjoint(path.parents))
    if not found:
        sys.exit(f"cuda_resources.py: no {' or '.join(patterns)} under {build}; was it built with CUDA?")
    return found


def objects_of(build):
    return files_of(build, "*.cu.o", "*.cubin")


def resources_of(build, from_objects):
    """(units with the seconds they took, kernels) of a build."""
    units, rows = [], []
    for path in objects_of(build) if from_objects else files_of(build, "*.cu.o.log"):
        found, seconds = (resources.read_object if from_objects else resources.read_log)(path)
        units.append({"unit": path.name.split(".")[0], "compile_seconds": seconds})
        rows += resources.kernels(found)

    def place(row):
        return row["system"], row["scheme"] == "", row["scheme"], row["kernel"], row["architecture"] or ""

    return units, sorted(rows, key=place)


def print_resources(units, rows):
    columns = ["system", "scheme", "kernel", "architecture", "registers", "stack"]
    columns += ["spill_stores", "spill_loads", "called_spills"]
    lines = [columns] + [["" if row[c] is None else str(row[c]) for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for line in lines:
        cells = [cell.ljust(w) if i < 4 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    for unit in units:
        if unit["compile_seconds"] is not None:
            print(f"{unit['unit']}: {unit['compile_seconds']} s to compile")


def show_model(options):
    rows = pairs.model(objects_of(options.build), table.measured_iterations(PERFORMANCE))
    if not rows:
        sys.exit(f"cuda_resources.py: no kernel `advance` for {pairs.ARCHITECTURE} under {options.build}")
    if options.json:
        print(json.dumps({"model": "cycles of one H100 multiprocessor, nothing measured", "pairs": rows}, indent=1))
    elif options.before:
        table.keep(options.before, rows)
    elif options.markdown:
        table.write(options.markdown, rows, table.read_before(BEFORE))
    else:
        print(table.markdown(rows, table.read_before(BEFORE)))


def hold_budget(options):
    _, rows = resources_of(options.build, from_objects=False)
    taken = budget.budget_of(rows, pairs.loop_counts(objects_of(options.build)))
    made_with = budget.compiler(options.build)
    if options.budget:
        budget.write(options.budget, taken, made_with)
        return
    complaints = budget.check(options.check, taken, made_with)
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"{len(rows)} kernels within {options.check}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--objects", action="store_true")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--before", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--budget", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()

    if options.model:
        show_model(options)
    elif options.budget or options.check:
        hold_budget(options)
    else:
        units, rows = resources_of(options.build, options.objects)
        if options.json:
            print(json.dumps({"units": units, "kernels": rows}, indent=1))
        else:
            print_resources(units, rows)


if __name__ == "__main__":
    main()
