"""Values on their way to TOML, and its reader."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping
from functools import cached_property
from numbers import Integral, Real
from typing import Any, NoReturn

import numpy as np
import tomli_w

from livens.errors import Mistake, SpecError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def plain(value: Any) -> Any:
    """A value as TOML knows it: arrays of any library that has ``__dlpack__``, tuples and scalars of NumPy. Raises SpecError
    for what TOML does not know, as symbols and complex numbers."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic) and value.dtype.kind in "biufU" and not isinstance(value, np.longdouble):
        return value.item()
    if hasattr(value, "__dlpack__") or hasattr(value, "__array__"):
        return numbers(value).tolist()
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Integral):
        return int(value)
    # Of SymPy: sqrt(2) and pi are numbers, too, and a symbol is none.
    if isinstance(value, Real) or (getattr(value, "is_number", False) and getattr(value, "is_real", False)):
        return float(value)
    if value is None or isinstance(value, (str, datetime.date, datetime.time)):
        return value
    raise SpecError(Mistake(f"{value} is no number"))


def numbers(values: Any, key: str | None = None) -> np.ndarray:
    """float64 on the processor in C order, without a copy where it is that: anything with ``__dlpack__``, or what NumPy
    reads. Raises SpecError, about ``key``, for what a double does not hold as it is."""

    def refuse(problem: str, expected: str) -> NoReturn:
        raise SpecError(Mistake(problem if key else f"an array {problem}", key, expected))

    if _is_masked(values):
        refuse("has entries that are masked", "a number in every place, as .filled() puts one there")
    try:
        if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__"):
            values = np.from_dlpack(values)
        array = np.asarray(values)
    except (BufferError, RuntimeError, TypeError, ValueError) as problem:
        refuse(f"is no array on the processor ({problem})", "rows of as many numbers each")
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        refuse(f"has values of type {array.dtype}", "real numbers, of float64 or what becomes that exactly")
    if array.dtype.kind in "iu" and array.size and max(-int(array.min()), int(array.max())) > 2**53:
        refuse("holds integers beyond 2^53", "those that a double keeps")
    return np.asarray(array, dtype=np.float64, order="C")


def _is_masked(values: Any) -> bool:
    """Also an entry of a list, of which NumPy makes an array without its masks."""
    if isinstance(values, (list, tuple)):
        return any(_is_masked(one) for one in values)
    return isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values)


class Frozen(dict[str, Any]):
    """A table that does not change, so that what follows from it can be kept."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a study does not change; its replace() makes another one")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return type(self), (dict(self),)

    @cached_property
    def _written(self) -> dict[tuple[str, ...], str]:
        return {}

    def toml(self, *names: str) -> str:
        """As a document in which it is the table of these names; written once, as that of a system takes a while."""
        if names not in self._written:
            table = plain(self)
            for name in reversed(names):
                table = {name: table}
            self._written[names] = tomli_w.dumps(table)
        return self._written[names]


def frozen(value: Any) -> Any:
    """The same as something that can be compared and does not change: lists and arrays become tuples."""
    if isinstance(value, Frozen):
        return value
    if isinstance(value, Mapping):
        return Frozen({str(key): frozen(entry) for key, entry in value.items() if entry is not None})
    if isinstance(value, (list, tuple)):
        return tuple(frozen(entry) for entry in value)
    value = plain(value)
    return frozen(value) if isinstance(value, list) else value


__all__ = ["Frozen", "frozen", "numbers", "plain", "tomllib"]
