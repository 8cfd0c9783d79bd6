"""What came of an ensemble, as xarray: the datasets of the result file, with its names, units and labels."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from livens import _livens, _tables
from livens.errors import InstancesFailed, Mistake, SpecError

if TYPE_CHECKING:
    import xarray as xr  # imported where it is first used: that takes longer than many a run

    from livens._stored import Scratch


class Run:
    """An ensemble that was integrated, in memory or in a file.

    Attributes
    ----------
    instances
        Dataset with the axis ``instance`` (N) and ``coordinate`` (d): status, initial and final states, errors over all
        steps, what was observed at the end, and the values drawn (``instances["system.damping[0]"]``).
    statistics
        For each quantity a Dataset with the axes ``time`` (K), ``level``, ``bin``: mean, std, min, max, rms, quantiles,
        histogram. ``statistics.energy_error`` or ``statistics["q[9]"]``.
    trajectories
        Dataset with the axes ``trajectory`` (R), ``time`` (K), ``coordinate`` (d): q, p, v and all that follows from
        them, of the first R instances.
    tangent
        Where the study asks for derivatives, a Dataset with the axes ``instance`` (N), ``coordinate`` (d), ``wrt`` (K):
        final_q, final_p, final_v of shape (N, d, K) and final_NAME of shape (N, K) of what is observed, in SI units.
        Labels of ``wrt`` are the names: ``run.tangent.final_q.sel(wrt="initial.v[1]")``. Exponents are
        ``instances["lyapunov"]``, of shape (N, count), in 1/s. ``run.tangent.trajectories`` has those at the samples of
        the first R instances: q, p, v of shape (R, K, d, wrt) and what is observed, (R, K, wrt). Of an event NAME there are
        NAME_time, (N, events, wrt), and NAME_q, NAME_v, (N, events, d, wrt); of a stop stop_time, (N, wrt); of walls
        impact_time, (N, impact, hit, wrt).
    multipliers
        lambda of the constraints along the trajectories, (R, K, m): ``trajectories["lambda"]``, whose name is a word of
        Python. Those of the velocity constraints are ``trajectories.gamma``.
    events, impacts
        Of what the study counts, a Dataset an event: ``events["crossings"].count`` (N), ``time`` (N, event), with
        ``state`` also q and v; and a Dataset of the impacts on each wall, ``count`` (N, impact), ``time``.
    joints
        Of each ``[[output.joint]]``, by its name, a Dataset: ``histogram``, counts of instances over the middles of the bins
        of its axes, and over ``time`` where it is at the samples; edges are the labels of ``AXIS_edges``.
    final
        The states at the end, to start from.
    attributes
        Of the result as a whole: system, scheme, form, spec, backend, device, ...
    path
        Of the file; None in memory.

    Everything has the attributes ``units`` and ``long_name``. What is in a file is read when it is used. Arrays are the
    caller's to change in place, but for the labels of axes, which are xarray's: a file stays as it is; of a run in memory
    ``save``, ``summary`` and ``final`` have what stands there then, and ``instances.copy(deep=True)`` is a copy.
    """

    def __init__(self, groups: Callable[[str], xr.Dataset], quantities: tuple[str, ...], attributes: dict[str, Any],
                 path: str | None, result: _livens.Result | None = None):
        self._groups = groups
        self._result = result
        self._quantities = quantities
        self.attributes = attributes
        self.path = path
        self.too_many = result.too_many() if result is not None else ""
        self.folder: Scratch | None = None

    @cached_property
    def instances(self) -> xr.Dataset:
        dataset = self._groups("instances")
        drawn = self._groups("instances/parameters")
        return dataset.assign({name: drawn[name] for name in drawn.data_vars})

    @cached_property
    def statistics(self) -> Statistics:
        return Statistics(self._groups, self._quantities)

    @cached_property
    def joints(self) -> dict[str, xr.Dataset]:
        from livens._said import spec_of

        named = (str(one["name"]) for one in spec_of(self).get("output", {}).get("joint", []))
        return {name: self._groups(f"statistics/joint/{name}") for name in named}

    @cached_property
    def trajectories(self) -> xr.Dataset:
        return self._groups("trajectories")

    @cached_property
    def tangent(self) -> xr.Dataset:
        from livens._tangent import tangent_of  # imports xarray

        tangent, samples = self._groups("tangent"), self._groups("tangent/trajectories")
        if "wrt" not in tangent and "wrt" not in samples:
            raise SpecError(Mistake("the run has no derivatives", "tangent", 'a study with tangent={"of": [...]}'))
        return tangent_of(tangent, samples)

    @property
    def multipliers(self) -> xr.DataArray:
        """lambda of the constraints along the trajectories, shape (R, K, m)."""
        if "lambda" not in self.trajectories:
            raise SpecError(Mistake(f"{self.attributes['system']} has no constraints", "multipliers"))
        return self.trajectories["lambda"]

    @cached_property
    def events(self) -> dict[str, xr.Dataset]:
        axes = [str(axis) for axis in self.instances.dims if str(axis).endswith("_event")]
        return {name: self._counted(f"{name}_", f"{name}_event", ("count", "time", "q", "v"))
                for name in (axis[:-len("_event")] for axis in axes)}

    @cached_property
    def impacts(self) -> xr.Dataset:
        if "impact_count" not in self.instances:
            raise SpecError(Mistake(f"{self.attributes['system']} has no walls", "impacts", "a text with [[impact]]"))
        return self._counted("impact_", "hit", ("count", "time"))

    def _counted(self, prefix: str, axis: str, names: tuple[str, ...]) -> xr.Dataset:
        """What the datasets of a prefix have, without it."""
        found = {f"{prefix}{name}": name for name in names if f"{prefix}{name}" in self.instances}
        return self.instances[list(found)].rename({**found, **({axis: "event"} if axis in self.instances.dims else {})})

    def grid(self) -> xr.Dataset:
        """``instances`` over the grid of the study's linspace, logspace and values, an axis a quantity in their order.

        Axes have the names of the quantities, ``"system.damping[0]"``, and the values as labels. Where random laws draw
        several instances at each point, these are the axis ``instance`` behind them. Raises SpecError of a run without
        such laws, and of a part of one.
        """
        from livens.grid import on_grid

        return on_grid(self)

    def to_dataframe(self) -> Any:
        """``instances`` as a pandas.DataFrame: a row an instance, a column a number of it, ``final_q[x]`` of an axis."""
        import pandas as pd

        columns: dict[str, Any] = {}
        for name, array in self.instances.data_vars.items():
            rows = array.transpose("instance", ...)
            entries = rows.values.reshape(rows.shape[0], -1)
            labels = [rows[axis].values.tolist() for axis in rows.dims[1:]]
            for k, label in enumerate(itertools.product(*labels)):
                columns[f"{name}[{', '.join(map(str, label))}]" if label else str(name)] = entries[:, k]
        return pd.DataFrame(columns, index=pd.Index(self.instances.instance.values, name="instance"))

    def to_zarr(self, path: Union[str, os.PathLike[str]], *, overwrite: bool = False) -> None:
        """Writes a Zarr store with the groups of the result file; ``xarray.open_datatree(path)`` reads it. Needs zarr.

        Raises SpecError where something is at ``path`` and ``overwrite`` is not given.
        """
        import xarray as xr

        if Path(path).exists() and not overwrite:
            raise SpecError(Mistake("already exists", expected="overwrite=True to replace it", file=os.fspath(path)))
        groups = {"instances": self.instances, "trajectories": self.trajectories,
                  **{f"statistics/{name}": self.statistics[name] for name in self.statistics},
                  **{f"statistics/joint/{name}": counts for name, counts in self.joints.items()}}
        if "wrt" in self._groups("tangent"):
            groups |= {"tangent": self.tangent, "tangent/trajectories": self.tangent.trajectories}
        tree = xr.DataTree.from_dict({name: _of_numpys_own_types(group) for name, group in groups.items()})
        tree.attrs.update(self.attributes)
        tree.to_zarr(os.fspath(path), mode="w", consolidated=False)

    @cached_property
    def final(self) -> Final:
        return Final(self)

    @property
    def failed(self) -> int:
        """Instances that are neither ok nor stopped."""
        fine = [code for code, name in enumerate(_tables.statuses) if name in ("ok", "stopped")]
        return int(np.sum(~np.isin(self.instances.status.values, fine)))

    def summary(self) -> str:
        """The table that ``livens run`` prints."""
        return (self._result or _livens.open_result(self.path)).summary()

    def check(self) -> None:
        """Raises InstancesFailed where more failed than the study allows; of a run in memory."""
        if self.too_many:
            raise InstancesFailed(self.too_many, self)

    def save(self, path: Union[str, os.PathLike[str]], *, overwrite: bool = False) -> None:
        """Writes the file that ``livens run`` would have written to ``path``. Raises ResultError, and SpecError where a file
        stands there, unless ``overwrite``."""
        if not overwrite:
            refuse_overwriting(path)
        (self._result or _livens.open_result(self.path)).save(os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        # By its file where that stays; else with all of it, as a file has it.
        if self.path is not None and self.folder is None:
            return open, (os.path.abspath(self.path),)
        if self.path is not None:
            return _from_bytes, (Path(self.path).read_bytes(), False, self.too_many)
        with tempfile.TemporaryDirectory(prefix="livens-") as folder:
            self.save(Path(folder) / "run.h5")
            return _from_bytes, ((Path(folder) / "run.h5").read_bytes(), True, self.too_many)

    def close(self) -> None:
        """Does nothing: a file is open only while it is read."""

    def __repr__(self) -> str:
        of = self.attributes
        return (f"<livens.Run: {self.instances.sizes['instance']} instances of {of['system']} with {of['scheme']} "
                f"({of['form']}), {self.failed} failed, {self.path or 'in memory'}>")

    def _repr_html_(self) -> str:
        from livens._html import html_table

        counts = np.bincount(self.instances.status.values, minlength=len(_tables.statuses))
        rows = [("instances", ", ".join(f"{count} {name}" for name, count in zip(_tables.statuses, counts) if count)),
                *((key, self.attributes[key]) for key in ("system", "scheme", "form", "backend", "device")),
                ("file", self.path or "in memory")]
        shown = "".join(dataset._repr_html_() for dataset in (self.instances, self.trajectories))
        return html_table("livens.Run", ("", ""), rows) + self.statistics._repr_html_() + shown


class Statistics(Mapping[str, "xr.Dataset"]):
    """The statistics of each quantity over the instances that are ok at a sample, read when they are used."""

    def __init__(self, groups: Callable[[str], xr.Dataset], quantities: tuple[str, ...]):
        self._groups = groups
        self._names = quantities
        self._read: dict[str, xr.Dataset] = {}

    @cached_property
    def ok(self) -> xr.DataArray:
        """Instances that are ok at a sample, shape (K,)."""
        return self._groups("statistics").ok

    @cached_property
    def time(self) -> xr.DataArray:
        """Of the samples, s, shape (K,)."""
        return self._groups("statistics").time

    def __getitem__(self, name: str) -> xr.Dataset:
        if name not in self._names:
            raise _tables.unknown_name("statistics", name, self._names)
        if name not in self._read:
            dataset = self._groups(f"statistics/{name}")
            self._read[name] = dataset.set_coords("bins") if "bins" in dataset else dataset
        return self._read[name]

    def __getattr__(self, name: str) -> xr.Dataset:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return f"<livens.Statistics of {', '.join(self._names)}>"

    def _repr_html_(self) -> str:
        from livens._html import html_table

        rows = [(name, self[name]["mean"].attrs.get("unit", ""), f"{float(self[name]['mean'][-1]):.4g}",
                 f"{float(self[name]['max'][-1]):.4g}") for name in self]
        return html_table("statistics", ("quantity", "unit", "mean at the end", "maximum"), rows)


class Final:
    """The states at the end of a run: ``initial=run.final`` starts there.

    ``q``, ``v``, ``p`` are arrays of shape (N, d), in SI units; ``numpy.from_dlpack`` and that of other libraries take
    them without a copy, as what may not be changed. Of an instance that failed they are its last good state.
    """

    def __init__(self, run: Run):
        self._run = run
        self._folder: Scratch | None = None

    @cached_property
    def q(self) -> np.ndarray:
        return self._run.instances.final_q.values

    @cached_property
    def v(self) -> np.ndarray:
        return self._run.instances.final_v.values

    @cached_property
    def p(self) -> np.ndarray:
        return self._run.instances.final_p.values

    @property
    def in_memory(self) -> bool:
        """Of a run that has no file."""
        return self._run.path is None

    @property
    def path(self) -> str:
        """The result file, which a spec names; of a run in memory a temporary one that lives as long as this."""
        if self._run.path is not None:
            return os.path.abspath(self._run.path)
        if self._folder is None:
            self._folder = scratch()
            self._run.save(self._folder.path / "run.h5")
        return str(self._folder.path / "run.h5")

    def __reduce__(self) -> tuple[Any, ...]:
        return Final, (self._run,)

    def __repr__(self) -> str:
        return f"<livens.Final: {len(self.q)} states of {self._run.attributes['system']}>"


def run_in_memory(result: _livens.Result) -> Run:
    """A Run over the arrays of the program, none of them copied."""
    arrays = {name: (axes, attributes, values) for name, axes, attributes, values in result.arrays()}
    attributes = {key: getattr(result, key)
                  for key in ("system", "scheme", "form", "spec", "backend", "device", "wall_seconds")}
    return Run(_groups_of(arrays), _quantities_in(arrays), attributes, None, result)


def _groups_of(arrays: Mapping[str, tuple[Any, ...]]) -> Callable[[str], xr.Dataset]:
    """The Dataset of a group by its name, of arrays (axes, attributes, values) by their paths."""

    def group(name: str) -> xr.Dataset:
        import xarray as xr

        prefix = f"/{name}/"
        variables: dict[str, Any] = {}
        for path, (axes, attributes, values) in arrays.items():
            if path.startswith(prefix) and "/" not in path[len(prefix):]:
                variables[path[len(prefix):]] = _variable(axes, values, attributes)
        # Labels that stand in a group above, as netCDF finds them.
        for axis in {axis for variable in variables.values() for axis in variable.dims}:
            for above in _groups_above(name):
                if axis not in variables and (labels := arrays.get(f"{above}/{axis}")):
                    variables[axis] = _variable(labels[0], labels[2], labels[1])
        named = {other for variable in variables.values() for other in variable.attrs.pop("coordinates", "").split()}
        return xr.Dataset(variables).set_coords(sorted(named & set(variables)))

    return group


def _variable(axes: Any, values: Any, attributes: Mapping[str, Any]) -> xr.Variable:
    """Labels that are names come as numbers, with the names beside them."""
    import xarray as xr

    kept = dict(attributes)
    names = kept.pop("names", None)
    return xr.Variable(axes, _values(values) if names is None else np.array(names.split(" "), dtype=object), kept)


def _of_numpys_own_types(dataset: xr.Dataset) -> xr.Dataset:
    """Integers of 64 bits have two types in C, of which zarr knows the one that NumPy calls int64."""
    import xarray as xr

    def plain(variable: xr.Variable) -> xr.Variable:
        values = variable.values
        return variable.copy(data=values.view(np.int64)) if values.dtype == np.int64 else variable

    return xr.Dataset({name: plain(array.variable) for name, array in dataset.data_vars.items()},
                      {name: plain(array.variable) for name, array in dataset.coords.items()}, dataset.attrs)


def _values(values: Any) -> Any:
    """An array, or one that is read when it is used."""
    if isinstance(values, np.ndarray):
        values.flags.writeable = False  # these are the numbers that save() and pickle write
        return values
    from livens._stored import when_used  # imports xarray

    return when_used(*values)


def _quantities_in(arrays: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path.split("/")[2] for path in arrays
                               if path.startswith("/statistics/") and path.count("/") == 3))


def _from_bytes(file: bytes, in_memory: bool, too_many: str) -> Run:
    """A run that was pickled without a file of its own."""
    folder = scratch()
    path = folder.path / "run.h5"
    path.write_bytes(file)
    run = run_in_memory(_livens.open_result(str(path))) if in_memory else open_in(folder, path)
    run.too_many = too_many
    return run


def _groups_above(name: str) -> list[str]:
    """ "a/b": "/a/b", "/a"."""
    parts = name.split("/")
    return ["/" + "/".join(parts[:end]) for end in range(len(parts), 0, -1)]


def open(path: Union[str, os.PathLike[str]]) -> Run:
    """A result file by its ``path``, whose numbers are read when they are used. Raises ResultError where it is none.

    It is read by the reader of the program, and what ``livens info`` refuses is refused in the same words: a file that was
    changed, by its checksum, and one that leads to other files.
    """
    return open_in(None, path)


def refuse_overwriting(path: Union[str, os.PathLike[str]]) -> None:
    """Raises SpecError where a file stands at the ``path``."""
    if Path(path).is_file():
        raise SpecError(Mistake("already exists", expected="another file to write, or overwrite=True",
                                file=os.fspath(path)))


def scratch() -> Scratch:
    """A folder that lives as long as what is read of the files in it."""
    from livens._stored import Scratch  # imports xarray

    return Scratch()


def open_in(folder: Scratch | None, path: Union[str, os.PathLike[str]]) -> Run:
    """A result file in a folder that lives as long as the run and its arrays; None: of a name that its owner knows."""
    path = os.fspath(path)
    stored = _livens.Stored(path)
    arrays = {name: (axes, attributes, (stored, name, tuple(shape), np.dtype(kind), folder) if values is None else values)
              for name, axes, attributes, shape, kind, values in stored.arrays()}
    run = Run(_groups_of(arrays), _quantities_in(arrays), stored.attributes(), path)
    run.folder = folder
    return run


__all__ = ["Final", "Run", "Statistics", "open"]
