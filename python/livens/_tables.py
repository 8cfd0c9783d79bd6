"""What the program knows of systems and schemes, read once: the tables behind ``livens show``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from livens import _livens
from livens.errors import SpecError, UnknownName

_tables = json.loads(_livens.tables())
systems: dict[str, dict[str, Any]] = {system["name"]: system for system in _tables["systems"]}
schemes: dict[str, dict[str, Any]] = {scheme["name"]: scheme for scheme in _tables["schemes"]}
statuses: list[str] = _tables["statuses"]
_of_sundials = ("reference_ode", "reference_dae")


def reason_of(name: str) -> str:
    """Why a build may be without the schemes of the true motion; nothing of other names."""
    return ": it was built without SUNDIALS (LIVENS_SUNDIALS), as wheels are" if name in _of_sundials else ""


def unknown_name(kind: str, typed: str, names: Iterable[str]) -> UnknownName:
    return UnknownName(f"no {kind} '{typed}'{reason_of(typed)}; {_livens.suggestion(typed, list(names))}",
                       key=f"{kind}.name")


def refuse_unknown(section: str, owner: str, given: Mapping[str, Any], names: Iterable[str]) -> None:
    """SpecError for the first of the keys that is not among the names."""
    names = list(names)
    for typed in given:
        if typed not in names:
            raise SpecError(f"{section}.{typed}: {owner} has no '{typed}'; {_livens.suggestion(typed, names)}",
                            key=f"{section}.{typed}")
