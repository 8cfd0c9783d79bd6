"""Foucault's pendulum over many steps: what figures 4.5 to 4.7 of herglotz-nonholonomic show for one."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, below, reference, theory
from livens.gallery.herglotz_nonholonomic.foucault_pendulum import BY_HAND, END, SCHEMES, SWING
from livens.gallery.panels import panels, slope

EXCEEDED = {"contact_1": {1: 0.2478, 3: 0.0906, 10: 0.0268, 30: 0.0080},
            "lagrange_dalembert": {1: 0.2406, 3: 0.0858, 10: 0.0258, 30: 0.0090}, "contact_2": {}}
"""The share of steps with which the plane jumps by more than so many degrees, of 5000 samples of scripts/papers_by_hand.py
exceedance, which has the schemes of first order."""
SAMPLES = 5000
SHARES = reference("scripts/papers_by_hand.py exceedance: the paper's equations in numpy")


def plane_jumps(quick: bool) -> Drawing:
    """The share of steps with which the plane jumps by more than an angle, within an hour (foucault_plane_jumps.toml).

    It goes like 1/angle: how close to the origin a swing passes is chance, and alike for both schemes of first order; where
    in the range of steps does not matter.
    """
    size = 1000 if quick else 5000
    study = lv.Ensemble(lv.systems.foucault_pendulum(damping=1e-4), lv.schemes.contact_1(end=END),
                        vary={"scheme.step": lv.Uniform(0.08, 0.12)}, size=size, seed=5, interval=END, trajectories=0)
    runs = yield [study.replace(scheme=study.scheme.replace(name)) for name in EXCEEDED]
    angles = np.geomspace(0.1, 90, 60)
    figure, (ax, right) = panels(2)
    columns, findings = {"angle": angles}, []
    edges = np.linspace(0.08, 0.12, 9)
    shares = {}
    for run, (scheme, exceeded) in zip(runs, EXCEEDED.items()):
        jumps, steps = np.degrees(run.instances.max_plane_jump.values), run.instances["scheme.step"].values
        columns[scheme] = np.mean(jumps[:, None] > angles, axis=0)
        shares[scheme, 3] = float(np.mean(jumps > 3))
        ax.loglog(angles, columns[scheme], label=scheme)
        share_of = np.histogram(steps[jumps > 3], edges)[0] / np.histogram(steps, edges)[0]
        right.step(edges, np.append(share_of, share_of[-1]), where="post", label=scheme)
        for angle, share in exceeded.items():
            shares[scheme, angle] = float(np.mean(jumps > angle))
            # Four standard deviations of the difference of two counts; of none in 5000, three are likely.
            spread = 4 * np.sqrt(max(share, 3 / SAMPLES) * (1 - share) * (1 / SAMPLES + 1 / size))
            findings.append(Finding(f"{scheme}: share of jumps above {angle} degrees", share, shares[scheme, angle],
                                    float(spread), SHARES, "four standard deviations of two counts"))
    for angle in (1, 3, 10):
        both = [shares[scheme, angle] for scheme in SCHEMES]
        findings.append(Finding(f"share above {angle} degrees, contact_1 less lagrange_dalembert", 0.0, both[0] - both[1],
                                float(4 * np.sqrt(2 * np.mean(both) / size)), theory("chance, alike for both"),
                                "four standard deviations of two counts"))
    findings.append(Finding("share above 3 degrees, contact_2 over contact_1", below(1.0), shares["contact_2", 3] / shares["contact_1", 3],
                            0.0, theory("a jump is an error, of second order with contact_2")))
    slope(ax, angles[angles > 0.5], (10.0, 0.05), -1, "1/angle")
    ax.axvline(3, color="grey", linewidth=0.5)
    ax.set_xlabel("largest jump of the plane (degrees)")
    ax.set_ylabel("share of steps with a larger one")
    right.set_xlabel("h (s)")
    right.set_ylabel("share with a jump above 3 degrees")
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
        slope(ax, steps, (0.1, 0.02), 1, "slope 1")
        ax.set_title(f"alpha = {damping}")
        ax.set_xlabel("h (s)")
        ax.set_ylabel("largest error (m)")
    # Of another implementation, three digits at every node; samples a second apart may miss the top of a swing.
    missed = (SWING * 0.5)**2 / 2
    tenth = int(np.argmin(np.abs(steps - 0.1)))
    for scheme, error in (("contact_1", 3.63e-2), ("lagrange_dalembert", 3.43e-2)):
        findings.append(Finding(f"{scheme}, alpha = 1e-4, h = 0.1 s: error (m)", error,
                                float(columns[f"{scheme}, alpha = 0.0001"][tenth]), 0.5e-4 + missed * error, BY_HAND,
                                "half of its last digit, and the top of a swing between two samples"))
    findings.append(Finding("there lagrange_dalembert over contact_1, unlike figure 4.6", below(1.0),
                            float(columns["lagrange_dalembert, alpha = 0.0001"][tenth]
                                  / columns["contact_1, alpha = 0.0001"][tenth]), 0.0, BY_HAND))
    return Drawn(figure, columns, findings)
