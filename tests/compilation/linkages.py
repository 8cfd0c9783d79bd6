"""Mechanisms of bodies and joints, judged by what others have printed of them.

usage: linkages.py LIVENS SOURCE DIRECTORY
"""

import pathlib
import subprocess
import sys

import h5py
import numpy as np

livens, source, directory = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
directory.mkdir(parents=True, exist_ok=True)


def integrate(text, scheme, step, steps, every, keys="", observe=""):
    spec = directory / f"{text}.toml"
    spec.write_text(f"""
[system]
file = "{source}/examples/systems/{text}.toml"
{keys}
[scheme]
name = "{scheme}"
step = {step}
steps = {steps}
[output]
every = {every}
trajectories = 1
observe = [{observe}]
""")
    subprocess.run([livens, "run", spec, "-o", directory / "result.h5", "--force", "--quiet"], check=True)
    with h5py.File(directory / "result.h5") as result:
        assert result["instances/status"][0] == 0, text
        return {name: values[0] for name, values in result["trajectories"].items()
                if isinstance(values, h5py.Dataset) and values.shape[:1] == (1,)}


def bicycle():
    """The benchmark of Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007): M u'' + v C u' + (g K0 + v^2 K2) u
    = 0 for lean and steer, u, of the upright motion. A lean of 1e-4 rad leaves 1e-8 of it to what is not linear."""
    speed, gravity, lean, duration = 5.0, 9.81, 1e-4, 1.0
    M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
    C = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
    K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
    K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)],
                  [-np.linalg.solve(M, gravity*K0 + speed**2*K2), -np.linalg.solve(M, speed*C)]])
    rates, modes = np.linalg.eig(A)
    printed = [-14.0783896927982, -0.775341882195845 - 4.46486771378823j, -0.775341882195845 + 4.46486771378823j,
               -0.322866429004087]
    assert np.abs(np.sort_complex(rates) - printed).max() < 1e-12, rates  # the digits above are those of the paper
    times = np.linspace(0.0, duration, 11)
    parts = np.linalg.solve(modes, [1.0, 0.0, 0.0, 0.0])
    lean_of_time, steer_of_time = np.real((modes*parts) @ np.exp(np.outer(rates, times)))[:2]

    found = []
    for steps in (50, 100, 200):
        result = integrate("bicycle", "livens", duration/steps, steps, steps//10, f"lean = {lean}\nspeed = {speed}",
                           '{ name = "steer_angle", expression = "-steer.angle" },'
                           '{ name = "lean_sine", expression = "frame.d2[2]" }')
        found.append(np.array([result["lean_sine"], result["steer_angle"]])/lean)
    expected = np.array([lean_of_time, steer_of_time])
    errors = [np.abs(values - expected).max() for values in found]
    # Symmetric steps: the error is a series in h^2, whose first two parts extrapolation takes away.
    assert 3.5 < errors[0]/errors[1] < 4.5 and 3.5 < errors[1]/errors[2] < 4.5, errors
    extrapolated = (64*found[2] - 20*found[1] + found[0])/45
    fourth = np.abs((4*found[2] - found[1])/3 - expected).max()
    sixth = np.abs(extrapolated - expected).max()
    assert fourth < errors[2]/50 and sixth < fourth/4 and sixth < 5e-5, (errors, fourth, sixth)


def bricard():
    """Bars one behind the other turn by a, b, a, ... with (1 + cos a)(1 + cos b) = 1: the closure of Chen, You and Tarnai,
    Int. J. Solids Struct. 42 (2005), 2287, for a twist of 90 degrees."""
    result = integrate("bricard", "rattle", 2e-3, 500, 10,
                       observe='"redundant_constraints", "energy", "potential_energy"')
    q = result["q"].reshape(-1, 5, 4, 3)  # x, d1, d2, d3 of five bars
    ground = np.broadcast_to([0.0, 0.0, -1.0], q[:, 0, 1].shape)
    bars = [q[:, 0, 1], -q[:, 1, 2], q[:, 2, 3], -q[:, 3, 1], q[:, 4, 2], ground]
    cosines = np.array([np.sum(bars[k - 1]*bars[k], axis=1) for k in range(6)])
    assert np.ptp(cosines[0]) > 0.5, "it did not move"
    assert np.ptp(cosines[::2], axis=0).max() < 1e-11 and np.ptp(cosines[1::2], axis=0).max() < 1e-11
    assert np.abs((1 + cosines[0])*(1 + cosines[1]) - 1).max() < 1e-11
    assert 0.0 < result["redundant_constraints"].max() < 1e-11  # the row that was dropped holds, to round-off
    change = np.ptp(result["potential_energy"])
    assert np.ptp(result["energy"]) < 1e-4*change, np.ptp(result["energy"])


def tippe_top():
    """Whatever acts where a ball touches a plane, the angular momentum of a symmetric one along the line from there to the
    centre of mass stays (Jellett 1872), and the top turns over if J/J3 is from 1 - below/radius to 1 + below/radius."""
    jellett = "dot(cross(top.d1, p(top.d1)) + cross(top.d2, p(top.d2)) + cross(top.d3, p(top.d3)), [0, 0, radius] - below*top.d3)"
    found = []
    for steps in (750, 1500):
        result = integrate("tippe_top", "ems", 1.5/steps, steps, steps//30, "below = 0.006\nJ = 3e-6\ntilt = 0.3\nfriction = 0.3",
                           observe=f'"energy", {{ name = "jellett", expression = "{jellett}" }}')
        stem = result["q"][:, 11]
        assert stem[0] > 0.95 and stem[-1] < -0.95, stem
        assert (np.diff(result["energy"]) < 0).all(), result["energy"]
        found.append(result["jellett"]/result["jellett"][0] - 1)
    # A scheme of order 2 that does not know of it: in what two lengths of the step extrapolate to it stays.
    changes = [np.abs(values).max() for values in found]
    extrapolated = np.abs((4*found[1] - found[0])/3).max()
    assert 3.5 < changes[0]/changes[1] < 4.5 and extrapolated < 5e-4, (changes, extrapolated)


for mechanism in (bicycle, bricard, tippe_top):
    mechanism()
    print(mechanism.__name__, "ok", flush=True)
