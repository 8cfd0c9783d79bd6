"""What damping does to an ensemble."""

from __future__ import annotations

import numpy as np

import livens as lv
from livens.gallery.figures import Drawing, Drawn
from livens.gallery.findings import Finding, reference, theory
from livens.gallery.panels import largest, panels


def damping_quantiles(quick: bool) -> Drawing:
    """The energy of four particles whose kicks and dampers are uncertain (four_particle.toml).

    ems keeps the balance in every instance: what is lost was dissipated.
    """
    run, = yield [lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, end=10.0, tolerance=0),
                              vary={"initial.p[10:12]": lv.Normal(0, 0.1, mode="add"),
                                    "system.damping[*]": lv.Uniform(0, 0.05)},
                              observe=["energy"], size=4096, seed=1, interval=0.5, trajectories=0,
                              quantiles=[0.05, 0.25, 0.5, 0.75, 0.95])]
    figure, (ax,) = panels()
    lv.plot.fan(run, "energy", ax=ax)
    of = run.statistics["energy"]
    columns = {"t": of.time.values, **{f"quantile {level:.2f}": of.quantiles.sel(level=level).values
                                       for level in of.level.values}}
    rounding = 64 * np.finfo(float).eps * float(run.instances.energy_scale.max()) * np.sqrt(200)
    return Drawn(figure, columns, [
        Finding("largest error of the energy balance (J)", 0.0, largest(run.instances.max_energy_error.values), rounding,
                theory("ems keeps the balance"), "round-off, a walk of 200 steps")])


def _fall(run: lv.Run) -> float:
    """When |theta| passes 85 degrees, s, between two nodes of a trajectory."""
    inclination, fallen = np.abs(run.trajectories.q.values[0, :, 2]), np.radians(85)
    after = int(np.flatnonzero(inclination > fallen)[0])
    return float(np.interp(fallen, inclination[after - 1:after + 1], run.trajectories.time.values[after - 1:after + 1]))


def time_to_fall(quick: bool) -> Drawing:
    """Of the rolling disk, against damping and initial inclination (rolling_disk_damping.toml); white: not within 40 s.

    One disk of the grid is compared with the true motion. The error, of second order, is about 4/3 of what half the
    step moves the time by; twice that is the bound.
    """
    count, scheme = 24, lv.schemes.contact_2(step=0.005, end=40.0)
    study = lv.Ensemble(lv.systems.rolling_disk(), scheme, interval=40.0, trajectories=0,
                        vary={"system.damping": lv.Linspace(0.02, 0.48, count),
                              "initial.q[2]": lv.Linspace(0.02, 0.48, count)})
    one, place = 0.2, (9, 9)  # damping and inclination of the disk compared, which has this place in the grid
    single = study.replace(system=lv.systems.rolling_disk(damping=one), vary={},
                           initial={"q": [0, 0, one, 0, 0], "v": [np.pi, 0, 0, 0, 2 * np.pi]})
    exact = single.replace(scheme=lv.schemes.reference_ode(step=0.0025, end=40.0), interval=None, every=1,
                           trajectories=1)
    run, run_of_half, true_motion = yield [study, single.replace(scheme=scheme.replace(step=0.0025)), exact]
    damping, inclination, time = (run.instances[name].values.reshape(count, count)
                                  for name in ("system.damping", "initial.q[2]", "time_to_fall"))
    figure, (ax,) = panels()
    filled = ax.pcolormesh(damping, inclination, time)
    figure.colorbar(filled, ax=ax, label="time to fall (s)")
    ax.set_xlabel("damping (1/s)")
    ax.set_ylabel("initial inclination (rad)")
    ours, half = float(time[place]), float(run_of_half.instances.time_to_fall[0])
    return Drawn(figure, {"damping": damping.ravel(), "inclination": inclination.ravel(), "time": time.ravel()}, [
        Finding(f"damping {one}, inclination {one}: time to fall (s)", _fall(true_motion), ours,
                2 * 4 / 3 * abs(half - ours), reference("the true motion, by CVODE"), "8/3 of what half the step moves it by")])
