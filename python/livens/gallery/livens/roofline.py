"""Where the kernels stand under the roof of a GPU: a bound by counts of PTX, and what an H200 did."""

from __future__ import annotations

import numpy as np

from livens.gallery.figures import Drawing, Drawn, of_checkout
from livens.gallery.findings import Between, Finding, theory
from livens.gallery.panels import panels

TABLE = "docs/performance.md"
PEAK = 2.0  # warp instructions of FP64 a cycle of a multiprocessor: four quarters, two cycles each
LINE = 128.0  # bytes a cycle of local and shared memory
RATE = 32 * 132 * 1.98e9  # steps a second, were each warp's step one cycle of a multiprocessor
LIMITS = {"FP64": "FP64 cycles", "issue": "issue", "memory": "memory"}


def _rows() -> list[dict[str, str]]:
    """The model's table of docs/performance.md, a row a kernel."""
    text = of_checkout(TABLE).read_text(encoding="utf-8")
    table = text.split("<!-- cuda-model: begin -->")[1].split("<!-- cuda-model: end -->")[0].strip().splitlines()
    cells = [[cell.strip().strip("*") for cell in line.strip("|").split("|")] for line in table]
    return [dict(zip(cells[0], row)) for row in cells[2:]]


def _column(rows: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name] or "nan") for row in rows])


def roofline(quick: bool) -> Drawing:
    """FP64 instructions a cycle against FP64 instructions a byte of local and shared memory.

    The bound of a kernel is on the roof where FP64 or memory is what bounds it, below where it is issue. Those with
    few lanes wait for difficult steps, and are left out.
    """
    yield []  # it shows no run
    rows = [row for row in _rows() if float(row["local"]) + float(row["shared"]) > 0 and float(row["lanes"]) > 16]
    instructions = _column(rows, "FP64")
    of_bytes = LINE * (2 * _column(rows, "local") + _column(rows, "shared"))
    cycles = np.array([_column(rows, column) for column in LIMITS.values()])
    limit = np.argmax(cycles, axis=0)
    intensity, bound = instructions / of_bytes, instructions / np.max(cycles, axis=0)
    measured = instructions * _column(rows, "H200") / RATE
    figure, (ax,) = panels()
    for k, name in enumerate(LIMITS):
        ax.loglog(intensity[limit == k], bound[limit == k], "o", label=f"bound by {name}")
    ax.loglog(intensity, measured, "k.", label="measured on the H200")
    along = np.geomspace(intensity.min() / 2, intensity.max() * 2, 100)
    ax.loglog(along, np.minimum(PEAK, along * LINE), color="grey")
    ax.set_title("132 multiprocessors at 1.98 GHz: H100 or H200")
    ax.set_xlabel("FP64 warp instructions a byte of local and shared memory")
    ax.set_ylabel("FP64 warp instructions a cycle")
    ax.legend()
    # Instructions are printed to the unit, cycles to the unit, rates to two digits.
    of_cycles = float(0.5 / np.min(np.max(cycles, axis=0)))
    return Drawn(figure, {"intensity": intensity, "bound": bound, "measured": measured}, [
        Finding("highest place of a bound over the roof", 1.0,
                float(np.max(bound / np.minimum(PEAK, intensity * LINE))), of_cycles, theory("the roof bounds every kernel"),
                "the table prints cycles to the unit"),
        Finding("most of its bound that a kernel reached, of all", Between(0.0, 1.0), float(np.nanmax(measured / bound)), 0.0,
                theory("none is faster than its bound"))])
