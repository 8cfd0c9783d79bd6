"""Maps over a grid of two or more quantities: where a motion ends, and when it leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from livens import _tables
from livens._toml import numbers
from livens.ensemble import Ensemble
from livens.errors import LivensError, Mistake, SpecError
from livens.laws import Table
from livens.plot import of_instances
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr

Columns = Callable[..., Mapping[str, Any]]


def escape(study: Ensemble, grid: Mapping[str, Any], when: str | Sequence[str], *, columns: Columns | None = None,
           **run: Any) -> xr.Dataset:
    """When a motion first meets a condition, over a grid.

    Parameters
    ----------
    study
        What all points of the grid have in common; a Table of its own has no place.
    grid
        Values by the name of a quantity of the spec, ``{"initial.v[0]": [...], "system.damping": [...]}``: an axis
        each, whose product is the ensemble.
    when
        As of ``stop``: an expression that passes zero, ``"q[2] - 1"``, or several, of which the first counts. In either
        direction: of a motion that starts beyond it is told when it comes back. Conditions in ``study.stop`` end an
        instance, too, and are no escape.
    columns
        A function from the values of the axes, flat arrays by their place, to columns of a Table, where the axes are no
        quantities of the spec: ``columns=lambda a, b: {"initial.q": rods(a, b)}``.
    run
        As of ``Ensemble.run``: device, file, progress, executor, ...

    Returns
    -------
    Dataset over the axes: ``time`` of the escape, s, NaN of those that stay or that a condition of the study ended, and
    ``status``, 0 of those that are ok; an instance that failed has a status of its own and no time.

    Raises SpecError.
    """
    conditions = [{"when": one} for one in ([when] if isinstance(when, str) else when)]
    own = study.stop or ()
    done, axes = _over(study.replace(stop=[*own, *conditions]), grid, columns, run)
    times = np.where(done.instances.stop_condition.values < len(own), np.nan, done.instances.stop_time.values)
    return _map(axes, done, {"time": (times, {"unit": "s", "units": "s", "long_name": "time of the escape"})})


def basins(study: Ensemble, grid: Mapping[str, Any], attractors: Mapping[str, Any] | None = None, *,
           of: Sequence[str] = (), within: float = 1e-2, speed: float = 1e-2, most: int = 64,
           columns: Columns | None = None, **run: Any) -> xr.Dataset:
    """To which rest each point of a grid goes.

    Parameters
    ----------
    study, grid, columns, run
        As of ``escape``.
    attractors
        Where a motion comes to rest, by a name: values of ``of``. Default: those that are found, in the order of the
        grid, each where its first instance is.
    of
        The quantities that tell them apart, ``["q[0]", "q[1]"]``; default: all coordinates.
    within, speed
        An instance is at an attractor when ``of`` is nearer than ``within`` (largest difference, SI units) and no entry
        of v is faster than ``speed``; the others are of none: they still move, or failed. A longer end tells. At one that
        is found they are nearer than twice ``within`` to its first instance, as that may itself be ``within`` off.
    most
        Attractors that are found, at most.

    Returns
    -------
    Dataset over the axes: ``basin``, the number of the attractor, -1 of none, and ``status``; ``attractor`` of shape
    (basin_number, of), and ``share`` of the grid, shape (basin_number,). Names are the labels of ``basin_number``.

    Raises SpecError; LivensError where more than ``most`` are found.
    """
    done, axes = _over(study, grid, columns, run)
    names = list(of) or [f"q[{k}]" for k in range(done.instances.sizes["coordinate"])]
    states = np.stack([of_instances(done, name).values for name in names], axis=1)
    fine = done.instances.status.values == _tables.statuses.index("ok")
    resting = fine & (np.abs(done.instances.final_v.values).max(axis=1) <= speed)
    basin = np.full(len(states), -1)
    if attractors is None:
        centres: list[np.ndarray] = []
        while (left := np.flatnonzero(resting & (basin < 0))).size:
            if len(centres) == most:
                raise LivensError(f"more than {most} places of rest: {left.size} instances are at others; expected a longer "
                                  "end, a larger within, or a choice of quantities in of")
            centres.append(states[left[0]])
            basin[left[np.abs(states[left] - centres[-1]).max(axis=1) <= 2 * within]] = len(centres) - 1
        labels: list[Any] = list(range(len(centres)))
        places = np.array(centres).reshape(-1, len(names))
    else:
        labels = list(attractors)
        rows = [numbers(attractors[label], f"attractors.{label}").reshape(-1) for label in labels]
        if not rows or any(len(row) != len(names) for row in rows):
            raise SpecError(Mistake(f"have {[len(row) for row in rows]} values", "attractors", f"{len(names)} each: {names}"))
        places = np.array(rows)
        distance = np.abs(states[:, None] - places).max(axis=2)
        basin = np.where(resting & (distance.min(axis=1) <= within), distance.argmin(axis=1), -1)
    flags = {"flag_values": list(range(-1, len(labels))),
             "flag_meanings": " ".join(["none", *(str(one).replace(" ", "_") for one in labels)])}
    made = _map(axes, done, {"basin": (basin, {"long_name": "attractor", **flags})})
    share = np.array([np.mean(basin == k) for k in range(len(labels))])
    return made.assign(attractor=(("basin_number", "of"), places), share=("basin_number", share)).assign_coords(
        basin_number=labels, of=names)


def _over(study: Ensemble, grid: Mapping[str, Any], columns: Columns | None,
          run: Mapping[str, Any]) -> tuple[Run, dict[str, np.ndarray]]:
    if study.table is not None:
        raise SpecError(Mistake("is given", "ensemble.table", "the quantities of the grid in it alone"))
    axes = {name: numbers(values, f"grid.{name}") for name, values in grid.items()}
    for name, values in axes.items():
        if values.ndim != 1 or not len(values):
            raise SpecError(Mistake(f"has the shape {values.shape}", f"grid.{name}", "values, shape (n,)"))
    if not axes:
        raise SpecError(Mistake("no axes", "grid", "values by the names of quantities"))
    flat = [one.ravel() for one in np.meshgrid(*axes.values(), indexing="ij")]
    table = dict(zip(axes, flat)) if columns is None else columns(*flat)
    own: dict[str, Any] = {"size": None, "table": Table(table)}
    if study.trajectories is None:
        own["trajectories"] = 0
    return study.replace(**own).run(**run), axes


def _map(axes: Mapping[str, np.ndarray], done: Run,
         values: Mapping[str, tuple[np.ndarray, dict[str, Any]]]) -> xr.Dataset:
    import xarray as xr

    shape = [len(one) for one in axes.values()]
    status = done.instances.status
    variables = {name: (tuple(axes), one.reshape(shape), attributes) for name, (one, attributes) in values.items()}
    coordinates = {}
    for name, one in axes.items():
        of = done.instances[name].attrs if name in done.instances else {}
        coordinates[name] = (name, one, {key: of[key] for key in ("unit", "units") if key in of})
    return xr.Dataset({**variables, "status": (tuple(axes), status.values.reshape(shape), status.attrs)}, coordinates)


__all__ = ["basins", "escape"]
