"""The pairs of a build as the model sees them: a row for every `advance` kernel in double precision."""

from dataclasses import asdict

from cuda_model import sass
from cuda_model.bounds import bounds, stack_fits
from cuda_model.counts import counts_of_loop, counts_of_step
from cuda_model.graph import basic_blocks
from cuda_model.hot_path import HotPath
from cuda_model.names import demangle, form_of, kernel_of
from cuda_model.resources import cuobjdump, read_object

ARCHITECTURE = "sm_90"
ASSUMED_ITERATIONS = 2.0  # of a form that has not been measured


def advance_kernels(path):
    """[(kernel, resources, instructions)] of an object."""
    resources, _ = read_object(path)
    names = demangle([row["name"] for row in resources])
    wanted = {row["name"]: (kernel_of(names[row["name"]]), row) for row in resources if row["entry"]}
    wanted = {name: kernel for name, kernel in wanted.items() if kernel[0]["kernel"] == "advance"}
    if not wanted:
        return []
    code = sass.read(cuobjdump(path, "-sass", "-arch", ARCHITECTURE), wanted)
    return [(*wanted[name], instructions) for name, instructions in code.items()]


def loop_counts(paths):
    """[kernel with its counts in the loop], of single precision as well."""
    return [
        kernel | {"loop": counts_of_loop(HotPath(basic_blocks(code), ASSUMED_ITERATIONS, taken["shared"]))}
        for path in paths
        for kernel, taken, code in advance_kernels(path)
    ]


def row_of(kernel, taken, code, measured):
    """One pair. `measured`: {(system, scheme, form): Newton iterations a step}."""
    offered = [(scheme, form) for system, scheme, form in measured if system == kernel["system"]]
    pair = form_of(kernel["scheme"], offered)
    iterations = measured[(kernel["system"], *pair)] if pair else ASSUMED_ITERATIONS
    blocks = basic_blocks(code)
    path = HotPath(blocks, iterations, taken["shared"])
    step = counts_of_step(path)
    more = counts_of_step(HotPath(blocks, iterations + 1, taken["shared"]))
    bound = bounds(step, taken["registers"], taken["shared"])
    figures = asdict(step)
    return {
        "system": kernel["system"],
        "scheme": kernel["scheme"],
        "newton_iterations": iterations,
        "iterations_measured": pair is not None,
        "registers": taken["registers"],
        "stack": taken["stack"],
        "shared_memory": taken["shared"],
        "loop": counts_of_loop(path),
        "step": {name: round(value) for name, value in figures.items()},
        "iteration": {name: round(value - figures[name]) for name, value in asdict(more).items()},
        "bounds": {name: round(getattr(bound, name)) for name in ("fp64", "issue", "memory", "latency", "warps")},
        "limit": bound.limit,
        "cycles": round(bound.largest),
        "steps_per_second": float(f"{bound.steps_per_second:.3g}"),
        "at_least": not path.all_counted,
        "stack_in_cache": stack_fits(taken["stack"], taken["shared"], bound.warps),
    }


def model(paths, measured):
    """The rows of all objects, in the order of their names."""
    rows = [
        row_of(*kernel, measured)
        for path in paths
        for kernel in advance_kernels(path)
        if not kernel[0]["scheme"].endswith("_single")
    ]
    return sorted(rows, key=lambda row: (row["system"], row["scheme"]))
