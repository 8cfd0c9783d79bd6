"""What the program knows of systems and schemes, read once: the tables behind ``livens show``."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from livens import _livens
from livens.errors import SpecError, UnknownName

_tables = json.loads(_livens.tables())
systems: dict[str, dict[str, Any]] = {system["name"]: system for system in _tables["systems"]}
schemes: dict[str, dict[str, Any]] = {scheme["name"]: scheme for scheme in _tables["schemes"]}
statuses: list[str] = _tables["statuses"]


def _worded(typed: str, names: Iterable[str]) -> tuple[str | None, str, str]:
    """The nearest of the names, all of them in words, and a half sentence about both."""
    names = list(names)
    near = difflib.get_close_matches(typed.lower(), names, n=1)
    expected = " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return (near[0] if near else None), expected, (f"did you mean '{near[0]}'? " if near else "")


def unknown_name(kind: str, typed: str, names: Iterable[str]) -> UnknownName:
    near, expected, hint = _worded(typed, names)
    return UnknownName(f"no {kind} '{typed}'; {hint}expected {expected}", key=f"{kind}.name", expected=expected,
                       suggestion=near)


def refuse_unknown(section: str, owner: str, given: Mapping[str, Any], names: Iterable[str]) -> None:
    """SpecError for the first of the keys that is not among the names."""
    names = list(names)
    for typed in given:
        if typed not in names:
            near, expected, hint = _worded(typed, names)
            raise SpecError(f"{section}.{typed}: {owner} has no '{typed}'; {hint}expected {expected}",
                            key=f"{section}.{typed}", expected=expected, suggestion=near)
