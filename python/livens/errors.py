"""The errors of livens: what is wrong, with what, and what was expected instead."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from livens.run import Run


class LivensError(Exception):
    """The base of all errors of livens; raised itself for a fault of livens alone."""


@dataclass(frozen=True)
class Mistake:
    """One mistake of a spec, as the program words it: ``where: key: problem``."""

    message: str
    where: str | None = None
    """File and line, ``"study.toml:12"``."""
    key: str | None = None
    """Dotted name in the spec, ``"scheme.step"``."""
    expected: str | None = None
    """What may stand there, ``"a finite time > 0 (s)"``."""
    suggestion: str | None = None
    """The name that was probably meant."""

    @classmethod
    def from_line(cls, message: str) -> Mistake:
        place = re.match(r"(?P<where>.*?:\d+|--?[a-z-]+): (?:(?P<key>[A-Za-z_][^\s:]*): )?", message)
        expected = re.search(r"expected (.*)", message)
        suggestion = re.search(r"(?:did you mean|nearest known key is) '([^']*)'", message)
        return cls(
            message,
            where=place["where"] if place else None,
            key=place["key"] if place else None,
            expected=expected[1] if expected else None,
            suggestion=suggestion[1] if suggestion else None,
        )


class SpecError(LivensError, ValueError):
    """The spec, an option or a name is wrong, or this build or machine cannot do what is asked for.

    ``mistakes`` has all that is wrong; ``key``, ``expected`` and ``suggestion`` are those of the first.
    """

    def __init__(self, message: str, *, key: str | None = None):
        super().__init__(message)
        if key is not None:
            self.mistakes = [replace(Mistake.from_line(message), where=None, key=key)]
        else:
            # A line that is indented shows the place in the text above it.
            self.mistakes = [Mistake.from_line(line) for line in re.split(r"\n(?!\s)", message)]

    @property
    def key(self) -> str | None:
        return self.mistakes[0].key

    @property
    def expected(self) -> str | None:
        return self.mistakes[0].expected

    @property
    def suggestion(self) -> str | None:
        return self.mistakes[0].suggestion


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
