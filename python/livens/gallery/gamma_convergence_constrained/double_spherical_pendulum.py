"""gamma-convergence-constrained, section 4.1: the double spherical pendulum."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import over_time, panels

TABLE_1 = {1e-1: 14.437579674951671, 1e-2: 11.992045771547241, 1e-3: 11.979460050283279, 1e-4: 11.979355188823591,
           1e-5: 11.979353929835233}


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
    figure, (left, right) = panels(2)
    outer = q[:, :3] + q[:, 3:]
    left.plot(q[:, 0], q[:, 2], label="mass 1")
    left.plot(outer[:, 0], outer[:, 2], label="mass 2")
    left.set_xlabel("x (m)")
    left.set_ylabel("z (m)")
    left.legend()
    momentum, energy = followed.momentum.values[:, 0], followed.energy.values
    over_time(right, time, {"L3": momentum, "energy": energy}, "kg m^2/s, J")
    # Each entry of L3 is a product of the size 10 * 1 * 10; there are ten steps a sample.
    rounding = 24 * np.finfo(float).eps * 100 * 10 * len(time)
    return Drawn(figure, {"t": time, "L3": momentum, "energy": energy}, [
        Finding("decimal logarithm of the energy's amplitude (J)", -3.0, float(np.log10(np.ptp(energy) / 2)), 0.5),
        Finding("largest change of L3: round-off", 0.0, float(np.ptp(momentum)), rounding)])


def figure_4(quick: bool) -> Drawing:
    """Second order: the slope between the two smallest steps; the reference here has a tenth of the smallest step."""
    smallest = 1e-3 if quick else 1e-4
    steps = [step for step in (1e-1, 1e-2, 1e-3, 1e-4) if step >= smallest]
    *runs, reference = yield [pendulum(step) for step in [*steps, smallest / 10]]
    errors = np.array([np.max(np.abs(run.final.q[0] - reference.final.q[0])) for run in runs])
    figure, (ax,) = panels()
    ax.loglog(steps, errors, "o-", label="largest |u - u_ref| at T")
    ax.set_xlabel("h (s)")
    ax.set_ylabel("m")
    ax.legend()
    slope = float(np.log10(errors[-2] / errors[-1]))
    # The reference moves it by log10 of (1 - 1/100) to (1 - 1/10^4), and the next order by about the step.
    return Drawn(figure, {"h": np.array(steps), "error": errors}, [Finding("slope at small steps", 2.0, slope, 0.02)])


def table_1(quick: bool) -> Drawing:
    """Velocities are bounded whatever the step.

    The bound is 1e-12 of the number, and what the printed two-step form loses: it rounds u, of the size 1.8 m, in every
    step, which is a random walk of T/h steps of eps |u|/h in the velocity. Four times that, since errors grow.
    """
    steps = [step for step in TABLE_1 if step >= (1e-3 if quick else 1e-5)]
    runs = yield [pendulum(step) for step in steps]
    ours = np.array([float(run.instances.max_discrete_speed[0]) for run in runs])
    figure, (ax,) = panels()
    ax.semilogx(steps, ours, "o")
    ax.set_xlabel("h (s)")
    ax.set_ylabel("largest discrete speed (m/s)")
    findings = []
    for step, value in zip(steps, ours):
        walk = np.sqrt(10 / step) * np.finfo(float).eps * 1.8 / step
        findings.append(Finding(f"h = {step:.0e} s", TABLE_1[step], float(value), 1e-12 * float(value) + 4 * walk))
    return Drawn(figure, {"h": np.array(steps), "speed": ours}, findings)
