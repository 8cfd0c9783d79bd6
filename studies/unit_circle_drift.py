"""Energy and angle of unit_circle_drift.toml against the closed form, over time: exponents of the rms over its instances.

usage: unit_circle_drift.py RESULT

With v along the circle ems keeps |v|, and a step turns by 2 atan(h v/(2 R)): the chord 2 R sin(turn/2) is h times the mean
of both velocities, v cos(turn/2). A walk of the energy, t^(1/2), is a walk of the turn, whose sum is the angle: t^(3/2).
Exponents are slopes of log rms over decades of the time, the ranges those that leaving out one instance gives, times
1.96 (jackknife). docs/measurements/unit_circle_drift.txt is what it prints of

    livens run unit_circle_drift.toml         # nine minutes of one core
"""

import sys

import numpy as np

import livens as lv

STEP = np.longdouble(0.1)  # the double, as in the run


def exponent(time: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """Of the rms over instances, and 1.96 standard errors of it."""
    def slope(of: np.ndarray) -> float:
        return float(np.polyfit(np.log(time), np.log(np.sqrt((of**2).mean(0))), 1)[0])

    size = len(error)
    without = np.array([slope(np.delete(error, k, 0)) for k in range(size)])
    return slope(error), 1.96 * float(np.sqrt((size - 1) * without.var()))


def main(result: str) -> None:
    run = lv.open(result)
    assert (run.instances.status == 0).all()
    of, speed = run.trajectories, run.instances["initial.v[1]"].values.astype(np.longdouble)
    steps = np.rint(of.time.values / 0.1)
    angle = steps.astype(np.longdouble) * (2 * np.arctan(speed * STEP / 2))[:, None]
    x, y = of.q.values[..., 0], of.q.values[..., 1]
    errors = {"angle (rad)": np.arctan2(y * np.cos(angle) - x * np.sin(angle), x * np.cos(angle) + y * np.sin(angle)),
              "energy (J)": of.energy.values - speed[:, None]**2 / 2}
    for what, error in errors.items():
        error = error.astype(float)
        print(f"{what}: rms at the end {np.sqrt((error[:, -1]**2).mean()):.1e}, mean {error[:, -1].mean():+.1e}")
        for low in (1e4, 1e5, 1e6, 1e7):
            shown = (steps >= low) & (steps <= 100 * low)
            b, spread = exponent(of.time.values[shown], error[:, shown])
            print(f"    steps {low:.0e} to {100 * low:.0e}: t^{b:.2f} +- {spread:.2f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
