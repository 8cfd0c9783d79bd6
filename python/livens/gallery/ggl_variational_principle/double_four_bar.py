"""ggl-variational-principle, sections 5.2 and 5.3: the double four-bar linkage, without and with viscous elements.

The paper prints few numbers of it. But the linkage has one degree of freedom, the inclination theta of its lower bars:
with m = l = 1 its energy is 3/2 theta'^2 + 3.5 g sin theta, and all that its figures show is a function of theta. The
extremes of these closed forms are what is compared.
"""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import energies, increments, largest, over_time, panels

STEP = 1e-3  # s
GRAVITY = 9.81  # m/s^2
LARGEST_ENERGY_ERROR = 9.1e-2  # J over 10 s, of an independent implementation

BAR_1, JOINT_1, JOINT_4 = range(3), range(15, 17), range(21, 23)  # rows of g: (73) of bar 1, (74a), (74b)


class Circling:
    """The linkage at inclinations all around, with the energy that it has at the start (SI units)."""

    energy = 3.5 * GRAVITY + 1.5  # upright, the upper bars at 1 m/s
    theta = np.linspace(0, 2 * np.pi, 100_001)
    speed = np.sqrt((energy - 3.5 * GRAVITY * np.sin(theta)) / 1.5)  # |theta'|; the linkage turns clockwise
    momentum = -speed * (3 + 3.5 * np.cos(theta))  # (75), about the foot of bar 1
    rate = -3.5 / 3 * GRAVITY * np.cos(theta) * (3 + 3.5 * np.cos(theta)) - 3.5 * speed**2 * np.sin(theta)
    """d momentum / dt, with theta'' = -3.5/3 g cos theta."""


def _extremes(exact: np.ndarray, ours: np.ndarray, what: str, power: int = 1, further: float = 0.0) -> list[Finding]:
    """Of a closed form in proportion to theta'^power, which an energy error dE moves by power x dE / (2 T)."""
    findings = []
    for name, place, value in (("lowest", np.argmin(exact), np.min(ours)), ("highest", np.argmax(exact), np.max(ours))):
        moved = power * abs(exact[place]) / (3 * Circling.speed[place]**2) * LARGEST_ENERGY_ERROR
        findings.append(Finding(f"{name} {what}: closed form", float(exact[place]), float(value), moved + further))
    return findings


def linkage() -> lv.Ensemble:
    """h = 1 ms, T = 10 s: through the singular positions, in which all bars lie on the ground."""
    rows = [*BAR_1, *JOINT_1, *JOINT_4]
    components = [f"{kind}[{k}]" for kind in ("constraint", "velocity_constraint") for k in rows]
    return lv.Ensemble(lv.systems.double_four_bar(), lv.schemes.ggl_vi(step=STEP, end=10.0, tolerance=0),
                       observe=["kinetic_energy", "potential_energy", "angular_momentum", *components], every=1)


def damped_linkage() -> lv.Ensemble:
    """Section 5.3: eta = 0.5 N s/m from P1 to P5 and from P2 to P6. A step that fails is redone in parts."""
    return lv.Ensemble(lv.systems.double_four_bar(damping=[0.5, 0.5]),
                       lv.schemes.ggl_vi(step=STEP, end=10.0, tolerance=0, retry=2),
                       observe=["kinetic_energy", "potential_energy", "dissipated_energy"], every=1)


def _of(run: lv.Run, columns: dict[str, np.ndarray], unit: str, findings: list[Finding]) -> Drawn:
    """Lines over the nodes, or, where they are increments, over those after the first."""
    figure, (ax,) = panels()
    time = run.trajectories.time.values[-len(next(iter(columns.values()))):]
    over_time(ax, time, columns, unit)
    return Drawn(figure, {"t": time, **columns}, findings)


def _of_joint_4(coordinates: np.ndarray) -> np.ndarray:
    """The 1-component at P4 = phi_1 + l/2 d1 of bar 1; shape (K, d) to (K,)."""
    return coordinates[:, 0] + 0.5 * coordinates[:, 2]


def figure_12(quick: bool) -> Drawing:
    """The position at the end to the digits that the authors' code printed: its tolerance is 1e-9."""
    run, = yield [linkage()]
    x = _of_joint_4(run.trajectories.q.values[0])
    # Between two nodes theta turns by at most h theta', which leaves |cos theta| above 1 - (h theta')^2/8.
    missed = (STEP * float(np.max(Circling.speed)))**2 / 8
    return _of(run, {"x4": x}, "m", [Finding("x4 at the end (m)", 0.32857496, float(x[-1]), 1e-8),
                                     Finding("largest |x4| (m): a length", 1.0, largest(x), missed)])


def figure_13(quick: bool) -> Drawing:
    """v4 = -l theta' sin theta."""
    run, = yield [linkage()]
    exact, v = Circling.speed * np.sin(Circling.theta), _of_joint_4(run.trajectories.v.values[0])
    return _of(run, {"v4": v}, "m/s", _extremes(exact, v, "v4 (m/s)"))


def figure_14(quick: bool) -> Drawing:
    run, = yield [linkage()]
    columns = energies(run, 0)
    return _of(run, columns, "J", [
        Finding("H at the start (J): 3.5 g + 3/2", Circling.energy, float(columns["T + V"][0]), 1e-13),
        Finding("largest change of H (J): independent implementation", LARGEST_ENERGY_ERROR,
                float(run.instances.max_energy_error[0]), 0.05e-2)])


def figure_15(quick: bool) -> Drawing:
    run, = yield [linkage()]
    momentum = run.trajectories["angular_momentum"].values[0]
    return _of(run, {"L": momentum}, "kg m^2/s", [
        Finding("L at the start (kg m^2/s)", -3.0, float(momentum[0]), 1e-14),
        *_extremes(Circling.momentum, momentum, "L (kg m^2/s)")])


def figure_16(quick: bool) -> Drawing:
    """The text says an order of 1e-3: within half a decade. 8e-4 J is from an independent implementation."""
    run, = yield [linkage()]
    steps = increments(run.trajectories.energy.values[0])
    return _of(run, {"increments of H": steps}, "J", [
        Finding("decimal logarithm of the largest increment of H (J)", -3.0, float(np.log10(largest(steps))), 0.5),
        Finding("largest increment of H (J): independent implementation", 8e-4, largest(steps), 0.5e-4)])


def figure_17(quick: bool) -> Drawing:
    """L is not conserved: gravity and the feet turn it."""
    run, = yield [linkage()]
    steps = increments(run.trajectories["angular_momentum"].values[0])
    exact = STEP * Circling.rate
    # A step goes over a piece of the curve, by whose curvature the increment may be off as well.
    curvature = STEP**2 / 2 * largest(np.gradient(Circling.rate, Circling.theta) * Circling.speed)
    return _of(run, {"increments of L": steps}, "kg m^2/s",
               _extremes(exact, steps, "h dL/dt (kg m^2/s)", power=2, further=curvature))


def _constraints(run: lv.Run, kind: str, rows: range, unit: str, findings: list[Finding]) -> Drawn:
    return _of(run, {f"{kind}[{k}]": run.trajectories[f"{kind}[{k}]"].values[0] for k in rows}, unit, findings)


def _round_off(run: lv.Run, kind: str, rows: range, size: float) -> list[Finding]:
    """Sums of some products of this size."""
    return [Finding(f"largest |{kind}[{k}]|: round-off", 0.0, largest(run.trajectories[f"{kind}[{k}]"].values[0]),
                    8 * np.finfo(float).eps * size) for k in rows]


def figure_18(quick: bool) -> Drawing:
    run, = yield [linkage()]
    return _constraints(run, "constraint", BAR_1, "1", _round_off(run, "constraint", BAR_1, 1.0))


def figure_19(quick: bool) -> Drawing:
    """Holds at the intermediate q alone; at the nodes G(q_{n+1}) M^-1 p_{n+1} is left with h gamma and its like.

    The text: deviations are more pronounced close to the singular configurations.
    """
    run, = yield [linkage()]
    rows = np.array([run.trajectories[f"velocity_constraint[{k}]"].values[0] for k in BAR_1])
    sine = np.abs(run.trajectories.q.values[0, :, 3])  # of theta, the second component of bar 1's axis
    where = float(sine[np.argmax(np.max(np.abs(rows), axis=0))])
    return _constraints(run, "velocity_constraint", BAR_1, "1/s", [
        Finding("|sin theta| where the deviation is largest: singular", 0.0, where, 0.1)])


def figure_20(quick: bool) -> Drawing:
    """Of P1, as the caption says; the text names P4, whose constraints the numbers have too."""
    run, = yield [linkage()]
    return _constraints(run, "constraint", JOINT_1, "m",
                        _round_off(run, "constraint", JOINT_1, 1.0) + _round_off(run, "constraint", JOINT_4, 1.0))


def figure_21(quick: bool) -> Drawing:
    """Linear constraints: their Jacobian is constant, and so they hold at the nodes."""
    run, = yield [linkage()]
    size = float(np.max(Circling.speed))
    return _constraints(run, "velocity_constraint", JOINT_1, "m/s",
                        _round_off(run, "velocity_constraint", JOINT_1, size)
                        + _round_off(run, "velocity_constraint", JOINT_4, size))


def figure_22(quick: bool) -> Drawing:
    """What H has lost is what was dissipated, to what H moves by without elements.

    Where all bars lie in a line two roots of a step meet, and the step across may have to be redone.
    """
    run, = yield [damped_linkage()]
    passes = np.count_nonzero(np.diff(np.sign(run.trajectories.q.values[0, :, 3])))  # theta a multiple of pi
    lost = float(run.trajectories.energy.values[0, 0] - run.trajectories.energy.values[0, -1])
    return _of(run, energies(run, 0), "J", [
        Finding("energy lost (J): that dissipated", float(run.trajectories.dissipated_energy.values[0, -1]), lost,
                LARGEST_ENERGY_ERROR),
        Finding("steps redone in parts, no more than singular positions", 0.0, float(run.instances.retried_steps[0]),
                float(passes))])


def figure_23(quick: bool) -> Drawing:
    """Increments of H beside the dissipated power of (57), - h v.C v; between them is what figure 16 shows."""
    run, = yield [damped_linkage()]
    change = increments(run.trajectories.energy.values[0])
    power = -increments(run.trajectories.dissipated_energy.values[0])
    return _of(run, {"increments of H": change, "- h P": power}, "J", [
        Finding("largest difference of the two (J): that of figure 16, in its decade", -3.0,
                float(np.log10(largest(change - power))), 0.5)])
