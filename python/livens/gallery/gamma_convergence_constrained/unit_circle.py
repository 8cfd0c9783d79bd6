"""gamma-convergence-constrained, example 3.1: both roots of a step on the unit circle."""

from __future__ import annotations

import math

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import largest, panels


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


def figure_1(quick: bool) -> Drawing:
    """(a) u_i = (cos ih, sin ih), a run; (b) with the root -u_{i-1} in two steps, of which the first jumps; (c) in all.

    livens takes no step that jumps, and no option makes it: (b) and (c) are drawn from the closed form of both roots.
    They hold in the equations that livens solves, but are no run of it: it refuses a step where u_{i+1}.u_i is negative.
    """
    turn, steps = 2 * math.pi / 24, 24
    run, = yield [lv.Ensemble(lv.systems.unit_circle(), lv.schemes.del_multiplier(step=turn, steps=steps, tolerance=0),
                        initial={"v": [0.0, math.sin(turn) / turn]}, every=1, trajectories=1)]
    shown = {"a": run.trajectories.q.values[0], "b": _followed(turn, 2, steps),
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
