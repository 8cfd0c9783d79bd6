"""ggl-variational-principle, section 5.1: the steady precession of a heavy top."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawn, Finding
from livens.gallery.panels import energies, increments, over_time, panels


def heavy_top() -> lv.Run:
    """h = 2 ms, T = 2 s, with the spin rate that follows from (66)."""
    names = [f"{kind}[{k}]" for kind in ("constraint", "velocity_constraint") for k in range(9)]
    return lv.Ensemble(lv.systems.heavy_top(), lv.schemes.ggl_vi(step=0.002, end=2.0, tolerance=0),
                       observe=["kinetic_energy", "potential_energy", *names], every=1).run()


def _lines(columns: dict[str, np.ndarray], time: np.ndarray, unit: str, findings: list[Finding]) -> Drawn:
    figure, (ax,) = panels()
    over_time(ax, time, columns, unit)
    return Drawn(figure, {"t": time, **columns}, findings)


def figure_3(quick: bool) -> Drawn:
    run = heavy_top()
    return _lines(energies(run, 0), run.trajectories.time.values, "J", [])


def figure_4(quick: bool) -> Drawn:
    run = heavy_top()
    return _lines({"L3": run.trajectories.momentum.values[0, :, 0]}, run.trajectories.time.values, "kg m^2/s", [])


def figure_5(quick: bool) -> Drawn:
    """The energy moves by 1.9e-4 J in the authors' code, and stays there."""
    run = heavy_top()
    steps = increments(run.trajectories.energy.values[0])
    return _lines({"increments of H": steps}, run.trajectories.time.values[1:], "J", [
        Finding("largest change of H (J)", 1.9e-4, float(run.instances.max_energy_error[0]), 0.05e-4)])


def figure_6(quick: bool) -> Drawn:
    """Round-off of 24 products q p of at most 0.05 each."""
    run = heavy_top()
    steps = increments(run.trajectories.momentum.values[0, :, 0])
    largest, bound = float(np.max(np.abs(steps))), 24 * np.finfo(float).eps * 0.1
    return _lines({"increments of L3": steps}, run.trajectories.time.values[1:], "kg m^2/s", [
        Finding("largest increment of L3: round-off", 0.0, largest, bound)])


def _constraints(kind: str, unit: str) -> Drawn:
    run = heavy_top()
    columns = {f"{kind}[{k}]": run.trajectories[f"{kind}[{k}]"].values[0] for k in range(9)}
    return _lines(columns, run.trajectories.time.values, unit, [])


def figure_7(quick: bool) -> Drawn:
    return _constraints("constraint", "SI")


def figure_8(quick: bool) -> Drawn:
    return _constraints("velocity_constraint", "SI")


def figure_10(quick: bool) -> Drawn:
    """The authors' own code stays within these; their Newton tolerance and the digits printed leave 1e-10."""
    run = heavy_top()
    height = run.trajectories.q.values[0, :, 2]
    return _lines({"height": height, "analytic": np.full_like(height, 0.0375)}, run.trajectories.time.values, "m", [
        Finding("lowest (m)", 0.037248698983, float(height.min()), 1e-10),
        Finding("highest (m)", 0.038936705326, float(height.max()), 1e-10)])


def figure_9(quick: bool) -> Drawn:
    """The error (69) of the height after 1 ms is of first order; h/T = 1/5 to 1/80, with the next order beside it."""
    cuts = np.array([5, 10, 20, 40, 80])
    study = lv.Ensemble(lv.systems.heavy_top(), lv.schemes.ggl_vi(end=1e-3, tolerance=0), interval=1e-3)
    runs = lv.compare(study, step=[1e-3 / count for count in cuts])
    errors = np.abs(runs.instances.final_q[:, 0, 2].values - 0.0375) / 0.0375
    figure, (ax,) = panels()
    ax.loglog(1e-3 / cuts, errors, "o-", label="error (69)")
    ax.set_xlabel("h (s)")
    ax.legend()
    return Drawn(figure, {"h": 1e-3 / cuts, "error": errors}, [
        Finding("slope at the smallest steps", 1.0, float(np.log2(errors[-2] / errors[-1])), 0.1)])
