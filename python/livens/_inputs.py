"""The laws of a study as independent numbers between 0 and 1: what designs and samplers outside the program are of."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from livens import _tables
from livens.ensemble import Ensemble
from livens.errors import InstancesFailed, LivensError, Mistake, SpecError
from livens.laws import (Exponential, Law, Linspace, LogNormal, Logspace, Normal, Table, Triangular, TruncatedNormal,
                         Uniform, Values)
from livens.run import Run

Quantile = Callable[[np.ndarray], np.ndarray]


def needed(module: str, package: str, what: str, extra: str) -> Any:
    """An optional package, or a LivensError that says how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        if problem.name is None or problem.name.split(".")[0] != module.split(".")[0]:
            raise
        raise LivensError(f"{what} needs {package}: pip install {package}, or pip install 'livens[{extra}]'") from None


def refuse_grid(law: Law, what: str) -> None:
    if isinstance(law, (Linspace, Logspace, Values)):
        raise SpecError(Mistake(f"{what}: '{law.law}' is a grid", "ensemble.vary", "a law of random numbers"))


def quantile_of(law: Law, what: str) -> Quantile:
    """The inverse of the distribution function, by scipy.stats. Raises SpecError for a grid."""
    refuse_grid(law, what)
    stats = needed("scipy.stats", "scipy", "the inverse of a law", "uq")
    if isinstance(law, Normal):
        return stats.norm(law.mean, law.std).ppf
    if isinstance(law, Uniform):
        return stats.uniform(law.low, law.high - law.low).ppf
    if isinstance(law, LogNormal):
        return stats.lognorm(law.sigma, scale=np.exp(law.mu)).ppf
    if isinstance(law, Triangular):
        width = law.high - law.low
        return stats.triang((law.peak - law.low) / width, law.low, width).ppf
    if isinstance(law, Exponential):
        return stats.expon(scale=law.mean).ppf
    assert isinstance(law, TruncatedNormal)
    ends = (np.array([law.low, law.high]) - law.mean) / law.std
    return stats.truncnorm(*ends, law.mean, law.std).ppf


class Inputs:
    """What varies in a study.

    Attributes
    ----------
    names
        An input for every entry that is drawn: D names. A law with ``shared=True`` is one input.
    """

    def __init__(self, study: Ensemble):
        laws: Any = study.vary
        if not laws:
            raise SpecError(Mistake("nothing varies", "ensemble.vary", "a law for each input"))
        if study.table is not None:
            raise SpecError(Mistake("is given", "ensemble.table", "laws in vary: they say how often each value is"))
        if study.initial is not None and (not isinstance(study.initial, Mapping) or "from" in study.initial):
            raise SpecError(Mistake("is a result: its instances differ in more than what varies", "initial",
                                    "a start that all have in common"))
        self._study = study.replace(vary={}, size=None, instances=None, design=None)
        self._laws: dict[str, Law] = dict(laws)
        self._quantiles = {what: quantile_of(law, what) for what, law in self._laws.items()}
        # One step of one instance says how many entries each has, and what stands there before.
        self._short = study.replace(vary={}, size=1, scheme=study.scheme.replace(steps=1), every=1, interval=None,
                                    stop=None, error_against=None, tangent=None, instances=None, design=None,
                                    trajectories=0, on_failure=None, max_failed_fraction=None)
        used = self._short.replace(vary=self._still(self._laws)).run()
        # A step that varies would ask for an interval; where it stands is how long that run took.
        self._base = {what: used.statistics.time.values[-1] if what == "scheme.step" else used.instances[what].values[0]
                      for what in self._laws}
        self.names: list[str] = []
        for what, law in self._laws.items():
            base = self._base[what]
            entries = [what] if base.ndim == 0 or law.shared else _entries(what, len(base))
            self.names += entries

    def study_at(self, u: np.ndarray) -> Ensemble:
        """The study with an instance a row of u, shape (N, D), in (0, 1)."""
        drawn: dict[str, np.ndarray] = {}
        first = 0
        for what, law in self._laws.items():
            shape = self._base[what].shape
            count = 1 if not shape or law.shared else shape[0]
            value = self._quantiles[what](u[:, first:first + count])
            first += count
            drawn[what] = np.broadcast_to(value if shape else value[:, 0], (len(u), *shape))
        parameters = [what for what in drawn if what.startswith("system.")]
        others = {what: law for what, law in self._laws.items() if what.startswith("initial.")}
        base = self._base
        if parameters and any(law.mode != "set" for law in others.values()):
            # The start is that of the parameters of an instance (contract, Variations): again one step says it.
            used = self._short.replace(vary=self._still(others), size=None,
                                       table=self._table(parameters, drawn, base)).run().instances
            base = {**base, **{what: used[what].values for what in others}}
        return self._study.replace(table=self._table(drawn, drawn, base))

    def _table(self, names: Iterable[str], drawn: Mapping[str, np.ndarray], base: Mapping[str, np.ndarray]) -> Table:
        columns: dict[str, np.ndarray] = {}
        for what in names:
            value = drawn[what]
            used = {"set": value, "add": base[what] + value, "multiply": base[what] * value}[self._laws[what].mode]
            columns[what.removesuffix("[*]")] = np.ascontiguousarray(used)
        return Table(columns)

    @staticmethod
    def _still(laws: Mapping[str, Law]) -> dict[str, Law]:
        return {what: Uniform(0, 0, mode="add", shared=law.shared) for what, law in laws.items() if what != "scheme.step"}


def _entries(what: str, count: int) -> list[str]:
    name, _, indices = what.partition("[")
    first, colon, _ = indices.partition(":")
    begin = int(first) if colon and first.isdecimal() else 0
    return [f"{name}[{begin + k}]" for k in range(count)]


def came_to_the_end(run: Run) -> np.ndarray:
    """Truths, shape (N,): ok, or stopped by a condition of the study."""
    fine = [_tables.statuses.index(name) for name in ("ok", "stopped")]
    return np.isin(run.instances.status.values, fine)


def all_at_the_end(run: Run, name: str) -> np.ndarray:
    """Values of a quantity of all instances, shape (N,). Raises InstancesFailed where one has failed, LivensError where one
    is not finite."""
    from livens.plot import of_instances

    if run.failed:
        raise InstancesFailed(f"{run.failed} of {run.instances.sizes['instance']} instances failed; expected values of all "
                              "of them: a shorter step, or laws that leave out what cannot move", run)
    values: np.ndarray = of_instances(run, name).values
    without = len(values) - np.count_nonzero(np.isfinite(values))
    if without:
        raise LivensError(f"{name} is not finite of {without} of {len(values)} instances; expected a quantity that all of "
                          "them have")
    return values
