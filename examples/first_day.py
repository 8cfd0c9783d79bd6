"""A first day with livens: from a Lagrangian to an ensemble, its pictures, what decides, and a model that is calibrated.

    pip install 'livens[plot,uq]' sympy
    python first_day.py                    # minutes on one core; what it draws lies in first_day/
    python first_day.py --size 2000        # a glance

A bob on a spring swings in space, and the spring bounces twice as often as the bob swings. So the swing becomes a bounce,
and the bounce a swing again, in another plane (Lynch, Resonant motions of the three-dimensional elastic pendulum, Int. J.
Non-Linear Mech. 37, 2002).
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np
import sympy
from scipy.optimize import least_squares
from sympy.physics.mechanics import dynamicsymbols

import livens as lv

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("--size", type=int, default=100_000, help="instances of the ensemble (default: %(default)s)")
arguments.add_argument("-o", dest="folder", type=Path, default=Path("first_day"), help="default: %(default)s")
asked = arguments.parse_args()
asked.folder.mkdir(exist_ok=True)
matplotlib.use("Agg")

# The system. Its Lagrangian, a drag, and values in SI units: l is the spring's length at rest, and the bob starts 1 m below
# the support plus what it is pulled down and aside. k/m is four times g over that metre: two bounces a swing.
t = dynamicsymbols._t
x, y, z = dynamicsymbols("x y z")
m, k, l, g = sympy.symbols("m k l g", positive=True)
c = sympy.Symbol("c", nonnegative=True)
velocity = sympy.Matrix([x, y, z]).diff(t)
kinetic = m*velocity.dot(velocity)/2
spring = k*(sympy.sqrt(x**2 + y**2 + z**2) - l)**2/2
pendulum = lv.System.from_lagrangian(
    kinetic - spring - m*g*z, [x, y, z], dissipation=c*velocity.dot(velocity)/2, name="elastic_pendulum",
    values={m: 1.0, g: 9.81, k: {"default": 4*9.81, "unit": "N/m"}, l: 0.75, c: {"default": 0.01, "unit": "N s/m"}, x: 0.04,
            z: -1.1})

# The ensemble. Nobody knows the spring, the drag and the push to the side exactly; what is asked is how much of the energy
# is in the swing. The scheme keeps the balance of the energy to round-off, whatever the step.
swing = {"name": "swing", "expression": m*(x.diff(t)**2 + y.diff(t)**2 + g*(x**2 + y**2))/2, "unit": "J"}
height = {"name": "height", "expression": z, "unit": "m"}
study = lv.Ensemble(
    pendulum, lv.schemes.livens(step=0.02, end=20.0),
    vary={k: lv.Normal(1.0, 0.02, mode="multiply"), c: lv.Uniform(0.0, 0.05), y.diff(t): lv.Normal(0.0, 0.05)},
    observe=[swing, height], size=asked.size, seed=1, interval=0.1)
run = study.run()
print(run.summary())

# Pictures: how the swing spreads, and how its end goes with the spring.
lv.plot.fan(run, "swing").figure.savefig(asked.folder / "swing.svg")
lv.plot.joint(run, "system.k", "swing").figure.savefig(asked.folder / "spring_and_swing.png")

# A page to turn and play: eight of them at once, stiff springs in another colour than soft ones.
looks = lv.drawing(pendulum, {"support": [0, 0, 0], "bob": ["x", "y", "z"]})
lv.view(run, "all", asked.folder / "motion.html", draw=looks, colour="system.k", trail=2.0)

# What decides: Sobol indices over time.
points = 2**int(np.log2(max(asked.size/50, 32)))
shares = lv.sobol(study.replace(interval=0.5), points, of="swing", over_time=True)
lv.plot.indices(shares).figure.savefig(asked.folder / "what_decides.svg")
print("\nshares of the variance of the swing after 20 s")
print(shares.isel(time=-1, of=0)[["first", "total"]].to_dataframe()[["first", "total"]].round(2), "\n")

# A calibration. Somebody has filmed one pendulum and read its height to a millimetre, ten times a second for five seconds.
# Residuals and their exact derivatives come from one run, so that Gauss and Newton need a handful of runs.
times, millimetre = np.arange(1, 51)/10, 1e-3
one = study.replace(vary={}, size=1, initial={y.diff(t): 0.05}, scheme=study.scheme.replace(end=5.0), interval=0.1)
filmed = one.replace(system=pendulum.replace({k: 40.0, c: 0.03})).run().trajectories.height.values[0, 1:]
read = filmed + millimetre*np.random.default_rng(1).standard_normal(len(times))
r = lv.residuals(one, {time: {"height": (value, millimetre)} for time, value in zip(times, read)},
                 of=["system.k", "system.c"])
fit = least_squares(r.fun, r.x0, jac=r.jac, x_scale="jac")
sure = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
for name, value, error, true in zip(r.names, fit.x, sure, (40.0, 0.03)):
    print(f"{name} = {value:.4f} +- {error:.4f}, and was {true}")
    assert abs(value - true) < 4*error
print(f"{fit.nfev} runs; pictures and the page lie in {asked.folder}")
