"""What notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def html_table(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with everything escaped."""

    def line(cells: Sequence[Any], tag: str) -> str:
        inside = "".join(f"<{tag} style='text-align:left'>{escape(str(cell))}</{tag}>" for cell in cells)
        return f"<tr>{inside}</tr>"

    return (f"<p><b>{escape(title)}</b></p><table><thead>{line(header, 'th')}</thead><tbody>"
            + "".join(line(row, "td") for row in rows) + "</tbody></table>")


def html_text(title: str, text: str) -> str:
    """A text that can be unfolded."""
    return f"<details><summary><b>{escape(title)}</b></summary><pre>{escape(text)}</pre></details>"
