"""gamma-convergence-constrained, example 3.1: both roots of a step on the unit circle, and their action."""

from __future__ import annotations

import math

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, below, closed, printed
from livens.gallery.panels import largest, panels

EPS = float(np.finfo(float).eps)
TURN, STEPS = 2 * math.pi / 24, 24


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


def circling(turn: float, steps: int) -> lv.Ensemble:
    """At 1 m/s, or what the first step makes of it."""
    return lv.Ensemble(lv.systems.unit_circle(), lv.schemes.del_multiplier(step=turn, steps=steps, tolerance=0),
                       initial={"v": [0.0, math.sin(turn) / turn]}, every=1, trajectories=1)


def _action(u: np.ndarray, step: float) -> float:
    """Of the discrete motion, m = 1 kg and V = 0: the sum of |u_{i+1} - u_i|^2/(2h)."""
    return float(np.sum(np.diff(u, axis=0)**2)) / (2 * step)


def figure_1(quick: bool) -> Drawing:
    """(a) u_i = (cos ih, sin ih), a run; (b) with the root -u_{i-1} in two steps, of which the first jumps; (c) in all.

    livens takes no step that jumps, and no option makes it: (b) and (c) are drawn from the closed form of both roots.
    They hold in the equations that livens solves, but are no run of it: it refuses a step where u_{i+1}.u_i is negative.
    """
    turn, steps = TURN, STEPS
    run, = yield [circling(turn, steps)]
    shown = {"a": run.trajectories.q.values[0], "b": _followed(turn, 2, steps),
             "c": _followed(turn, steps, steps)}
    i = np.arange(steps + 1)
    cosine, sine = np.cos(turn), np.sin(turn)
    angles = {"a": i * turn, "b": np.where(i == 0, 0.0, (i - 2) * turn + np.pi)}
    formula = {name: np.stack([np.cos(angle), np.sin(angle)], axis=1) for name, angle in angles.items()}
    formula["c"] = np.array([[1, 0], [-cosine, sine], [-1, 0], [cosine, -sine]])[i % 4]
    # A rounding of a node turns all steps after it: errors of 2 eps or so a step, summed twice.
    rounding = 2 * EPS * steps**2
    figure, axes = panels(len(shown))
    columns, findings = {"i": i}, []
    for ax, (name, u) in zip(axes, shown.items()):
        ax.plot(*u.T, "o-", linewidth=0.5)
        ax.set_title(f"({name})")
        ax.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), xlabel="x (m)", ylabel="y (m)")
        columns.update({f"x, {name}": u[:, 0], f"y, {name}": u[:, 1]})
        sums = u[2:] + u[:-2]
        across = sums[:, 0] * u[1:-1, 1] - sums[:, 1] * u[1:-1, 0]
        cosines = np.sum(u[1:] * u[:-1], axis=1)
        findings += [
            Finding(f"({name}): distance from the formula", 0.0, largest(u - formula[name]), rounding,
                    printed("example 3.1"), "round-off, summed over steps"),
            Finding(f"({name}): part of u_i+1 + u_i-1 across u_i", 0.0, largest(across), rounding,
                    printed("example 3.1: it is in R u_i"), "round-off, summed over steps"),
            Finding(f"({name}): least u_i+1.u_i; a run has none below 0", cosine if name == "a" else -cosine,
                    float(cosines.min()), rounding, closed("cos h"), "round-off, summed over steps")]
    return Drawn(figure, columns, findings)


def action(quick: bool) -> Drawing:
    """The discrete action over 2 pi s against the step: bounded for (a), like 1/h for (b) and 1/h^2 for (c).

    So an action that stays bounded is what tells the stationary points that converge, which is theorem 3.4; the paper says
    of (b) and (c) that their velocities blow up. (a) is a run for each step.
    """
    cuts = np.array([24, 48, 96, 192, 384])
    steps = 2 * math.pi / cuts
    runs = yield [circling(float(step), int(count)) for step, count in zip(steps, cuts)]
    figure, (ax,) = panels(label="h (s)")
    columns = {"h": steps}
    of = {"a": [_action(run.trajectories.q.values[0], step) for run, step in zip(runs, steps)],
          "b": [_action(_followed(step, 2, count), step) for step, count in zip(steps, cuts)],
          "c": [_action(_followed(step, count, count), step) for step, count in zip(steps, cuts)]}
    for name, values in of.items():
        columns[f"action, {name}"] = np.array(values)
        ax.loglog(steps, values, "o-", label=f"({name})")
    ax.set_ylabel("action over a turn (J s)")
    # |u_{i+1} - u_i|^2 is 2 - 2 cos h of a step, 2 + 2 cos h of one that jumps: in (b) once, in (c) every other time.
    short, long = 2 - 2 * np.cos(steps), 2 + 2 * np.cos(steps)
    exact = {"a": cuts * short / (2 * steps), "b": ((cuts - 1) * short + long) / (2 * steps), "c": cuts / steps}
    findings = [Finding(f"({name}): action, largest relative distance from the closed form", 0.0,
                        largest(columns[f"action, {name}"] / exact[name] - 1), 8 * EPS * cuts[-1]**2,
                        closed("the sum over steps that jump and steps that do not"), "round-off, summed over steps") for name in of]
    findings += [
        Finding("(a): action with the smallest step over that of the largest", below(1.01),
                of["a"][-1] / of["a"][0], 0.0, printed("theorem 3.4: bounded action, and velocities are bounded"),
                "by convention a hundredth; what is not bounded grows like 1/h or faster"),
        *(Finding(f"({name}): slope of the action against h", value, float(np.log2(of[name][-2] / of[name][-1])), 0.1,
                  printed("example 3.1: the velocity blows up in W^1,inf and in H^1"),
                  "the part of the steps that do not jump, h/4 of it") for name, value in (("b", -1.0), ("c", -2.0)))]
    return Drawn(figure, columns, findings)
