"""Values on their way to TOML."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A value as TOML knows it: arrays of any library that has ``__dlpack__``, tuples and scalars of NumPy."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
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
    return value


def numbers(values: Any) -> np.ndarray:
    """float64 on the processor, without a copy where it is that: anything with ``__dlpack__``, or what NumPy reads."""
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__"):
        values = np.from_dlpack(values)
    return np.asarray(values, dtype=np.float64)


def frozen(value: Any) -> Any:
    """The same as something that can be compared: lists and arrays become tuples."""
    value = plain(value)
    if isinstance(value, Mapping):
        return {key: frozen(entry) for key, entry in value.items()}
    return tuple(frozen(entry) for entry in value) if isinstance(value, list) else value
