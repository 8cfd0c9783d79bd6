"""Where the machine code of the kernels stands under the roof of a GPU: a model, nothing of it measured."""

from __future__ import annotations

import re

import numpy as np

from livens.gallery.figures import Drawing, Drawn, Finding, of_checkout
from livens.gallery.panels import panels

TABLE = "docs/performance.md"
PEAK = 2.0  # warp instructions of FP64 a cycle of an H100 multiprocessor: four quarters, two cycles each
LINE = 128.0  # bytes a cycle of local and shared memory
LIMITS = ("FP64", "issue", "memory", "latency")


def _numbers(cell: str) -> list[float]:
    return [float(number) for number in re.findall(r"[\d.]+(?:e[+-]?\d+)?", cell)]


def _rows() -> list[dict[str, str]]:
    """The model's table of docs/performance.md, a row a kernel."""
    text = of_checkout(TABLE).read_text(encoding="utf-8")
    table = text.split("<!-- cuda-model: begin -->")[1].split("<!-- cuda-model: end -->")[0].strip().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return [dict(zip(cells[0], row)) for row in cells[2:]]


def roofline(quick: bool) -> Drawing:
    """FP64 instructions a cycle against FP64 instructions a byte of local and shared memory.

    On the roof FP64 or memory bounds a kernel; below it the model says issue or latency.
    """
    yield []  # it shows no run
    rows = [row for row in _rows() if _numbers(row["local"])[0] + _numbers(row["shared"])[0] > 0]
    instructions = np.array([_numbers(row["FP64/all a step"])[0] for row in rows])
    of_bytes = np.array([256 * (_numbers(row["local"])[0] + _numbers(row["shared"])[0]) for row in rows])
    cycles = np.array([[_numbers(row[limit])[0] for limit in LIMITS] for row in rows])
    limit = np.argmax(cycles, axis=1)
    intensity, rate = instructions / of_bytes, instructions / np.max(cycles, axis=1)
    figure, (ax,) = panels()
    for k, name in enumerate(LIMITS):
        ax.loglog(intensity[limit == k], rate[limit == k], "o", label=f"bound by {name}")
    along = np.geomspace(intensity.min() / 2, intensity.max() * 2, 100)
    ax.loglog(along, np.minimum(PEAK, along * LINE), color="grey")
    ax.set_title("H100, a model")
    ax.set_xlabel("FP64 warp instructions a byte of local and shared memory")
    ax.set_ylabel("FP64 warp instructions a cycle")
    ax.legend()
    # Cycles are printed to the unit: half of one of the bound.
    above = rate / np.minimum(PEAK, intensity * LINE)
    return Drawn(figure, {"intensity": intensity, "rate": rate}, [
        Finding("model: highest place of a kernel over the roof", 1.0, float(np.max(above)),
                float(0.5 / np.min(np.max(cycles, axis=1))))])
