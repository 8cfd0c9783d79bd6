"""Uncertainty of a study: Sobol indices, rare events, and means over levels of the step.

Each runs ensembles of the study and leaves the mathematics to SALib and scipy where they have it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from livens._inputs import Inputs, all_at_the_end, came_to_the_end, needed, refuse_grid
from livens._said import of_instances, order_of
from livens.ensemble import Ensemble
from livens.errors import LivensError, Mistake, SpecError
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr


def sobol(study: Ensemble, n: int, of: str | Sequence[str], *, over_time: bool = False, level: float = 0.95,
          resamples: int = 100, seed: int = 0, **run: Any) -> xr.Dataset:
    """Sobol indices of what comes out by what varies: the shares of its variance.

    Parameters
    ----------
    study
        Its laws are the inputs, D of them, independent; an entry of a quantity with several is an input of its own, a
        law with ``shared=True`` is one.
    n
        Points of the design, a power of two. It runs n (D + 2) instances.
    of
        Datasets of ``run.instances``, or what is observed, at the end: ``"energy"``, ``"q[9]"``,
        ``"max_energy_error"``. With ``over_time`` names of ``run.trajectories``, at every sample.
    level, resamples
        Of the intervals, by the bootstrap of SALib.
    seed
        Of the design, and of the bootstrap.
    run
        As of ``Ensemble.run``: device, file, progress, executor, ...

    Returns
    -------
    Dataset of ``first`` and ``total``, shape (of, input), with ``over_time`` (of, time, input), and of
    ``first_interval`` and ``total_interval`` with ``bound``, low and high, behind. They are NaN where all values are the
    same, and where one of them is NaN: over time from then on when the first instance has stopped. ``points`` are
    those that count: a point of the design of which one of the D + 2 instances failed is left out.

    Saltelli et al., Variance based sensitivity analysis of model output, Comput. Phys. Commun. 181, 2010; the design
    and the estimators are SALib's. Raises SpecError, and LivensError without SALib.
    """
    import xarray as xr

    if n < 2 or n & (n - 1):
        raise SpecError(Mistake(repr(n), "n", "a power of two"))
    design = needed("SALib.sample.sobol", "SALib", "livens.sobol", "uq")
    analysis = needed("SALib.analyze.sobol", "SALib", "livens.sobol", "uq")
    names = [of] if isinstance(of, str) else list(of)
    inputs = Inputs(study)
    problem = {"num_vars": len(inputs.names), "names": inputs.names, "bounds": [[0.0, 1.0]] * len(inputs.names)}
    points = design.sample(problem, n, calc_second_order=False, seed=seed)
    # The design may hold 0 itself, at which a law without an end has no value.
    chosen = inputs.study_at(np.clip(points, 2.0**-53, 1 - 2.0**-53))
    done = chosen.replace(trajectories=len(points) if over_time else 0).run(**run)
    each = len(inputs.names) + 2
    used = came_to_the_end(done).reshape(-1, each).all(axis=1)
    if used.sum() < 2:
        raise LivensError(f"{done.failed} of {len(points)} instances failed, and no point of the design is left")
    values = [_over_time(done, name, len(points)) if over_time else of_instances(done, name).values[:, None]
              for name in names]
    times = values[0].shape[1]
    index = np.full((4, len(names), times, len(inputs.names)), np.nan)
    for place, one in enumerate(values):
        for k in range(times):
            y = one[:, k].reshape(-1, each)[used].reshape(-1)
            if np.ptp(y) > 0:
                # SALib takes a 0 for no seed.
                found = analysis.analyze(problem, y, calc_second_order=False, num_resamples=resamples, conf_level=level,
                                         seed=seed + 1)
                index[:, place, k] = [found[key] for key in ("S1", "S1_conf", "ST", "ST_conf")]
    dims: tuple[str, ...] = ("of", "time", "input")
    if not over_time:
        index, dims = index[:, :, 0], ("of", "input")
    first, first_half, total, total_half = index
    share = {"unit": "1", "units": "1"}
    coordinates: dict[str, Any] = {"of": names, "input": inputs.names, "bound": ["low", "high"]}
    if over_time:
        coordinates["time"] = done.trajectories.time
    return xr.Dataset(
        {"first": (dims, first, {**share, "long_name": "first-order Sobol index"}),
         "total": (dims, total, {**share, "long_name": "total Sobol index"}),
         "first_interval": ((*dims, "bound"), _around(first, first_half), share),
         "total_interval": ((*dims, "bound"), _around(total, total_half), share),
         "points": ((), int(used.sum()), {"long_name": "points of the design without a failure"})},
        coords=coordinates, attrs={"level": level, "n": n, "instances": len(points)})


def _over_time(run: Run, name: str, count: int) -> np.ndarray:
    """Shape (count, K). Of one that was stopped the samples behind are NaN."""
    followed = run.trajectories
    whole, bracket, entry = name.removesuffix("]").rpartition("[")
    if name in followed and followed[name].ndim == 2:
        values = followed[name].values
    elif bracket and entry.isdigit() and whole in followed and int(entry) < followed[whole].shape[-1]:
        values = followed[whole].values[..., int(entry)]
    else:
        known = ", ".join(str(key) for key in followed.data_vars)
        raise SpecError(Mistake(f"no '{name}' in the trajectories", "of", f"one of {known}, or an entry as q[0]"))
    if values.shape[0] != count:
        raise LivensError(f"{values.shape[0]} trajectories of {count} instances")
    return values


def _around(middle: np.ndarray, half: np.ndarray) -> np.ndarray:
    return np.stack([middle - half, middle + half], axis=-1)


def subset_simulation(study: Ensemble, of: str, above: float | None = None, *, below: float | None = None, n: int = 1000,
                      p0: float = 0.1, most_levels: int = 20, correlation: float = 0.8, seed: int = 0,
                      **run: Any) -> xr.Dataset:
    """The probability of a rare event, that ``of`` is above (or below) a threshold at the end, by subset simulation.

    Level by level the n values are cut at the best p0 of them, from which chains of conditional samples start: a run of
    p0 n instances a link. A probability of 1e-6 takes some 6 n instances where plain sampling takes 1e8.

    Parameters
    ----------
    study
        Its laws are the inputs, D of them, independent. Laws with infinite tails are what far events come from.
    of
        A dataset of ``run.instances``, or what is observed: ``"energy"``, ``"q[9]"``, ``"max_energy_error"``.
    n, p0
        Samples of a level, and the part of them that the next one starts from: p0 n and 1/p0 are whole numbers.
    most_levels
        Before it gives up.
    correlation
        Of a link with the next, in the space where inputs are standard normal; between 0 and 1.
    seed
        Of the samples.
    run
        As of ``Ensemble.run``: device, progress, threads, ...

    Returns
    -------
    Dataset: ``probability``; ``variation``, its coefficient of variation, of the samples of this run with the
    correlation in the chains (eq. (28) of the paper); without that between levels, which adds some tenths of it;
    ``threshold`` and ``conditional``, shape (level,): the cuts and the probability of each given the one before;
    ``samples``, shape (sample, input): where in (0, 1) of each law those of the event are; ``values`` of shape
    (sample,); ``instances`` that were run.

    Au and Beck, Estimation of small failure probabilities in high dimensions by subset simulation, Probabilist. Eng.
    Mech. 16, 2001; links after Papaioannou, Betz, Zwirglmaier and Straub, MCMC algorithms for subset simulation, 41,
    2015. Raises SpecError; InstancesFailed where an instance fails, and LivensError where a value is not finite, as
    it would have no side of the threshold; LivensError, too, where ``most_levels`` do not reach it.
    """
    import xarray as xr

    normal = needed("scipy.stats", "scipy", "livens.subset_simulation", "uq").norm
    if (above is None) == (below is None):
        raise SpecError(Mistake("one of them is needed", "above, below", "a threshold"))
    kept, length = round(p0 * n), round(1 / p0)
    if abs(kept - p0 * n) > 1e-9 or abs(length - 1 / p0) > 1e-9 or kept < 2 or length < 2:
        raise SpecError(Mistake(f"n = {n}, p0 = {p0}", "p0", "p0 n >= 2 and 1/p0 >= 2 whole numbers"))
    if not 0 <= correlation < 1:
        raise SpecError(Mistake(repr(correlation), "correlation", "0 <= correlation < 1"))
    sign, threshold = (1.0, float(above)) if above is not None else (-1.0, -float(below))  # type: ignore[arg-type]
    inputs = Inputs(study)
    counted = 0

    def response(z: np.ndarray) -> np.ndarray:
        nonlocal counted
        counted += len(z)
        chosen = inputs.study_at(normal.cdf(z)).replace(trajectories=0)
        return sign * all_at_the_end(chosen.run(**run), of)

    cuts, conditional, variance, z, values = subset_levels(
        response, len(inputs.names), threshold, n, kept, length, most_levels, correlation, np.random.default_rng(seed))
    return xr.Dataset(
        {"probability": ((), float(np.prod(conditional)), {"unit": "1", "units": "1"}),
         "variation": ((), float(np.sqrt(variance)), {"long_name": "coefficient of variation of the probability"}),
         "threshold": ("level", sign * np.array(cuts)), "conditional": ("level", conditional),
         "samples": (("sample", "input"), normal.cdf(z), {"long_name": "where in (0, 1) of its law"}),
         "values": ("sample", sign * values, {"long_name": of}),
         "instances": ((), counted)},
        coords={"input": inputs.names})


def subset_levels(response: Callable[[np.ndarray], np.ndarray], dimensions: int, threshold: float, n: int, kept: int,
                  length: int, most_levels: int, correlation: float, random: np.random.Generator,
                  ) -> tuple[list[float], list[float], float, np.ndarray, np.ndarray]:
    """Subset simulation of response(z) >= threshold, z of shape (N, D) standard normal: the cuts, the conditional
    probabilities, the squared coefficient of variation of their product, and z and response where it is."""
    # Chains as (chain, link), one of n links at first, in which all are independent.
    z = random.standard_normal((n, 1, dimensions))
    values = response(z[:, 0])[:, None]
    cuts: list[float] = []
    conditional: list[float] = []
    variance = 0.0
    while True:
        falling = np.sort(values, axis=None)[::-1]
        cut = min(float((falling[kept - 1] + falling[kept]) / 2), threshold)
        inside = values >= cut
        part = float(inside.mean())
        if part == 0.0 or (cut < threshold and cuts and cut <= cuts[-1]):
            raise LivensError(f"{len(cuts)} levels, {np.prod(conditional):.1e} of all, and no way on: so many values are "
                              "the same; expected a quantity that tells how far from the event one is")
        cuts.append(cut)
        conditional.append(part)
        variance += _variation_squared(inside)
        if cut >= threshold:
            return cuts, conditional, variance, z[inside], values[inside]
        if len(cuts) == most_levels:
            raise LivensError(f"the threshold is not reached within {most_levels} levels, {np.prod(conditional):.1e} of "
                              "all; expected a larger most_levels, or a threshold within reach")
        # More than p0 n are inside where values are equal to the cut.
        seeds = np.flatnonzero(inside)[:kept]
        now, at = z.reshape(-1, dimensions)[seeds], values.reshape(-1)[seeds]
        links, found = [now], [at]
        for _ in range(length - 1):
            step = correlation * now + np.sqrt(1 - correlation**2) * random.standard_normal(now.shape)
            there = response(step)
            taken = there >= cut
            now, at = np.where(taken[:, None], step, now), np.where(taken, there, at)
            links.append(now)
            found.append(at)
        z, values = np.stack(links, axis=1), np.stack(found, axis=1)


def _variation_squared(inside: np.ndarray) -> float:
    """The squared coefficient of variation of the part that is inside, of chains, shape (chains, links): equations (25) to
    (28) of Au and Beck."""
    chains, links = inside.shape
    part = inside.mean()
    if part == 1.0:
        return 0.0
    spread = part * (1 - part)
    gamma = 0.0
    for lag in range(1, links):
        covariance = np.mean(inside[:, :-lag] * inside[:, lag:]) - part**2
        gamma += 2 * (1 - lag / links) * covariance / spread
    return float((1 - part) / (part * inside.size) * max(1 + gamma, 0.0))


def multilevel(study: Ensemble, of: str, error: float, *, coarsest: float | None = None, n: int = 256,
               most_levels: int = 8, seed: int = 0, **run: Any) -> xr.Dataset:
    """The mean of ``of`` at the end over the laws of the study, by multilevel Monte Carlo over the step.

    Level l has the step h/2^l. Draws do not depend on the step, so that an instance and its like of the level above
    have the same values, and the difference a small variance: most instances run with the longest step.

    Parameters
    ----------
    study
        Its laws are what the mean is over, so none of them is a grid.
    of
        A dataset of ``run.instances``, or what is observed: ``"energy"``, ``"q[9]"``.
    error
        Root mean square of the error that is wanted, in the unit of ``of``, half of its square from the variance, half
        from the step.
    coarsest
        h, s; default: the step of the study. The end of the study is a whole multiple of it.
    n
        Instances of a level to begin with.
    most_levels
        Before it gives up.
    seed
        From which every level and batch has one of its own.
    run
        As of ``Ensemble.run``: device, progress, threads, ...

    Returns
    -------
    Dataset: ``mean``, ``standard_error`` and ``bias``, what the finest step is thought to be off, by an order that is at
    most that of the scheme; of each level, shape (level,), ``step``, ``size``, ``correction`` (the mean difference
    to the level before), ``variance`` of one difference, and ``steps``, of all its instances.

    Giles, Multilevel Monte Carlo path simulation, Oper. Res. 56, 2008, algorithm of section 5. Raises SpecError;
    InstancesFailed where an instance fails; LivensError where a value is not finite, or ``most_levels`` are too few for the
    error.
    """
    import xarray as xr

    if not error > 0 or n < 2 or most_levels < 3:
        raise SpecError(Mistake(f"error = {error}, n = {n}, most_levels = {most_levels}", "error",
                                "error > 0, n >= 2, most_levels >= 3"))
    if study.table is not None or not study.vary:
        raise SpecError(Mistake("a mean over draws", "ensemble.vary", "laws, and no table"))
    if study.instances is not None:
        raise SpecError(Mistake("is given", "ensemble.instances", "none: the levels have sizes of their own"))
    laws: Any = study.vary
    for what, law in laws.items():
        refuse_grid(law, what)
    if "scheme.step" in laws:
        raise SpecError(Mistake("'scheme.step' varies", "ensemble.vary", "laws of the motion: a level has a step of its own"))
    longest = coarsest if coarsest is not None else study.scheme.options.get("step")
    if longest is None:
        raise SpecError(Mistake("is not given, neither is scheme.step", "coarsest", "a step, s"))
    ends: list[float] = []
    highest = 1

    def values(level: int, size: int, own: int) -> np.ndarray:
        nonlocal highest
        one = study.replace(scheme=study.scheme.replace(step=longest / 2**level), size=size, seed=own, every=None,
                            interval=None, trajectories=0)
        done = one.run(**run)
        ends.append(float(done.statistics.time[-1]))
        highest = order_of(done)
        if abs(ends[-1] - ends[0]) > 1e-9 * abs(ends[0]):
            raise SpecError(Mistake(f"{ends[0]} s and {ends[-1]} s are the ends with steps of {longest} s and "
                                    f"{longest / 2**level} s", "scheme.end", "a whole multiple of the longest step"))
        return all_at_the_end(done, of)

    differences: list[np.ndarray] = []
    batches: list[int] = []
    wanted = [n, n, n]
    while True:
        for fine, size in enumerate(wanted):
            if fine == len(differences):
                differences.append(np.empty(0))
                batches.append(0)
            more = size - len(differences[fine])
            if more > 0:
                # A stream of its own for every level and batch.
                own = int(np.random.SeedSequence([seed, fine, batches[fine]]).generate_state(1, np.uint32)[0])
                new = values(fine, more, own)
                if fine:
                    new = new - values(fine - 1, more, own)
                differences[fine] = np.concatenate([differences[fine], new])
                batches[fine] += 1
        variance = np.array([one.var(ddof=1) for one in differences])
        means = np.array([one.mean() for one in differences])
        cost = np.array([2.0**level + (2.0**(level - 1) if level else 0.0) for level in range(len(differences))])
        best = np.ceil(2 / error**2 * np.sqrt(variance / cost) * np.sum(np.sqrt(variance * cost))).astype(int)
        wanted = [max(len(one), int(size)) for one, size in zip(differences, best)]
        # A percent more is not worth a run: algorithm, step 5.
        if any(size > 1.01 * len(one) for size, one in zip(wanted, differences)):
            continue
        # What all levels behind would add, of the larger of the last two corrections: with the order of the mean, by
        # the corrections' own fall; at least 1, and no more than that of the scheme, as one may be near 0 by chance.
        falls = np.polyfit(np.arange(1, len(means)), -np.log2(np.maximum(np.abs(means[1:]), 1e-300)), 1)[0]
        order = max(1.0, min(float(falls), highest))
        bias = max(abs(means[-1]), abs(means[-2]) / 2**order) / (2**order - 1)
        if bias <= error / np.sqrt(2):
            break
        if len(means) == most_levels:
            raise LivensError(f"{most_levels} levels, down to a step of {longest / 2**(most_levels - 1):g} s, leave some "
                              f"{bias:.1e} to the step; expected {error / np.sqrt(2):.1e}: a larger most_levels or error")
        wanted.append(n)
    sizes = np.array([len(one) for one in differences])
    steps = round(ends[0] / longest)
    return xr.Dataset(
        {"mean": ((), float(means.sum()), {"long_name": f"mean of {of}"}),
         "standard_error": ((), float(np.sqrt(np.sum(variance / sizes)))), "bias": ((), float(bias)),
         "step": ("level", longest / 2.0**np.arange(len(sizes)), {"unit": "s", "units": "s"}),
         "size": ("level", sizes), "correction": ("level", means), "variance": ("level", variance),
         "steps": ("level", sizes * cost * steps)})


__all__ = ["multilevel", "sobol", "subset_simulation"]
