"""What a run says of itself, for those that draw it or make something of it: its spec, its instances by their numbers."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from livens import _tables
from livens._toml import tomllib
from livens.errors import Mistake, SpecError
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr


def spec_of(run: Run) -> dict[str, Any]:
    """The tables of a run's spec, with what the command line replaced in them: ``--set`` first, as the program does."""
    spec = tomllib.loads(run.attributes["spec"])
    words = shlex.split(run.attributes.get("overrides", ""))
    typed = list(zip(words[::2], words[1::2]))
    for option, setting in typed:
        if option == "--set":
            _apply(spec, setting)
    for option, value in typed:
        if option in ("--size", "--seed"):
            spec.setdefault("ensemble", {})[option.removeprefix("--")] = int(value)
        elif option == "--steps":
            scheme = spec.setdefault("scheme", {})
            scheme.pop("end", None)
            scheme["steps"] = int(value)
    return spec


def _apply(spec: dict[str, Any], setting: str) -> None:
    """``ensemble.vary[0].std=0.1``; what is no TOML is a text that was typed without its quotation marks."""
    path, _, value = setting.partition("=")
    *above, last = path.split(".")
    table = spec
    for step in above:
        key, bracket, entry = step.partition("[")
        table = table[key][int(entry.rstrip("]"))] if bracket else table.setdefault(key, {})
    try:
        table[last] = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        table[last] = value


def rows_of(run: Run, instances: Sequence[int]) -> list[int]:
    """Where ``run.instances`` has the instances of these numbers. Raises SpecError for one that it has not."""
    known = {int(number): row for row, number in enumerate(run.instances["instance"].values)}
    for one in instances:
        if one not in known:
            raise SpecError(Mistake(f"{one} is not among the instances of the run", "instance",
                                    "one of run.instances.instance"))
    return [known[one] for one in instances]


def of_instances(run: Run, name: str) -> xr.DataArray:
    """A number of each instance: a dataset, what was observed at the end, or an entry of what was drawn as a whole."""
    for candidate in (name, f"final_{name}"):
        if candidate in run.instances and run.instances[candidate].ndim == 1:
            return run.instances[candidate]
        whole, bracket, entry = candidate.removesuffix("]").rpartition("[")
        if bracket and entry.isdigit() and whole in run.instances:
            return run.instances[whole][:, int(entry)]
    if (entry_of_state := _of_state(run, name)) is not None:
        return entry_of_state
    if name in run.instances:
        raise SpecError(Mistake(f"has {run.instances[name].shape[1]} entries", name, f"one of them, as in {name}[0]"))
    numbers = [str(key) for key, one in run.instances.data_vars.items() if one.ndim == 1]
    raise _tables.unknown_name("quantity", name, numbers)


def _of_state(run: Run, name: str) -> xr.DataArray | None:
    """Of the state at the end by the text's own name, "x", "x'", "p(x)"; None for any other."""
    labels = run.instances["coordinate"].values.tolist() if "coordinate" in run.instances.coords else []
    own = {"final_q": "{}", "final_v": "{}'", "final_p": "p({})"}
    for dataset, written in own.items():
        for place, label in enumerate(labels):
            whole, bracket, entry = str(label).partition("[")
            if isinstance(label, str) and name == written.format(whole) + bracket + entry and dataset in run.instances:
                return run.instances[dataset][:, place]
    return None


def order_of(run: Run) -> int:
    """Of the scheme as the run took it."""
    given = spec_of(run).get("scheme", {}).get("order")
    return int(given or _tables.schemes[run.attributes["scheme"]]["order"])
