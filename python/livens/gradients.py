"""What comes of the exact derivatives of a run: residuals for a fit, x -> outputs for jax, exponents.

A derivative is that of the discrete motion, as ``run.tangent`` has it (docs/equations/tangents.md, section 1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from livens import _tables
from livens._toml import numbers
from livens.ensemble import Ensemble
from livens.errors import Mistake, SpecError
from livens.laws import Table, Uniform
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr


class Final:
    """Entries of the final state as a function of x, the values of what ``of`` names: in one run with their Jacobian.

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
    """

    def __init__(self, study: Ensemble, of: Sequence[str], outputs: Sequence[str]):
        if isinstance(of, str) or "scheme.step" in of:
            raise SpecError(Mistake(repr(of), "of", 'a list of names like "initial.v[1]" and "system.mass[0]"'))
        if study.table is not None and study.table.path is not None:
            raise SpecError(Mistake("is a file", "ensemble.table", "a Table of arrays, to which x is added"))
        self._study = study.replace(tangent={"of": list(of)})
        # One step says what the entries are called; with laws that add nothing it also says what they are.
        short = self._study.replace(scheme=study.scheme.replace(steps=1), every=1, interval=None, stop=None,
                                    error_against=None, on_failure=None, max_failed_fraction=None)
        run = short.run()
        self.names: tuple[str, ...] = tuple(run.tangent.wrt.values)
        own: Any = study.vary
        for name in self.names:
            if name in own or (study.table is not None and name in study.table.columns):
                raise SpecError(Mistake(f"'{name}' varies in the study", "of", "names that it leaves alone"))
        still = {name: Uniform(0, 0, mode="add") for name in self.names}
        self.size = run.instances.sizes["instance"]
        laws = [{**own, **still}, *([study.table] if study.table else [])]
        used = short.replace(vary=laws, size=self.size).run().instances
        self.x0 = np.array([float(used[name][0]) for name in self.names])
        self._parts = [_part(name, run) for name in outputs]
        labels = [_labels(name, run.instances[part], entry) for name, (part, entry) in zip(outputs, self._parts)]
        self.entries = [len(of_one) for of_one in labels]
        self.outputs = tuple(label for of_one in labels for label in of_one)

    def run(self, x: np.ndarray) -> Run:
        """With x of shape (B, K): the study with the one x there is, or an instance a row."""
        rows = np.repeat(x, self.size, axis=0) if len(x) == 1 else x
        given = self._study.table.arrays if self._study.table else {}
        return self._study.replace(table=Table({**given, **dict(zip(self.names, rows.T))})).run()

    def of(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """The outputs, shape (instances, M), and their derivatives, (instances, M, K); NaN of an instance that has not
        come to the end."""
        ok = run.instances.status.values == _tables.statuses.index("ok")
        values, slopes = [], []
        for part, entry in self._parts:
            value, slope = run.instances[part].values, run.tangent[part].values
            values.append(value.reshape(len(ok), -1)[:, entry])
            slopes.append(slope.reshape(len(ok), -1, len(self.names))[:, entry])
        value, slope = np.concatenate(values, axis=1), np.concatenate(slopes, axis=1)
        return np.where(ok[:, None], value, np.nan), np.where(ok[:, None, None], slope, np.nan)

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of a study of one instance: outputs, shape (..., M), and derivatives, (..., M, K), at x, shape (..., K); one
        run with an instance a row."""
        rows = np.asarray(x, dtype=np.float64).reshape(-1, len(self.names))
        value, slope = self.of(self.run(rows))
        return value.reshape(*x.shape[:-1], -1), slope.reshape(*x.shape[:-1], *slope.shape[1:])


def final_of_one(study: Ensemble, of: Sequence[str], outputs: Sequence[str]) -> Final:
    """Of a study in which nothing varies, so that each x is an instance."""
    if study.vary or study.table is not None:
        raise SpecError(Mistake("the study varies quantities of its own", "ensemble.vary",
                                "none: x has what varies, and a batch of x is the ensemble"))
    final = Final(study.replace(size=None), [of] if isinstance(of, str) else of,
                  [outputs] if isinstance(outputs, str) else outputs)
    if final.size != 1:
        raise SpecError(Mistake(f"the study has {final.size} instances", "initial", "one initial state"))
    return final


def _part(name: str, run: Run) -> tuple[str, slice]:
    """Of "q[3]" the dataset final_q and its entry; of "q" and of what is observed all entries."""
    letter = re.fullmatch(r"([qvp])\[(\d+)\]", name)
    part = f"final_{letter[1] if letter else name}"
    if part not in run.tangent or part not in run.instances:
        known = [str(one).removeprefix("final_") for one in run.tangent.data_vars if one in run.instances]
        raise SpecError(Mistake(f"'{name}' has no derivatives", "outputs",
                                f"{', '.join(known)}, an entry like q[0], or a name of an expression in observe"))
    if letter is None:
        return part, slice(None)
    d = run.instances.sizes["coordinate"]
    if int(letter[2]) >= d:
        raise SpecError(Mistake(f"'{name}' is not there", "outputs", f"{letter[1]}[0] to {letter[1]}[{d - 1}]"))
    return part, slice(int(letter[2]), int(letter[2]) + 1)


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
        The runs of the last x, one for each time.
    """

    def __init__(self, fits: list[tuple[float | None, Final, np.ndarray, np.ndarray]]):
        self._fits = fits
        self.names = fits[0][1].names
        self.x0 = fits[0][1].x0
        self.last: list[Run] = []
        self._x: np.ndarray | None = None
        self._value, self._slope = np.empty(0), np.empty(0)

    def fun(self, x: Any) -> np.ndarray:
        """(value - measured)/std, shape (R,): time after time, name after name, instance after instance."""
        self._go_to(x)
        return self._value.copy()

    def jac(self, x: Any) -> np.ndarray:
        """The derivatives of ``fun``, shape (R, K); those of the x that ``fun`` was just asked for are there."""
        self._go_to(x)
        return self._slope.copy()

    def _go_to(self, x: Any) -> None:
        x = numbers(x, "x").copy()
        if x.shape != self.x0.shape:
            raise SpecError(Mistake(f"has the shape {x.shape}", "x", f"{self.x0.shape}: {', '.join(self.names)}"))
        if self._x is not None and np.array_equal(x, self._x):
            return
        runs, values, slopes = [], [], []
        for time, final, measured, deviation in self._fits:
            run = final.run(x[None])
            end = float(run.statistics.time[-1])
            if time is not None and abs(end - time) > 1e-9 * abs(time):
                raise SpecError(Mistake(f"{time} s is no node, the one before is at {end} s", "data",
                                        "whole multiples of scheme.step"))
            value, slope = final.of(run)
            runs.append(run)
            # Of an output all instances, as data has them.
            values.append(((value.T - measured) / deviation).ravel())
            slopes.append((slope.transpose(1, 0, 2) / deviation[:, :, None]).reshape(-1, len(self.names)))
        self._x, self.last = x, runs
        self._value, self._slope = np.concatenate(values), np.concatenate(slopes)


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
        Values at several times: a mapping from the time, s, a multiple of the step, to such a mapping. A result has
        derivatives at its end alone, so that each time is a run of its own, from the start.
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
    fits = []
    for time, measured in by_time.items():
        one = study if time is None else study.replace(scheme=study.scheme.replace(end=float(time)))
        chosen = list(measured if names is None else names)
        if not chosen:
            raise SpecError(Mistake("nothing was measured", "data", "values of q, v, p or what is observed"))
        for name in chosen:
            if name not in measured:
                raise SpecError(Mistake(f"has no '{name}'", "data", "each of names"))
        final = Final(one, of, chosen)
        pairs = [_measured(name, measured[name], entries, final.size) for name, entries in zip(chosen, final.entries)]
        fits.append((time, final, *(np.concatenate(parts) for parts in zip(*pairs))))
    return Residuals(fits)


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
