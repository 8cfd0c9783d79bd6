"""Every figure, table and printed number of the five papers, and what of the gallery judges it: claims.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from livens._toml import tomllib
from livens.gallery.findings import DIFFERS, OPEN, verdict_of

NO_RESULT, NOT_DRAWN, NOT_QUICK = "no result", "not drawn", "not with --quick"


@dataclass(frozen=True)
class Claim:
    """Something that a paper shows or says.

    Attributes
    ----------
    at, says
        Where, and what.
    by
        The entry of the gallery that judges it, OTHER-PAPER/NUMBER where it is of another; empty: none does, and ``why``
        says for what reason.
    findings
        Beginnings of the findings that judge it; none: all of the entry.
    why
        Beside the verdict, or instead of one: of a sketch (``sketch``), or of what nothing can judge.
    full
        Its findings are not there with --quick.
    """

    paper: str
    at: str
    says: str
    by: str = ""
    findings: Sequence[str] = ()
    why: str = ""
    sketch: bool = False
    full: bool = False

    @property
    def entry(self) -> str:
        return self.by if "/" in self.by else f"{self.paper}/{self.by}"

    def judges(self, row: Mapping[str, str]) -> bool:
        return not self.findings or any(row["what"].startswith(begin) for begin in self.findings)

    def verdict(self, rows: Sequence[Mapping[str, str]] | None) -> str:
        """From the findings of its entry; None: that is not drawn."""
        if self.sketch:
            return NO_RESULT
        if not self.by:
            return OPEN
        if rows is None:
            return NOT_DRAWN
        judging = [row["verdict"] for row in rows if self.judges(row)]
        return verdict_of(judging) if judging else NOT_QUICK if self.full else NOT_DRAWN

    def sources(self, rows: Sequence[Mapping[str, str]]) -> list[str]:
        """Kinds of what it is compared with."""
        return list(dict.fromkeys(row["kind"] for row in rows if self.judges(row)))

    def remarks(self, rows: Sequence[Mapping[str, str]]) -> list[str]:
        """Why it does not agree, or cannot be judged."""
        return list(dict.fromkeys(row["remark"] for row in rows
                                  if self.judges(row) and row["verdict"] in (DIFFERS, OPEN) and row["remark"]))


def _read() -> dict[str, Any]:
    with files("livens.gallery").joinpath("claims.toml").open("rb") as file:
        return tomllib.load(file)


def titles() -> dict[str, str]:
    """Of the papers, by the names used here."""
    return _read()["titles"]


def claims() -> list[Claim]:
    """In the order of the papers."""
    return [Claim(paper, **claim) for paper, of in _read().items() if paper != "titles" for claim in of]


def unjudged(of_entries: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Claims whose entry is drawn, but without the findings that are to judge them; the entries as pages.stored has them."""
    lacking = []
    for claim in claims():
        entry = of_entries.get(claim.entry) if claim.by else None
        if entry is None or claim.full and entry["quick"]:
            continue
        begins = [begin for begin in claim.findings or [""]
                  if not any(row["what"].startswith(begin) for row in entry["findings"])]
        lacking += [f"{claim.paper}, {claim.at}: {claim.entry} has no finding '{begin}'" for begin in begins]
    return lacking
