"""Pictures of runs and comparisons, with matplotlib. Each returns the axes that it has drawn on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np

from livens import _tables
from livens.comparison import Comparison
from livens.errors import Mistake, SpecError
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes


def fan(run: Run, quantity: str, ax: Axes | None = None) -> Axes:
    """How a quantity spreads with time: bands between the quantiles of the study, and the median.

    ``quantity`` is one of ``run.statistics``.
    """
    ax = _axes(ax)
    quantiles = run.statistics[quantity].quantiles
    levels = np.sort(quantiles.level.values)
    for low, high in zip(levels, levels[::-1]):
        if low < high:
            ax.fill_between(quantiles.time, quantiles.sel(level=low), quantiles.sel(level=high), color="C0", alpha=0.25,
                            linewidth=0, label=f"{100 * (high - low):.3g} %")
    if 0.5 in levels:
        ax.plot(quantiles.time, quantiles.sel(level=0.5), color="C0", label="median")
    ax.set_xlabel("time (s)")
    ax.set_ylabel(_label(quantity, run.statistics[quantity]["mean"]))
    ax.legend()
    return ax


def joint(run: Run, x: str, y: str, bins: int = 60, ax: Axes | None = None) -> Axes:
    """How two quantities of the instances go together: the counts of both, over the instances that are ok.

    ``x`` and ``y`` name datasets of ``run.instances``, values drawn among them, or what was observed: ``"energy"`` is
    ``final_energy``.
    """
    ax = _axes(ax)
    ok = run.instances.status.values == _tables.statuses.index("ok")
    along, up = (_of_instances(run, name) for name in (x, y))
    counts = ax.hist2d(along.values[ok], up.values[ok], bins=bins, cmin=1)
    ax.figure.colorbar(counts[3], ax=ax, label="instances")
    ax.set_xlabel(_label(x, along))
    ax.set_ylabel(_label(y, up))
    return ax


def growth(of: Union[Run, Comparison], quantity: str = "energy_error", ax: Axes | None = None) -> Axes:
    """How an error grows with time: its root mean square over the instances, both axes logarithmic.

    The exponent of the growth, where the samples reach far enough for one, is in the legend.
    """
    ax = _axes(ax)
    for label, run in _named_runs(of):
        rms = run.statistics[quantity].rms
        exponent = rms.attrs.get("growth_exponent", np.nan)
        later = rms.time > 0
        ax.loglog(rms.time[later], rms[later], label=f"{label}: {exponent:.2f}" if np.isfinite(exponent) else label)
    ax.set_xlabel("time (s)")
    ax.set_ylabel(_label(f"rms of {quantity}", rms))
    ax.legend()
    return ax


def order(comparison: Comparison, quantity: str | None = None, ax: Axes | None = None) -> Axes:
    """How an error falls with the step, a key of the comparison; the slope of each line is in the legend.

    ``quantity`` is a dataset of ``instances``, and the error its root mean square over those that are ok with every
    step. Default: ``position_error`` where the study has it, else the distance of final_q from that of the smallest
    step, which then has no point of its own.
    """
    if "step" not in comparison.runs.dims:
        raise SpecError(Mistake("the comparison has no such key", "step", "compare(study, step=[...])"))
    ax = _axes(ax)
    for label, steps, errors in errors_by_step(comparison, quantity):
        slope = np.polyfit(np.log(steps), np.log(errors), 1)[0] if len(steps) > 1 else np.nan
        ax.loglog(steps, errors, "o-", label=f"{label} slope {slope:.2f}".strip())
    ax.set_xlabel("step (s)")
    ax.set_ylabel(quantity or ("position_error" if "position_error" in comparison.instances else "distance of final_q"))
    ax.legend()
    return ax


def errors_by_step(comparison: Comparison, quantity: str | None = None) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Label, steps in falling order and errors of each line of ``order``."""
    instances = comparison.instances
    ok = (instances.status == _tables.statuses.index("ok")).all("step")
    if quantity is None and "position_error" in instances:
        quantity = "position_error"
    steps = np.sort(instances.step.values)[::-1]
    if quantity is None:
        q = instances.final_q
        steps, finest = steps[:-1], steps[-1]
        each = np.abs(q.sel(step=steps) - q.sel(step=finest)).max("coordinate")
    else:
        each = instances[quantity].sel(step=steps)
    rms = np.sqrt((each.where(ok) ** 2).mean("instance"))
    others = [dim for dim in rms.dims if dim != "step"]
    lines = rms.stack(line=others) if others else rms.expand_dims(line=1)
    return [(_line_label(lines, others, k), steps, lines.isel(line=k).sel(step=steps).values)
            for k in range(lines.sizes["line"])]


def _line_label(lines: xr.DataArray, others: list[Any], k: int) -> str:
    return ", ".join(str(lines[dim].values[k]) for dim in others)


def _named_runs(of: Union[Run, Comparison]) -> list[tuple[str, Run]]:
    if isinstance(of, Run):
        return [(of.attributes["scheme"], of)]
    return [(", ".join(map(str, values)), run) for values, run in of.items()]


def _of_instances(run: Run, name: str) -> xr.DataArray:
    """A number of each instance: a dataset, what was observed at the end, or an entry of what was drawn as a whole."""
    for candidate in (name, f"final_{name}"):
        if candidate in run.instances and run.instances[candidate].ndim == 1:
            return run.instances[candidate]
        whole, bracket, entry = candidate.removesuffix("]").rpartition("[")
        if bracket and entry.isdigit() and whole in run.instances:
            return run.instances[whole][:, int(entry)]
    if name in run.instances:
        raise SpecError(Mistake(f"has {run.instances[name].shape[1]} entries", name, f"one of them, as in {name}[0]"))
    numbers = [str(key) for key, one in run.instances.data_vars.items() if one.ndim == 1]
    raise _tables.unknown_name("quantity", name, numbers)


def _label(name: str, of: xr.DataArray) -> str:
    unit = of.attrs.get("unit", "1")
    return name if unit in ("1", "SI") else f"{name} ({unit})"


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]
