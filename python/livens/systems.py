"""The systems of livens, each a function of its parameters: ``livens.systems.four_particle(damping=[.03, .03])``.

Names, signatures and texts are made of the program's own tables when the package is imported.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from livens import _livens, _tables
from livens._toml import frozen, plain, tomllib
from livens.errors import ResultError


@dataclass(frozen=True)
class System:
    """A mechanical system and the parameters that are given; all others have their defaults."""

    name: str
    """One of ``livens.systems``, or the name in the text."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """By their names, in SI units; a number, or shape (entries,)."""
    text: Mapping[str, Any] | None = None
    """Of a system as text: the tables ``[system.text]`` of the spec."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", frozen(self.parameters))
        if self.text is not None:
            object.__setattr__(self, "text", frozen(self.text))

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.parameters.items())))

    @classmethod
    def from_text(cls, text: str | os.PathLike[str], **parameters: Any) -> System:
        """A system written as text: the text itself, or the path of a file that ends in ``.toml``.

        Raises SpecError, with the line and a caret, where the text is not a system (contract, section 6).
        """
        source = "system.toml"
        if isinstance(text, os.PathLike) or (text.endswith(".toml") and "\n" not in text):
            source = os.fspath(text)
            try:
                text = Path(source).read_text(encoding="utf-8")
            except OSError as problem:
                raise ResultError(f"{source}: {problem.strerror}") from problem
        description, tables, _ = _livens.text_system(text, source)
        described = json.loads(description)
        _tables.refuse_unknown("system", described["name"], parameters,
                               [parameter["name"] for parameter in described["parameters"]])
        return cls(described["name"], parameters, tomllib.loads(tables)["system"]["text"])

    @classmethod
    def from_expressions(cls, name: str, **parts: Any) -> System:
        """A system of this ``name`` made of expressions, texts or SymPy's.

        The parts are ``kinetic``, ``coordinates``, ``parameters`` (their defaults), ``initial_q``, ``initial_v``, and
        what else a system as text may have: ``potential``, ``rayleigh``, ``constraints``, ``momentum``,
        ``nonholonomic``, ``force``, ``functions`` (contract, section 6).

        In SymPy a coordinate is a symbol or a function of the time, its velocity the derivative. Raises SpecError where
        that is no system; its lines are those of the text that is made of it.
        """
        import tomli_w

        from livens.expressions import tables_of

        return cls.from_text(tomli_w.dumps(plain(tables_of(name, **parts))))

    @classmethod
    def from_lagrangian(cls, lagrangian: Any, coordinates: Sequence[Any], *, constraints: Sequence[Any] = (),
                        forces: Mapping[Any, Any] | None = None, dissipation: Any = None,
                        values: Mapping[Any, Any] | None = None, name: str = "lagrangian") -> System:
        """A system of this ``name`` with the ``lagrangian`` L(q, v, t), an expression of SymPy.

        ``coordinates`` are functions of the time, as ``dynamicsymbols`` makes them. ``constraints`` are expressions that
        are zero, ``forces`` those of coordinates by these, ``dissipation`` is Rayleigh's function. ``values`` has the
        default of every parameter, a number or ``{"default": 4, "unit": "N/m"}`` as in a text, and of coordinates and velocities
        where they start; what is not given starts at 0::

            x, m, k = dynamicsymbols("x"), *sympy.symbols("m k")
            System.from_lagrangian(m*x.diff(t)**2/2 - k*x**2/2, [x], values={m: 1, k: 4, x: 0.5})

        Terms without velocities are the potential. Raises SpecError, also where two symbols have one name.
        """
        import tomli_w

        from livens.expressions import tables_of_lagrangian

        tables = tables_of_lagrangian(name, lagrangian, coordinates, constraints=constraints, forces=forces,
                                      dissipation=dissipation, values=values)
        return cls.from_text(tomli_w.dumps(plain(tables)))

    def replace(self, values: Mapping[Any, Any] | None = None, /, **parameters: Any) -> System:
        """The same system with other values of these parameters; in ``values`` they may be symbols of SymPy."""
        if values is not None:
            from livens.expressions import name_of

            parameters = {**{name_of(key): value for key, value in values.items()}, **parameters}
        _tables.refuse_unknown("system", self.name, parameters,
                               [parameter["name"] for parameter in self.description()["parameters"]])
        return System(self.name, {**self.parameters, **parameters}, self.text)

    def description(self) -> dict[str, Any]:
        """What ``livens show SYSTEM --json`` says of it, but for its initial state."""
        if self.text is None:
            if self.name not in _tables.systems:
                raise _tables.unknown_name("system", self.name, _tables.systems)
            return _tables.systems[self.name]
        return json.loads(_livens.text_system(frozen(self.text).toml(), "system.toml")[0])

    def coordinates(self) -> list[str]:
        """The names of the entries of q, shape (d,): ``["s", "u[0]", "u[1]"]``; of a built-in system ``["q[0]", ...]``."""
        described = self.description()
        return described["coordinates"] or [f"q[{k}]" for k in range(described["d"])]

    def initial_state(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v at the start with its parameters, shape (d,) each, before they are made consistent."""
        given = [(name, [float(one) for one in (value if isinstance(value, tuple) else (value,))])
                 for name, value in self.parameters.items()]
        if self.text is None:
            q, v = _livens.initial_state(self.name, given)
        else:
            q, v = _livens.initial_state_of_text(frozen(self.text).toml(), "system.toml", given)
        return np.array(q), np.array(v)

    def latex(self) -> str:
        """The equations of a system as text, a line each, for ``IPython.display.Math``; empty of a built-in one."""
        if self.text is None:
            return ""
        from livens.latex import latex_of

        return latex_of(self.text)

    def to_table(self) -> dict[str, Any]:
        """The table ``[system]`` of a spec."""
        named = {"name": self.name} if self.text is None else {}
        return {**named, **self.parameters, **({"text": self.text} if self.text is not None else {})}

    @classmethod
    def from_table(cls, table: Mapping[str, Any], folder: str = "") -> System:
        """Of the ``table`` ``[system]`` of a spec that lies in ``folder``."""
        table = dict(table)
        text, file = table.pop("text", None), table.pop("file", None)
        if text is None and file is not None:
            return cls.from_text(Path(folder) / file, **table)
        name = text["name"] if text is not None else table.pop("name", "")
        return cls(name, table, text)

    def _repr_html_(self) -> str:
        from livens._html import html_table

        described = self.description()
        rows = [(parameter["name"], _shown(self.parameters.get(parameter["name"], parameter["default"])),
                 parameter["unit"], parameter["meaning"]) for parameter in described["parameters"]]
        table = html_table(f"{self.name}: {described['meaning']}", ("parameter", "value", "unit", "meaning"), rows)
        equations = self.latex()
        return table + (f"$${escape(equations)}$$" if equations else "")


def _shown(value: Any) -> str:
    return "follows from others" if value is None else str(list(value) if isinstance(value, tuple) else value)


def _documentation(system: Mapping[str, Any]) -> str:
    schemes = f"; schemes: {', '.join(system['schemes'])}" if system["schemes"] else ""
    lines = [f"{system['meaning']}.", "", f"From {system['paper']}." if system["paper"] else "",
             f"q, shape ({system['d']},): {system['layout']}", f"{system['m']} constraints{schemes}", "",
             "Parameters", "----------"]
    for parameter in system["parameters"]:
        default = parameter["default"]
        shape = f", shape ({len(default)},)" if isinstance(default, list) else ""
        standard = f"default {default}" if default is not None else parameter["derived"]
        symbol = parameter["symbol"] if parameter["symbol"] != parameter["name"] else ""
        said = ", ".join(part for part in (symbol, parameter["meaning"], parameter["unit"]) if part)
        lines += [f"{parameter['name']}{shape}", f"    {said}; {standard}" if said else f"    {standard}"]
    return "\n".join(lines)


def text(text: str | os.PathLike[str]) -> Callable[..., System]:
    """A function like those of the built-in systems, of a system written as text: the text, or the path of a file.

    Its parameters have names, defaults and meanings, which Tab and ``help()`` show::

        cart = livens.systems.text("cart.toml")
        cart(stiffness=50.0)
    """
    read = System.from_text(text)
    return _constructor({**read.description(), "schemes": []}, read.text)


def _constructor(system: Mapping[str, Any], text: Mapping[str, Any] | None = None) -> Callable[..., System]:
    names = [parameter["name"] for parameter in system["parameters"]]

    def make(**parameters: Any) -> System:
        _tables.refuse_unknown("system", system["name"], parameters, names)
        return System(system["name"], parameters, text)

    make.__name__ = make.__qualname__ = system["name"]
    make.__module__ = __name__
    make.__doc__ = _documentation(system)
    make.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(one["name"], inspect.Parameter.KEYWORD_ONLY, default=one["default"],
                           annotation="list[float]" if isinstance(one["default"], list) else "float | None")
         for one in system["parameters"]], return_annotation="System")
    return make


globals().update({name: _constructor(system) for name, system in _tables.systems.items()})
__all__ = ["System", "text", *_tables.systems]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _tables.unknown_name("system", name, _tables.systems)
