"""What there is to draw, and what a drawing is."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from livens import _tables
from livens._toml import tomllib
from livens.ensemble import Ensemble
from livens.gallery.findings import Finding
from livens.integration import run
from livens.run import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawn:
    """A figure, the columns that it shows (shape (K,) each, as a .csv file has them), and what was compared."""

    figure: Figure
    columns: Mapping[str, np.ndarray]
    findings: list[Finding] = field(default_factory=list)


Drawing = Generator[Sequence[Ensemble], Sequence[Run], Drawn]
"""A figure in the making: it yields its studies, is sent their runs, and returns what it draws of them.

So the studies of a figure are known without a run of one; of a chain, whose studies follow from runs, those it begins with.
"""


@dataclass(frozen=True)
class Entry:
    """A figure or table of the list."""

    paper: str
    number: str
    title: str
    needs: Sequence[str] = ()
    """Systems and schemes, which a build may be without; files of the checkout, which a wheel is without."""
    note: str = ""

    @property
    def name(self) -> str:
        return f"{self.paper}/{self.number}"

    @property
    def lacking(self) -> str:
        """Why this build does not draw it; empty: it does."""
        for name in self.needs:
            if "/" in name:
                if not of_checkout(name).is_file():
                    return f"there is no {name} beside the package; it is drawn in a checkout"
            elif name not in _tables.systems and name not in _tables.schemes:
                return f"this build of livens has no {name}{_tables.reason_of(name)}"
        return ""

    def function(self) -> Callable[[bool], Drawing]:
        """Of its paper's module; with ``True`` it takes fewer steps where there are many."""
        module = importlib.import_module(f"livens.gallery.{self.paper.replace('-', '_')}")
        return getattr(module, self.number.replace("-", "_"))

    def specs(self, quick: bool = False) -> dict[str, str]:
        """What is run for it, by the names of files: PAPER/NUMBER.toml, or -1.toml, -2.toml, ... where there are several.

        Nothing is run.
        """
        studies = next(self.function()(quick))
        ends = [""] if len(studies) == 1 else [f"-{k + 1}" for k in range(len(studies))]
        return {f"{self.name}{end}.toml": f"# {self.name}: {self.title}.\n\n{study.to_toml()}"
                for end, study in zip(ends, studies)}

    def draw(self, quick: bool = False) -> Drawn:
        """Runs its studies, and draws."""
        drawing = self.function()(quick)
        studies = next(drawing)
        try:
            while True:
                studies = drawing.send([run_of(study.to_toml()) for study in studies])
        except StopIteration as end:  # by which a generator returns
            return end.value


@functools.cache
def run_of(spec: str) -> Run:
    """In memory; figures of the same study have the same run."""
    return run(spec)


def of_checkout(name: str) -> Path:
    """A file of the checkout, where the package is one's own or linked to it."""
    return Path(__file__).resolve().parents[3] / name


def entries(which: str | None = None) -> list[Entry]:
    """All of the list; those of a paper; or one, as in ``"livens-energy-consistent/figure-6"``.

    Raises SpecError where there are none of that name.
    """
    with files("livens.gallery").joinpath("figures.toml").open("rb") as file:
        read: dict[str, Any] = tomllib.load(file)
    every = [Entry(paper, **entry) for paper, entries_of in read.items() for entry in entries_of]
    chosen = [entry for entry in every if which in (None, entry.paper, entry.name)]
    if not chosen:
        raise _tables.unknown_name("figure", str(which), [*read, *(entry.name for entry in every)])
    return chosen
