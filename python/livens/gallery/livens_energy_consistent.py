"""livens-energy-consistent, section 6: an energy-consistent scheme on Livens' principle."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import energies, increments, largest, over_time, panels

ROUND_OFF = np.finfo(float).eps


def mass_spring() -> lv.Ensemble:
    """Section 6.1, h = 0.1 s, T = 10 s. The paper gives no initial values: these are the system's own."""
    return lv.Ensemble(lv.systems.mass_spring(), lv.schemes.livens(step=0.1, end=10.0, tolerance=0),
                       observe=["kinetic_energy", "potential_energy", "constraint[0]"], every=1)


def spring_pendulum() -> lv.Ensemble:
    """Section 6.2, Table 2: h = 0.01 s, T = 1 s, with the paper's discrete gradient."""
    return lv.Ensemble(lv.systems.spring_pendulum(),
                       lv.schemes.livens(step=0.01, end=1.0, tolerance=0, derivative="plain"),
                       observe=["kinetic_energy", "potential_energy"], every=1)


def _of_energies(run: lv.Run) -> Drawn:
    figure, (ax,) = panels()
    time, columns = run.trajectories.time.values, energies(run, 0)
    over_time(ax, time, columns, "J")
    return Drawn(figure, {"t": time, **columns})


def _of_increments(run: lv.Run, energy: str, findings: list[Finding]) -> Drawn:
    figure, (ax,) = panels()
    time, steps = run.trajectories.time.values[1:], increments(run.trajectories[energy].values[0])
    over_time(ax, time, {f"increments of {energy}": steps}, "J")
    return Drawn(figure, {"t": time, "increment": steps}, findings)


def figure_2(quick: bool) -> Drawing:
    run, = yield [mass_spring()]
    return _of_energies(run)


def figure_3(quick: bool) -> Drawing:
    """Round-off: ten operations on the energy scale a step, divided by h for the velocities."""
    run, = yield [mass_spring()]
    bound = 10 * ROUND_OFF * float(run.instances.energy_scale[0]) / 0.1
    change = largest(increments(run.trajectories.energy.values[0]))
    return _of_increments(run, "energy", [Finding("largest increment of E (J): round-off", 0.0, change, bound)])


def figure_4(quick: bool) -> Drawing:
    run, = yield [mass_spring()]
    figure, (ax,) = panels()
    time, g = run.trajectories.time.values, run.trajectories["constraint[0]"].values[0]
    over_time(ax, time, {"g": g}, "SI")
    # Some operations on coordinates of the size 4.
    return Drawn(figure, {"t": time, "g": g}, [Finding("largest |g|: round-off", 0.0, largest(g), 64 * ROUND_OFF)])


def figure_6(quick: bool) -> Drawing:
    run, = yield [spring_pendulum()]
    return _of_energies(run)


def figure_7(quick: bool) -> Drawing:
    """The paper's axis ends at 2e-4, and its text says an order of 1e-4: within a decade of that."""
    run, = yield [spring_pendulum()]
    change = largest(increments(run.trajectories.total_energy.values[0]))
    return _of_increments(run, "total_energy", [
        Finding("decimal logarithm of the largest increment of T + V (J)", -4.0, float(np.log10(change)), 0.5),
        Finding("largest increment of T + V (J): independent implementation", 4.3e-5, change, 0.05e-5)])


def figure_8(quick: bool) -> Drawing:
    """q has a rounding of eps |q|, which moves the velocities by eps |q|/h, and E accordingly."""
    run, = yield [spring_pendulum()]
    change = largest(increments(run.trajectories.energy.values[0]))
    return _of_increments(run, "energy", [
        Finding("largest increment of E (J): round-off", 0.0, change, 64 * ROUND_OFF * 1.5 / 0.01)])
