#!/usr/bin/env python3
"""What the compiled CUDA kernels take: registers, stack and spills of every kernel, as ptxas reported them.

The build keeps the report of ptxas beside every CUDA object (kernels/cuda/with_log.sh). Usage:

    cuda_resources.py BUILD_DIRECTORY            a table
    cuda_resources.py BUILD_DIRECTORY --json     the same as JSON
    cuda_resources.py BUILD_DIRECTORY --objects  from the objects, with cuobjdump: what is in them whoever built them,
                                                 but without spills, which only ptxas tells

A kernel row holds the functions it calls out of line as well (retry_step, solve_flagged): their spills are added up in
"called spills", their stack is part of the kernel's cumulative stack.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
FUNCTION = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")
SECONDS = re.compile(r"^seconds: (\d+)")
OBJECT_FUNCTION = re.compile(r"Function (\S+):")
OBJECT_USAGE = re.compile(r"REG:(\d+) STACK:(\d+)")
# livens::cuda::advance<livens::cuda::Ems<livens::cuda::FourParticle<double> > >(...)
KERNEL = re.compile(r"(\w+)<(?:\w+::)*(\w+)<(?:(?:\w+::)*(\w+)<)?")


def demangle(names):
    tool = shutil.which("cu++filt") or shutil.which("c++filt")
    if tool is None or not names:
        return {name: name for name in names}
    out = subprocess.run([tool], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, out.splitlines()))


def snake(name):
    """FourParticle -> four_particle: the name of the file it is in."""
    return re.sub(r"(?<!^)(?=[A-Z]|(?<=[a-z])[0-9])", "_", name).lower()


def read_log(path):
    """Rows of one log, one a function, and the seconds the compiler took."""
    rows, current, seconds, architecture = [], None, None, None
    for line in path.read_text(errors="replace").splitlines():
        if match := ENTRY.search(line):
            architecture = match[2]
            rows.append({"name": match[1], "architecture": architecture, "entry": True})
            current = rows[-1]
        elif match := FUNCTION.search(line):
            if not rows or rows[-1]["name"] != match[1]:
                rows.append({"name": match[1], "architecture": architecture, "entry": False})
            current = rows[-1]
        elif match := SECONDS.search(line):
            seconds = int(match[1])
        elif current is not None:
            if match := FRAME.search(line):
                current.update(stack=int(match[1]), spill_stores=int(match[2]), spill_loads=int(match[3]))
            if match := USED.search(line):
                current["registers"] = int(match[1])
            if match := CUMULATIVE.search(line):
                current["stack"] = int(match[1])
    return rows, seconds


def read_object(path):
    if shutil.which("cuobjdump") is None:
        sys.exit("cuda_resources.py: --objects needs cuobjdump, which is not in PATH")
    command = ["cuobjdump", "--dump-resource-usage", str(path)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = []
    for line in out.splitlines():
        if match := OBJECT_FUNCTION.search(line):
            rows.append({"name": match[1], "entry": True})
        if (match := OBJECT_USAGE.search(line)) and rows:
            rows[-1].update(registers=int(match[1]), stack=int(match[2]))
    return rows, None


def kernels(rows):
    """The entry functions, named by what they run, with the spills of what they call."""
    names = demangle([row["name"] for row in rows])
    result = []
    # ptxas lists the functions that belong to an entry after it.
    for row in rows:
        if not row["entry"]:
            if result:
                result[-1]["called_spills"] += row.get("spill_stores", 0) + row.get("spill_loads", 0)
            continue
        match = KERNEL.search(names[row["name"]])
        kernel, scheme, system = match.groups() if match else (names[row["name"]], "", None)
        if match and system is None:  # a function of a system: initial_states<FourParticle<double>>
            scheme, system = "", scheme
        result.append(
            {
                "system": snake(system or ""),
                "scheme": snake(scheme),
                "kernel": kernel,
                "architecture": row.get("architecture"),
                "registers": row.get("registers"),
                "stack": row.get("stack"),
                "spill_stores": row.get("spill_stores"),
                "spill_loads": row.get("spill_loads"),
                "called_spills": 0,
            }
        )
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--objects", action="store_true")
    options = parser.parse_args()

    pattern, read = ("*.cu.o", read_object) if options.objects else ("*.cu.o.log", read_log)
    files = sorted(options.build.rglob(pattern))
    if not files:
        sys.exit(f"cuda_resources.py: no {pattern} under {options.build}; was it built with CUDA?")
    units, rows = [], []
    for path in files:
        found, seconds = read(path)
        units.append({"unit": path.name.split(".")[0], "compile_seconds": seconds})
        rows += kernels(found)
    rows.sort(key=lambda row: (row["system"], row["scheme"] == "", row["scheme"], row["kernel"]))

    if options.json:
        print(json.dumps({"units": units, "kernels": rows}, indent=1))
        return
    columns = ["system", "scheme", "kernel", "registers", "stack", "spill_stores", "spill_loads", "called_spills"]
    table = [columns] + [["" if row[c] is None else str(row[c]) for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns))]
    for line in table:
        cells = [cell.ljust(w) if i < 3 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    for unit in units:
        if unit["compile_seconds"] is not None:
            print(f"{unit['unit']}: {unit['compile_seconds']} s to compile")


if __name__ == "__main__":
    main()
