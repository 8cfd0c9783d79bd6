"""livens-energy-consistent, section 6: an energy-consistent scheme on Livens' principle.

The axes of the figures tell what their captions do not: the authors' program draws differences up to twice the power of ten
above the largest (classes/Postprocess/Postprocess.m, from line 466), and energies up to a tenth of their range beyond the
largest (line 427).
"""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import (
    Between, Finding, above, authors, closed, in_metis, link_to_metis, printed, reference, theory)
from livens.gallery.panels import change, energies, increments, largest, over_time, panels
from livens.run import Run

EPS = float(np.finfo(float).eps)
FOLDER = "input/published/proceeding_eccomasMBD_kinon_betsch_2023"
START = {"q": [0.0, 1.1, 0.0], "v": [1.0, 1.0, -1.0]}
SCRIPT = authors(f"{FOLDER}/single_analysis_RedundantMassSpring.m", "MASS, Q_0, V_0")
BY_HAND = reference("scripts/papers_by_hand.py mass_spring: the paper's equations in numpy")
POSTPROCESS = "classes/Postprocess/Postprocess.m"


def mass_spring() -> lv.Ensemble:
    """Section 6.1, h = 0.1 s, T = 10 s, with the masses and the start of the authors' script.

    Their class has V = k/2 (x^2 + x^4) where (41) prints k/4: stiffnesses that are twice those of Table 1.
    """
    return lv.Ensemble(lv.systems.mass_spring(mass=[2, 1], stiffness=[2, 6]),
                       lv.schemes.livens(step=0.1, end=10.0, tolerance=0), initial=START,
                       observe=["kinetic_energy", "potential_energy", "constraint[0]"], every=1)


def as_printed() -> lv.Ensemble:
    """With m, k and V of Table 1 and (41); the paper prints no start."""
    return mass_spring().replace(system=lv.systems.mass_spring(mass=[1, 1], stiffness=[1, 3]))


def spring_pendulum() -> lv.Ensemble:
    """Section 6.2, Table 2: h = 0.01 s, T = 1 s, with the paper's discrete gradient."""
    return lv.Ensemble(lv.systems.spring_pendulum(),
                       lv.schemes.livens(step=0.01, end=1.0, tolerance=0, derivative="plain"),
                       observe=["kinetic_energy", "potential_energy"], every=1)


def _of_axis(what: str, known: Between, ours: float, figure: int, shows: str, rule: tuple[int, str], differs: str = "") -> Finding:
    """What an axis of the print tells of the largest value, by the rule of the authors' program, which chose it."""
    line, text = rule
    return Finding(what, known, ours, 0.0, printed(f"the axis of figure {figure}, {shows}, by the rule of the authors' code, "
                                                   f"{in_metis(POSTPROCESS)}, line {line}", link_to_metis(POSTPROCESS)), text, differs)


ENERGIES = 427, "an axis of energies ends a tenth of their range beyond the largest"
DIFFERENCES = 472, "an axis of differences ends at twice the power of ten above the largest"


def _of_increments(run: Run, energy: str, findings: list[Finding]) -> Drawn:
    figure, (ax,) = panels()
    time, steps = run.trajectories.time.values[1:], increments(run.trajectories[energy].values[0])
    over_time(ax, time, {f"increments of {energy}": steps}, "J")
    return Drawn(figure, {"t": time, "increment": steps}, findings)


def figure_2(quick: bool) -> Drawing:
    """With the start of the authors' script beside Table 1 as printed with that start, which is not what figure 2 shows."""
    runs = yield [mass_spring(), as_printed()]
    figure, axes = panels(2)
    columns: dict[str, np.ndarray] = {}
    for ax, name, run in zip(axes, ("as the authors' script", "as Table 1"), runs):
        columns["t"] = run.trajectories.time.values
        of = energies(run, 0)
        over_time(ax, columns["t"], of, "J")
        ax.set_title(name)
        columns.update({f"{quantity}, {name}": values for quantity, values in of.items()})
    script, table = ({name: of.trajectories[name].values[0] for name in ("energy", "kinetic_energy", "potential_energy")}
                     for of in runs)
    shown = Between(1 / 1.1, 1.5 / 1.1)
    axis = 2, "whose last tick is 1, and the next would be 1.5", ENERGIES
    return Drawn(figure, columns, [
        Finding("E at the start (J)", 1.0, float(script["energy"][0]), 4 * EPS, SCRIPT, "round-off"),
        _of_axis("largest energy (J)", shown, float(script["energy"].max()), *axis),
        Finding("largest T (J)", 1.000, float(script["kinetic_energy"].max()), 0.5e-3, BY_HAND, "half of its last digit"),
        Finding("largest V (J)", 0.988, float(script["potential_energy"].max()), 0.5e-3, BY_HAND, "half of its last digit"),
        Finding("as Table 1: E at the start (J)", 0.5, float(table["energy"][0]), 4 * EPS,
                closed("m/2 v1^2 of the script's start with m = 1"), "round-off"),
        _of_axis("as Table 1: largest energy (J)", shown, float(table["energy"].max()), *axis,
                 differs="Table 1 prints m = (1, 1), the script has m = (2, 1): with the print the energy is half of what "
                        "figure 2 shows.")])


def figure_3(quick: bool) -> Drawing:
    run, = yield [mass_spring()]
    step = largest(increments(run.trajectories.energy.values[0]))
    return _of_increments(run, "energy", [
        _of_axis("largest increment of E (J)", Between(1e-16, 1e-15), step, 3, "which ends at 2e-15", DIFFERENCES)])


def figure_4(quick: bool) -> Drawing:
    run, = yield [mass_spring()]
    figure, (ax,) = panels()
    time, g = run.trajectories.time.values, run.trajectories["constraint[0]"].values[0]
    over_time(ax, time, {"g": g}, "m^2")
    return Drawn(figure, {"t": time, "g": g}, [
        _of_axis("largest |g| (m^2)", Between(1e-16, 1e-15), largest(g), 4, "which ends at 2e-15", DIFFERENCES)])


def figure_6(quick: bool) -> Drawing:
    """T and V at the start follow from (43) to (46), and their sum stays to what figure 7 shows."""
    run, = yield [spring_pendulum()]
    figure, (ax,) = panels()
    time, of = run.trajectories.time.values, energies(run, 0)
    over_time(ax, time, of, "J")
    kinetic, potential = 1.05**2, 300 / 2 * ((1.05**2 - 1) / 2)**2
    start = closed("(43) to (46)")
    total = of["T + V"]
    return Drawn(figure, {"t": time, **of}, [
        Finding("T at the start (J)", kinetic, float(of["T"][0]), 8 * EPS, start, "round-off"),
        # A strain of 0.05 is a difference of numbers of the size 1.
        Finding("V at the start (J)", potential, float(of["V"][0]), 32 * EPS, start, "round-off"),
        _of_axis("largest energy (J)", Between(1.5 / 1.1, 2 / 1.1), float(max(values.max() for values in of.values())), 6,
                 "whose last tick is 1.5, and the next would be 2", ENERGIES),
        Finding("lowest V (J)", above(0.0), float(of["V"].min()), 0.0, theory("(43) is a square")),
        Finding("largest change of T + V (J)", Between(10**-4.5, 10**-3.5), change(total), 0.0,
                printed("section 6.2: captured down to an order of 1e-4"), "by convention half a decade to each side")])


def figure_7(quick: bool) -> Drawing:
    run, = yield [spring_pendulum()]
    step = largest(increments(run.trajectories.total_energy.values[0]))
    return _of_increments(run, "total_energy", [
        _of_axis("largest increment of T + V (J)", Between(1e-5, 1e-4), step, 7, "which ends at 2e-4", DIFFERENCES),
        Finding("largest increment of T + V (J), two digits", 4.3e-5, step, 0.05e-5,
                reference("scripts/papers_by_hand.py spring_pendulum: the paper's equations in numpy"), "half of its last digit")])


def figure_8(quick: bool) -> Drawing:
    run, = yield [spring_pendulum()]
    step = largest(increments(run.trajectories.energy.values[0]))
    return _of_increments(run, "energy", [
        _of_axis("largest increment of E (J)", Between(1e-15, 1e-14), step, 8, "which ends at 2e-14", DIFFERENCES)])


def _momenta(system: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """M(q) v of the three systems, shape (K, d)."""
    if system.startswith("mass_spring"):
        return v @ np.array([[2.0, 0, 0], [0, 1, 1], [0, 1, 1]])  # (40)
    if system.startswith("four_particle"):
        return v * np.repeat([1, 3, 2.3, 1.7], 3)
    r, sine = q[:, 0], np.sin(q[:, 1])
    return v * np.stack([np.ones_like(r), r**2, (r * sine)**2], axis=1)  # (45)


def proposition_5_5(quick: bool) -> Drawing:
    """p = M v at the nodes where M is constant, regular or not; not where it depends on q."""
    four = lv.Ensemble(lv.systems.four_particle(), lv.schemes.livens(step=0.05, end=10.0, tolerance=0), every=1,
                       trajectories=1)
    runs = yield [mass_spring(), four, spring_pendulum()]
    figure, axes = panels(3)
    columns, findings = {}, []
    titles = {"mass_spring, M singular": "kg m/s", "four_particle, M constant": "kg m/s",
              "spring_pendulum, M(q)": "kg m/s; of angles kg m^2/s"}
    for k, (ax, run, (title, unit)) in enumerate(zip(axes, runs, titles.items())):
        q, p, v = (run.trajectories[name].values[0] for name in "qpv")
        momenta = _momenta(title, q, v)
        apart = np.max(np.abs(p - momenta), axis=1)
        time = run.trajectories.time.values
        ax.semilogy(time[1:], np.maximum(apart[1:], EPS))
        ax.set_title(title, fontsize="medium")
        ax.set_ylabel(f"largest |p - M v| ({unit})")
        columns[f"t, {title}"], columns[f"|p - M v|, {title}"] = time, apart
        if k < 2:
            # p1 = 2 M Dq/h - p0 and v1 = 2 Dq/h - v0 round apart by eps |M Dq|/h in each step.
            rounding = 8 * EPS * len(time) * largest(momenta)
            findings.append(Finding(f"{title}: largest |p - M v| ({unit})", 0.0, largest(apart), rounding,
                                    printed("proposition 5.5: satisfied for constant M"), "round-off of each step"))
        else:
            findings.append(Finding(f"{title}: largest |p - M v| ({unit})", above(1e-6), largest(apart), 0.0,
                                    printed("proposition 5.5: does not hold in general"),
                                    "by convention: far from round-off, 1e-12"))
    length = min(map(len, columns.values()))
    return Drawn(figure, {name: values[:length] for name, values in columns.items()}, findings)
