"""The instances of a run over the grid of its laws (contract, section 2: linspace, logspace, values)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from livens._said import spec_of
from livens.errors import Mistake, SpecError

if TYPE_CHECKING:
    import xarray as xr

    from livens.run import Run


def on_grid(run: Run) -> xr.Dataset:
    """Labels of an axis are the values that the instances had. Where these differ at a point, since a law adds to what
    differs, the axis is ``WHAT_point``, its labels are the law's points, and WHAT is a variable."""
    ensemble = spec_of(run).get("ensemble", {})
    laws = {law["what"]: law for law in ensemble.get("vary", []) if law["law"] in ("linspace", "logspace", "values")}
    if not laws:
        raise SpecError(Mistake("the run has no laws of points", "ensemble.vary", "linspace, logspace or values"))
    size = run.instances.sizes["instance"]
    whole = np.array_equal(run.instances["instance"].values, np.arange(size))
    if "instances" in ensemble or run.attributes.get("ensemble_size", size) != size or not whole:
        raise SpecError(Mistake("the run has other instances than its laws say", "ensemble.instances", "all of them"))
    lengths = [len(law["values"]) if law["law"] == "values" else law["count"] for law in laws.values()]
    product = math.prod(lengths)
    if size % product:
        raise SpecError(Mistake(f"{size} instances are no whole grid of {product} points", "ensemble.size"))
    instances = run.instances.drop_vars("instance")
    if left_out := [what for what in laws if what not in instances]:
        raise SpecError(Mistake(f"the run has not kept '{left_out[0]}'", "output.columns", "it, or parameters, too"))

    def over_grid(array: xr.DataArray) -> np.ndarray:
        """Instance i takes point i mod P, the last law fastest: the axes of the laws, those of a point, entries."""
        rows = array.transpose("instance", ...)
        values = rows.values.reshape(size // product, *lengths, *rows.shape[1:])
        return np.moveaxis(values, 0, len(lengths))

    axes, labels = [], {}
    for place, (what, law) in enumerate(laws.items()):
        values = np.moveaxis(over_grid(instances[what]), place, 0).reshape(lengths[place], -1)
        same = np.array_equal(values, np.broadcast_to(values[:, :1], values.shape), equal_nan=True)
        axes.append(what if same else f"{what}_point")
        labels[axes[-1]] = (axes[-1], values[:, 0] if same else _points(law), dict(instances[what].attrs) if same else {})
    shown = {}
    for name in (name for name in instances.data_vars if name not in axes):
        values, entries = over_grid(instances[name]), instances[name].transpose("instance", ...).dims[1:]
        if size == product:
            shown[name] = ([*axes, *entries], values[(slice(None),) * len(lengths) + (0,)], instances[name].attrs)
        else:
            shown[name] = ([*axes, "instance", *entries], values, instances[name].attrs)
    kept = {name: label for name, label in instances.coords.items() if "instance" not in label.dims}
    import xarray as xr

    return xr.Dataset(shown, coords={**kept, **labels}, attrs=instances.attrs)


def _points(law: Mapping[str, Any]) -> np.ndarray:
    """Those that the program takes, but for the last place of what lies between the ends."""
    if law["law"] == "values":
        return np.array(law["values"], dtype=float)
    spaced = np.linspace if law["law"] == "linspace" else np.geomspace
    return spaced(law["low"], law["high"], law["count"])
