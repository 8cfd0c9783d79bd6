"""The laws of varied quantities, and tables of a design of one's own.

A law is for one quantity, named as in the spec: ``"system.damping[0]"``, ``"initial.v[10]"``, ``"initial.u[2]"``, ``"initial.p[9:12]"``
(a draw for every entry), ``"scheme.step"``. ``mode`` says what becomes of a value drawn: ``"set"``, ``"add"`` or
``"multiply"``. ``shared=True`` makes one draw for all entries of a quantity that has several. Values are in SI units.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, Union

import numpy as np

from livens import _livens
from livens._toml import frozen, numbers
from livens.errors import Mistake, SpecError

Mode = Literal["set", "add", "multiply"]


@dataclass(frozen=True)
class Law:
    """What all laws have in common. Their values have the unit of the quantity, in SI."""

    law: ClassVar[str]
    mode: Mode = field(default="set", kw_only=True)
    """What becomes of a value: ``"set"`` in place of the one there is, ``"add"`` to it, or ``"multiply"`` it."""
    shared: bool = field(default=False, kw_only=True)
    """One draw for all entries of a quantity that has several."""

    def __post_init__(self) -> None:
        """Numbers of NumPy, SymPy or arrays without axes become those of Python. Raises SpecError."""
        for one in fields(self):
            object.__setattr__(self, one.name, frozen(getattr(self, one.name)))

    def to_entry(self) -> dict[str, Any]:
        """The keys of an ``[[ensemble.vary]]`` but for ``what``."""
        entry: dict[str, Any] = {"law": self.law}
        for one in fields(self):
            value = getattr(self, one.name)
            if one.kw_only and value == one.default:
                continue
            entry[one.name] = list(value) if isinstance(value, tuple) else value
        return entry


@dataclass(frozen=True)
class Normal(Law):
    """The normal law, of mean ``mean`` and standard deviation ``std``."""

    law = "normal"
    mean: float
    std: float


@dataclass(frozen=True)
class Uniform(Law):
    """Uniform between ``low`` and ``high``."""

    law = "uniform"
    low: float
    high: float


@dataclass(frozen=True)
class LogNormal(Law):
    """The logarithm is normal, of mean ``mu`` and standard deviation ``sigma``."""

    law = "lognormal"
    mu: float
    sigma: float


@dataclass(frozen=True)
class Triangular(Law):
    """Triangular from ``low`` to ``high``, with its peak at ``peak``."""

    law = "triangular"
    low: float
    peak: float
    high: float


@dataclass(frozen=True)
class Exponential(Law):
    """The exponential law of mean ``mean``."""

    law = "exponential"
    mean: float


@dataclass(frozen=True)
class TruncatedNormal(Law):
    """The normal law of ``mean`` and ``std``, cut to ``low`` ... ``high``, either of which may be infinite."""

    law = "truncated_normal"
    mean: float
    std: float
    low: float
    high: float


@dataclass(frozen=True)
class Linspace(Law):
    """A grid of ``count`` equal steps from ``low`` to ``high``, both included."""

    law = "linspace"
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Logspace(Law):
    """A grid of ``count`` equal factors from ``low`` to ``high``, both included."""

    law = "logspace"
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Values(Law):
    """A grid of the ``values`` given, shape (count,). Grids of several quantities form their product."""

    law = "values"
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        values = numbers(self.values, "ensemble.vary.values")
        if values.ndim != 1:
            raise SpecError(Mistake(f"has the shape {values.shape}", "ensemble.vary.values", "(count,)"))
        object.__setattr__(self, "values", tuple(values.tolist()))


_laws = {kind.law: kind for kind in Law.__subclasses__()}


def law_from_entry(entry: Mapping[str, Any]) -> Law:
    """The law of an ``[[ensemble.vary]]``; KeyError or TypeError where it is none."""
    return _laws[entry["law"]](**{key: value for key, value in entry.items() if key not in ("what", "law")})


class Table:
    """A design of one's own: a column for each quantity, a row an instance.

    ``data`` is a mapping from names to columns, or the path of a .csv, .npz or .h5 file (with ``group``). A column is
    an array of shape (N,) or, for a quantity of k entries, (N, k): anything that NumPy reads or that has
    ``__dlpack__``, of real numbers that a double holds: not masked, complex, truths, dates, or integers beyond 2^53. Raises
    SpecError.
    ``name`` is what the spec calls a table in memory: the same numbers in a file of that name are the same run.
    """

    def __init__(self, data: Union[Mapping[str, Any], str, os.PathLike[str]], *, group: str | None = None,
                 name: str = "table.csv"):
        self.path = os.fspath(data) if isinstance(data, (str, os.PathLike)) else None
        self.group = group
        self.name = self.path or name
        self.arrays: dict[str, np.ndarray] = {}
        if self.path is None:
            for what, column in data.items():  # type: ignore[union-attr]
                if not isinstance(what, str) or what in self.arrays:
                    raise SpecError(Mistake(repr(what), "ensemble.table", "a name that no other column has"))
                self.arrays[what] = numbers(column, f"ensemble.table.{what}")
            _livens.check_table(list(self.arrays.items()), self.name)

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """The numbers of each entry, shape (rows,): of "initial.p[9:12]" those of p[9], p[10], p[11]."""
        return {entry: column for what, array in self.arrays.items() for entry, column in _entries(what, array)}

    @property
    def rows(self) -> int | None:
        """The number of instances; None of a file that has not been read."""
        return len(next(iter(self.arrays.values()))) if self.arrays else None

    def to_entry(self) -> dict[str, str]:
        """The table ``[ensemble.table]`` of a spec."""
        return {"file": self.name, **({"group": self.group} if self.group else {})}

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Table) and self.to_entry() == other.to_entry()
                and list(self.columns) == list(other.columns)
                and all(np.array_equal(a, b, equal_nan=True)
                        for a, b in zip(self.columns.values(), other.columns.values())))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self.path:
            return f"Table({self.path!r})"
        return f"Table of {self.rows} rows: {', '.join(self.columns)}"


def _entries(what: str, array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    if array.ndim == 1 or array.shape[1] == 1:
        yield what, array.reshape(-1)
        return
    name, _, indices = what.partition("[")
    first, colon, _ = indices.partition(":")
    for k in range(array.shape[1]):
        yield f"{name}[{(int(first) if colon and first.isdecimal() else 0) + k}]", array[:, k]


Vary = Union[Mapping[str, Law], Table, Sequence[Union[Mapping[str, Law], Table]]]
