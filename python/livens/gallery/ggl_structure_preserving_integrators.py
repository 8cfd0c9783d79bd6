"""ggl-structure-preserving-integrators, section 5: four particles with all schemes of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn, Finding
from livens.gallery.panels import over_time, panels

SCHEMES = ("vi_a", "vi_b", "ems", "ggl_mp")


def four_particles() -> list[lv.Ensemble]:
    """One a scheme: h = 0.05 s, T = 10 s, no dampers; the initial momentum of the fourth mass is the system's own."""
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, end=10.0, tolerance=0),
                        observe=["constraint", "velocity_constraint", "momentum[2]"], every=1, trajectories=1)
    return [study.replace(scheme=study.scheme.replace(name)) for name in SCHEMES]


def _largest(runs: Sequence[lv.Run], name: str) -> dict[str, float]:
    """What a run has of this name, for each scheme."""
    return {scheme: float(run.instances[name][0]) for scheme, run in zip(SCHEMES, runs)}


def _drawn(sides: dict[str, tuple[str, str]], findings: list[Finding], runs: Sequence[lv.Run], log: bool) -> Drawn:
    """A panel for each quantity, a line for each scheme."""
    figure, axes = panels(len(sides))
    columns: dict[str, np.ndarray] = {"t": runs[0].trajectories.time.values}
    for ax, (title, (name, unit)) in zip(axes, sides.items()):
        lines = {scheme: run.trajectories[name].values[0] for scheme, run in zip(SCHEMES, runs)}
        over_time(ax, columns["t"], lines, unit)
        ax.set_title(title)
        if log:
            ax.set_yscale("log")
        columns.update({f"{name}, {scheme}": line for scheme, line in lines.items()})
    return Drawn(figure, columns, findings)


def figure_2(quick: bool) -> Drawing:
    """vi_a alone leaves the constraints: 2.7e-3 and 2.2e-2 in two digits, from the authors' code."""
    runs = yield four_particles()
    primary, secondary = (_largest(runs, name) for name in ("max_constraint", "max_velocity_constraint"))
    findings = [Finding("vi_a: largest |g|", 2.7e-3, primary["vi_a"], 0.05e-3),
                Finding("vi_a: largest |G v|", 2.2e-2, secondary["vi_a"], 0.05e-2)]
    for scheme in ("vi_b", "ems", "ggl_mp"):
        # Sums of three squares of the size 10.
        findings.append(Finding(f"{scheme}: largest |g|: round-off", 0.0, primary[scheme],
                                64 * np.finfo(float).eps * 10))
    sides = {"primary constraints": ("constraint", "m^2"),
             "secondary constraints": ("velocity_constraint", "m^2/s")}
    return _drawn(sides, findings, runs, log=True)


def figure_3(quick: bool) -> Drawing:
    """ggl_mp alone loses angular momentum, 1.2e-3 over 10 s; ems alone keeps H."""
    runs = yield four_particles()
    momentum, energy = (_largest(runs, name) for name in ("max_momentum_error", "max_energy_error"))
    rounding = 24 * np.finfo(float).eps * 50 * 200  # 24 products of the size 50 in each of 200 steps
    findings = [Finding("ggl_mp: largest change of the angular momentum", 1.2e-3, momentum["ggl_mp"], 0.05e-3)]
    findings += [Finding(f"{scheme}: largest change of the angular momentum: round-off", 0.0, momentum[scheme], rounding) for scheme in ("vi_a", "vi_b", "ems")]
    findings += [Finding(f"{scheme}: largest change of H (J)", change, energy[scheme], bound)
                 for scheme, change, bound in (("vi_a", 2.1e-2, 0.051e-2), ("vi_b", 4.1e-1, 0.051e-1),
                                               ("ggl_mp", 1.3e-2, 0.051e-2), ("ems", 0.0, rounding))]
    return _drawn({"angular momentum about the 3-axis": ("momentum[2]", "kg m^2/s"), "H": ("energy", "J")}, findings,
                  runs, log=False)
