"""What is compared: a number of ours, what it is compared with, where that is from, and the verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Union

AGREES, DIFFERS, OPEN = "agrees", "does not agree", "cannot be judged"

METIS = "plkinon/metis"
"""Repository of the authors of the GGL papers and of livens-energy-consistent, MIT."""
METIS_VERSION = "127b1aa8951661ab88985bd585bb1941c22dd827"
"""Of 1 August 2024, after v1.1.1."""


@dataclass(frozen=True)
class Source:
    """Where an expected value is from: ``kind`` is one of KINDS, ``where`` the place, ``link`` a page that has it."""

    kind: str
    where: str
    link: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.where}"


KINDS = ("paper's print", "authors' code", "closed form", "theory", "own reference")


def printed(where: str, link: str = "") -> Source:
    """A number or a sentence of the paper, or what an axis of its figures shows."""
    return Source(KINDS[0], where, link)


def in_metis(path: str) -> str:
    """How a file of the authors' repository is cited."""
    return f"{METIS} {path} @ {METIS_VERSION[:7]}"


def link_to_metis(path: str) -> str:
    return f"https://github.com/{METIS}/blob/{METIS_VERSION}/{path}"


def authors(path: str, what: str) -> Source:
    """What a file of the authors' repository says, or what it gives when it is run."""
    return Source(KINDS[1], f"{what}: {in_metis(path)}", link_to_metis(path))


def closed(what: str) -> Source:
    """A formula that gives the number."""
    return Source(KINDS[2], what)


def theory(what: str) -> Source:
    """What a theorem or an argument says of every result: an order, a law that the scheme keeps, a limit."""
    return Source(KINDS[3], what)


def reference(what: str) -> Source:
    """Another program of ours, or a solver of others on our equations: it shows that livens does what it says, not that
    the paper did."""
    return Source(KINDS[4], what)


@dataclass(frozen=True)
class Between:
    """All that is known of a number; either end may be infinite."""

    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"below {self.high:.5g}"
        if math.isinf(self.high):
            return f"above {self.low:.5g}"
        return f"{self.low:.5g} to {self.high:.5g}"


def below(limit: float) -> Between:
    return Between(-math.inf, limit)


def above(limit: float) -> Between:
    return Between(limit, math.inf)


@dataclass(frozen=True)
class Finding:
    """A number of ours beside one of the paper, or one that must come out.

    Attributes
    ----------
    expected
        A number, or what is known of it; NaN where nothing is, which ``open`` then explains.
    bound
        They agree where they are no farther apart; ``why`` says where the bound is from.
    source
        Of what is expected.
    differs
        Why the two are known not to agree. The verdict is that of the numbers all the same.
    open
        Why nothing can be judged.
    """

    what: str
    expected: Union[float, Between]
    ours: float
    bound: float
    source: Source
    why: str = ""
    differs: str = ""
    open: str = ""

    def __post_init__(self) -> None:
        if (self.expected != self.expected) != bool(self.open):
            raise ValueError(f"{self.what}: a number is expected, or 'open' says why there is none")

    @property
    def verdict(self) -> str:
        if self.open:
            return OPEN
        low, high = ((self.expected.low, self.expected.high) if isinstance(self.expected, Between)
                     else (self.expected, self.expected))
        # A difference, not low - bound: that would be rounded at the size of the number.
        return AGREES if low - self.ours <= self.bound and self.ours - high <= self.bound else DIFFERS

    @property
    def as_recorded(self) -> bool:
        """Agrees, unless it is known not to; a number in any case."""
        return math.isfinite(self.ours) and (self.verdict == OPEN or (self.verdict == DIFFERS) == bool(self.differs))

    def row(self) -> dict[str, str]:
        """As text, for pages and lists: with the digits that the bound asks for."""
        digits = next((digits for digits, part in ((17, 1e-10), (13, 1e-5)) if 0 < self.bound < part * abs(self.ours)), 8)

        def text(number: float, least: int) -> str:
            return repr(float(number)) if digits == 17 else f"{number:.{max(digits, least)}g}"

        return {"what": self.what,
                "expected": "" if self.open else str(self.expected) if isinstance(self.expected, Between)
                else text(self.expected, 12),
                "ours": text(self.ours, 0), "bound": f"{self.bound:.1e}" if self.bound else "",
                "verdict": self.verdict, "kind": self.source.kind, "where": self.source.where,
                "link": self.source.link, "why": self.why, "remark": self.open or self.differs,
                "as_recorded": "yes" if self.as_recorded else "no"}


def cannot_judge(what: str, ours: float, source: Source, because: str) -> Finding:
    """A number of ours beside which the paper has none."""
    return Finding(what, math.nan, ours, 0.0, source, open=because)


def verdict_of(verdicts: list[str]) -> str:
    """Of several, the worst."""
    return next((one for one in (DIFFERS, OPEN, AGREES) if one in verdicts), OPEN)
