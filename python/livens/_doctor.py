"""What of a machine livens can use, and what to install for the rest."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from livens import _livens
from livens.ensemble import Ensemble
from livens.errors import LivensError
from livens.schemes import Scheme
from livens.systems import System

# Optional packages: what each is for, and the extra of livens that brings it.
_packages = (("matplotlib", "pictures and films", "plot"), ("PIL", "films as .gif", "plot"),
             ("tqdm", "progress", "progress"), ("scipy", "laws, rare events, fits", "uq"), ("SALib", "Sobol indices", "uq"),
             ("distributed", "runs on a cluster of Dask", "cluster"), ("mpi4py", "runs on MPI from Python", None),
             ("sympy", "systems from expressions", None), ("jax", "livens.jax", None))


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: str
    """``"ok"``, ``"no"`` (something to do without), ``"bad"`` (something that runs need)."""
    found: str
    advice: str = ""


@dataclass(frozen=True)
class Checks:
    """All of them; a screen as text, a table in a notebook."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether everything that runs need is there."""
        return all(check.state != "bad" for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def __str__(self) -> str:
        marks = {"ok": "ok ", "no": " - ", "bad": "BAD"}
        lines = []
        for check in self.checks:
            lines += _wrapped(f"{marks[check.state]} {check.name:<13} ", check.found)
            if check.advice:
                lines += _wrapped(f"{'':<17} -> ", check.advice)
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from livens._html import html_table

        return html_table("livens.doctor", ("", "", "found", "what to do"),
                          [(check.state, check.name, check.found, check.advice) for check in self.checks])


def _wrapped(before: str, said: str) -> list[str]:
    """Lines of 80 columns, broken between words."""
    return textwrap.wrap(said, 80, initial_indent=before, subsequent_indent=" " * len(before), break_long_words=False,
                         break_on_hyphens=False)


def doctor(compile: bool = False) -> Checks:
    """Looks at what there is for livens on this machine, as ``livens doctor`` does, and at packages of Python, and says what to
    install: ``print(lv.doctor())``.

    With ``compile`` it compiles a system of its own, once, as a first use does; that takes some seconds. The same from
    a shell: ``python -m livens.doctor --compile``, which has exit status 1 where a run would fail.
    """
    machine = [Check(*one) for one in _livens.machine()]
    return Checks((_package(), *machine, *([_first_use()] if compile else []), *_optional()))


def _package() -> Check:
    return Check("livens", "ok", f"{_livens.version} in {Path(__file__).parent}, Python {platform.python_version()}")


def _first_use() -> Check:
    text = 'name = "doctor"\nkinetic = "1/2*x\'^2"\ncoordinates = { x = 1 }\n'
    try:
        Ensemble(System.from_text(text), Scheme("livens", {"step": 0.1, "end": 0.1}), size=1).run("cpu")
    except LivensError as problem:
        return Check("first use", "bad", str(problem).splitlines()[0])
    return Check("first use", "ok", "a system as text compiles and runs")


def _optional() -> Iterator[Check]:
    for module, use, extra in _packages:
        if importlib.util.find_spec(module) is None:
            package = {"PIL": "pillow", "distributed": "dask[distributed]"}.get(module, module)
            yield Check(module, "no", f"not installed: {use}", f"pip install '{package}'" + (
                f", or 'livens[{extra}]'" if extra else ""))
    present = [f"{module} {_release(module)}" for module, _, _ in _packages if importlib.util.find_spec(module)]
    yield Check("packages", "ok", ", ".join(present) or "none of the optional ones")


def _release(module: str) -> str:
    try:
        return importlib.metadata.version({"PIL": "pillow"}.get(module, module))
    except importlib.metadata.PackageNotFoundError:
        return "?"


__all__ = ["Check", "Checks", "doctor"]
