"""herglotz-nonholonomic, section 4.3: the pendulum of 1851, with contact_1 and with lagrange_dalembert ("LA").

The paper gives neither the step nor how it starts. With h = 0.145 s and q1 = q0 + h v0 every feature of its figures is
there; its start, at rest, is no state of the constraint and is kept as printed. Its reference is RKF45, ours CVODE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import over_time, panels

SCHEMES = ("contact_1", "lagrange_dalembert")
SWING = np.sqrt(9.81 / 67)  # rad/s
TURN = 7.292115e-5 * np.sin(np.radians(49))  # rad/s, of the plane of swing
END = 3600.0  # s


def pendulum(scheme: str, damping: float) -> lv.Ensemble:
    """An hour, every node of it; ``scheme`` may be that of the true motion."""
    study = lv.Ensemble(lv.systems.foucault_pendulum(damping=damping),
                        lv.schemes.contact_1(step=0.145, end=END, start="naive"),
                        initial={"consistency": "keep"}, observe=["total_energy"], every=1, trajectories=1)
    return study.replace(scheme=study.scheme.replace(scheme))


def pendulums(damping: float) -> list[lv.Ensemble]:
    """With both schemes, and the true motion."""
    return [pendulum(scheme, damping) for scheme in (*SCHEMES, "reference_ode")]


def less_accurate(damping: float) -> lv.Ensemble:
    """The true motion with ten times the tolerance: what it moves by bounds what the smaller one leaves."""
    study = pendulum("reference_ode", damping)
    return study.replace(scheme=study.scheme.replace(relative_tolerance=1e-11, absolute_tolerance=1e-13))


def _places(run: lv.Run) -> np.ndarray:
    return run.trajectories.q.values[0]


def _last(run: lv.Run) -> np.ndarray:
    """Nodes of the last 100 s."""
    time = run.trajectories.time.values
    return time >= time[-1] - 100


def _by_scheme(runs: Sequence[lv.Run]) -> dict[str, lv.Run]:
    return dict(zip((*SCHEMES, "reference_ode"), runs))


def _errors(runs: Mapping[str, lv.Run]) -> dict[str, np.ndarray]:
    """||q - q_ref||_2 (m) at the nodes of the last 100 s, for each scheme."""
    exact = runs["reference_ode"]
    return {scheme: np.linalg.norm(_places(runs[scheme]) - _places(exact), axis=1)[_last(exact)]
            for scheme in SCHEMES}


def _plane(run: lv.Run) -> tuple[np.ndarray, np.ndarray]:
    """Times of the largest radii, and the angle of the plane of swing (rad) there, unwrapped."""
    q, time = _places(run), run.trajectories.time.values
    radius = np.linalg.norm(q, axis=1)
    largest = 1 + np.flatnonzero((radius[1:-1] > radius[:-2]) & (radius[1:-1] >= radius[2:]))
    return time[largest], np.unwrap(2 * np.arctan2(q[largest, 1], q[largest, 0])) / 2


def figure_4_3(quick: bool) -> Drawing:
    """Indistinguishable, says the text: here amplitudes within a hundredth. Phases differ, see figure 4.5."""
    runs = _by_scheme((yield pendulums(1e-3)))
    last = _last(runs["reference_ode"])
    figure, axes = panels(2)
    columns = {"t": runs["reference_ode"].trajectories.time.values[last]}
    for k, (ax, name) in enumerate(zip(axes, "xy")):
        lines = {scheme: _places(run)[last, k] for scheme, run in runs.items()}
        over_time(ax, columns["t"], lines, f"{name} (m)")
        columns.update({f"{name}, {scheme}": line for scheme, line in lines.items()})
    amplitude = {scheme: float(np.max(np.linalg.norm(_places(run)[last], axis=1))) for scheme, run in runs.items()}
    exact = amplitude["reference_ode"]
    return Drawn(figure, columns, [
        Finding(f"{scheme}: amplitude over that of the true motion", 1.0, amplitude[scheme] / exact, 0.01)
        for scheme in SCHEMES])


def _projections(runs: Mapping[str, lv.Run], findings: list[Finding]) -> Drawn:
    """The way over the ground, a panel a scheme, and the true motion."""
    figure, axes = panels(len(runs))
    columns = {"t": runs["reference_ode"].trajectories.time.values}
    for ax, (scheme, run) in zip(axes, runs.items()):
        q = _places(run)
        ax.plot(q[:, 0], q[:, 1], linewidth=0.2)
        ax.set_title(scheme)
        ax.set_xlabel("x (m)")
        ax.set_ylabel("y (m)")
        columns.update({f"x, {scheme}": q[:, 0], f"y, {scheme}": q[:, 1]})
    return Drawn(figure, columns, findings)


def figure_4_4(quick: bool) -> Drawing:
    """The plane turns by -w t, and jumps nowhere: below 3 degrees.

    The start at rest makes an ellipse of the swing, of w/omega e^(alpha T) of its length at the end, which the angle of
    the true motion may be off by.
    """
    runs = _by_scheme((yield pendulums(1e-3)))
    time, angle = _plane(runs["reference_ode"])
    findings = [Finding("true motion: turn of the plane (rad): -w t", -TURN * (time[-1] - time[0]),
                        float(angle[-1] - angle[0]), TURN / SWING * np.exp(1e-3 * END))]
    findings += [Finding(f"{scheme}: largest jump (degrees), below 3", 0.0,
                         float(np.degrees(runs[scheme].instances.max_plane_jump[0])), 3.0)
                 for scheme in SCHEMES]
    return _projections(runs, findings)


def _error_and_energy(runs: Mapping[str, lv.Run], less: lv.Run, independent: dict[str, float]) -> Drawn:
    """Distance from the true motion, and total energy, over the last 100 s; ``less`` is the less accurate true motion."""
    exact = runs["reference_ode"]
    last = _last(exact)
    figure, (left, right) = panels(2)
    time, errors = exact.trajectories.time.values[last], _errors(runs)
    energies = {scheme: run.trajectories.total_energy.values[0, last] for scheme, run in runs.items()}
    over_time(left, time, errors, "distance from the true motion (m)")
    over_time(right, time, energies, "energy (J)")
    columns = {"t": time, **{f"error, {scheme}": error for scheme, error in errors.items()},
               **{f"energy, {scheme}": energy for scheme, energy in energies.items()}}
    moved = float(np.max(np.abs(_places(exact) - _places(less))))
    findings = [Finding("true motion: moved by ten times the tolerance (m)", 0.0, moved, 1e-6)]
    # Three digits of another implementation, with RKF45.
    findings += [Finding(f"{scheme}: largest error (m)", value, float(np.max(errors[scheme])),
                         0.5e-2 * 10 ** np.floor(np.log10(value))) for scheme, value in independent.items()]
    return Drawn(figure, columns, findings)


def figure_4_5(quick: bool) -> Drawing:
    """LA is the closer one, as the text says."""
    *three, less = yield [*pendulums(1e-3), less_accurate(1e-3)]
    runs = _by_scheme(three)
    drawn = _error_and_energy(runs, less, {"contact_1": 1.68e-2, "lagrange_dalembert": 1.11e-2})
    largest = {scheme: float(np.max(error)) for scheme, error in _errors(runs).items()}
    drawn.findings.append(Finding("error of lagrange_dalembert over that of contact_1: below 1", 0.0,
                                  largest["lagrange_dalembert"] / largest["contact_1"], 1.0))
    return drawn


def figure_4_6(quick: bool) -> Drawing:
    """contact_1 is the closer one, in place and in energy: the plane of LA has jumped, see figure 4.7."""
    *three, less = yield [*pendulums(1e-4), less_accurate(1e-4)]
    runs = _by_scheme(three)
    drawn = _error_and_energy(runs, less, {"contact_1": 8.33e-2, "lagrange_dalembert": 1.05e-1})
    last = {scheme: float(np.max(error)) for scheme, error in _errors(runs).items()}
    off = {scheme: float(np.max(np.abs(drawn.columns[f"energy, {scheme}"] - drawn.columns["energy, reference_ode"])))
           for scheme in SCHEMES}
    drawn.findings.extend(Finding(f"{what} of contact_1 over that of lagrange_dalembert: below 1", 0.0,
                                  of["contact_1"] / of["lagrange_dalembert"], 1.0)
                          for what, of in (("error", last), ("energy error", off)))
    return drawn


def figure_4_7(quick: bool) -> Drawing:
    """The plane of LA jumps by 10 degrees near t = 3202 s, that of contact_1 nowhere by 3."""
    runs = _by_scheme((yield pendulums(1e-4)))
    time, angle = _plane(runs["lagrange_dalembert"])
    jump = int(np.argmax(np.abs(np.diff(angle))))
    half_swing = np.pi / SWING
    return _projections(runs, [
        Finding("lagrange_dalembert: jump (degrees)", 10.0, float(np.degrees(np.abs(np.diff(angle)[jump]))), 0.5),
        Finding("lagrange_dalembert: time of the jump (s), to a half swing", 3202.0, float(time[jump + 1]), half_swing),
        Finding("contact_1: largest jump (degrees), below 3", 0.0,
                float(np.degrees(runs["contact_1"].instances.max_plane_jump[0])), 3.0)])
