"""The same ensemble with other schemes, steps or parameters, side by side."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from livens.ensemble import Ensemble
from livens.errors import Mistake, SpecError
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr


class Comparison:
    """Runs over the product of some keys; their datasets have these keys as axes before their own.

    Attributes
    ----------
    runs
        DataArray of Run objects, an axis a key; ``sel(scheme="ems", step=.05)`` is one of them.
    instances
        Dataset of what every run has: ``instances.max_energy_error`` has the axes scheme, step, instance.
    statistics
        The same for each quantity: ``statistics["energy_error"].rms`` has scheme, step, time; NaN at times at
        which a run has no sample.
    """

    def __init__(self, runs: xr.DataArray):
        self.runs = runs

    def sel(self, **keys: Any) -> Run:
        """The run with these values, one for each key. Raises SpecError where one is not given."""
        chosen = self.runs.sel(keys)
        if chosen.ndim:
            raise SpecError(Mistake("not given", str(chosen.dims[0]),
                                    f"a value for each of {', '.join(map(str, self.runs.dims))}"))
        return chosen.item()

    def items(self) -> Iterator[tuple[list[Any], Run]]:
        """The values of the keys, in their order, and the run with them."""
        runs: Any = self.runs.values
        for index in np.ndindex(self.runs.shape):
            yield [self.runs[dim].values.tolist()[k] for dim, k in zip(self.runs.dims, index)], runs[index]

    @cached_property
    def instances(self) -> xr.Dataset:
        return self._combined([run.instances for run in self.runs.values.flat])

    @cached_property
    def statistics(self) -> Mapping[str, xr.Dataset]:
        common = [name for name in self.runs.values.flat[0].statistics
                  if all(name in run.statistics for run in self.runs.values.flat)]
        # The bins of a histogram are those that are not empty, and so of one run alone.
        return {name: self._combined([run.statistics[name].drop_dims("bin") for run in self.runs.values.flat])
                for name in common}

    def _combined(self, datasets: list[xr.Dataset]) -> xr.Dataset:
        import xarray as xr

        common = set.intersection(*(set(dataset.data_vars) for dataset in datasets))
        nested: Any = [dataset[sorted(common, key=list(dataset.data_vars).index)] for dataset in datasets]
        for length in reversed(self.runs.shape[1:]):
            nested = [nested[first:first + length] for first in range(0, len(nested), length)]
        together = xr.combine_nested(nested, concat_dim=list(self.runs.dims), join="outer", data_vars="all",
                                     coords="minimal", compat="override", combine_attrs="override")
        labelled = together.assign_coords({dim: self.runs[dim] for dim in self.runs.dims})
        return labelled.transpose(*self.runs.dims, ...)

    def __repr__(self) -> str:
        keys = ", ".join(f"{dim} = {self.runs[dim].values.tolist()}" for dim in self.runs.dims)
        return f"<livens.Comparison of {self.runs.size} runs: {keys}>"

    def _repr_html_(self) -> str:
        from livens._html import html_table

        rows = []
        for values, run in self.items():
            rows.append([*values, run.failed, f"{float(run.instances.max_energy_error.max()):.3e}"])
        return html_table("livens.Comparison", [*map(str, self.runs.dims), "failed", "largest energy error (J)"], rows)


def compare(study: Ensemble, over: Mapping[str, Sequence[Any]] | None = None, *, device: Any = "auto",
            folder: Union[str, os.PathLike[str], None] = None, progress: Any = False,
            **keys: Sequence[Any]) -> Comparison:
    """Runs a study over the product of some keys: ``compare(study, scheme=["ems", "vi_a"], step=[.1, .05])``.

    Parameters
    ----------
    over, keys
        Values of ``scheme``, an option of the scheme (``step``, ``tolerance``), a parameter of the system or a field of
        the Ensemble. Of another scheme the options are kept that it has.
    folder
        The results as files in this folder, named by their keys; without it all are in memory.
    device, progress
        As of ``Ensemble.run``.

    Raises SpecError, of every study before the first one runs.
    """
    import xarray as xr

    values = {name: list(entries) for name, entries in {**(over or {}), **keys}.items()}
    if not values or not all(values.values()):
        raise SpecError(Mistake("nothing to compare", "over", "at least one value of a key"))
    runs = np.empty([len(entries) for entries in values.values()], dtype=object)
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
    studies = [study_with(study, dict(zip(values, chosen))) for chosen in itertools.product(*values.values())]
    for one in studies:
        one.check()  # before the first of them takes its time
    for index, one, chosen in zip(np.ndindex(runs.shape), studies, itertools.product(*values.values())):
        name = "_".join(f"{key}={value}" for key, value in zip(values, chosen)).replace("/", "-")
        file = None if folder is None else Path(folder) / f"{name}.h5"
        runs[index] = one.run(device, file=file, progress=progress)
    return Comparison(xr.DataArray(runs, dims=list(values), coords={key: _labels(entries)
                                                                    for key, entries in values.items()}))


def study_with(study: Ensemble, values: Mapping[str, Any]) -> Ensemble:
    """The study with other values of these keys."""
    for key, value in values.items():
        if key == "scheme":
            study = study.replace(scheme=study.scheme.replace(value))
        elif key in {one["name"] for one in study.system.description()["parameters"]}:
            study = study.replace(system=study.system.replace(**{key: value}))
        elif key in Ensemble.__dataclass_fields__:
            study = study.replace(**{key: value})
        else:
            study = study.replace(scheme=study.scheme.replace(**{key: value}))
    return study


def _labels(entries: list[Any]) -> list[Any]:
    """Numbers and names are labels; anything else is known by its place."""
    return entries if all(isinstance(entry, (int, float, str)) for entry in entries) else list(range(len(entries)))
