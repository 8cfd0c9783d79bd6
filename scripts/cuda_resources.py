#!/usr/bin/env python3
"""The CUDA kernels as compiled: registers, stack and spills, and the bound of their speed that counts of PTX give.

The build keeps the report of ptxas beside every CUDA object (kernels/backends/cuda/with_log.sh). Usage:

    cuda_resources.py BUILD                 registers, stack and spills of every kernel
    cuda_resources.py BUILD --json          as JSON, with the seconds that the compiler took
    cuda_resources.py BUILD --check FILE    against a budget: exit status 1 where a kernel takes more or has no entry,
                                            spills without a reason, or an entry or a reason is not used any more
    cuda_resources.py BUILD --budget FILE   writes the budget; reasons are kept
    cuda_resources.py BUILD --model FILE    counts a step of every pair (ptx_selftest --counts) and writes the table of
                                            FILE (docs/performance.md) between its marks

A kernel row holds the functions that it calls out of line as well: their spills are added up in "called spills", their
stack is part of the kernel's. The budget adds up all spills, stores and loads, in bytes.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of a pair the last of them counts.
MEASURED = [ROOT / "docs/measurements" / name for name in ("h200_2026-11-26/after.jsonl", "h200_2026-11-27/all.jsonl")]
REPLACED = {"mass_spring"}  # their kernel is of another kind since: what was measured is not of it

# ---- the report of ptxas

ENTRY = re.compile(r"Compiling entry function '(\S+)'")
FUNCTION = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")
CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")
SECONDS = re.compile(r"^seconds: (\d+)")
# livens::cuda::advance<livens::cuda::FullForm<livens::cuda::FourParticle<double>, livens::cuda::EmsRule> >(...)
KERNEL = re.compile(r"(\w+)<(?:\w+::)*(\w+)<(?:(?:\w+::)*(\w+)<(\w+)>)?(?:, (?:\w+::)*(\w+)Rule\b)?")
PLAIN_KERNEL = re.compile(r"(\w+)\(")


def read_report(text):
    """(kernels with what they take, seconds of the compiler). ptxas tells the functions of a kernel behind it; those
    that it compiles apart, with a time of their own, before it."""
    rows, seconds = [], None
    name, spilled, before = None, 0, 0  # of the last function; of those before their kernel
    for line in text.splitlines():
        if match := ENTRY.search(line):
            rows.append({"name": match[1], "stack": 0, "shared": 0, "spills": 0, "called_spills": before})
            before = 0
        elif match := FUNCTION.search(line):
            name = match[1]
        elif match := SECONDS.search(line):
            seconds = int(match[1])
        elif match := FRAME.search(line):
            spilled = int(match[2]) + int(match[3])
            if rows and name == rows[-1]["name"]:
                rows[-1] |= {"stack": int(match[1]), "spills": spilled}
            elif rows:
                rows[-1]["called_spills"] += spilled
        elif "Compile time" in line and (not rows or name != rows[-1]["name"]):
            before += spilled
            if rows:
                rows[-1]["called_spills"] -= spilled
        elif match := USED.search(line):
            rows[-1]["registers"] = int(match[1])
            for key, pattern in (("shared", SHARED), ("stack", CUMULATIVE)):
                if match := pattern.search(line):
                    rows[-1][key] = int(match[1])
    return rows, seconds


def demangle(names):
    tool = shutil.which("cu++filt") or shutil.which("c++filt")
    if tool is None or not names:
        return names
    return subprocess.run([tool], input="\n".join(names), capture_output=True, text=True, check=True).stdout.splitlines()


def snake(name):
    """FourParticle -> four_particle: the name of the file it is in."""
    return re.sub(r"(?<!^)(?=[A-Z]|(?<=[a-z])[0-9])", "_", name).lower()


def names_of(demangled):
    """(pair, kernel): four_particle.ems_reduced, advance. In single precision the pair ends in _single; a kernel of a
    system is of the pair SYSTEM.system, one for the records of any system of any.system."""
    match = KERNEL.search(demangled)
    if match is None:  # only a kernel for the records of any system is no template
        return "any.system", PLAIN_KERNEL.search(demangled.replace("(anonymous namespace)::", ""))[1]
    kernel, scheme, system, scalar, rule = match.groups()
    if system is None:  # a function of a system: initial_states<FourParticle<double>>
        return f"{snake(scheme)}.system", kernel
    # The schemes of a shared form are told apart by their rules.
    return f"{snake(system)}.{snake(rule or scheme)}" + ("_single" if scalar == "float" else ""), kernel


def kernels_of(build):
    """(units with the seconds they took, kernels but those of libraries) of a build."""
    others = {cache.parent for cache in build.rglob("CMakeCache.txt")} - {build}  # a test builds projects of its own
    logs = sorted(path for path in build.rglob("*.cu.o.log") if others.isdisjoint(path.parents))
    if not logs:
        sys.exit(f"cuda_resources.py: no *.cu.o.log under {build}; was it built with CUDA?")
    units, rows = [], []
    for path in logs:
        found, seconds = read_report(path.read_text(errors="replace"))
        units.append({"unit": path.name.split(".")[0], "compile_seconds": seconds})
        for row, demangled in zip(found, demangle([row["name"] for row in found])):
            if re.match(r"(void )?livens::", demangled):
                row["pair"], row["kernel"] = names_of(demangled)
                rows.append(row)
    return units, sorted(rows, key=lambda row: (row["pair"], row["kernel"]))


# ---- the budget

LIMITS = {"registers": "registers", "stack": "bytes of stack", "spills": "bytes of spills"}


def budget_of(rows):
    """{"four_particle.ems_reduced": {"advance": {"registers": ..., "stack": ..., "spills": ...}}}"""
    budget = {}
    for row in rows:
        taken = {key: row[key] for key in ("registers", "stack")} | {"spills": row["spills"] + row["called_spills"]}
        budget.setdefault(row["pair"], {})[row["kernel"]] = taken
    return budget


def read_budget(path):
    """(pairs as budget_of() has them, reasons, compiler)"""
    read = tomllib.loads(path.read_text()) if path.exists() else {}
    compiler, reasons = read.pop("compiler", ""), read.pop("reasons", {})
    return {f"{system}.{scheme}": kernels for system, of in read.items() for scheme, kernels in of.items()}, reasons, compiler


def compiler_of(build):
    """The compiler of the kernels: "nvcc 13.0"."""
    nvcc = re.search(r"^CMAKE_CUDA_COMPILER:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return "nvcc " + re.search(r"release (\S+),", version)[1]


def write_budget(path, taken, compiler):
    old, reasons, _ = read_budget(path)
    lines, used = [], set()
    for pair, kernels in sorted(taken.items()):
        lines += ["", f"[{pair}]"]
        for kernel, values in sorted(kernels.items()):
            entry = ", ".join(f"{key} = {value}" for key, value in values.items())
            reason = old.get(pair, {}).get(kernel, {}).get("reason")
            if reason and values["spills"]:
                entry += f', reason = "{reason}"'
                used.add(reason)
            lines.append(f"{kernel} = {{{entry}}}")
    head = [
        "# What the CUDA kernels of `release` may take: registers of a thread, bytes of stack, bytes of spills. Checked by",
        "#   scripts/cuda_resources.py build/release --check kernels/backends/cuda/budget.toml",
        "# and written again by --budget. Every spill has a reason, one of those below.",
        "",
        f'compiler = "{compiler}"',
        "",
        "[reasons]",
        *(f'{name} = "{text}"' for name, text in reasons.items() if name in used),
    ]
    path.write_text("\n".join(head + lines) + "\n")


def check_budget(path, taken, compiler):
    """Complaints, one a line."""
    allowed, reasons, made_with = read_budget(path)
    complaints, used = [], set()
    for pair, kernels in sorted(taken.items()):
        for kernel, values in sorted(kernels.items()):
            limits = allowed.get(pair, {}).get(kernel)
            if limits is None:
                complaints.append(f"{pair} {kernel} has no entry in {path}, which --budget writes")
                continue
            for key, words in LIMITS.items():
                if values[key] > limits[key]:
                    complaints.append(f"{pair} {kernel} takes {values[key]} {words}, {limits[key]} are in the budget")
            if limits["spills"] > 0 and limits.get("reason") not in reasons:
                complaints.append(f"{pair} {kernel} spills {limits['spills']} bytes without a reason in {path}")
            used.add(limits.get("reason"))
    systems = {pair.split(".")[0] for pair in taken}
    for pair, kernels in sorted(allowed.items()):
        if pair.split(".")[0] in systems:
            gone = kernels.keys() - taken.get(pair, {}).keys()
            complaints += [f"{pair} {kernel} is in {path}, and nothing compiles it" for kernel in sorted(gone)]
    complaints += [f"the reason {name} in {path} is not used" for name in reasons if name not in used]
    if complaints and compiler != made_with:
        print(f"{path} is of {made_with}, this build of {compiler}: not judged")
        print("\n".join(complaints))
        return []
    return complaints


# ---- the model. Figures of the machine: NVIDIA H100 and H200 (SXM) data sheets, CUDA C++ Programming Guide, compute
# capability 9.0.

MULTIPROCESSORS, CLOCK, WARP = 132, 1.98e9, 32
PARTITIONS = 4  # of a multiprocessor, each with a scheduler that issues one warp instruction a cycle
FP64_CYCLES = 2  # of a partition's FP64 pipe for a warp instruction: 16 lanes
LOCAL_WAVEFRONTS = 2  # of an access to local memory: 8 bytes a lane, 128 a cycle
REGISTERS, SHARED_BYTES, LARGEST_WARPS = 65536, 228 * 1024, 64
BEGIN, END = "<!-- cuda-model: begin -->", "<!-- cuda-model: end -->"
COLUMNS = ["system", "scheme", "form", "Newton", "FP64", "all", "lanes", "an iteration", "shared", "global", "local"]
COLUMNS += ["registers", "stack", "spills", "warps", "FP64 cycles", "issue", "memory", "bound (steps/s)", "H200", "share"]


def warps_of(registers, shared):
    """Warps that a multiprocessor holds. A block with shared memory is one warp, and takes 1 KB beside its own; without,
    four warps are a block. A warp's registers are allocated by 256."""
    of_warp = -(-registers * WARP // 256) * 256
    warps = min(REGISTERS // of_warp, LARGEST_WARPS)
    return min(warps, SHARED_BYTES // (shared + 1024)) if shared else warps // 4 * 4


def bounds_of(step):
    """Cycles of a multiprocessor for a step of one warp, resource by resource; the largest is the bound."""
    return {
        "fp64": step["fp64"] * FP64_CYCLES / PARTITIONS,
        "issue": step["instructions"] / PARTITIONS,
        "memory": step["wavefronts"] + LOCAL_WAVEFRONTS * step["local"],
    }


def line_of(counted, taken, measured):
    """A row of the table; `measured`: steps a second of an H200, or None."""
    system, scheme, form = counted["pair"].split()[:3]
    step, iteration = counted["step"], counted.get("iteration")
    bounds = bounds_of(step)
    largest = max(bounds.values())
    rate = MULTIPROCESSORS * CLOCK * WARP / largest
    cycles = [f"**{value:.0f}**" if value == largest else f"{value:.0f}" for value in bounds.values()]
    cells = [system, scheme, form, f"{counted['newton']:.2f}", f"{step['fp64']:.0f}", f"{step['instructions']:.0f}"]
    cells += [f"{counted['lanes']:.1f}", f"{iteration['fp64']:.0f}/{iteration['instructions']:.0f}" if iteration else ""]
    cells += [f"{step[key]:.0f}" for key in ("wavefronts", "sectors", "local")]
    cells += [str(taken["registers"]), str(taken["stack"])]
    cells += [str(taken["spills"] + taken["called_spills"]), str(warps_of(taken["registers"], taken["shared"])), *cycles]
    cells += [f"{rate:.2g}", f"{measured:.2g}" if measured else "", f"{measured / rate:.0%}" if measured else ""]
    return "| " + " | ".join(cells) + " |"


def write_model(path, build, rows):
    text = path.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"cuda_resources.py: {path} lacks the lines {BEGIN} and {END}, between which the table stands")
    run = subprocess.run([build / "ptx_selftest", "--counts"], capture_output=True, text=True, check=True)
    counted = [json.loads(line) for line in run.stdout.splitlines()]
    measured = [json.loads(line) for file in MEASURED for line in file.read_text().splitlines()]
    rates = {
        (row["system"], row["scheme"], row["form"]): row["steps_per_second"]
        for row in measured
        if row["precision"] == "double" and row.get("variant", "") == "" and row["system"] not in REPLACED
    }
    kernels = {row["name"]: row for row in rows}
    lines = [
        line_of(pair, kernels[pair["kernel"]], rates.get(tuple(pair["pair"].split()[:3])))
        for pair in sorted(counted, key=lambda pair: pair["pair"])
        if " single" not in pair["pair"]
    ]
    table = ["| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS), *lines]
    head, rest = text.split(BEGIN, 1)
    path.write_text("\n".join([head + BEGIN, *table, END]) + rest.split(END, 1)[1])


# ---- the program


def print_rows(units, rows):
    columns = ["pair", "kernel", "registers", "stack", "shared", "spills", "called_spills"]
    lines = [columns] + [[str(row[column]) for column in columns] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    for unit in units:
        if unit["compile_seconds"] is not None:
            print(f"{unit['unit']}: {unit['compile_seconds']} s to compile")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    for option in ("--check", "--budget", "--model"):
        parser.add_argument(option, type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    units, rows = kernels_of(options.build)
    if options.model:
        write_model(options.model, options.build, rows)
    elif options.budget:
        write_budget(options.budget, budget_of(rows), compiler_of(options.build))
    elif options.check:
        if complaints := check_budget(options.check, budget_of(rows), compiler_of(options.build)):
            sys.exit("\n".join(complaints))
        print(f"{len(rows)} kernels within {options.check}")
    elif options.json:
        print(json.dumps({"units": units, "kernels": rows}, indent=1))
    else:
        print_rows(units, rows)


if __name__ == "__main__":
    main()
