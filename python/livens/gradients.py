"""What comes of the exact derivatives of a run: residuals for a fit, x -> outputs for jax and torch, exponents.

A derivative is that of the discrete motion, as ``run.tangent`` has it (docs/equations/tangents.md, section 1).
"""

from __future__ import annotations

import math
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from livens import _livens, _tables
from livens._toml import numbers
from livens.ensemble import Ensemble
from livens.errors import Mistake, SpecError
from livens.laws import Table, Uniform
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr


class Final:
    """Entries of the state at the end, or at some times, as a function of x, the values of what ``of`` names: in one run
    with their Jacobian; or, with the mode "reverse", without, and with gradients of sums of them in a pass of their own.

    Attributes
    ----------
    names
        Those of ``of``, an entry each: K names.
    outputs
        Those of what is looked at, an entry each: M names; ``entries`` has how many each one given has.
    x0
        Where the study stands, in its first instance; shape (K,).
    size
        Instances of the study, N.
    shape
        Of the values of an instance: (M,), or of T times (T, M).
    """

    def __init__(self, study: Ensemble, of: Sequence[str], outputs: Sequence[str],
                 times: Sequence[float] | None = None, mode: str = "forward"):
        if mode not in ("forward", "reverse"):
            raise SpecError(Mistake(f"'{mode}'", "mode", '"forward" or "reverse"'))
        if isinstance(of, str) or "scheme.step" in of:
            raise SpecError(Mistake(repr(of), "of", 'a list of names like "initial.v[1]" and "system.mass[0]"'))
        if study.table is not None and study.table.path is not None:
            raise SpecError(Mistake("is a file", "ensemble.table", "a Table of arrays, to which x is added"))
        self._study = study.replace(tangent={"of": list(of)}, error_against=None)
        # One step says what the entries are called; with laws that add nothing it also says what they are.
        short = self._study.replace(scheme=study.scheme.replace(steps=1, end=None), every=1, interval=None, stop=None,
                                    on_failure=None, max_failed_fraction=None)
        self.reverse = mode == "reverse"
        if self.reverse:  # nothing is carried along, however many names there are
            names, sampled = self._study._study().adjoint_names()
            short = short.replace(tangent=None)
            run, known = short.run(), ["q", "p", "v", *sampled]
            self._widths = {**dict.fromkeys("qpv", run.instances.sizes["coordinate"]), "sampled": len(sampled)}
        else:
            run = short.run()
            names = run.tangent.wrt.values
            known = [str(one).removeprefix("final_") for one in run.tangent.data_vars if one in run.instances]
        self.names: tuple[str, ...] = tuple(names)
        own: Any = study.vary
        for name in self.names:
            if name in own or (study.table is not None and name in study.table.columns):
                raise SpecError(Mistake(f"'{name}' varies in the study", "of", "names that it leaves alone"))
        still = {name: Uniform(0, 0, mode="add") for name in self.names}
        self.size = run.instances.sizes["instance"]
        laws = [{**own, **still}, *([study.table] if study.table else [])]
        used = short.replace(vary=laws, size=self.size).run().instances
        self.x0 = np.array([float(used[name][0]) for name in self.names])
        parts = [_part(name, known, run) for name in outputs]
        labels = [_labels(name, run.instances[part], entry) for name, (part, entry) in zip(outputs, parts)]
        self.entries = [len(of_one) for of_one in labels]
        self.outputs = tuple(label for of_one in labels for label in of_one)
        self._entries = [entry for _, entry in parts]
        looked_at = [part.removeprefix("final_") for part, _ in parts]
        if self.reverse:  # in which array an output is counted, and in which of its columns
            self._counted = [(what, entry) if what in self._widths else ("sampled", _place(sampled, what))
                             for what, (_, entry) in zip(looked_at, parts)]
        self.shape: tuple[int, ...] = (len(self.outputs),)
        self._samples: list[int] | None = None  # of so many: the last one may be behind all of them
        self._count = 0
        self._nodes: list[int] = []  # none: the last one
        slopes = () if self.reverse else ("tangent",)
        if times is None:
            paths = [f"{group}/{part}" for group in ("instances", *slopes) for part, _ in parts]
        else:
            self._follow(times, float(run.statistics.time[-1]))
            self.shape = (len(times), len(self.outputs))
            paths = [f"{group}trajectories/{name}" for group in ("", *(f"{one}/" for one in slopes)) for name in looked_at]
        self._paths = list(dict.fromkeys(paths))  # q and q[0] are of the same
        self._places = [self._paths.index(path) for path in paths]
        self._repeated: tuple[int, Any] | None = None

    def _follow(self, times: Sequence[float], step: float) -> None:
        """Samples at these times, whole multiples of the step."""
        laws: Any = self._study.vary
        if "scheme.step" in laws or (self._study.table is not None and "scheme.step" in self._study.table.columns):
            raise SpecError(Mistake("'scheme.step' varies in the study", "times", "one step for all instances"))
        nodes = steps_at(times, step)
        self._nodes = nodes
        every = math.gcd(*nodes) or 1
        self._samples = [node // every for node in nodes]
        steps = max(*nodes, 1)
        self._count = steps // every + 1
        self._study = self._study.replace(scheme=self._study.scheme.replace(steps=steps, end=None), every=every, interval=None,
                                          sampling=None, trajectories=self.size)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_repeated": None}

    def study_at(self, x: np.ndarray) -> Ensemble:
        """With x of shape (B, K): the study with the one x there is, or an instance a row."""
        given = self._study.table.arrays if self._study.table else {}
        return self._study.replace(table=Table({**given, **dict(zip(self.names, self._rows(x).T))}))

    def _rows(self, x: np.ndarray) -> np.ndarray:
        return np.repeat(x, self.size, axis=0) if len(x) == 1 else x

    def _runs(self, x: np.ndarray) -> tuple[Any, list[np.ndarray]]:
        """What repeats the run, and the columns of its table at x. The spec is read, and what it needs compiled, once."""
        if self._repeated is None or self._repeated[0] != os.getpid():  # a fork has no threads
            study = self.study_at(x)
            # At the end nobody looks at samples, which many rows would have many of.
            study = study if self._samples else study.replace(trajectories=0)
            repeated = (_livens.Adjoint if self.reverse else _livens.Repeated)(study._study())
            for line in repeated.warnings():
                warnings.warn(line, stacklevel=6)
            self._repeated = os.getpid(), repeated
        given = list(self._study.table.columns.values()) if self._study.table else []
        return self._repeated[1], [np.ascontiguousarray(column) for column in (*given, *self._rows(x).T)]

    def _found(self, x: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """The statuses, and the arrays of the paths."""
        runs, columns = self._runs(x)
        codes, _, too_many, found = runs.run(columns, self._paths)
        if too_many:
            study = self.study_at(x)
            (study.replace(tangent=None) if self.reverse else study).run()  # which says so
        return codes, [found[place] for place in self._places]

    def _outputs(self, codes: np.ndarray, arrays: list[np.ndarray]) -> np.ndarray:
        """Shape (n, *shape) of datasets of n instances, their other axes behind: also (n, *shape, K)."""
        n = len(codes)
        if self._samples is not None:
            of_samples = [one.reshape(n, self._count, *one.shape[1:])[:, self._samples] for one in arrays]
            return np.concatenate([one[:, :, entry] for one, entry in zip(of_samples, self._entries)], axis=2)
        value = np.concatenate([one[:, entry] for one, entry in zip(arrays, self._entries)], axis=1)
        value[codes != _tables.statuses.index("ok")] = np.nan
        return value

    def of(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The outputs, shape (B or N, *shape), and their derivatives, (B or N, *shape, K); NaN of an instance that has
        not come to the end, or to the time. Of the mode "forward"."""
        codes, arrays = self._found(x)
        half, samples = len(arrays) // 2, self._count if self._samples else 1
        value = [one.reshape(len(codes) * samples, -1) for one in arrays[:half]]
        slope = [one.reshape(len(codes) * samples, -1, len(self.names)) for one in arrays[half:]]
        return self._outputs(codes, value), self._outputs(codes, slope)

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of a study of one instance: outputs, shape (..., *shape), and derivatives, (..., *shape, K), at x, shape
        (..., K); one run with an instance a row."""
        x = np.asarray(x, dtype=np.float64)
        if x.size == 0:
            return np.empty((*x.shape[:-1], *self.shape)), np.empty((*x.shape[:-1], *self.shape, len(self.names)))
        value, slope = self.of(x.reshape(-1, len(self.names)))
        return value.reshape(*x.shape[:-1], *self.shape), slope.reshape(*x.shape[:-1], *self.shape, -1)

    def values_at(self, x: np.ndarray) -> np.ndarray:
        """Of a study of one instance, with the mode "reverse": outputs, shape (..., *shape), at x, shape (..., K)."""
        x = np.asarray(x, dtype=np.float64)
        if x.size == 0:
            return np.empty((*x.shape[:-1], *self.shape))
        codes, arrays = self._found(x.reshape(-1, len(self.names)))
        samples = self._count if self._samples else 1
        value = self._outputs(codes, [one.reshape(len(codes) * samples, -1) for one in arrays])
        return value.reshape(*x.shape[:-1], *self.shape)

    def gradients_at(self, x: np.ndarray, above: np.ndarray) -> np.ndarray:
        """The same of the sums of outputs times ``above``, shape (..., *shape): shape (..., K), one pass back for each.
        NaN where the motion does not come to the last of the times, or of the steps, with status ok."""
        x, above = np.asarray(x, dtype=np.float64), np.asarray(above, dtype=np.float64)
        k, axes = len(self.names), len(self.shape)
        batch = np.broadcast_shapes(x.shape[:-1], above.shape[:above.ndim - axes])
        x = np.broadcast_to(x, (*batch, k)).reshape(-1, k)
        if x.size == 0:
            return np.empty((*batch, k))
        above = np.broadcast_to(above, (*batch, *self.shape)).reshape(len(x), -1, len(self.outputs))
        steps = sorted(set(self._nodes))  # each once; none: the last one
        places = {step: at for at, step in enumerate(steps)}
        place = [places[node] for node in self._nodes] or [0]
        counted: dict[str, np.ndarray] = {}
        first = 0
        for (what, entry), entries in zip(self._counted, self.entries):
            sums = counted.setdefault(what, np.zeros((len(x), max(len(steps), 1), self._widths[what])))
            for at, node in enumerate(place):
                sums[:, node, entry] += above[:, at, first:first + entries]
            first += entries
        runs, columns = self._runs(x)
        return runs.gradients(columns, steps, list(counted.items())).reshape(*batch, k)


def steps_at(times: Sequence[float], step: float) -> list[int]:
    """The numbers of the nodes at these times, s."""
    nodes = []
    for time in times:
        node = round(float(time) / step)
        if node < 0 or abs(node * step - time) > 1e-9 * abs(time):
            raise SpecError(Mistake(f"{time} s is no node, the nearest is at {max(node, 0) * step} s", "times",
                                    "whole multiples of scheme.step"))
        nodes.append(node)
    if not nodes:
        raise SpecError(Mistake("empty", "times", "times in s"))
    return nodes


def final_of_one(study: Ensemble, of: Sequence[str], outputs: Sequence[str],
                 times: Sequence[float] | None = None, mode: str = "forward") -> Final:
    """Of a study in which nothing varies, so that each x is an instance."""
    if study.vary or study.table is not None:
        raise SpecError(Mistake("the study varies quantities of its own", "ensemble.vary",
                                "none: x has what varies, and a batch of x is the ensemble"))
    final = Final(study.replace(size=None), [of] if isinstance(of, str) else of,
                  [outputs] if isinstance(outputs, str) else outputs, times, mode)
    if final.size != 1:
        raise SpecError(Mistake(f"the study has {final.size} instances", "initial", "one initial state"))
    return final


def _part(name: str, known: Sequence[str], run: Run) -> tuple[str, slice]:
    """Of "q[3]" the dataset final_q and its entry; of "q" and of what is observed all entries. ``known`` have derivatives."""
    letter = re.fullmatch(r"([qvp])\[(\d+)\]", name)
    part = f"final_{letter[1] if letter else name}"
    if part.removeprefix("final_") not in known or part not in run.instances:
        raise SpecError(Mistake(f"'{name}' has no derivatives", "outputs",
                                f"{', '.join(known)}, an entry like q[0], or a name of an expression in observe"))
    if letter is None:
        return part, slice(None)
    d = run.instances.sizes["coordinate"]
    if int(letter[2]) >= d:
        raise SpecError(Mistake(f"'{name}' is not there", "outputs", f"{letter[1]}[0] to {letter[1]}[{d - 1}]"))
    return part, slice(int(letter[2]), int(letter[2]) + 1)


def _place(names: Sequence[str], name: str) -> slice:
    place = list(names).index(name)
    return slice(place, place + 1)


def _labels(name: str, values: xr.DataArray, entry: slice) -> list[str]:
    if values.ndim == 1 or entry != slice(None):
        return [name]
    return [f"{name}[{k}]" for k in range(values.shape[1])]


class Residuals:
    """What ``residuals`` makes: ``least_squares(r.fun, r.x0, jac=r.jac)``.

    Attributes
    ----------
    names
        Of the entries of x, K of them.
    x0
        Where the study stands, shape (K,), in SI units.
    last
        The runs at the last x: one, or where times have no common spacing one for each.
    """

    def __init__(self, fits: list[Fit]):
        self._fits = fits
        self.names = fits[0].final.names
        self.x0 = fits[0].final.x0
        self._known: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None  # x, values, derivatives
        self._last: list[Run] | None = None

    @property
    def last(self) -> list[Run]:
        """Whole runs at the last x, made when they are asked for."""
        if self._last is None:
            known = self._known
            self._last = [] if known is None else [fit.final.study_at(known[0][None]).run() for fit in self._fits]
        return self._last

    def fun(self, x: Any) -> np.ndarray:
        """(value - measured)/std, shape (R,): time after time, name after name, instance after instance."""
        return self._at(x)[0].copy()

    def jac(self, x: Any) -> np.ndarray:
        """The derivatives of ``fun``, shape (R, K); those of the x that ``fun`` was just asked for are there."""
        return self._at(x)[1].copy()

    def _at(self, x: Any) -> tuple[np.ndarray, np.ndarray]:
        x = numbers(x, "x").copy()
        if x.shape != self.x0.shape:
            raise SpecError(Mistake(f"has the shape {x.shape}", "x", f"{self.x0.shape}: {', '.join(self.names)}"))
        known = self._known  # one reference, of which another thread may put a new one in its place
        if known is not None and np.array_equal(x, known[0]):
            return known[1], known[2]
        values, slopes = [], []
        for fit in self._fits:
            value, slope = fit.final.of(x[None])
            if value.ndim == 2:
                value, slope = value[:, None], slope[:, None]
            for at, (chosen, measured, deviation) in enumerate(fit.measured):
                # Of an output all instances, as data has them.
                values.append(((value[:, at, chosen].T - measured) / deviation).ravel())
                slopes.append((slope[:, at, chosen].transpose(1, 0, 2) / deviation[:, :, None]).reshape(-1, len(x)))
        self._known, self._last = (x, np.concatenate(values), np.concatenate(slopes)), None
        return self._known[1], self._known[2]


class Fit(NamedTuple):
    """A run and what is compared with it: at each of its times the outputs, what was measured, standard deviations."""

    final: Final
    measured: list[tuple[list[int], np.ndarray, np.ndarray]]


def residuals(study: Ensemble, data: Mapping[Any, Any], of: Sequence[str],
              names: Sequence[str] | None = None) -> Residuals:
    """Residuals of measured values and their exact Jacobian, for ``scipy.optimize.least_squares``.

    Parameters
    ----------
    study
        N instances, experiments with a motion each; what it varies keeps the values that it has.
    data
        What was measured at the end, by its name: ``"q"``, ``"v"``, ``"p"``, one entry, ``"q[3]"``, or the name of an
        expression in ``observe``. Values are arrays of shape (N,), of a whole q (N, d), of one instance also a number
        or (d,); or a tuple of values and standard deviations, a number or as many. In SI units.
        Values at several times: a mapping from the time, s, a multiple of the step, to such a mapping. They are samples
        of one run; where that would take many more samples than there are times, each time is a run of its own.
    of
        The names of x: parameters and entries of the initial state, as in ``tangent={"of": ...}``. All instances have
        the same x. Of the initial state x is what stands before the projection onto the constraints.
    names
        Those of ``data`` that count; default: all.

    Where an instance fails or is stopped its residuals are NaN, which ``least_squares`` takes as a step too long; at x0
    it refuses them. Raises SpecError.
    """
    by_time: Mapping[Any, Any] = data
    if not data or not all(isinstance(key, Real) for key in data):
        by_time = {None: data}
    chosen = {}
    for time, measured in by_time.items():
        chosen[time] = list(measured if names is None else names)
        if not chosen[time]:
            raise SpecError(Mistake("nothing was measured", "data", "values of q, v, p or what is observed"))
        for name in chosen[time]:
            if name not in measured:
                raise SpecError(Mistake(f"has no '{name}'", "data", "each of names"))
    return Residuals([_fit(study, of, {time: (chosen[time], by_time[time]) for time in times})
                      for times in _runs_for(study, list(by_time))])


# Samples for each time that is looked at, beyond which a run for each takes less memory, and time.
_samples_a_time = 32


def _runs_for(study: Ensemble, times: list[Any]) -> list[list[Any]]:
    """Which times one run is for."""
    if times == [None]:
        return [times]
    step = float(study.replace(scheme=study.scheme.replace(steps=1, end=None), every=1, interval=None, trajectories=0,
                               stop=None, error_against=None, vary={}, size=1).run().statistics.time[-1])
    nodes = steps_at(times, step)
    samples = max(nodes) // (math.gcd(*nodes) or 1) + 1
    return [times] if samples <= _samples_a_time * len(times) else [[time] for time in times]


def _fit(study: Ensemble, of: Sequence[str], data: Mapping[Any, tuple[list[str], Mapping[str, Any]]]) -> Fit:
    """Of names and values by their times; of the one time None, at the end."""
    outputs = list(dict.fromkeys(name for names, _ in data.values() for name in names))
    final = Final(study, of, outputs, None if None in data else [float(time) for time in data])
    first = dict(zip(outputs, np.cumsum([0, *final.entries])))
    entries = dict(zip(outputs, final.entries))
    measured = []
    for names, values in data.values():
        pairs = [_measured(name, values[name], entries[name], final.size) for name in names]
        places = [first[name] + k for name in names for k in range(entries[name])]
        numbers_of, deviations = (np.concatenate(parts) for parts in zip(*pairs))
        measured.append((places, numbers_of, deviations))
    return Fit(final, measured)


def _measured(name: str, given: Any, entries: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Values and standard deviations, shape (entries, N)."""
    values, deviation = given if isinstance(given, tuple) and len(given) == 2 else (given, 1.0)
    values = numbers(values, f"data.{name}")
    shape = (size, entries) if name in ("q", "v", "p") else (size,)
    if values.shape != shape and not (size == 1 and values.shape == shape[1:]):
        raise SpecError(Mistake(f"has the shape {values.shape}", f"data.{name}", f"{shape}"))
    deviation = numbers(deviation, f"data.{name}")
    if deviation.shape not in ((), values.shape):
        raise SpecError(Mistake(f"has standard deviations of shape {deviation.shape}", f"data.{name}",
                                f"a number, or {values.shape}"))
    if not np.all(np.isfinite(values)) or not np.all(deviation > 0) or not np.all(np.isfinite(deviation)):
        raise SpecError(Mistake("has a value that is not finite, or a standard deviation that is not > 0",
                                f"data.{name}", "finite numbers"))
    every = np.broadcast_to(deviation, values.shape)
    return values.reshape(size, entries).T, every.reshape(size, entries).T


def lyapunov(study: Ensemble, count: int = 1, every: int = 10) -> xr.Dataset:
    """The largest Lyapunov exponents of the discrete motion, in 1/s (docs/equations/tangents.md, section 4).

    Parameters
    ----------
    study
        Exponents are of the motion of each of its instances.
    count
        How many, at most 2 (d - m).
    every
        Steps from one orthonormalisation to the next. The product of the difference of the largest and the least of the
        exponents, of ``every`` and of the step must stay below 18.

    Returns
    -------
    Dataset of ``lyapunov``, shape (instance, exponent), the largest first, and over the instances that are ok ``mean``
    and ``standard_error``, shape (exponent,): NaN of less than one and two. ``ok`` is their number. What a finite time
    leaves of the start, of order 1/T, is in no spread: compare with a longer end.

    Raises SpecError: of nonholonomic constraints, of a singular mass matrix, and where there are no derivatives.
    """
    import xarray as xr

    run = study.replace(tangent={"lyapunov": {"count": count, "every": every}}).run()
    exponents = run.instances.lyapunov
    fine = exponents.values[run.instances.status.values == _tables.statuses.index("ok")]
    empty = np.full(exponents.sizes["exponent"], np.nan)
    mean = fine.mean(axis=0) if len(fine) else empty
    error = fine.std(axis=0, ddof=1) / np.sqrt(len(fine)) if len(fine) > 1 else empty
    of_all = {"unit": "1/s", "units": "1/s"}
    return xr.Dataset({"lyapunov": exponents,
                       "mean": ("exponent", mean, {**of_all, "long_name": "mean over the instances"}),
                       "standard_error": ("exponent", error, {**of_all, "long_name": "standard error of the mean"}),
                       "ok": ((), len(fine), {"long_name": "instances that came to the end"})})


__all__ = ["Residuals", "lyapunov", "residuals"]
