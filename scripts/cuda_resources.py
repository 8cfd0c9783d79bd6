#!/usr/bin/env python3
"""What the compiled CUDA kernels take: registers, stack and spills of every kernel, as ptxas reported them.

The build keeps the report of ptxas beside every CUDA object (kernels/backends/cuda/with_log.sh). Usage:

    cuda_resources.py BUILD_DIRECTORY                 a table
    cuda_resources.py BUILD_DIRECTORY --json          the same as JSON
    cuda_resources.py BUILD_DIRECTORY --objects       from the objects, with cuobjdump: what is in them whoever built
                                                      them, but without spills, which only ptxas tells
    cuda_resources.py BUILD_DIRECTORY --check FILE    against a budget; exit status 1 where a kernel takes more, or
                                                      spills without a reason
    cuda_resources.py BUILD_DIRECTORY --budget FILE   writes the budget; what it says of systems that were not built is
                                                      kept, and so are its reasons

A kernel row holds the functions it calls out of line as well: their spills are added up in "called spills", their stack
is part of the kernel's cumulative stack. The budget adds up all spills, stores and loads, in bytes.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
FUNCTION = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")
SECONDS = re.compile(r"^seconds: (\d+)")
OBJECT_FUNCTION = re.compile(r"Function (\S+):")
OBJECT_USAGE = re.compile(r"REG:(\d+) STACK:(\d+)")
# livens::cuda::advance<livens::cuda::FullForm<livens::cuda::FourParticle<double>, livens::cuda::EmsRule> >(...)
KERNEL = re.compile(r"(\w+)<(?:\w+::)*(\w+)<(?:(?:\w+::)*(\w+)<(\w+)>)?(?:, (?:\w+::)*(\w+)Rule>)?")
PLAIN_KERNEL = re.compile(r"(\w+)\(")
BUDGET_ARCHITECTURE = "sm_90"
RELEASE = re.compile(r"release (\S+),")


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
        # Only a kernel for the records of any system is no template.
        plain = PLAIN_KERNEL.search(names[row["name"]].replace("(anonymous namespace)::", ""))
        kernel, scheme, system, scalar, rule = match.groups() if match else (plain[1], "", "any", "", None)
        if match and system is None:  # a function of a system: initial_states<FourParticle<double>>
            scheme, system = "", scheme
        # The schemes of a shared form are told apart by their rules.
        scheme = snake(rule or scheme) + ("_single" if scalar == "float" else "")
        result.append(
            {
                "system": snake(system or ""),
                "scheme": scheme,
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


def spills(row):
    return (row["spill_stores"] or 0) + (row["spill_loads"] or 0) + row["called_spills"]


def budget_of(rows):
    """{"four_particle.ems_reduced": {"advance": {"registers": ..., "stack": ..., "spills": ...}}}"""
    budget = {}
    for row in rows:
        if row["architecture"] != BUDGET_ARCHITECTURE:
            continue
        kernels = budget.setdefault(f"{row['system']}.{row['scheme'] or 'system'}", {})
        kernels[row["kernel"]] = {key: row[key] for key in ("registers", "stack")} | {"spills": spills(row)}
    return budget


def compiler(build):
    """What the kernels were compiled with: "nvcc 13.0"."""
    cache = (build / "CMakeCache.txt").read_text()
    nvcc = re.search(r"^CMAKE_CUDA_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return f"nvcc {RELEASE.search(version)[1]}"


def write_budget(path, budget, made_with):
    old = tomllib.loads(path.read_text()) if path.exists() else {}
    lines = [
        f"# What the CUDA kernels may take on {BUDGET_ARCHITECTURE}: registers of a thread, bytes of stack, bytes of spills.",
        "# Checked by",
        "#   scripts/cuda_resources.py build/release --check kernels/backends/cuda/budget.toml",
        "# and written again by --budget. Every spill has a reason, one of those below.",
        "",
        f'compiler = "{made_with}"',
        "",
        "[reasons]",
    ]
    for name, text in old.get("reasons", {}).items():
        lines.append(f'{name} = "{text}"')
    built = {pair.split(".")[0] for pair in budget}
    for system, schemes in old.items():
        if isinstance(schemes, dict) and system != "reasons" and system not in built:
            budget |= {f"{system}.{scheme}": kernels for scheme, kernels in schemes.items()}
    for pair, kernels in sorted(budget.items()):
        lines += ["", f"[{pair}]"]
        system, scheme = pair.split(".")
        for kernel, taken in sorted(kernels.items()):
            entry = ", ".join(f"{key} = {taken[key]}" for key in ("registers", "stack", "spills"))
            reason = old.get(system, {}).get(scheme, {}).get(kernel, {}).get("reason")
            if reason and taken["spills"]:
                entry += f', reason = "{reason}"'
            lines.append(f"{kernel} = {{{entry}}}")
    path.write_text("\n".join(lines) + "\n")


def check_budget(path, budget, made_with):
    """Complaints, one a line."""
    allowed = tomllib.loads(path.read_text())
    complaints = []
    for pair, kernels in sorted(budget.items()):
        system, scheme = pair.split(".")
        for kernel, taken in sorted(kernels.items()):
            limits = allowed.get(system, {}).get(scheme, {}).get(kernel)
            if limits is None:
                complaints.append(f"{pair} {kernel}: not in {path}")
                continue
            for key, value in taken.items():
                if value > limits[key]:
                    complaints.append(f"{pair} {kernel}: {value} {key}, {limits[key]} in {path}")
            if limits["spills"] > 0 and limits.get("reason") not in allowed["reasons"]:
                complaints.append(f"{pair} {kernel}: spills {limits['spills']} bytes without a reason in {path}")
    if complaints and allowed["compiler"] != made_with:
        print(f"{path} is of {allowed['compiler']}, this build of {made_with}: not judged")
        print("\n".join(complaints))
        return []
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--objects", action="store_true")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--budget", type=pathlib.Path, metavar="FILE")
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
    rows.sort(key=lambda row: (row["system"], row["scheme"] == "", row["scheme"], row["kernel"], row["architecture"] or ""))

    if options.budget:
        write_budget(options.budget, budget_of(rows), compiler(options.build))
        return
    if options.check:
        complaints = check_budget(options.check, budget_of(rows), compiler(options.build))
        if complaints:
            sys.exit("\n".join(complaints))
        print(f"{len(rows)} kernels within {options.check}")
        return
    if options.json:
        print(json.dumps({"units": units, "kernels": rows}, indent=1))
        return
    columns = ["system", "scheme", "kernel", "architecture", "registers", "stack", "spill_stores", "spill_loads", "called_spills"]
    table = [columns] + [["" if row[c] is None else str(row[c]) for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns))]
    for line in table:
        cells = [cell.ljust(w) if i < 4 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    for unit in units:
        if unit["compile_seconds"] is not None:
            print(f"{unit['unit']}: {unit['compile_seconds']} s to compile")


if __name__ == "__main__":
    main()
