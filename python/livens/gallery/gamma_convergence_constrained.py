"""gamma-convergence-constrained: example 3.1, the circle, section 4.1, the double spherical pendulum, and of section 4.2,
the three-bar swing, table 2."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawn, Finding
from livens.gallery.panels import largest, over_time, panels

TABLE_1 = {1e-1: 14.437579674951671, 1e-2: 11.992045771547241, 1e-3: 11.979460050283279, 1e-4: 11.979355188823591,
           1e-5: 11.979353929835233}
TABLE_2 = {1e-3: 29.211974341839312, 5e-4: 29.414409469970764, 1e-4: 28.986258982641335, 5e-5: 28.970130936433204,
           1e-5: 28.964966706946093}


def _followed(turn: float, opposite: int, steps: int) -> np.ndarray:
    """Nodes u_0, u_1, ... on the unit circle, shape (steps + 1, 2), with u_{i+1} + u_{i-1} in R u_i.

    The first so many steps take the root -u_{i-1}, the others 2 (u_i.u_{i-1}) u_i - u_{i-1}
    (docs/equations/multibody.md, section 4); over |u_i|^2, a reflection, which lets no rounding of the length grow.
    """
    nodes = [np.array([np.cos(turn), -np.sin(turn)]), np.array([1.0, 0.0])]
    for i in range(steps):
        before, now = nodes[-2:]
        nodes.append(-before if i < opposite else 2 * (now @ before) / (now @ now) * now - before)
    return np.array(nodes[1:])


def figure_1(quick: bool) -> Drawn:
    """(a) u_i = (cos ih, sin ih), a run; (b) with the root -u_{i-1} in two steps, of which the first jumps; (c) in all.

    livens takes no step that jumps, and no option makes it: (b) and (c) are drawn from the closed form of both roots.
    They hold in the equations that livens solves, but are no run of it: it refuses a step where u_{i+1}.u_i is negative.
    """
    turn, steps = 2 * np.pi / 24, 24
    study = lv.Ensemble(lv.systems.unit_circle(), lv.schemes.del_multiplier(step=turn, steps=steps, tolerance=0),
                        initial={"v": [0.0, np.sin(turn) / turn]}, every=1, trajectories=1)
    shown = {"a": study.run().trajectories.q.values[0], "b": _followed(turn, 2, steps),
             "c": _followed(turn, steps, steps)}
    i = np.arange(steps + 1)
    cosine, sine = np.cos(turn), np.sin(turn)
    angles = {"a": i * turn, "b": np.where(i == 0, 0.0, (i - 2) * turn + np.pi)}
    printed = {name: np.stack([np.cos(angle), np.sin(angle)], axis=1) for name, angle in angles.items()}
    printed["c"] = np.array([[1, 0], [-cosine, sine], [-1, 0], [cosine, -sine]])[i % 4]
    # A rounding of a node turns all steps after it: errors of 2 eps or so a step, summed twice.
    rounding = 2 * np.finfo(float).eps * steps**2
    figure, axes = panels(len(shown))
    columns, findings = {"i": i}, []
    for ax, (name, u) in zip(axes, shown.items()):
        ax.plot(*u.T, "o-", linewidth=0.5)
        ax.set_title(f"({name})")
        ax.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        ax.set_xlabel("x (m)")
        columns.update({f"x, {name}": u[:, 0], f"y, {name}": u[:, 1]})
        sums = u[2:] + u[:-2]
        across = sums[:, 0] * u[1:-1, 1] - sums[:, 1] * u[1:-1, 0]
        cosines = np.sum(u[1:] * u[:-1], axis=1)
        findings += [
            Finding(f"({name}): distance from the formula of example 3.1", 0.0, largest(u - printed[name]), rounding),
            Finding(f"({name}): part of u_i+1 + u_i-1 across u_i: the equations hold", 0.0, largest(across), rounding),
            Finding(f"({name}): least u_i+1.u_i; a run has none below 0", cosine if name == "a" else -cosine,
                    float(cosines.min()), rounding)]
    return Drawn(figure, columns, findings)


def pendulum(step: float, interval: float = 10.0) -> lv.Ensemble:
    """The paper's instance, T = 10 s; sampled at its ends alone unless another interval (s) is given."""
    scheme = lv.schemes.del_nullspace(step=step, end=10.0, tolerance=0)
    return lv.Ensemble(lv.systems.double_spherical_pendulum(), scheme, interval=interval, trajectories=1)


def figure_3(quick: bool) -> Drawn:
    """Places of both masses, L3 and the energy, which oscillates "with amplitudes in the range of 1e-3".

    The paper does not say the step. The amplitude goes as its square, and of powers of ten 1e-3 s is the one.
    """
    run = pendulum(1e-3, interval=0.01).run()
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


def figure_4(quick: bool) -> Drawn:
    """Second order: the slope between the two smallest steps; the reference here has a tenth of the smallest step."""
    smallest = 1e-3 if quick else 1e-4
    steps = [step for step in (1e-1, 1e-2, 1e-3, 1e-4) if step >= smallest]
    ends = {step: pendulum(step).run().final.q[0] for step in [*steps, smallest / 10]}
    errors = np.array([np.max(np.abs(ends[step] - ends[smallest / 10])) for step in steps])
    figure, (ax,) = panels()
    ax.loglog(steps, errors, "o-", label="largest |u - u_ref| at T")
    ax.set_xlabel("h (s)")
    ax.set_ylabel("m")
    ax.legend()
    slope = float(np.log10(errors[-2] / errors[-1]))
    # The reference moves it by log10 of (1 - 1/100) to (1 - 1/10^4), and the next order by about the step.
    return Drawn(figure, {"h": np.array(steps), "error": errors}, [Finding("slope at small steps", 2.0, slope, 0.02)])


def table_1(quick: bool) -> Drawn:
    """Velocities are bounded whatever the step.

    The bound is 1e-12 of the number, and what the printed two-step form loses: it rounds u, of the size 1.8 m, in every
    step, which is a random walk of T/h steps of eps |u|/h in the velocity. Four times that, since errors grow.
    """
    steps = [step for step in TABLE_1 if step >= (1e-3 if quick else 1e-5)]
    ours = np.array([float(pendulum(step).run().instances.max_discrete_speed[0]) for step in steps])
    figure, (ax,) = panels()
    ax.semilogx(steps, ours, "o")
    ax.set_xlabel("h (s)")
    ax.set_ylabel("largest discrete speed (m/s)")
    findings = []
    for step, value in zip(steps, ours):
        walk = np.sqrt(10 / step) * np.finfo(float).eps * 1.8 / step
        findings.append(Finding(f"h = {step:.0e} s", TABLE_1[step], float(value), 1e-12 * float(value) + 4 * walk))
    return Drawn(figure, {"h": np.array(steps), "speed": ours}, findings)


def table_2(quick: bool) -> Drawn:
    """Velocities of the swing are bounded; no load in the first step's equation, as it is printed.

    1e-5 is what is known of the paper's model, not a rounding (docs/equations/assembly.md, section 6).
    """
    steps = [step for step in TABLE_2 if step >= (5e-4 if quick else 1e-4)]
    system = lv.systems.three_bar_swing(load_in_start=0.0)
    ours = np.array([
        float(lv.Ensemble(system, lv.schemes.del_nullspace(step=step, end=5.0), interval=5.0)
              .run().instances.max_discrete_speed[0]) for step in steps])
    figure, (ax,) = panels()
    ax.semilogx(steps, ours, "o")
    ax.set_xlabel("h (s)")
    ax.set_ylabel("largest discrete speed")
    return Drawn(figure, {"h": np.array(steps), "speed": ours}, [
        Finding(f"h = {step:.0e} s", TABLE_2[step], float(value), 1e-5 * float(value))
        for step, value in zip(steps, ours)])
