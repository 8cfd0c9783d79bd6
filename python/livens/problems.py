"""The certified problems, each a function: ``livens.problems.andrews_squeezer()``.

    problem = lv.problems.pendulum_a01()
    run = lv.Ensemble(problem.system, problem.scheme("ems", steps=1000)).run()
    problem.error(run.final.q[0])        # of q at the end, and the error bar of the certificate

What a certificate says, and how it comes about, is in docs/problems.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from livens import _livens, _tables
from livens.schemes import Scheme
from livens.systems import System


@dataclass(frozen=True)
class Values:
    """What is certified of q, v, the multipliers or the energy."""

    values: np.ndarray
    """Shape (times, entries); of the energy (times,)."""
    error: np.ndarray
    """Shape (times,), in SI units: an error bar of every entry. It is how far four computations by two programs are apart,
    at any earlier time too, carried on by the tangent map of the motion: an estimate of the distance from the truth, no
    proof of a bound."""
    digits: int
    """Of the largest entry, those that the error bar leaves at every time."""


@dataclass(frozen=True, repr=False)
class Problem:
    """A text, and its motion at five times with an error bar."""

    name: str
    """One of ``livens.problems.names``."""
    title: str
    """What it is, in words."""
    source: str
    """Who has posed it, and where."""
    units: str
    """Of all numbers."""
    note: str
    """What a reader of the values should know."""
    end: float
    """The last of the times, s."""
    system: System
    """The text."""
    times: np.ndarray
    """s, shape (times,)."""
    q: Values
    """The coordinates, entries in the order of the text."""
    v: Values
    """Their velocities."""
    multipliers: Values
    """Of the rows in their order: M a + G^T lambda + A^T kappa = f."""
    energy: Values
    """p.v - L."""
    certificate: Mapping[str, Any]
    """What ``livens certify`` has written."""

    def __repr__(self) -> str:
        return f"<livens.problems.{self.name}: {self.title}, {min(self.q.digits, self.v.digits)} digits to {self.end:g}>"

    def scheme(self, name: str, steps: int, **options: Any) -> Scheme:
        """The scheme of this ``name``, with its ``options``, that comes to the end in so many ``steps``."""
        return Scheme(name, {"step": self.end / steps, "steps": steps, **options})

    def error(self, q: Any) -> tuple[float, float]:
        """How far q is from the certified one at the end, and the error bar of that."""
        q = np.asarray(q, dtype=float)
        if q.shape != self.q.values[-1].shape:
            raise ValueError(f"q of {self.name} has the shape {self.q.values[-1].shape}, not {q.shape}")
        return float(np.abs(q - self.q.values[-1]).max()), float(self.q.error[-1])


def _values(table: Mapping[str, Any]) -> Values:
    return Values(np.array(table["values"]), np.array(table["error"]), table["digits"])


def _problem(name: str, table: Mapping[str, Any]) -> Problem:
    certificate = table["certificate"]
    energy = _values(certificate["energy"])
    return Problem(name, table["title"], table["source"], table["units"], table["note"], table["end"],
                   System.from_text(table["text"]), np.array(certificate["times"]), _values(certificate["q"]),
                   _values(certificate["v"]), _values(certificate["lambda"]),
                   Values(energy.values[:, 0], energy.error, energy.digits), certificate)


names: tuple[str, ...]
"""Of all problems."""


@cache
def _problems() -> dict[str, Any]:
    """Read when they are first asked for: certificates are long."""
    return json.loads(_livens.problems())


def _constructor(name: str, table: Mapping[str, Any]) -> Callable[[], Problem]:
    def make() -> Problem:
        return _problem(name, table)

    make.__name__ = make.__qualname__ = name
    make.__module__ = __name__
    make.__doc__ = f"{table['title']}, to {table['end']:g} s. From {table['source']}."
    return make


def __dir__() -> list[str]:
    return ["Problem", "Values", "names", *_problems()]


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "names":
        return tuple(_problems())
    if name not in _problems():
        raise _tables.unknown_name("problem", name, _problems())
    globals()[name] = _constructor(name, _problems()[name])
    return globals()[name]
