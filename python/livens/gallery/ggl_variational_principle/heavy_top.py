"""ggl-variational-principle, section 5.1: the steady precession of a heavy top."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import energies, increments, largest, over_time, panels


class Steady:
    """The steady precession of (62) to (66), in closed form (SI units)."""

    radius, height, gravity, nutation, precession = 0.05, 0.1, 9.81, np.pi / 3, 10.0
    mass, arm = 2700 * np.pi * radius**2 * height / 3, 3 / 4 * height
    about_tip = 3 / 80 * mass * (4 * radius**2 + height**2) + mass * arm**2  # J1 + m l^2
    about_axis = 3 / 10 * mass * radius**2  # J3
    spin = (mass * gravity * arm / (about_axis * precession)
            + (about_tip - about_axis) / about_axis * precession * np.cos(nutation))  # (66)
    across, along = precession * np.sin(nutation), spin + precession * np.cos(nutation)  # of the angular velocity
    energy = (about_tip * across**2 + about_axis * along**2) / 2 + mass * gravity * arm * np.cos(nutation)
    momentum = about_tip * across * np.sin(nutation) + about_axis * along * np.cos(nutation)  # about e3


def heavy_top() -> lv.Ensemble:
    """h = 2 ms, T = 2 s, with the spin rate that follows from (66)."""
    names = [f"{kind}[{k}]" for kind in ("constraint", "velocity_constraint") for k in range(9)]
    return lv.Ensemble(lv.systems.heavy_top(), lv.schemes.ggl_vi(step=0.002, end=2.0, tolerance=0),
                       observe=["kinetic_energy", "potential_energy", *names], every=1)


def _lines(columns: dict[str, np.ndarray], time: np.ndarray, unit: str, findings: list[Finding]) -> Drawn:
    figure, (ax,) = panels()
    over_time(ax, time, columns, unit)
    return Drawn(figure, {"t": time, **columns}, findings)


def figure_3(quick: bool) -> Drawing:
    run, = yield [heavy_top()]
    columns = energies(run, 0)
    return _lines(columns, run.trajectories.time.values, "J", [
        Finding("H at the start (J): closed form", Steady.energy, float(columns["T + V"][0]),
                64 * np.finfo(float).eps * Steady.energy)])


def figure_4(quick: bool) -> Drawing:
    run, = yield [heavy_top()]
    momentum = run.trajectories.momentum.values[0, :, 0]
    return _lines({"L3": momentum}, run.trajectories.time.values, "kg m^2/s", [
        Finding("L3 at the start (kg m^2/s): closed form", Steady.momentum, float(momentum[0]),
                64 * np.finfo(float).eps * Steady.momentum),
        Finding("largest change of L3: round-off", 0.0, float(run.instances.max_momentum_error[0]),
                24 * np.finfo(float).eps * 0.1 * len(momentum))])


def figure_5(quick: bool) -> Drawing:
    """The energy moves by 1.9e-4 J in the authors' code, and stays there."""
    run, = yield [heavy_top()]
    steps = increments(run.trajectories.energy.values[0])
    return _lines({"increments of H": steps}, run.trajectories.time.values[1:], "J", [
        Finding("largest change of H (J)", 1.9e-4, float(run.instances.max_energy_error[0]), 0.05e-4)])


def figure_6(quick: bool) -> Drawing:
    """Round-off of 24 products q p of at most 0.05 each."""
    run, = yield [heavy_top()]
    steps = increments(run.trajectories.momentum.values[0, :, 0])
    return _lines({"increments of L3": steps}, run.trajectories.time.values[1:], "kg m^2/s", [
        Finding("largest increment of L3: round-off", 0.0, largest(steps), 24 * np.finfo(float).eps * 0.1)])


def _constraints(run: lv.Run, kind: str, unit: str, findings: list[Finding]) -> Drawn:
    columns = {f"{kind}[{k}]": run.trajectories[f"{kind}[{k}]"].values[0] for k in range(9)}
    return _lines(columns, run.trajectories.time.values, unit, findings)


def figure_7(quick: bool) -> Drawing:
    """Round-off of sums of three products below 1."""
    run, = yield [heavy_top()]
    return _constraints(run, "constraint", "1, m", [
        Finding("largest |g|: round-off", 0.0, float(run.instances.max_constraint[0]),
                8 * np.finfo(float).eps)])


def figure_8(quick: bool) -> Drawing:
    """They hold at the intermediate configuration; at the nodes 0.37 is left in an independent implementation."""
    run, = yield [heavy_top()]
    return _constraints(run, "velocity_constraint", "1/s, m/s", [
        Finding("largest |G v| (1/s): independent implementation", 0.37,
                float(run.instances.max_velocity_constraint[0]), 0.5e-2)])


def figure_10(quick: bool) -> Drawing:
    """The authors' own code stays within these; their Newton tolerance and the digits printed leave 1e-10."""
    run, = yield [heavy_top()]
    height = run.trajectories.q.values[0, :, 2]
    return _lines({"height": height, "analytic": np.full_like(height, 0.0375)}, run.trajectories.time.values, "m", [
        Finding("lowest (m)", 0.037248698983, float(height.min()), 1e-10),
        Finding("highest (m)", 0.038936705326, float(height.max()), 1e-10)])


def figure_9(quick: bool) -> Drawing:
    """The error (69) of the height after 1 ms is of first order; h/T = 1/5 to 1/80, with the next order beside it."""
    cuts = np.array([5, 10, 20, 40, 80])
    runs = yield [lv.Ensemble(lv.systems.heavy_top(), lv.schemes.ggl_vi(step=1e-3 / count, end=1e-3, tolerance=0),
                              interval=1e-3) for count in cuts]
    errors = np.abs(np.array([run.final.q[0, 2] for run in runs]) - 0.0375) / 0.0375
    figure, (ax,) = panels()
    ax.loglog(1e-3 / cuts, errors, "o-", label="error (69)")
    ax.set_xlabel("h (s)")
    ax.legend()
    return Drawn(figure, {"h": 1e-3 / cuts, "error": errors}, [
        Finding(f"slope at h = 1 ms/{cut}", 1.0, float(np.log2(before / after)), 0.1)
        for cut, before, after in zip(cuts[2:], errors[1:], errors[2:])])
