"""Registers, stack, shared memory and spills of kernels: from the reports of ptxas that the build keeps beside its
objects (kernels/backends/cuda/with_log.sh), or from the objects."""

import re
import shutil
import subprocess
import sys

from cuda_model.names import demangle, is_ours, kernel_of

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
FUNCTION = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")
SECONDS = re.compile(r"^seconds: (\d+)")
OBJECT_FUNCTION = re.compile(r"Function (\S+):")
OBJECT_USAGE = re.compile(r"REG:(\d+) STACK:(\d+) SHARED:(\d+)")


def read_log(path):
    """Rows of one report, one a function, and the seconds the compiler took."""
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


def cuobjdump(path, *options):
    """The output of cuobjdump about an object."""
    if shutil.which("cuobjdump") is None or shutil.which("nvdisasm") is None:
        sys.exit(
            "cuda_resources.py: machine code is read with cuobjdump and nvdisasm, which are not in PATH; they come "
            "with the CUDA toolkit and as the Python packages nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm"
        )
    return subprocess.run(["cuobjdump", *options, str(path)], capture_output=True, text=True, check=True).stdout


def read_object(path):
    """The same of an object, whoever built it, but without spills, which only ptxas tells."""
    rows = []
    for line in cuobjdump(path, "--dump-resource-usage").splitlines():
        if match := OBJECT_FUNCTION.search(line):
            rows.append({"name": match[1], "entry": True})
        if (match := OBJECT_USAGE.search(line)) and rows:
            rows[-1].update(registers=int(match[1]), stack=int(match[2]), shared=int(match[3]))
    return rows, None


def kernels(rows):
    """The entry functions but those of libraries, named by what they run, with the spills of what they call."""
    names = demangle([row["name"] for row in rows])
    result, ours = [], False
    # ptxas lists the functions that belong to an entry after it.
    for row in rows:
        if row["entry"]:
            ours = is_ours(names[row["name"]])
        elif ours:
            result[-1]["called_spills"] += row.get("spill_stores", 0) + row.get("spill_loads", 0)
        if not (row["entry"] and ours):
            continue
        taken = {key: row.get(key) for key in ("architecture", "registers", "stack", "spill_stores", "spill_loads")}
        result.append(kernel_of(names[row["name"]]) | taken | {"called_spills": 0})
    return result


def spills(row):
    return (row["spill_stores"] or 0) + (row["spill_loads"] or 0) + row["called_spills"]
