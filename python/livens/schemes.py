"""The schemes of livens, each a function of its options: ``livens.schemes.ems(step=.05, end=10., tolerance=0)``.

Names, signatures and texts are made of the program's own tables when the package is imported.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from livens import _tables
from livens._toml import frozen

# Of all schemes: key, type, unit and meaning. The program has the defaults, most of which depend on the system.
_common = {
    "step": ("float", "h, s; default: the system's"),
    "end": ("float", "T, s; the steps are floor(T/h); default: the system's"),
    "steps": ("int", "their number, in place of end"),
    "form": ("str", '"reduced", "condensed" or "full"; default: the first of them that can do what is asked'),
    "order": ("int", "2, 4, 6 or 8, by symmetric composition, where the program offers that"),
    "precision": ("str", '"double", "mixed" or "single"'),
    "retry": ("int", "a step that fails is redone as 2, then 4 substeps, so often; 0: never"),
    "compensated": ("bool", "compensated updates of the state"),
    "energy_balance": ("float", "part of the energy scale beyond which an instance is marked; 0: any"),
    "tolerance": ("float", "of Newton's method: infinity norm of the scaled residual; 0: to round-off"),
    "max_iterations": ("int", "of Newton's method"),
}
_newton = ("tolerance", "max_iterations")


@dataclass(frozen=True)
class Scheme:
    """A scheme and the options that are given; all others have their defaults."""

    name: str
    """One of ``livens.schemes``; empty: that of the system."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """By their names in the spec; ``tolerance`` and ``max_iterations`` are those of Newton's method."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", frozen(self.options))

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.options.items())))

    def replace(self, name: str | None = None, **options: Any) -> Scheme:
        """The same with other options; None takes one away. Another scheme, by its ``name``, takes over those that it has.

        Raises SpecError for an option that it has not.
        """
        _tables.refuse_unknown("scheme", name or self.name, options, _options(name or self.name))
        kept = {key: value for key, value in self.options.items() if key in _options(name or self.name)}
        if options.get("end") is not None:
            kept.pop("steps", None)
        if options.get("steps") is not None:
            kept.pop("end", None)
        return Scheme(name or self.name, {**kept, **options})

    def to_table(self) -> dict[str, Any]:
        """The table ``[scheme]`` of a spec."""
        newton = {key: self.options[key] for key in _newton if key in self.options}
        others = {key: value for key, value in self.options.items() if key not in _newton}
        return {**({"name": self.name} if self.name else {}), **others, **({"newton": newton} if newton else {})}

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Scheme:
        """Of the ``table`` ``[scheme]`` of a spec."""
        options = {key: value for key, value in table.items() if key not in ("name", "newton")}
        return cls(table.get("name", ""), {**options, **table.get("newton", {})})


def _options(name: str) -> list[str]:
    if name and name not in _tables.schemes:
        raise _tables.unknown_name("scheme", name, _tables.schemes)
    own = _tables.schemes[name]["options"] if name else []
    return [*_common, *(option["name"] for option in own)]


def _documentation(scheme: Mapping[str, Any]) -> str:
    lines = [f"{scheme['meaning']}.", "", f"{scheme['paper']}. Order {scheme['order']}; needs {scheme['needs']}.",
             f"Systems: {', '.join(system['name'] for system in scheme['systems'])}.", "",
             "Parameters", "----------"]
    for name, (_, meaning) in _common.items():
        lines += [name, f"    {meaning}"]
    for option in scheme["options"]:
        values = " or ".join(map(repr, option["words"])) if "words" in option else option["range"]
        standard = option["derived"] if option["default"] is None else f"default {option['default']!r}"
        lines += [option["name"], f"    {option['meaning']}; {values}; {standard}"]
    return "\n".join(lines)


def _constructor(scheme: Mapping[str, Any]) -> Callable[..., Scheme]:
    def make(**options: Any) -> Scheme:
        _tables.refuse_unknown("scheme", scheme["name"], options, _options(scheme["name"]))
        return Scheme(scheme["name"], options)

    make.__name__ = make.__qualname__ = scheme["name"]
    make.__module__ = __name__
    make.__doc__ = _documentation(scheme)
    kind = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter(option["name"], kind, default=option["default"],
                             annotation="str" if "words" in option else "float") for option in scheme["options"]]
    common = [inspect.Parameter(name, kind, default=None, annotation=f"{type_name} | None")
              for name, (type_name, _) in _common.items()]
    make.__signature__ = inspect.Signature(common + own, return_annotation="Scheme")  # type: ignore[attr-defined]
    return make


globals().update({name: _constructor(scheme) for name, scheme in _tables.schemes.items()})
__all__ = ["Scheme", *_tables.schemes]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _tables.unknown_name("scheme", name, _tables.schemes)
