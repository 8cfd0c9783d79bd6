"""gamma-convergence-constrained, (1) and (18): other quadratures of the potential than the midpoint rule, other grids."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, above, below, printed, theory
from livens.gallery.panels import change, largest, panels, slope

EPS = float(np.finfo(float).eps)
RULES = {"trapezoidal": ([0.0, 1.0], [0.5, 0.5]), "midpoint": ([0.5], [1.0]),
         "exact": ((np.polynomial.legendre.leggauss(3)[0] + 1) / 2, np.polynomial.legendre.leggauss(3)[1] / 2)}
"""Places and weights on a step; V of four_particle is of degree 4, for which three places of Gauss are exact."""
MASS, STIFFNESS = np.repeat([1.0, 3.0, 2.3, 1.7], 3), np.array([1.0, 10.0])
SCHEMES = {"rattle": "trapezoidal", "del_multiplier": "midpoint"}


def _gradient(q: np.ndarray) -> np.ndarray:
    """DV of four_particle, shape (..., 12): V = 1/2 k1 (|q3 - q1|^2 - 1)^2 + 1/2 k2 (|q4 - q2|^2 - 1)^2."""
    points = q.reshape(*q.shape[:-1], 4, 3)
    apart = points[..., 2:, :] - points[..., :2, :]
    pull = 2 * STIFFNESS[:, None] * (np.sum(apart**2, axis=-1, keepdims=True) - 1) * apart
    return np.concatenate([-pull, pull], axis=-2).reshape(q.shape)


def _residual(q: np.ndarray, h: float, rule: str) -> np.ndarray:
    """Of the discrete Euler-Lagrange equations at the inner nodes, over h (N), but for what the two rows may add: (K - 2,).

    D2 L_d(q_n-1, q_n) + D1 L_d(q_n, q_n+1) + G(q_n)^T lambda = 0, L_d with this quadrature of V.
    """
    R = MASS * (q[2:] - 2 * q[1:-1] + q[:-2]) / h**2
    for c, b in zip(*RULES[rule]):
        slopes = _gradient(q[:-1] + c * np.diff(q, axis=0))
        R += b * (c * slopes[:-1] + (1 - c) * slopes[1:])
    left = []
    for node, force in zip(q[1:-1].reshape(-1, 4, 3), R):
        G = np.zeros((2, 4, 3))
        for row, (i, j) in enumerate(((0, 1), (2, 3))):
            G[row, i], G[row, j] = node[i] - node[j], node[j] - node[i]
        G = G.reshape(2, 12)
        left.append(largest(force - G.T @ np.linalg.lstsq(G.T, force, rcond=None)[0]))
    return np.array(left)


def _particles(scheme: str, stiffness: list[float] | None = None) -> lv.Ensemble:
    system = lv.systems.four_particle(stiffness=stiffness) if stiffness else lv.systems.four_particle()
    return lv.Ensemble(system, lv.schemes.Scheme(scheme, {"step": 0.05, "end": 10.0, "tolerance": 0}), every=1,
                       trajectories=1)


def _pendulum(scheme: str, step: float, steps: int, **initial: object) -> lv.Ensemble:
    return lv.Ensemble(lv.systems.double_spherical_pendulum(),
                       lv.schemes.Scheme(scheme, {"step": step, "steps": steps, "tolerance": 0}), initial=initial, every=1,
                       trajectories=1)


def quadratures(quick: bool) -> Drawing:
    """The scheme of the trapezoidal rule, SHAKE, is the positions of rattle; that of the midpoint rule is del_multiplier.

    Where V is linear, as in example 3.1 and section 4.1, all quadratures are one scheme. Exact quadrature of another V is
    none of livens. What the paper says of a stiff V: with springs whose h omega is above 2 the trapezoidal rule is lost.
    """
    stiff = [2000.0, 2000.0]
    *of_particles, rattle, nullspace, stiff_rattle, stiff_midpoint = yield [
        *map(_particles, SCHEMES), *(_pendulum(name, 0.01, 100) for name in ("rattle", "del_nullspace")),
        *(_particles(name, stiff) for name in SCHEMES)]
    figure, axes = panels(2)
    columns, findings = {}, []
    for ax, run, (scheme, own) in zip(axes, of_particles, SCHEMES.items()):
        q = run.trajectories.q.values[0]
        columns["t"] = run.trajectories.time.values[1:-1]
        # A second difference of positions of the size 10, and forces of the size 1000, over 24 products.
        rounding = 24 * EPS * (MASS.max() * largest(q) / 0.05**2 + largest(_gradient(q)))
        for rule in RULES:
            residual = columns[f"{scheme}, {rule}"] = _residual(q, 0.05, rule)
            ax.semilogy(columns["t"], np.maximum(residual, EPS), label=rule)
            what = f"{scheme}: largest residual of the {rule} rule (N)"
            if rule == own:
                findings.append(Finding(what, 0.0, largest(residual), rounding, theory(
                    "rattle has the positions of SHAKE" if rule == "trapezoidal" else "the scheme is (14) with (18)"), "round-off"))
            else:
                findings.append(Finding(what, above(1e3 * rounding), largest(residual), 0.0,
                                        theory("V is not linear: another scheme"), "by convention 1000 times the rounding"))
        ax.set_title(scheme)
        ax.set_ylabel("residual of the discrete equations (N)")
    apart = largest(rattle.trajectories.q.values - nullspace.trajectories.q.values)
    findings.append(Finding("double spherical pendulum, 100 steps: rattle less del_nullspace (m)", 0.0, apart,
                            24 * EPS * 100**2, theory("V is linear: all quadratures are one"),
                            "a rounding of a node turns all steps after it"))
    text = printed("section 4: SHAKE can have unfavorable consequences on the robustness")
    for name, run in (("rattle", stiff_rattle), ("del_multiplier", stiff_midpoint)):
        energy = run.trajectories.energy.values[0]
        grown = change(energy) / abs(energy[0]) if run.failed == 0 else np.inf
        findings.append(Finding(f"stiff springs: largest change of the energy over that at the start, capped at 1e3, {name}",
                                above(1.0) if name == "rattle" else below(1.0), min(grown, 1e3), 0.0, text,
                                "by convention all of the energy at the start"))
    return Drawn(figure, columns, findings)


def grids(quick: bool) -> Drawing:
    """A grid that is not uniform is a chain of runs, each from the q and p where the one before ended.

    Steps of a sine, the longest four times the shortest; second order in the longest against the true motion.
    """
    end, counts = 1.0, (20, 40, 80)
    exact, = yield [_pendulum("del_nullspace", 1.0, 1).replace(scheme=lv.schemes.taylor(step=end, steps=1))]
    errors, longest = [], []
    for count in counts:
        h = 1 + 0.6 * np.sin(2 * np.pi * (np.arange(count) + 0.5) / count)
        h *= end / h.sum()
        q, initial = [exact.trajectories.q.values[0, 0]], {}
        for step in h.tolist():
            run, = yield [_pendulum("del_nullspace", step, 1, **initial)]
            initial = {"q": run.final.q[0].tolist(), "p": run.final.p[0].tolist()}
            q.append(run.final.q[0])
        errors.append(largest(q[-1] - exact.final.q[0]))
        longest.append(float(h.max()))
    figure, (ax,) = panels(label="longest step (s)")
    ax.loglog(longest, errors, "o-", label="largest |u - u_true| at 1 s")
    slope(ax, np.array(longest), (longest[0], 2 * errors[0]), 2, "slope 2")
    ax.set_ylabel("m")
    # The equations at the nodes of the last grid, each half multiplied by its own step.
    nodes = np.array(q)
    M = np.kron([[15.0, 5.0], [5.0, 5.0]], np.eye(3))
    weight = np.array([0, 0, 15 * 9.81, 0, 0, 5 * 9.81])
    momentum = np.diff(nodes, axis=0) @ M / h[:, None]
    left = []
    for n in range(1, len(h)):
        R = momentum[n] - momentum[n - 1] + (h[n - 1] + h[n]) / 2 * weight
        rods = nodes[n].reshape(2, 3)
        left.append(largest(np.array([r - u * (r @ u) / (u @ u) for r, u in zip(R.reshape(2, 3), rods)])))
    return Drawn(figure, {"longest step": np.array(longest), "error": np.array(errors)}, [
        Finding("slope between the two finest grids", 2.0, float(np.log2(errors[-2] / errors[-1])), 8 / counts[-2],
                printed("section 4.1: second order convergent"), "the next order, by convention eight times h over 1 s"),
        Finding("finest grid: largest residual of (14) at a node (N s)", 0.0, largest(np.array(left)),
                24 * EPS * 15 * 2.5 / float(h.min()), theory("(1) on a partition with steps of any length"),
                "round-off of positions over the shortest step")])
