"""ggl-structure-preserving-integrators, section 5: four particles with all schemes of the paper.

vi_b with theta = 1/2, as the authors' scripts have it; positions do not depend on theta, momenta do.
"""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, above, authors, printed, reference, theory
from livens.gallery.panels import change, largest, over_time, panels, slope
from livens.run import Run

SCHEMES = ("vi_a", "vi_b", "ems", "ggl_mp")
OPTIONS = {"vi_b": {"theta": 0.5}}
SYMPLECTIC = ("ggl_vi", "vi_a", "vi_b")
EPS = float(np.finfo(float).eps)
ROUNDING = 24 * EPS * 50 * 200  # 24 products of the size 50 in each of 200 steps
FOLDER = "input/published/pamm_kinon_betsch_2022"
BY_HAND = reference("scripts/papers_by_hand.py four_particle: the paper's equations in numpy")

MASS_4 = {"vi_a": (.88670445628, 3.90890551110, 2.36874818248), "vi_b": (.97879294338, 3.92736736308, 2.42706488177),
          "ems": (.86875333741, 3.88822562141, 2.32002849891), "ggl_mp": (.87645284405, 3.90991866585, 2.36047997444)}
"""q4 (m) at 10 s, as the authors' code prints it."""
SCRIPTS = {"vi_a": "VIA", "vi_b": "VIB", "ems": "EMS", "ggl_mp": "GGLMP"}


def four_particles() -> dict[str, lv.Ensemble]:
    """One a scheme: h = 0.05 s, T = 10 s, no dampers; the initial momentum of the fourth mass is the system's own."""
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, end=10.0, tolerance=0),
                        observe=["constraint[0]", "constraint[1]", "velocity_constraint[0]", "velocity_constraint[1]",
                                 "momentum[0]", "momentum[1]", "momentum[2]", "total_energy"], every=1, trajectories=1)
    return {name: study.replace(scheme=study.scheme.replace(name, **OPTIONS.get(name, {}))) for name in SCHEMES}


def _column(run: Run, name: str) -> np.ndarray:
    return run.trajectories[name].values[0]


def _drawn(sides: dict[str, tuple[str, str, dict[str, np.ndarray]]], time: np.ndarray, findings: list[Finding],
           log: bool) -> Drawn:
    """A panel for each quantity, a line for each scheme."""
    figure, axes = panels(len(sides))
    columns: dict[str, np.ndarray] = {"t": time}
    for ax, (title, (name, unit, lines)) in zip(axes, sides.items()):
        over_time(ax, time, lines, unit)
        ax.set_title(title)
        if log:
            ax.set_yscale("log")
        columns.update({f"{name}, {scheme}": line for scheme, line in lines.items()})
    return Drawn(figure, columns, findings)


def figure_2(quick: bool) -> Drawing:
    """Both constraints have no unit, (25) is divided by the squares of the lengths; vi_a alone leaves them."""
    runs = dict(zip(SCHEMES, (yield list(four_particles().values()))))
    lines = {kind: {scheme: np.max(np.abs([_column(run, f"{kind}[{k}]") for k in range(2)]), axis=0)
                    for scheme, run in runs.items()} for kind in ("constraint", "velocity_constraint")}
    text = printed("section 5: preserved up to numerical round-off")
    findings = [Finding("vi_a: largest |g|", 2.7e-3, largest(lines["constraint"]["vi_a"]), 0.05e-3, BY_HAND,
                        "half of its last digit"),
                Finding("vi_a: largest |G v| (1/s)", 2.2e-2, largest(lines["velocity_constraint"]["vi_a"]), 0.05e-2, BY_HAND,
                        "half of its last digit"),
                Finding("vi_a: largest |g| over round-off", above(1e3), largest(lines["constraint"]["vi_a"]) / (640 * EPS),
                        0.0, printed("section 5: whereas VI-A does not"), "by convention three digits above it")]
    for scheme in ("vi_b", "ems", "ggl_mp"):
        findings += [Finding(f"{scheme}: largest |g|", 0.0, largest(lines["constraint"][scheme]), 64 * EPS * 10, text,
                             "round-off: sums of three squares of the size 10"),
                     Finding(f"{scheme}: largest |G v| (1/s)", 0.0, largest(lines["velocity_constraint"][scheme]),
                             64 * EPS * 10, text, "round-off: sums of three products of the size 10")]
    sides = {"primary constraints": ("largest |g|", "1", lines["constraint"]),
             "secondary constraints": ("largest |G v|", "1/s", lines["velocity_constraint"])}
    return _drawn(sides, runs["ems"].trajectories.time.values, findings, log=True)


def figure_3(quick: bool) -> Drawing:
    """ggl_mp alone loses angular momentum, of the panel's L3 9.16e-4 over 10 s; ems alone keeps H.

    H of vi_b is H(q, p) with theta = 1/2, of the scripts, and with theta = 0, the default here. The authors' Postprocess.m
    takes T of the scheme's own v, on which theta has no part.
    """
    studies = four_particles()
    zero = studies["vi_b"].replace(scheme=studies["vi_b"].scheme.replace(theta=0.0))
    *each, with_zero = yield [*studies.values(), zero]
    runs = dict(zip(SCHEMES, each))
    momentum = {scheme: [change(_column(run, f"momentum[{k}]")) for k in range(3)] for scheme, run in runs.items()}
    energy = {scheme: change(_column(run, "energy")) for scheme, run in runs.items()}
    digits = "half of its last digit"
    findings = [
        Finding("ggl_mp: largest change of L3, of the panel (kg m^2/s)", 9.16e-4, momentum["ggl_mp"][2], 0.05e-5, BY_HAND,
                digits),
        Finding("ggl_mp: largest change of L2 (kg m^2/s)", 1.24e-3, momentum["ggl_mp"][1], 0.5e-5, BY_HAND, digits)]
    findings += [Finding(f"{scheme}: largest change of the angular momentum (kg m^2/s)", 0.0, max(momentum[scheme]),
                         ROUNDING, printed("section 5: schemes of the GGL principle preserve momentum"), "round-off")
                 for scheme in ("vi_a", "vi_b", "ems")]
    findings += [
        Finding("ems: largest change of H (J)", 0.0, energy["ems"], ROUNDING,
                printed("section 5: the EMS preserves the Hamiltonian"), "round-off"),
        Finding("vi_a: largest change of H (J)", 2.1e-2, energy["vi_a"], 0.05e-2, BY_HAND, digits),
        Finding("vi_b, theta = 1/2: largest change of H(q, p) (J)", 0.3984, energy["vi_b"], 0.5e-4, BY_HAND, digits),
        Finding("vi_b, theta = 0: largest change of H(q, p) (J)", 0.41, change(_column(with_zero, "energy")), 0.005, BY_HAND,
                digits),
        Finding("vi_b: change of H with T(v), theta = 0 less theta = 1/2 (J)", 0.0,
                change(_column(with_zero, "total_energy")) - change(_column(runs["vi_b"], "total_energy")), ROUNDING,
                theory("q and v do not depend on theta"), "round-off"),
        Finding("ggl_mp: largest change of H (J)", 1.3e-2, energy["ggl_mp"], 0.05e-2, BY_HAND, digits)]
    for scheme, expected in MASS_4.items():
        apart = largest(runs[scheme].final.q[0, 9:] - np.array(expected))
        findings.append(Finding(f"{scheme}: q4 at 10 s, distance from that of the authors (m)", 0.0, apart, 1e-11,
                                authors(f"{FOLDER}/single_analysis_4P_{SCRIPTS[scheme]}.m", "its run"),
                                "a unit of the last digit that it printed"))
    sides = {"angular momentum about the 3-axis": ("L3", "kg m^2/s",
                                                   {name: _column(run, "momentum[2]") for name, run in runs.items()}),
             "Hamiltonian H(q, p)": ("H", "J", {name: _column(run, "energy") for name, run in runs.items()})}
    return _drawn(sides, runs["ems"].trajectories.time.values, findings, log=False)


def orders(quick: bool) -> Drawing:
    """Orders that sections 3 and 4 state, from a stretched spring: at the paper's start DV = 0, and vi_b looks second order.

    The true motion is that of Taylor series. The next term of the error is of the relative size h.
    """
    angle, cuts = 0.3, np.array([20, 40, 80, 160])
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.taylor(step=0.05, end=1.0), interval=1.0,
                        initial={"q": [0, 0, 0, 1, 0, 0, 0, 1, 0, float(np.cos(angle)), 1 + float(np.sin(angle)), 0],
                                 "p": [0, 0, 0, 0.1, 0.2, 0.3, 0, 0, 0, 0, 3, 2]})
    stated = {"vi_a": (2, "section 3: VI-A is second order accurate"), "vi_b": (1, "section 3: VI-B is first-order accurate"),
              "ems": (2, "section 4: the EMS is second-order accurate")}
    exact, *runs = yield [study, *(study.replace(scheme=lv.schemes.Scheme(
        name, {"step": 1.0 / cut, "end": 1.0, "tolerance": 0, **OPTIONS.get(name, {})})) for name in stated for cut in cuts)]
    figure, (ax,) = panels(label="h (s)")
    ax.set_ylabel("largest error of q at 1 s (m)")
    columns, findings = {"h": 1.0 / cuts}, []
    for k, (name, (order, text)) in enumerate(stated.items()):
        errors = np.array([largest(run.final.q - exact.final.q) for run in runs[len(cuts) * k:len(cuts) * (k + 1)]])
        columns[f"error, {name}"] = errors
        ax.loglog(1 / cuts, errors, "o-", label=name)
        findings.append(Finding(f"{name}: slope between the two smallest steps", order,
                                float(np.log2(errors[-2] / errors[-1])), 8 / cuts[-2], printed(text),
                                "the next order, by convention eight times h over the second that is run"))
    for order in (1, 2):
        slope(ax, 1 / cuts, (1 / cuts[0], {1: 0.2, 2: 2e-3}[order]), order, f"slope {order}")
    return Drawn(figure, columns, findings)


def _derivative(nodes: np.ndarray) -> np.ndarray:
    """The matrix that differentiates the polynomial through values at these nodes, there."""
    apart = nodes[:, None] - nodes + np.eye(len(nodes))
    weights = 1 / np.prod(apart, axis=1)
    D = weights / weights[:, None] / apart
    np.fill_diagonal(D, 0.0)
    return D - np.diag(np.sum(D, axis=1))


def symplecticity(quick: bool) -> Drawing:
    """dq/da.dp/db - dq/db.dp/da, of all starts of a family with two parameters: a symplectic map keeps it everywhere.

    a moves mass 4 by up to 0.03 m, which the projection onto the constraints turns into a turn of bar 3-4; b changes a
    velocity by up to 0.06 m/s. Both have ten Chebyshev nodes, whose polynomials are exact to round-off, and so are the
    derivatives. What is not symplectic has to be off by 1000 times the rounding.
    """
    count, end = 10, 2.0
    x = np.cos(np.pi * (2 * np.arange(count) + 1) / (2 * count))
    reach = {"initial.q[10]": 0.03, "initial.v[10]": 0.06}
    centre = {"initial.q[10]": 1.0, "initial.v[10]": 3 / 1.7}
    names = (*SYMPLECTIC, "rattle", "ems", "ggl_mp", "livens")
    runs = yield [lv.Ensemble(lv.systems.four_particle(), lv.schemes.Scheme(
        name, {"step": 0.05, "end": end, "tolerance": 0, **OPTIONS.get(name, {})}),
        vary={what: lv.Values(tuple((centre[what] + size * x).tolist())) for what, size in reach.items()},
        interval=0.1, trajectories=count**2) for name in names]
    D = _derivative(x)
    figure, (ax,) = panels()
    columns: dict[str, np.ndarray] = {}
    findings = []
    # Positions and momenta of the size 10, differentiated with entries of D up to count^2: each of 24 products.
    rounding = 24 * EPS * 10 * count**2 / reach["initial.q[10]"] * 10
    texts = {"ggl_vi": "ggl-variational-principle, section 4: the method is symplectic",
             "vi_a": "section 3: variational, so symplectic", "vi_b": "section 3: variational, so symplectic"}
    for name, run in zip(names, runs):
        q, p = (run.trajectories[of].values.reshape(count, count, -1, 12) for of in "qp")
        of_a, of_b = ([np.einsum(f"{index}k,{order}->{result}", D, value) / size for value in (q, p)]
                      for index, order, result, size in (("a", "kbtc", "abtc", reach["initial.q[10]"]),
                                                         ("b", "aktc", "abtc", reach["initial.v[10]"])))
        form = np.sum(of_a[0] * of_b[1] - of_b[0] * of_a[1], axis=-1)
        changes = np.max(np.abs(form - form[:, :, :1]), axis=(0, 1))
        columns["t"], columns[f"change, {name}"] = run.trajectories.time.values, changes
        ax.semilogy(columns["t"][1:], changes[1:], label=name)
        what = f"{name}: largest change of the symplectic form (kg)"
        if name in texts or name == "rattle":
            source = printed(texts[name]) if name in texts else theory("RATTLE is symplectic")
            findings.append(Finding(what, 0.0, largest(changes), rounding, source, "round-off of the derivatives"))
        else:
            findings.append(Finding(what, above(1e3 * rounding), largest(changes), 0.0, theory("no variational scheme"),
                                    "by convention 1000 times the rounding"))
    ax.axhline(rounding, color="grey", linestyle=":", label="bound of round-off")
    ax.set_ylabel("change of the symplectic form (kg)")
    return Drawn(figure, columns, findings)
