"""What a system of one's own looks like: points as expressions of its coordinates, or the bodies and joints of its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Union

import numpy as np
import tomli_w

from livens import _livens
from livens._said import rows_of, spec_of
from livens._toml import frozen, numbers, plain
from livens.drawings import Links
from livens.errors import Mistake, SpecError
from livens.run import Run
from livens.systems import System


class TextDrawing:
    """A drawing by expressions; ``livens.drawing`` makes it.

    Called with q, shape (K, d), and times, s, shape (K,) or one for all, it gives points, shape (K, n, 3), and links.
    """

    def __init__(self, system: System, points: Mapping[str, Any], links: Sequence[tuple[str, str]] | None = None):
        self.values = _values_of(system.description(), system.parameters)
        text = frozen(system.text).toml() if system.text is not None else ""
        table = {"points": points, "links": None if links is None else [list(link) for link in links]}
        try:
            self._drawn = _livens.Drawn(system.name, text, tomli_w.dumps(plain(table)))
        except SpecError as problem:  # whose lines are those of a table that nobody sees
            raise SpecError(*(replace(one, file=None, line=None) for one in problem.mistakes)) from None
        self.names: list[str] = self._drawn.names()
        self.links: Links = self._drawn.links()

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

    def __call__(self, q: np.ndarray, times: Any = 0.0) -> tuple[np.ndarray, Links]:
        given = [(name, numbers(np.atleast_1d(value)).tolist()) for name, value in self.values.items() if value is not None]
        every = np.ascontiguousarray(np.broadcast_to(numbers(times), (len(q),)))
        return self._drawn.at(numbers(q), every, given), self.links


def _values_of(described: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Of all parameters: those that are given, in a result's own tables as arrays throughout, or the defaults."""
    values = {one["name"]: given.get(one["name"], one["default"]) for one in described["parameters"]}
    whole = {one["name"] for one in described["parameters"] if isinstance(one["default"], list)}
    return {name: value[0] if isinstance(value, (list, tuple)) and len(value) == 1 and name not in whole else value
            for name, value in values.items()}


def drawing(system: System, points: Mapping[str, Any], links: Sequence[tuple[str, str]] | None = None) -> TextDrawing:
    """A drawing of a system, for ``lv.view(run, draw=...)`` and ``lv.animate``; a text has its own in ``[drawing]``.

    Parameters
    ----------
    system
        Whose names the expressions have.
    points
        By names of your choice two or three components, m, expressions as in a text, of coordinates, parameters and t, or
        one for a vector in the plane or in space: ``{"cart": ["s", 0], "bob": ["s + x", "y"]}``, ``{"bob": "u"}``.
        Parameters are those of the run that is drawn, and where they were drawn each instance has its own.
    links
        Pairs of these names; default: each with the next.

    Raises SpecError for what is not there.
    """
    return TextDrawing(system, points, links)


def drawing_of_text(run: Run) -> TextDrawing | None:
    """Of a system whose text has ``[drawing]``, or bodies: each with its joints. None of any other."""
    table = spec_of(run).get("system", {})
    text = table.get("text", {})
    own = text.get("drawing", {})
    bodies = {name: text["bodies"][name] for name in own.get("bodies", text.get("bodies", ()))}
    if not own and not bodies:
        return None
    system = System.from_table(table)
    points: dict[str, Any] = {}
    links: list[tuple[str, str]] = []
    ends: dict[str, list[str]] = {body: [] for body in bodies}
    for joint, parts in text.get("joints", {}).items():
        named = []
        for body, at in zip(parts["between"], parts["at"]):
            name = f"{joint} of {body}"
            if body == "ground":
                if parts["kind"] not in ("distance", "prismatic", "cylindrical"):
                    continue  # where the other body's is
                points[name] = at
            elif body in bodies:
                points[name] = _at(body, at, 2 if bodies[body].get("planar") else 3)
                ends[body].append(name)
            else:
                continue
            named.append(name)
        if parts["kind"] == "distance" and len(named) == 2:
            links.append((named[0], named[1]))
    for body, parts in bodies.items():
        size = 2 if parts.get("planar") else 3
        if len(ends[body]) < 2:
            # Alone it is its axes, as long as its radius of gyration.
            inertia = parts["inertia"] if isinstance(parts["inertia"], list) else [parts["inertia"]] if size == 2 else [
                f"({parts['inertia']})[{k}]" for k in range(3)]
            length = f"sqrt(({' + '.join(f'({one})' for one in inertia)})/{len(inertia)}/({parts['mass']}))"
            points[body] = f"{body}.x"
            for axis in range(1, size + 1):
                points[f"{body} {axis}"] = f"{body}.x + {length}*{body}.d{axis}"
                links.append((body, f"{body} {axis}"))
            links += [(body, one) for one in ends[body]]
        else:
            links += list(zip(ends[body], ends[body][1:]))
            if len(ends[body]) > 2:
                links.append((ends[body][-1], ends[body][0]))
    for name, at in own.get("points", {}).items():
        if name in points:
            raise SpecError(Mistake(f"'{name}' is a point of a body as well", "drawing.points", "another name"))
        points[name] = at
    return TextDrawing(system, points, [*links, *map(tuple, own.get("links", ()))])


def _at(body: str, at: Union[str, Sequence[Union[str, float]]], size: int) -> str:
    """A point of a body, in space; ``at`` is in its own frame, a vector or its components."""
    components = [f"({at})[{k}]" for k in range(size)] if isinstance(at, str) else at
    return " + ".join([f"{body}.x", *(f"({one})*{body}.d{axis + 1}" for axis, one in enumerate(components))])


__all__ = ["TextDrawing", "drawing"]
