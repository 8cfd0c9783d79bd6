"""What the program knows of systems and schemes, read once: the tables behind ``livens show``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from livens import _livens
from livens.errors import Mistake, SpecError, UnknownName

_tables = json.loads(_livens.tables())
systems: dict[str, dict[str, Any]] = {system["name"]: system for system in _tables["systems"]}
schemes: dict[str, dict[str, Any]] = {scheme["name"]: scheme for scheme in _tables["schemes"]}
statuses: list[str] = _tables["statuses"]
_of_sundials = ("reference_ode", "reference_dae")


def reason_of(name: str) -> str:
    """Why a build may be without the schemes of the true motion; nothing of other names."""
    return ": it was built without SUNDIALS (LIVENS_SUNDIALS), as wheels are" if name in _of_sundials else ""


def _unknown(problem: str, key: str, typed: str, names: list[str]) -> Mistake:
    return Mistake(problem, key, _livens.enumerate(names), _livens.nearest(typed, names) or None)


def unknown_name(kind: str, typed: str, names: Iterable[str]) -> UnknownName:
    return UnknownName(_unknown(f"no {kind} '{typed}'{reason_of(typed)}", f"{kind}.name", typed, list(names)))


def refuse_unknown(section: str, owner: str, given: Mapping[str, Any], names: Iterable[str]) -> None:
    """SpecError for the first of the keys that is not among the names."""
    names = list(names)
    for typed in given:
        if typed not in names:
            raise SpecError(_unknown(f"{owner} has no '{typed}'", f"{section}.{typed}", typed, names))
