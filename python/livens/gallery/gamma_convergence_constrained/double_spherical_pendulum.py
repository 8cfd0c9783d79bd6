"""gamma-convergence-constrained, section 4.1: the double spherical pendulum."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, cannot_judge, printed, reference
from livens.gallery.panels import difference, over_time, panels, slope

EPS = float(np.finfo(float).eps)
TABLE_1 = {1e-1: 14.437579674951671, 1e-2: 11.992045771547241, 1e-3: 11.979460050283279, 1e-4: 11.979355188823591,
           1e-5: 11.979353929835233}
EXACT = {1e-3: 11.979460050280441, 1e-4: 11.979355186324474, 1e-5: 11.979353879738285}
"""Of the same scheme in long double, whose rounding is a 2048th of that of a double."""
LONG_DOUBLE = reference("scripts/papers_by_hand.py double_spherical_pendulum: the scheme in long double")


def pendulum(step: float, interval: float = 10.0) -> lv.Ensemble:
    """The paper's instance, T = 10 s; sampled at its ends alone unless another interval (s) is given."""
    scheme = lv.schemes.del_nullspace(step=step, end=10.0, tolerance=0)
    return lv.Ensemble(lv.systems.double_spherical_pendulum(), scheme, interval=interval, trajectories=1)


def figure_3(quick: bool) -> Drawing:
    """Places of both masses, L3 and the energy, which oscillates "with amplitudes in the range of 1e-3".

    The paper does not say the step. The amplitude goes as its square, and of powers of ten 1e-3 s is the one.
    """
    run, = yield [pendulum(1e-3, interval=0.01)]
    followed = run.trajectories.isel(trajectory=0)
    time, q = followed.time.values, followed.q.values
    figure, (left, right, below) = panels(3)
    outer = q[:, :3] + q[:, 3:]
    left.plot(q[:, 0], q[:, 2], label="mass 1")
    left.plot(outer[:, 0], outer[:, 2], label="mass 2")
    left.set(xlabel="x (m)", ylabel="z (m)")
    momentum, energy = followed.momentum.values[:, 0], followed.energy.values
    over_time(right, time, {"L3": momentum, "energy": energy}, "kg m^2/s, J")
    difference(below, time, energy - energy[0], "energy less that at the start", "J")
    # Each entry of L3 is a product of the size 10 * 1 * 10; there are ten steps a sample.
    rounding = 24 * EPS * 100 * 10 * len(time)
    amplitude = float(np.ptp(energy) / 2)
    return Drawn(figure, {"t": time, "L3": momentum, "energy": energy}, [
        cannot_judge("amplitude of the energy (J)", amplitude, printed("section 4.1: amplitudes in the range of 1e-3"),
                     "It goes as h^2, and the text does not say the step of figure 3. This is with 1e-3 s, the power of ten that comes "
                     "closest."),
        Finding("h = 1e-3 s: amplitude of the energy (J)", 1.347e-3, amplitude, 0.5e-6,
                reference("scripts/papers_by_hand.py double_spherical_pendulum: the scheme in long double"), "half of its last digit"),
        Finding("largest change of L3 (kg m^2/s)", 0.0, float(np.ptp(momentum)), rounding,
                printed("section 4.1: algorithmic conservation of L3"), "round-off")])


def figure_4(quick: bool) -> Drawing:
    """Second order: the slope between the two smallest steps; the reference here has a tenth of the smallest step."""
    smallest, steps = 1e-4, [1e-1, 1e-2, 1e-3, 1e-4]
    *runs, exact = yield [pendulum(step) for step in [*steps, smallest / 10]]
    errors = np.array([np.max(np.abs(run.final.q[0] - exact.final.q[0])) for run in runs])
    figure, (ax,) = panels(label="h (s)")
    ax.loglog(steps, errors, "o-", label="largest |u - u_ref| at T")
    slope(ax, np.array(steps), (steps[0], 2 * errors[0]), 2, "slope 2")
    ax.set_ylabel("m")
    found = float(np.log10(errors[-2] / errors[-1]))
    return Drawn(figure, {"h": np.array(steps), "error": errors}, [
        Finding("slope at small steps", 2.0, found, 0.02, printed("section 4.1: second order convergent"),
                "the reference moves it by log10 of (1 - 1/100) to (1 - 1/10^4), the next order by the step")])


def table_1(quick: bool) -> Drawing:
    """Velocities are bounded whatever the step. Beside the print a column of exact values, in long double.

    The print is allowed 1e-12 of the number, and what the printed two-step form loses: it rounds u, of the size 1.8 m, in
    every step, which is a random walk of T/h steps of eps |u|/h in the velocity. Four times that, since errors grow.
    Ours has increments in place of positions, and loses eps of the number a step.
    """
    steps = list(TABLE_1)
    runs = yield [pendulum(step) for step in steps]
    ours = np.array([float(run.instances.max_discrete_speed[0]) for run in runs])
    figure, (left, right) = panels(2, label="h (s)")
    left.semilogx(steps, ours, "o", label="livens")
    left.semilogx(list(TABLE_1), list(TABLE_1.values()), "x", label="paper")
    left.set_ylabel("largest discrete speed (m/s)")
    known = np.array([step for step in steps if step in EXACT])
    columns = {"h": np.array(steps), "speed": ours, "paper": np.array([TABLE_1[step] for step in steps]),
               "exact": np.array([EXACT.get(step, np.nan) for step in steps])}
    for name, values in {"livens": columns["speed"], "paper": columns["paper"]}.items():
        off = np.abs(values - columns["exact"])[np.isin(steps, known)]
        right.loglog(known, np.maximum(off, EPS), "ox"[name == "paper"], label=name)
    right.set_ylabel("distance from the exact value (m/s)")
    findings = []
    for step, value in zip(steps, ours.tolist()):
        walk = np.sqrt(10 / step) * EPS * 1.8 / step
        findings.append(Finding(f"h = {step:.0e} s: largest discrete speed (m/s)", TABLE_1[step], value, 1e-12 * value + 4 * walk,
                                printed("Table 1"), "what its two-step form rounds off"))
    for step in known.tolist():
        exact, value = EXACT[step], ours[steps.index(step)]
        findings += [
            Finding(f"h = {step:.0e} s: the exact value", exact, float(value), 64 * EPS * exact * np.sqrt(10 / step),
                    LONG_DOUBLE, "a walk of 64 eps a step"),
            Finding(f"h = {step:.0e} s: the print less the exact value",
                    {1e-3: 2.8e-12, 1e-4: 2.5e-9, 1e-5: 5.0e-8}[step], TABLE_1[step] - exact,
                    0.5 * {1e-3: 1e-13, 1e-4: 1e-10, 1e-5: 1e-9}[step] + 8 * EPS * exact, LONG_DOUBLE,
                    "half of its last digit")]
    return Drawn(figure, columns, findings)
