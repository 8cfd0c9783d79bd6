"""Round-off over long times."""

from __future__ import annotations

import numpy as np
import xarray as xr

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, theory
from livens.gallery.panels import panels, slope

SCHEMES = ("ems", "livens", "vi_a")


def energy_drift(quick: bool) -> Drawing:
    """The rms of the energy error grows like t^(1/2) with energy-momentum schemes; with a variational one it stays.

    What rounding adds in a step is a random walk (Brouwer's law); one operation that always rounds to the same side
    would show as t^1. The exponent is that of the last two decades, which have to begin well after what the rounding of
    one energy hides, the first hundred steps or so. energy_drift.toml and energy_drift_heavy_top.toml are the studies of
    a thousand instances.
    """
    scheme, size = lv.schemes.ems(steps=100_000 if quick else 1_000_000, tolerance=0), 128
    studies = {
        "four_particle": lv.Ensemble(lv.systems.four_particle(), scheme.replace(step=0.05), size=size,
                                     vary={"initial.p[10:12]": lv.Normal(0, 0.1, mode="add")}),
        "heavy_top": lv.Ensemble(lv.systems.heavy_top(), scheme.replace(step=0.002), size=size,
                                 vary={"initial.v": lv.Normal(1, 0.03, mode="multiply", shared=True),
                                       "system.nutation": lv.Normal(1, 0.05, mode="multiply"),
                                       "system.precession_rate": lv.Normal(1, 0.05, mode="multiply")})}
    runs = yield [study.replace(sampling="log", trajectories=0, scheme=study.scheme.replace(name))
                  for study in studies.values() for name in SCHEMES]
    figure, axes = panels(len(studies))
    columns: dict[str, np.ndarray] = {"sample": np.arange(0)}
    findings = []
    for k, (ax, system) in enumerate(zip(axes, studies)):
        of_system = np.array(runs[len(SCHEMES) * k:len(SCHEMES) * (k + 1)], dtype=object)
        compared = lv.Comparison(xr.DataArray(of_system, dims=["scheme"], coords={"scheme": list(SCHEMES)}))
        lv.plot.growth(compared, ax=ax)
        ax.set_title(system)
        shown = of_system[0].statistics["energy_error"].rms
        slope(ax, shown.time.values[1:], (float(shown.time[-1]), 3 * float(shown[-1])), 0.5, "t^(1/2)")
        for name in SCHEMES:
            rms = compared.sel(scheme=name).statistics["energy_error"].rms
            columns.update({f"t, {system}": rms.time.values, f"rms energy error, {system}, {name}": rms.values})
            low, high = rms.attrs["growth_interval"]
            # Three deviations, where the interval has 1.96 of them; a bounded error swings by itself, but stays far
            # from a walk.
            random_walk, bound = (0.0, 0.1) if name == "vi_a" else (0.5, 1.5 * (high - low) / 2)
            findings.append(Finding(f"{system}, {name}: exponent", random_walk, float(rms.attrs["growth_exponent"]),
                                    float(bound), theory("Brouwer's law" if name != "vi_a" else "bounded: symplectic"),
                                    "three deviations" if name != "vi_a" else "by convention, far from a walk"))
    columns["sample"] = np.arange(len(columns["t, four_particle"]))
    return Drawn(figure, columns, findings)
