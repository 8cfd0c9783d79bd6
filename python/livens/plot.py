"""Pictures of runs and comparisons, with matplotlib. Each draws on the axes ``ax``, new ones where none are given, and
returns them.

In a picture of schemes and steps a colour is a scheme and a shade a step, the darkest the shortest. ``style`` makes all
of them fit for print.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from livens import _tables
from livens._said import of_instances, order_of, spec_of
from livens.comparison import Comparison
from livens.errors import Mistake, SpecError
from livens.run import Run

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

# Of Okabe and Ito, which people who see fewer colours can tell apart.
_colours = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_many = 200  # instances from which a histogram is smooth enough to shade by


@contextlib.contextmanager
def style(width: float = 3.4, height: float | None = None, size: float = 8.0) -> Iterator[None]:
    """Pictures for print, of a column by default: ``with lv.plot.style(): lv.plot.fan(run, "energy")``.

    ``width`` and ``height`` are in inches (default: the golden section of it), ``size`` is that of the letters in
    points. Saved as PDF or SVG letters stay letters.
    """
    import matplotlib.pyplot as plt

    tall = width / 1.618 if height is None else height
    with plt.rc_context({
            "figure.figsize": (width, tall), "font.size": size, "axes.labelsize": size, "axes.titlesize": size,
            "legend.fontsize": size - 1, "xtick.labelsize": size - 1, "ytick.labelsize": size - 1, "axes.linewidth": 0.6,
            "lines.linewidth": 1.1, "lines.markersize": 3.5, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
            "xtick.minor.width": 0.4, "ytick.minor.width": 0.4, "xtick.direction": "in", "ytick.direction": "in",
            "legend.frameon": False, "axes.spines.top": False, "axes.spines.right": False, "savefig.dpi": 300,
            "pdf.fonttype": 42, "svg.fonttype": "none", "axes.prop_cycle": plt.cycler(color=_colours)}):
        yield


def fan(run: Run, quantity: str, ax: Axes | None = None) -> Axes:
    """How a quantity spreads with time: bands between the quantiles of the study, and the median.

    ``quantity`` is one of ``run.statistics``, ``ax`` where it is drawn. Of many instances the shade between is by their
    histogram.
    """
    ax = _axes(ax)
    of = run.statistics[quantity]
    quantiles, time = of.quantiles, of.time.values
    levels = np.sort(quantiles.level.values)
    smooth = "histogram" in of and int(run.statistics.ok.min()) >= _many
    if smooth:
        shades = np.linspace(0, 1, 41)[1:-1]
        between = _quantiles_of_bins(of, shades)
        for low, high in zip(between[:19], between[:19:-1]):
            ax.fill_between(time, low, high, color=_colours[0], alpha=0.045, linewidth=0)
    for low, high in zip(levels, levels[::-1]):
        if low < high:
            ends = quantiles.sel(level=low), quantiles.sel(level=high)
            label = f"{100 * (high - low):.3g} %"
            if smooth:
                style = {"color": _colours[0], "linewidth": 0.8, "alpha": 0.5 + 0.4 * (1 - (high - low)),
                         "linestyle": (0, (5, 2)) if high - low > 0.8 else "-"}
                ax.plot(time, ends[0], label=label, **style)
                ax.plot(time, ends[1], **style)
            else:
                ax.fill_between(time, *ends, color=_colours[0], alpha=0.25, linewidth=0, label=label)
    if 0.5 in levels:
        ax.plot(time, quantiles.sel(level=0.5), color=_colours[0], linewidth=2.0, label="median")
    ax.set_xlabel("time (s)")
    ax.set_ylabel(label_of(quantity, of["mean"]))
    ax.margins(x=0)
    ax.legend()
    return ax


def _quantiles_of_bins(of: xr.Dataset, levels: np.ndarray) -> np.ndarray:
    """Shape (levels, K): of the counts of each sample, as if a bin's were spread evenly in it; within the extremes."""
    found = np.empty((len(levels), of.sizes["time"]))
    for k in range(of.sizes["time"]):
        counts = of.histogram.values[k]
        full = counts > 0
        low, width = of.bins.values[k][full], float(of.bin_width.values[k])
        if not full.any():
            found[:, k] = np.nan
            continue
        edges = np.stack([low, low + width], axis=1).ravel()
        ends = np.cumsum(counts[full]) / counts.sum()
        parts = np.stack([np.concatenate([[0.0], ends[:-1]]), ends], axis=1).ravel()
        found[:, k] = np.clip(np.interp(levels, parts, edges), float(of["min"][k]), float(of["max"][k]))
    return found


def joint(run: Run, x: str, y: str, bins: int = 60, ax: Axes | None = None) -> Axes:
    """How two quantities of the instances go together: the counts of both, over the instances that are ok.

    ``x`` and ``y`` name datasets of ``run.instances``, values drawn among them, or what was observed: ``"energy"`` is
    ``final_energy``. ``bins`` is their number along each axis, ``ax`` where it is drawn.

    Raises SpecError where there is no such quantity.
    """
    ax = _axes(ax)
    ok = run.instances.status.values == _tables.statuses.index("ok")
    along, up = (of_instances(run, name) for name in (x, y))
    counts = ax.hist2d(along.values[ok], up.values[ok], bins=bins, cmin=1)
    ax.figure.colorbar(counts[3], ax=ax, label="instances")
    ax.set_xlabel(label_of(str(along.name), along, x))
    ax.set_ylabel(label_of(str(up.name), up, y))
    return ax


def growth(of: Union[Run, Comparison], quantity: str = "energy_error", ax: Axes | None = None) -> Axes:
    """How an error grows with time: its root mean square over the instances, both axes logarithmic.

    ``quantity`` is one of ``statistics``, ``ax`` where it is drawn. The legend says scheme, step and, where the samples reach
    far enough for one, the exponent of the growth. Dotted are the slopes 1/2, of a random walk, and 1, of a drift.
    """
    ax = _axes(ax)
    seen = []
    for line in _lines_of(of):
        rms = line.run.statistics[quantity].rms
        exponent = rms.attrs.get("growth_exponent", np.nan)
        later = (rms.time.values > 0) & (rms.values > 0)
        slope = f"slope {exponent:.2f}" if np.isfinite(exponent) else ""
        label = ", ".join(filter(None, (line.label, slope)))
        ax.loglog(rms.time.values[later], rms.values[later], label=label, **line.look)
        seen += list(zip(rms.time.values[later], rms.values[later]))
    if seen:
        times, values = np.array(seen).T
        begin = max(times.min(), times.max() / 100)
        below = float(values[times >= begin].min()) / 3
        _reference(ax, begin, times.max(), 0.5, "slope 1/2", below)
        _reference(ax, begin, times.max(), 1.0, "slope 1", below)
    ax.set_xlabel("time (s)")
    ax.set_ylabel(label_of(f"rms of {quantity}", rms))
    _legend(ax)
    return ax


def order(comparison: Comparison, quantity: str | None = None, ax: Axes | None = None) -> Axes:
    """How an error falls with the step, a key of the comparison; the slope of each line is in the legend, dotted that of the
    scheme's order, below the lines of schemes of that order.

    ``quantity`` is a dataset of ``instances``, and the error its root mean square over those that are ok with every
    step. Default: ``position_error`` where the study has it, else the distance of final_q from that of the smallest
    step, which then has no point of its own and bends the last slopes up. ``ax`` is where it is drawn. Raises SpecError where
    the comparison has no steps.
    """
    if "step" not in comparison.runs.dims:
        raise SpecError(Mistake("the comparison has no such key", "step", "compare(study, step=[...])"))
    ax = _axes(ax)
    below: dict[int, float] = {}  # the largest factor c for which c h^order is above no point of that order
    runs = comparison.runs.isel(step=0).values.ravel()
    for (label, steps, errors), run, look in zip(errors_by_step(comparison, quantity), runs,
                                                 _looks(comparison, without="step")):
        fine = errors > 0
        slope = np.polyfit(np.log(steps[fine]), np.log(errors[fine]), 1)[0] if fine.sum() > 1 else np.nan
        named = label or str(run.attributes["scheme"])
        ax.loglog(steps, errors, "o-", label=f"{named}, slope {slope:.2f}" if np.isfinite(slope) else named, **look)
        if fine.any():
            one = order_of(run)
            below[one] = min(below.get(one, np.inf), float((errors[fine] / steps[fine] ** one).min()))
    for one, factor in below.items():
        _reference(ax, float(steps.min()), float(steps.max()), one, f"slope {one}", factor * float(steps.min()) ** one / 2)
    shown = quantity or ("position_error" if "position_error" in comparison.instances else None)
    if len(steps) <= 8:
        ax.set_xticks(steps, [f"{step:g}" for step in steps])
        ax.set_xticks([], minor=True)
    ax.set_xlabel("step (s)")
    ax.set_ylabel(label_of(shown, comparison.instances[shown]) if shown else "distance of q (SI units)")
    _legend(ax)
    return ax


def grid(of: xr.DataArray, ax: Axes | None = None) -> Axes:
    """A map over a grid of two axes, as ``lv.escape(...).time`` or ``lv.basins(...).basin``; grey: no value.

    Whole numbers, of basins, have a colour each. ``ax`` is where it is drawn. Raises SpecError where there are not two axes.
    """
    if of.ndim != 2:
        raise SpecError(Mistake(f"has the axes {', '.join(map(str, of.dims))}", "of", "two axes; .isel() and .sel() choose"))
    import matplotlib.pyplot as plt
    from matplotlib.colors import BoundaryNorm, ListedColormap

    ax = _axes(ax)
    x, y = of.dims
    ax.set_facecolor("0.85")
    if np.issubdtype(of.dtype, np.integer):
        count = int(of.max()) + 1
        colours = [plt.get_cmap("viridis")(0.08 + 0.84 * k / max(count - 1, 1)) for k in range(max(count, 1))]
        shown = ax.pcolormesh(of[x], of[y], np.where(of.values >= 0, of.values, np.nan).T, cmap=ListedColormap(colours),
                              norm=BoundaryNorm(np.arange(len(colours) + 1) - 0.5, len(colours)), rasterized=True)
        bar = ax.figure.colorbar(shown, ax=ax, ticks=range(len(colours)), label=of.attrs.get("long_name", str(of.name)))
        if "flag_meanings" in of.attrs:
            bar.set_ticklabels(of.attrs["flag_meanings"].split(" ")[1:1 + len(colours)])
    else:
        shown = ax.pcolormesh(of[x], of[y], of.values.T, cmap="viridis_r", rasterized=True)
        ax.figure.colorbar(shown, ax=ax, label=label_of(of.attrs.get("long_name", str(of.name)), of))
    ax.set_xlabel(label_of(str(x), of[x]))
    ax.set_ylabel(label_of(str(y), of[y]))
    return ax


def indices(of: xr.Dataset, ax: Axes | None = None) -> Axes:
    """Sobol indices as ``lv.sobol`` has them, of one quantity (``.sel(of=...)``): bars with their intervals, or over time
    the first-order ones, with bands. ``ax`` is where they are drawn. Raises SpecError of several quantities."""
    if of.first.ndim > 1 and "of" in of.first.dims:
        if of.sizes["of"] > 1:
            raise SpecError(Mistake("several quantities", "of", f"one, as .sel(of={str(of['of'].values[0])!r})"))
        of = of.isel({"of": 0})
    ax = _axes(ax)
    named = [_words(str(name)) for name in of.input.values]
    if "time" in of.first.dims:
        for k, name in enumerate(named):
            one = of.isel(input=k)
            colour = _colours[k % len(_colours)]
            ax.plot(of.time, one["first"], color=colour, label=name)
            ax.fill_between(of.time, one.first_interval.sel(bound="low"), one.first_interval.sel(bound="high"), color=colour,
                            alpha=0.2, linewidth=0)
        ax.set_xlabel("time (s)")
        ax.set_ylabel(f"first-order index of {_words(str(of['of'].values))}")
        ax.set_ylim(-0.05, 1.05)
        ax.margins(x=0)
    else:
        place = np.arange(len(named))
        for shift, part, label in ((-0.2, "first", "first order"), (0.2, "total", "total")):
            half = of[f"{part}_interval"].sel(bound="high") - of[part]
            ax.barh(place + shift, of[part], 0.38, xerr=half, label=label, color=_colours[0 if part == "first" else 1],
                    alpha=0.85, error_kw={"linewidth": 0.8})
        ax.set_yticks(place, named)
        ax.invert_yaxis()
        ax.set_xlabel(f"share of the variance of {_words(str(of['of'].values))}")
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
    return ", ".join(_key(str(dim), lines[dim].values[k]) for dim in others)


class _Line:
    """A run in a picture of several: what it is called, and how it looks."""

    def __init__(self, label: str, run: Run, look: dict[str, Any]):
        self.label, self.run, self.look = label, run, look


def _lines_of(of: Union[Run, Comparison]) -> list[_Line]:
    if isinstance(of, Run):
        step = spec_of(of).get("scheme", {}).get("step")
        label = ", ".join(filter(None, (of.attributes["scheme"], _key("step", step) if step else "")))
        return [_Line(label, of, {"color": _colours[0]})]
    named = [_Line(", ".join(_key(str(dim), value) for dim, value in zip(of.runs.dims, values)), run, look)
             for (values, run), look in zip(of.items(), _looks(of))]
    if "scheme" not in of.runs.dims:
        for line in named:
            line.label = f"{line.run.attributes['scheme']}, {line.label}"
    return named


def _key(dim: str, value: Any) -> str:
    if dim == "scheme":
        return str(value)
    return f"h = {value:g} s" if dim == "step" else f"{_words(dim)} = {value}"


def _looks(comparison: Comparison, without: str | None = None) -> list[dict[str, Any]]:
    """A colour a scheme, a shade a step, a kind of line a value of the rest; in the order of the runs."""
    from matplotlib.colors import to_rgb

    dims = [dim for dim in comparison.runs.dims if dim != without]
    shape = [comparison.runs.sizes[dim] for dim in dims]
    # Without schemes the first other key has the colours.
    coloured = "scheme" if "scheme" in dims else next((dim for dim in dims if dim != "step"), None)
    looks = []
    for index in np.ndindex(*shape):
        at = dict(zip(dims, index))
        look: dict[str, Any] = {"color": _colours[at.get(coloured, 0) % len(_colours)]}
        if "step" in at:
            falling = np.argsort(np.argsort(-comparison.runs["step"].values))
            part = falling[at["step"]] / max(len(falling) - 1, 1)
            look["color"] = tuple(1 - (1 - np.array(to_rgb(look["color"]))) * (0.4 + 0.6 * part))
        rest = [at[dim] for dim in dims if dim not in (coloured, "step")]
        if rest:
            look["linestyle"] = ("-", "--", "-.", ":")[sum(rest) % 4]
        looks.append(look)
    return looks


def _legend(ax: Axes) -> None:
    """Where it is long beside the picture, below a narrow one."""
    if len(ax.get_legend_handles_labels()[1]) <= 6:
        ax.legend()
    elif ax.bbox.width < 4 * ax.figure.dpi:
        ax.legend(loc="upper right", bbox_to_anchor=(1.0, -0.32), ncols=2, fontsize="x-small", handlelength=1.2,
                  columnspacing=1.0)
    else:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _reference(ax: Axes, first: float, last: float, slope: float, name: str, value: float) -> None:
    """A dotted line of this slope, from (first, value), with its name at the end."""
    if not first < last or not np.isfinite(value):
        return
    x = np.array([first, last])
    y = value * (x / first) ** slope
    ax.loglog(x, y, ":", color="0.5", linewidth=1.0, zorder=0)
    ax.annotate(name, (x[1], y[1]), xytext=(3, 0), textcoords="offset points", va="center", color="0.4", fontsize="small")


def label_of(name: str, of: xr.DataArray, asked: str | None = None) -> str:
    """A quantity in words, with its unit; ``asked`` is what it was called, where an entry has no name of its own."""
    unit = of.attrs.get("unit", "1")
    ends = "_at_the_end" if name.startswith("final_") else ""
    words = _words(f"{asked or name}{'' if asked and asked.startswith('final_') else ends}")
    return words if unit == "1" else f"{words} ({'SI units' if unit == 'SI' else unit})"


def _words(name: str) -> str:
    """ "max_energy_error": "largest energy error"; "system.damping[0]": "damping[0]"."""
    for prefix, words in (("system.", ""), ("scheme.", ""), ("final_", ""), ("max_", "largest "), ("rms_", "rms ")):
        if name.startswith(prefix):
            name = words + name.removeprefix(prefix)
    return name.replace("initial.", "initial ").replace("_", " ")


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


__all__ = ["fan", "grid", "growth", "indices", "joint", "order", "style"]


def __dir__() -> list[str]:
    return __all__
