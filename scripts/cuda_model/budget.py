"""Limits of the kernels: registers, stack and spills as the compiler reports them, and the instructions in the loop
over the steps, counted in the machine code."""

import re
import subprocess
import tomllib

from cuda_model.names import pair_name
from cuda_model.resources import spills

ARCHITECTURE = "sm_90"
RELEASE = re.compile(r"release (\S+),")
RESOURCES = {"registers": "registers", "stack": "bytes of stack", "spills": "bytes of spills"}
COUNTS = {
    "fp64": "FP64 instructions in the loop",
    "instructions": "instructions in the loop",
    "local": "loads and stores of local memory in the loop",
    "shared": "loads and stores of shared memory in the loop",
}
# An unrelated change moves some instructions: the compiler orders and allocates anew. What matters is larger: `next` in
# local memory was 212 accesses, and a spill comes by the dozen.
SLACK, SLACK_INSTRUCTIONS = 0.05, 16


def budget_of(rows, loops):
    """{"four_particle.ems_reduced": {"advance": {"registers": ..., "stack": ..., "spills": ...},
    "advance_loop": {"fp64": ..., ...}}}; `loops`: of pairs.loop_counts(). The code of a loop takes 16 bytes an
    instruction, so that its bytes are held with its instructions."""
    budget = {}
    for row in rows:
        if row["architecture"] != ARCHITECTURE:
            continue
        kernels = budget.setdefault(pair_name(row), {})
        kernels[row["kernel"]] = {key: row[key] for key in ("registers", "stack")} | {"spills": spills(row)}
    for row in loops:
        budget.setdefault(pair_name(row), {})["advance_loop"] = {key: row["loop"][key] for key in COUNTS}
    return budget


def compiler(build):
    """The compiler of the kernels: "nvcc 13.0"."""
    cache = (build / "CMakeCache.txt").read_text()
    nvcc = re.search(r"^CMAKE_CUDA_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return f"nvcc {RELEASE.search(version)[1]}"


def write(path, budget, made_with):
    old = tomllib.loads(path.read_text()) if path.exists() else {}
    lines = [
        f"# What the CUDA kernels may take on {ARCHITECTURE}: registers of a thread, bytes of stack, bytes of spills;",
        "# advance_loop: of the loop over the steps FP64 and all instructions, accesses to local and to shared memory.",
        "# Checked by",
        "#   scripts/cuda_resources.py build/release --check kernels/backends/cuda/budget.toml",
        "# and written again by --budget, for all forms from build/gpu. Every spill has a reason, one of those below.",
        "",
        f'compiler = "{made_with}"',
        "",
        "[reasons]",
    ]
    for name, text in old.get("reasons", {}).items():
        lines.append(f'{name} = "{text}"')
    for system, schemes in old.items():
        if isinstance(schemes, dict) and system != "reasons":
            budget = {f"{system}.{scheme}": kernels for scheme, kernels in schemes.items()} | budget
    for pair, kernels in sorted(budget.items()):
        lines += ["", f"[{pair}]"]
        system, scheme = pair.split(".")
        for kernel, taken in sorted(kernels.items()):
            entry = ", ".join(f"{key} = {value}" for key, value in taken.items() if key != "reason")
            reason = old.get(system, {}).get(scheme, {}).get(kernel, {}).get("reason")
            if reason and taken.get("spills"):
                entry += f', reason = "{reason}"'
            lines.append(f"{kernel} = {{{entry}}}")
    path.write_text("\n".join(lines) + "\n")


def complaint(name, key, value, limit):
    """A sentence, or None where the value is within its limit."""
    if key in RESOURCES:
        return f"{name} takes {value} {RESOURCES[key]}, {limit} are in the budget" if value > limit else None
    most = int(limit * (1 + SLACK)) + SLACK_INSTRUCTIONS
    if value <= most:
        return None
    return f"{name} has {value} {COUNTS[key]}, {limit} are in the budget and {most} with its slack"


def check(path, budget, made_with):
    """Complaints, one a line."""
    allowed = tomllib.loads(path.read_text())
    complaints = []
    for pair, kernels in sorted(budget.items()):
        system, scheme = pair.split(".")
        for kernel, taken in sorted(kernels.items()):
            name = f"{pair} {kernel.removesuffix('_loop')}"
            limits = allowed.get(system, {}).get(scheme, {}).get(kernel)
            if limits is None:
                complaints.append(f"{name} has no entry {kernel} in {path}, which --budget writes")
                continue
            complaints += filter(None, (complaint(name, key, value, limits[key]) for key, value in taken.items()))
            if limits.get("spills", 0) > 0 and limits.get("reason") not in allowed["reasons"]:
                complaints.append(f"{name} spills {limits['spills']} bytes without a reason in {path}")
    if complaints and allowed["compiler"] != made_with:
        print(f"{path} is of {allowed['compiler']}, this build of {made_with}: not judged")
        print("\n".join(complaints))
        return []
    return complaints
