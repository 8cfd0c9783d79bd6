"""Foucault's pendulum over many steps: what figures 4.5 to 4.7 of herglotz-nonholonomic show for one."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.herglotz_nonholonomic.foucault_pendulum import END, SCHEMES, SWING
from livens.gallery.panels import panels

# The share of jumps above 3 degrees and its standard deviation, of 5000 samples of another implementation.
JUMPED = {"contact_1": (0.091, 0.004), "lagrange_dalembert": (0.093, 0.004), "contact_2": (0.0020, 0.0006)}


def plane_jumps(quick: bool) -> Drawing:
    """The share of steps with which the plane jumps by more than an angle, within an hour (foucault_plane_jumps.toml)."""
    size = 1000 if quick else 5000
    study = lv.Ensemble(lv.systems.foucault_pendulum(damping=1e-4), lv.schemes.contact_1(end=END),
                        vary={"scheme.step": lv.Uniform(0.08, 0.12)}, size=size, seed=5, interval=END, trajectories=0)
    runs = yield [study.replace(scheme=study.scheme.replace(name)) for name in JUMPED]
    angles = np.geomspace(0.1, 90, 60)
    figure, (ax,) = panels()
    columns, findings = {"angle": angles}, []
    for run, (scheme, (share, deviation)) in zip(runs, JUMPED.items()):
        jumps = np.degrees(run.instances.max_plane_jump.values)
        columns[scheme] = np.mean(jumps[:, None] > angles, axis=0)
        ax.loglog(angles, columns[scheme], label=scheme)
        # Four standard deviations of the difference of two counts.
        spread = 4 * np.hypot(deviation, np.sqrt(share * (1 - share) / size))
        findings.append(Finding(f"{scheme}: share of jumps above 3 degrees", share, float(np.mean(jumps > 3)),
                                float(spread)))
    ax.axvline(3, color="grey", linestyle=":")
    ax.set_xlabel("largest jump of the plane (degrees)")
    ax.set_ylabel("share of steps with a larger one")
    ax.legend()
    return Drawn(figure, columns, findings)


def _over_steps(damping: float, steps: np.ndarray) -> list[lv.Ensemble]:
    """The true motion, and an instance a step with each scheme."""
    study = lv.Ensemble(lv.systems.foucault_pendulum(damping=damping), lv.schemes.reference_ode(step=1.0, end=END),
                        initial={"consistency": "keep"}, interval=1.0, trajectories=1)
    return [study, *(study.replace(scheme=lv.schemes.Scheme(scheme, {"end": END, "start": "naive"}),
                                   vary={"scheme.step": lv.Values(tuple(steps.tolist()))}, trajectories=len(steps))
                     for scheme in SCHEMES)]


def closer_scheme(quick: bool) -> Drawing:
    """The largest error over the last 100 s against the step: which scheme is the closer one depends on it.

    From the start of figures 4.3 to 4.7. Single steps stand out where a plane has jumped.
    """
    steps, dampings = 1 / np.arange(5, 21), (1e-3, 1e-4)
    runs = yield [study for damping in dampings for study in _over_steps(damping, steps)]
    figure, axes = panels(len(dampings))
    columns, findings = {"h": steps}, []
    for k, (ax, damping) in enumerate(zip(axes, dampings)):
        # Samples of the last 100 s, a second apart: (instances, samples, 2).
        exact, *of_schemes = (run.trajectories.q.values[:, -101:] for run in runs[3 * k:3 * k + 3])
        for scheme, last in zip(SCHEMES, of_schemes):
            name = f"{scheme}, alpha = {damping}"
            columns[name] = np.max(np.linalg.norm(last - exact, axis=2), axis=1)
            ax.loglog(steps, columns[name], "o-", label=scheme)
        ax.set_title(f"alpha = {damping}")
        ax.set_xlabel("h (s)")
        ax.set_ylabel("largest error (m)")
        ax.legend()
    # Of another implementation, three digits at every node; samples a second apart may miss the top of a swing.
    missed = (SWING * 0.5)**2 / 2
    tenth = int(np.argmin(np.abs(steps - 0.1)))
    for scheme, error in (("contact_1", 3.63e-2), ("lagrange_dalembert", 3.43e-2)):
        findings.append(Finding(f"{scheme}, alpha = 1e-4, h = 0.1 s: error (m)", error,
                                float(columns[f"{scheme}, alpha = 0.0001"][tenth]), 0.5e-4 + missed * error))
    findings.append(Finding("there lagrange_dalembert over contact_1, unlike figure 4.6: below 1", 0.0,
                            float(columns["lagrange_dalembert, alpha = 0.0001"][tenth]
                                  / columns["contact_1, alpha = 0.0001"][tenth]), 1.0))
    return Drawn(figure, columns, findings)
