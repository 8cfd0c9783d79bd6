"""The motion of instances as an interactive page, in one file that opens without a network."""

from __future__ import annotations

import base64
import json
import os
import tempfile
import webbrowser
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, Union

import numpy as np

from livens._said import of_instances, rows_of
from livens.animation import drawing_of, followed_rows, trail_points
from livens.drawings import Drawing
from livens.errors import Mistake, SpecError
from livens.plot import label_of
from livens.run import Run


class View:
    """A page to turn, come nearer and play; a notebook shows it.

    Attributes
    ----------
    html
        The page: all of it, nothing is loaded from elsewhere.
    """

    def __init__(self, html: str):
        self.html = html

    def save(self, file: Union[str, os.PathLike[str]]) -> None:
        """Writes the page to ``file``, a path."""
        Path(file).write_text(self.html, encoding="utf-8")

    def show(self) -> None:
        """Opens it in the browser of the machine."""
        with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="livens-", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:560px;border:0" '
                'sandbox="allow-scripts"></iframe>')


def view(run: Run, instance: Union[int, Sequence[int], Literal["all"]] = 0,
         file: Union[str, os.PathLike[str], None] = None, *, draw: Drawing | None = None, colour: str | None = None,
         speed: float = 1.0, trail: float | None = None, trail_of: Sequence[int] | None = None,
         most_frames: int = 1500) -> View:
    """An interactive page of one instance, or of a cloud of them: drag to turn, wheel to come nearer, space to play.

    Parameters
    ----------
    instance
        A number, several, or ``"all"``: of ``run.trajectories.instance``. Of several one is drawn in full, chosen on
        the page.
    file
        Where the page is written; without it nowhere, see ``View.save`` and ``View.show``.
    draw
        As of ``livens.animate``: needed for a text that has neither ``[drawing]`` nor bodies.
    colour
        A dataset of ``run.instances`` with a number each, as ``"system.damping[0]"`` or ``"max_energy_error"``, which
        colours the instances of a cloud.
    speed
        Seconds of the motion in one of the page.
    trail
        s; default: a tenth of the motion; 0: none.
    trail_of
        Numbers of points that leave one; default: the last.
    most_frames
        Of more samples every second, third, ... is taken. Between samples nothing is made up.

    The page has a policy that forbids it to load anything. Raises SpecError.
    """
    if not speed > 0:
        raise SpecError(Mistake(repr(speed), "speed", "a number > 0"))
    followed = run.trajectories
    numbers = followed.instance.values.tolist() if isinstance(instance, str) and instance == "all" else (
        [instance] if isinstance(instance, (int, np.integer)) else list(instance))
    rows, places = followed_rows(run, numbers), rows_of(run, numbers)
    stride = -(-followed.sizes["time"] // max(most_frames, 1))
    times = followed.time.values[::stride]
    drawing = drawing_of(run, draw)
    drawn = [drawing(int(one), followed.q.values[row, ::stride], times) for one, row in zip(numbers, rows)]
    points = np.stack([one[0] for one in drawn])
    links = [[int(a), int(b)] for a, b in drawn[0][1]]
    if not np.isfinite(points).any():
        raise SpecError(Mistake("has no sample that can be drawn", "instance", "one that came through its first step"))
    traced = trail_points(trail_of, points.shape[2])
    system = str(run.attributes["system"])
    data: dict[str, Any] = {
        "system": system, "title": system.replace("_", " "),
        "about": f"{run.attributes['scheme']}, {_many(len(numbers), 'instance')}, {_many(len(times), 'sample')}",
        "instances": [int(one) for one in numbers], "count": points.shape[2], "links": links,
        "points": _encoded(points, "<f4"), "times": _encoded(times, "<f8"),
        "flat": not np.any(np.nan_to_num(points[..., 2])), "traced": traced, "dots": points.shape[2] <= 20,
        "trail": float(times[-1] - times[0]) / 10 if trail is None else float(trail), "speed": float(speed),
        "digits": next((d for d in range(1, 6) if np.allclose(times, np.round(times, d), rtol=0, atol=1e-9)), 6),
        "drawn": [_values_drawn(run, place) for place in places], "colour": None}
    if colour is not None:
        each = of_instances(run, colour)
        values = each.values[places].astype(float)
        fine = values[np.isfinite(values)]
        if not fine.size:
            raise SpecError(Mistake(f"'{colour}' has no finite value of these instances", "colour", "a number each"))
        data["colour"] = {"values": [one if np.isfinite(one) else None for one in values.tolist()],
                          "low": float(fine.min()), "high": float(fine.max()), "label": label_of(colour, each)}
    # Nothing in a name can end the element that holds it.
    text = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    page = View((Path(__file__).parent / "view.html").read_text(encoding="utf-8").replace("@DATA@", text))
    if file is not None:
        page.save(file)
    return page


def _encoded(values: np.ndarray, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"


def _values_drawn(run: Run, place: int) -> str:
    """What was drawn for the instance at this place of ``run.instances``, a line each."""
    lines = []
    for name in run._groups("instances/parameters").data_vars:
        each = run.instances[name]
        values = np.atleast_1d(each.values[place])
        shown = ", ".join(f"{value:.5g}" for value in values[:6]) + (", ..." if len(values) > 6 else "")
        unit = each.attrs.get("unit", "1")
        lines.append(f"{name} = {shown}" + (f" {unit}" if unit not in ("1", "SI") else ""))
    return "\n".join(lines[:12])


__all__ = ["View", "view"]
