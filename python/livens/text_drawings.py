"""What a system of one's own looks like: points as expressions of its coordinates, or the bodies and joints of its text."""

from __future__ import annotations

import ast
import keyword
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from livens import _tables
from livens._said import rows_of, spec_of
from livens.drawings import Links
from livens.errors import Mistake, SpecError
from livens.run import Run
from livens.systems import System

_functions: dict[str, Callable[..., Any]] = {
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "exp": np.exp, "log": np.log, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "abs": np.abs,
    "sign": np.sign, "min": np.minimum, "max": np.maximum}
_operations: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}
_words = "|".join(keyword.kwlist)  # of Python, names like others in a text


class TextDrawing:
    """A drawing by expressions; ``livens.drawing`` makes it.

    Called with q, shape (K, d), it gives points, shape (K, n, 3), and links.
    """

    def __init__(self, system: System, points: Mapping[str, Any], links: Sequence[tuple[str, str]] | None = None):
        described = system.description()
        self.sizes: dict[str, int] = {}
        if system.text is not None:  # a built-in one has entries of q alone
            for part in described["layout"].split(", "):
                name, _, size = part.partition(" in R^")
                self.sizes[name] = int(size or 1)
        self.values = _values_of(described, system.parameters)
        self.names = list(points)
        self._parts = {name: self._components(name, given) for name, given in points.items()}
        chain = list(zip(self.names, self.names[1:]))
        for link in chain if links is None else links:
            for end in link:
                if end not in self._parts:
                    raise _tables.unknown_name("point", str(end), self.names)
        self.links: Links = [(self.names.index(a), self.names.index(b)) for a, b in (chain if links is None else links)]
        self(np.zeros((1, described["d"])))  # an unknown name is told now

    def _components(self, name: str, given: Any) -> list[ast.expr]:
        if isinstance(given, str):
            if self.sizes.get(given) not in (2, 3):
                raise SpecError(Mistake(f"'{given}' is no coordinate in the plane or in space", f"points.{name}",
                                        "one, or two or three expressions"))
            given = [f"{given}[{k}]" for k in range(self.sizes[given])]
        parts = list(given)
        if len(parts) not in (2, 3):
            raise SpecError(Mistake(f"has {len(parts)} components", f"points.{name}", "two, or three"))
        trees = []
        for part in parts:
            try:
                named = re.sub(rf"\b({_words})\b", r"_\1", str(part))  # no name of a text begins so
                trees.append(ast.parse(named.replace("^", "**"), mode="eval").body)
            except SyntaxError:
                raise SpecError(Mistake(f"'{part}' is no expression", f"points.{name}", "as in a text")) from None
        return trees

    def _with(self, values: Mapping[str, Any]) -> TextDrawing:
        other = object.__new__(TextDrawing)
        other.__dict__.update(self.__dict__)
        other.values = {**self.values, **values}
        return other

    def of_run(self, run: Run) -> TextDrawing:
        """With the parameters of a run, those that it took over from another result among them."""
        spec = spec_of(run)
        table = spec.get("system", {})
        before = spec.get("files", {}).get(spec.get("initial", {}).get("from"), {}).get("parameters", {})
        system = System.from_table(table)
        return self._with(_values_of(system.description(), {**before, **system.parameters}))

    def with_drawn(self, run: Run, instance: int) -> TextDrawing:
        """With the parameters that were drawn for the instance of this number."""
        other, (row,) = self._with({}), rows_of(run, [instance])
        for name in run._groups("instances/parameters").data_vars:
            parameter, _, entry = str(name).removeprefix("system.").partition("[")
            if not str(name).startswith("system.") or parameter not in other.values:
                continue
            drawn = run.instances[name].values[row]
            if entry in ("", "*]"):
                other.values[parameter] = drawn
            else:
                first = int(entry.rstrip("]").split(":")[0] or 0)
                entries = np.array(other.values[parameter], dtype=float)
                entries[first:first + np.size(drawn)] = drawn
                other.values[parameter] = entries
        return other

    def __call__(self, q: np.ndarray) -> tuple[np.ndarray, Links]:
        places = np.cumsum([0, *self.sizes.values()])
        known: dict[str, Any] = {"pi": math.pi}
        known.update({name: np.asarray(value) if isinstance(value, (list, tuple)) else value
                      for name, value in self.values.items() if value is not None})
        for (name, size), first in zip(self.sizes.items(), places):
            known[name] = q[:, first] if size == 1 else q[:, first:first + size].T
        known["q"] = q.T
        points = np.zeros((len(q), len(self.names), 3))
        for number, name in enumerate(self.names):
            for k, tree in enumerate(self._parts[name]):
                points[:, number, k] = self._value(tree, known, name)
        return points, self.links

    def _value(self, tree: ast.expr, known: Mapping[str, Any], point: str) -> Any:
        def of(part: ast.expr) -> Any:
            if isinstance(part, ast.Constant) and isinstance(part.value, (int, float)):
                return float(part.value)
            if isinstance(part, (ast.Name, ast.Attribute)):
                name = _written(part)
                if name not in known:
                    raise SpecError(Mistake(f"no '{name}'", f"points.{point}", ", ".join(known)))
                return known[name]
            if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant):
                entries, index = of(part.value), part.slice.value
                scalar = np.ndim(entries) == 0 or self.sizes.get(_written(part.value)) == 1
                if scalar or not isinstance(index, int) or not 0 <= index < len(entries):
                    raise SpecError(Mistake(f"no '{_written(part)}'", f"points.{point}", "an entry that is there"))
                return entries[index]
            if isinstance(part, ast.UnaryOp) and isinstance(part.op, (ast.USub, ast.UAdd)):
                return -of(part.operand) if isinstance(part.op, ast.USub) else of(part.operand)
            if isinstance(part, ast.BinOp) and type(part.op) in _operations:
                return _operations[type(part.op)](of(part.left), of(part.right))
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _functions:
                return _functions[part.func.id](*map(of, part.args))
            raise SpecError(Mistake(f"'{_written(part)}' cannot be drawn", f"points.{point}",
                                    "numbers, coordinates, parameters, + - * / ^ and functions of a text"))

        return of(tree)


def _written(part: ast.expr) -> str:
    return re.sub(rf"\b_({_words})\b", r"\1", ast.unparse(part))


def _values_of(described: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Of all parameters: those that are given, in a result's own tables as arrays throughout, or the defaults."""
    values = {one["name"]: given.get(one["name"], one["default"]) for one in described["parameters"]}
    whole = {one["name"] for one in described["parameters"] if isinstance(one["default"], list)}
    return {name: value[0] if isinstance(value, (list, tuple)) and len(value) == 1 and name not in whole else value
            for name, value in values.items()}


def drawing(system: System, points: Mapping[str, Any], links: Sequence[tuple[str, str]] | None = None) -> TextDrawing:
    """A drawing of a system, for ``lv.view(run, draw=...)`` and ``lv.animate``.

    Parameters
    ----------
    points
        By names of your choice two or three components, m, expressions as in a text, or the name of a coordinate in the
        plane or in space: ``{"cart": ["s", 0], "bob": ["s + x", "y"]}``. Parameters are those of the run that is drawn,
        and where they were drawn each instance has its own.
    links
        Pairs of these names; default: each with the next.

    Raises SpecError for what is not there.
    """
    return TextDrawing(system, points, links)


def drawing_of_bodies(run: Run) -> TextDrawing | None:
    """Of a system whose text has bodies: each with its joints. None of any other."""
    table = spec_of(run).get("system", {})
    text = table.get("text", {})
    if not text.get("bodies"):
        return None
    system = System.from_table(table)
    points: dict[str, list[str]] = {}
    links: list[tuple[str, str]] = []
    ends: dict[str, list[str]] = {body: [] for body in text["bodies"]}
    for joint, parts in text.get("joints", {}).items():
        named = []
        for body, at in zip(parts["between"], parts["at"]):
            name = f"{joint} of {body}"
            if body == "ground":
                if parts["kind"] not in ("distance", "prismatic", "cylindrical"):
                    continue  # where the other body's is
                points[name] = list(map(str, at))
            else:
                points[name] = [_at(body, at, k) for k in range(len(at))]
                ends[body].append(name)
            named.append(name)
        if parts["kind"] == "distance":
            links.append((named[0], named[1]))
    for body, parts in text["bodies"].items():
        size = 2 if parts.get("planar") else 3
        if len(ends[body]) < 2:
            # Alone it is its axes, as long as its radius of gyration.
            inertia = parts["inertia"] if isinstance(parts["inertia"], list) else [parts["inertia"]] if size == 2 else [
                f"({parts['inertia']})[{k}]" for k in range(3)]
            length = f"sqrt(({' + '.join(f'({one})' for one in inertia)})/{len(inertia)}/({parts['mass']}))"
            points[body] = [f"{body}.x[{k}]" for k in range(size)]
            for axis in range(size):
                points[f"{body} {axis + 1}"] = [f"{body}.x[{k}] + {length}*{body}.d{axis + 1}[{k}]" for k in range(size)]
                links.append((body, f"{body} {axis + 1}"))
            links += [(body, one) for one in ends[body]]
        else:
            links += list(zip(ends[body], ends[body][1:]))
            if len(ends[body]) > 2:
                links.append((ends[body][-1], ends[body][0]))
    return TextDrawing(system, points, links)


def _at(body: str, at: Sequence[Union[str, float]], k: int) -> str:
    """Component k of a point of a body, in space."""
    return " + ".join([f"{body}.x[{k}]", *(f"({one})*{body}.d{axis + 1}[{k}]" for axis, one in enumerate(at))])


__all__ = ["TextDrawing", "drawing"]
