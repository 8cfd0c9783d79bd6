"""The errors of livens: what is wrong, with what, and what was expected instead."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from livens import _livens

if TYPE_CHECKING:
    from livens.run import Run


class LivensError(Exception):
    """The base of all errors of livens; raised itself for a fault of livens alone."""


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong. As a string it is what the program prints, ``file:line: key: problem; expected this``."""

    problem: str = ""
    """``"-1 is out of range"``; empty where it is enough to say what was expected."""
    key: str | None = None
    """Dotted name in the spec, ``"scheme.step"``, or an argument, ``"device"``."""
    expected: str | None = None
    """What may stand there, ``"a finite time > 0 (s)"``."""
    suggestion: str | None = None
    """The name that was probably meant."""
    file: str | None = None
    """``"study.toml"``; ``"spec"`` is what a study would be written as."""
    line: int | None = None
    """Of the file, from 1."""
    excerpt: str | None = None
    """Of an expression the line that is wrong."""
    caret: int | None = None
    """The column of the excerpt, from 0, at which it is."""

    def __str__(self) -> str:
        return _livens.printed(*astuple(self))


class SpecError(LivensError, ValueError):
    """The spec, an option or a name is wrong, or this build or machine cannot do what is asked for.

    ``mistakes`` has all that is wrong; the other fields are those of the first.
    """

    def __init__(self, *mistakes: Mistake):
        super().__init__(*mistakes)

    def __str__(self) -> str:
        return "\n".join(map(str, self.mistakes))

    @property
    def mistakes(self) -> list[Mistake]:
        return list(self.args)

    @property
    def problem(self) -> str:
        return self.mistakes[0].problem

    @property
    def key(self) -> str | None:
        return self.mistakes[0].key

    @property
    def expected(self) -> str | None:
        return self.mistakes[0].expected

    @property
    def suggestion(self) -> str | None:
        return self.mistakes[0].suggestion

    @property
    def file(self) -> str | None:
        return self.mistakes[0].file

    @property
    def line(self) -> int | None:
        return self.mistakes[0].line


class UnknownName(SpecError, AttributeError):
    """There is no system, scheme or dataset of that name."""


class DeviceError(LivensError, RuntimeError):
    """A device failed, or the one that is asked for is not there."""


class ResultError(LivensError, OSError):
    """A result or a checkpoint could not be read, or a file not be written."""


class InstancesFailed(LivensError, RuntimeError):
    """More instances failed than ``on_failure`` and ``max_failed_fraction`` allow. ``run`` has all of them."""

    def __init__(self, message: str, run: Run):
        super().__init__(message)
        self.run = run

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.run)
