"""What an ensemble says once its trajectories say nothing more."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, above, below, theory
from livens.gallery.panels import panels

STEPS = (0.05, 0.025, 0.0125)  # s


def _apart(first: np.ndarray, second: np.ndarray) -> float:
    """Of two samples of the same size: the largest distance of their distribution functions, Kolmogorov's."""
    values = np.concatenate([first, second])
    of_first, of_second = (np.searchsorted(np.sort(one), values, side="right") for one in (first, second))
    return float(np.max(np.abs(of_first - of_second))) / len(first)


def distribution(quick: bool) -> Drawing:
    """Four particles with uncertain kicks: after 20 s a trajectory with half the step is somewhere else, the distribution of
    the distance of masses 1 and 4 is the same.

    The bound is Kolmogorov's of two independent samples, for one in a thousand: that the starts are the same helps only
    while trajectories are.
    """
    size = 512 if quick else 2048
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(end=100.0, tolerance=0),
                        vary={"initial.p[10:12]": lv.Normal(0, 0.1, mode="add")}, size=size, seed=1, interval=10.0,
                        trajectories=size)
    runs = yield [study.replace(scheme=study.scheme.replace(step=step)) for step in STEPS]
    time = runs[0].trajectories.time.values
    q = [run.trajectories.q.values for run in runs]
    distance = [np.linalg.norm(of[:, :, 9:12] - of[:, :, 0:3], axis=2) for of in q]
    bound = 1.95 * np.sqrt(2 / size)
    figure, (left, right) = panels(2)
    columns, findings = {"t": time}, []
    for k, (coarse, fine) in enumerate(zip(STEPS, STEPS[1:])):
        label = f"h = {coarse} and {fine} s"
        parted = np.median(np.linalg.norm(q[k] - q[k + 1], axis=2), axis=0)
        of_distributions = np.array([_apart(distance[k][:, n], distance[k + 1][:, n]) for n in range(len(time))])
        left.semilogy(time[1:], parted[1:], "o-", label=label)
        right.plot(time, of_distributions, "o-", label=label)
        columns.update({f"median distance of q, {label}": parted, f"distance of distributions, {label}": of_distributions})
        findings += [
            Finding(f"{label}: median distance of q at 100 s (m)", above(1.0), float(parted[-1]), 0.0,
                    theory("trajectories have parted: the size of the mechanism"), "by convention 1 m, a link"),
            Finding(f"{label}: largest distance of the distributions", below(float(bound)), float(of_distributions.max()), 0.0,
                    theory("two samples of one distribution, at one in a thousand"))]
    left.set_ylabel("median distance of q (m)")
    right.axhline(bound, color="grey", linestyle=":", label="bound")
    right.set_ylabel("distance of the distributions of |q4 - q1|")
    return Drawn(figure, columns, findings)
