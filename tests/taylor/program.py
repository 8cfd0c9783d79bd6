"""livens run with taylor and output.error_against = "taylor" on a system written as text.

usage: program.py LIVENS EXAMPLES
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

livens, examples = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
os.chdir(tempfile.mkdtemp())

SPEC = f"""
system.file = "{examples}/double_spherical_pendulum.toml"
scheme = {{ name = "NAME", step = STEP, end = 2.0 }}
ensemble = {{ size = 20, vary = [{{ what = "initial.v[1]", law = "uniform", low = 0.5, high = 1.5 }}] }}
output = {{ interval = 0.5, trajectories = 3 EXTRA }}
"""


def run(text, *options, status=0):
    with open("spec.toml", "w") as file:
        file.write(text)
    done = subprocess.run([livens, "run", "spec.toml", "-o", "out.h5", "--force", "--quiet", *options],
                          capture_output=True, text=True)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done.stderr


def numbers(*names):
    with h5py.File("out.h5") as file:
        return [file[name][()] for name in names]


def spec(name, step, extra=""):
    return SPEC.replace("NAME", name).replace("STEP", str(step)).replace("EXTRA", extra)


KEPT = ("/instances/final_q", "/instances/final_v", "/instances/max_energy_error", "/trajectories/q", "/trajectories/lambda",
        "/statistics/energy_error/rms")

# The motion does not depend on where its nodes are, nor on threads, nor on how many go beside it.
run(spec("taylor", 0.01), "--threads", "1")
status, fine, scale = numbers("/instances/status", "/instances/final_q", "/instances/energy_scale")
one_thread = numbers(*KEPT)
energy, constraint, rate, momentum = numbers(*(f"/instances/max_{name}" for name in (
    "energy_error", "constraint", "velocity_constraint", "momentum_error")))
assert not status.any()
# A few units in the last place of terms of some 300 J, 1 m, 6 m^2/s, 60 kg m^2/s, in each of some 20 steps.
eps = 2.0**-52
assert energy.max() < 200 * eps * scale.max(), energy.max() / scale.max()
assert constraint.max() < 20 * eps and rate.max() < 100 * eps, (constraint.max(), rate.max())
assert momentum.max() < 200 * eps * 60.0, momentum.max()
run(spec("taylor", 0.01), "--threads", "2")
for before, after in zip(one_thread, numbers(*KEPT)):
    assert np.array_equal(before, after, equal_nan=True)
run(spec("taylor", 0.01), "--size", "7")
assert np.array_equal(numbers("/instances/final_q")[0], fine[:7])
run(spec("taylor", 0.5))
assert np.array_equal(numbers("/instances/final_q")[0], fine)

# A run that is interrupted in the middle of its steps goes on to the bit.
long = spec("taylor", 0.01, ", checkpoint_every = 0.2").replace("size = 20", "size = 2000").replace("end = 2.0", "end = 4.0")
run(long)
whole = numbers(*KEPT)
with open("spec.toml", "w") as file:
    file.write(long)
command = [livens, "run", "spec.toml", "-o", "cut.h5", "--quiet"]
begun = subprocess.Popen(command, stderr=subprocess.DEVNULL)
while begun.poll() is None and not os.path.exists("cut.h5.checkpoint"):
    time.sleep(0.01)
time.sleep(0.3)
begun.send_signal(signal.SIGINT)
assert begun.wait() in (0, 130), begun.returncode  # 0: faster than the signal
if begun.returncode == 130:
    subprocess.run([*command, "--resume"], check=True)
os.replace("cut.h5", "out.h5")
for before, after in zip(whole, numbers(*KEPT)):
    assert np.array_equal(before, after, equal_nan=True)

# The error of a scheme of second order.
errors = {}
for step in (0.01, 0.005):
    run(spec("ems", step, ', error_against = "taylor"'))
    end, along, final, trajectory = numbers("/instances/position_error", "/trajectories/position_error",
                                            "/instances/final_q", "/trajectories/q")
    assert np.array_equal(end, np.abs(final - fine).max(axis=1)) and np.array_equal(along[:, -1], end[:3])
    assert np.all(along[:, 0] == 0.0)
    errors[step] = end
order = np.log2(np.median(errors[0.01] / errors[0.005]))
assert abs(order - 2.0) < 0.05, order

# Terms of a parameter that is zero for all instances are left out, with the bits that they would give; those of one
# that varies are there.
damped = spec("taylor", 0.01).replace('what = "initial.v[1]", law = "uniform", low = 0.5, high = 1.5',
                                      'what = "system.damping[0]", law = "values", values = [0.0, 0.5]')
run(damped, "--size", "2")
varied = numbers("/instances/final_q", "/instances/final_v")
least, most = numbers("/statistics/dissipated_energy/min", "/statistics/dissipated_energy/max")
assert least[-1] == 0.0 and most[-1] > 0.01, (least, most)
for i, value in enumerate((0.0, 0.5)):
    run(spec("taylor", 0.01).replace(', vary = [{ what = "initial.v[1]", law = "uniform", low = 0.5, high = 1.5 }]', ""),
        "--size", "1", "--set", f"system.damping=[{value}, 0.0]")
    for all_of_them, alone in zip(varied, numbers("/instances/final_q", "/instances/final_v")):
        assert np.array_equal(all_of_them[i], alone[0]), (value, all_of_them[i], alone[0])

# What is observed, and what ends an instance; CVODE is the judge where there is one.
watched = ', stop = [{ when = "u1[2] + 0.9*length[0]" }], observe = ["kinetic_energy", "q[2]", { name = "reach", unit = "m", expression = "norm(u1 + u2)" }]'
ended = {}
listed = json.loads(subprocess.run([livens, "show", f"{examples}/double_spherical_pendulum.toml", "--json"],
                                   capture_output=True).stdout)
judged = "reference_ode" in listed["schemes"]
for name in ("taylor", "reference_ode")[: 1 + judged]:
    run(spec(name, 0.01, watched))
    ended[name] = numbers("/instances/status", "/instances/stop_time", "/instances/final_reach", "/instances/final_q[2]",
                          "/instances/final_kinetic_energy", "/trajectories/p", "/trajectories/momentum")
    assert np.all(ended[name][0] == 8), ended[name][0]
    assert np.all(ended[name][3] > -0.9) and np.all(np.abs(ended[name][2]) <= 2.5 + 1e-12)
if judged:
    for a, b in zip(*ended.values()):
        assert np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True), (a, b)

# An instance that fails harms no other, and has no error.
values = spec("ems", 0.01, ', error_against = "taylor"').replace(
    'what = "initial.v[1]", law = "uniform", low = 0.5, high = 1.5',
    'what = "system.mass[0]", law = "values", values = [10.0, nan, 1e-300, 12.0]').replace("size = 20", "size = 4")
run(values)
status, error = numbers("/instances/status", "/instances/position_error")
assert status[0] == status[3] == 0 and status[1] == 3, status
assert np.isfinite(error[[0, 3]]).all() and np.isnan(error[1]), error
run(values.replace("nan, 1e-300", "11.0, 9.0"))
assert np.array_equal(numbers("/instances/position_error")[0][[0, 3]], error[[0, 3]])

# A fault of a request is said in one line.
for text, options, line in (
    (spec("taylor", 0.01) + "initial.consistency = 'keep'\n", (), "taylor: keeps every state on its constraints"),
    (spec("taylor", 0.01).replace("step = 0.01", "step = 0.01, relative_tolerance = 1e-20"), (),
     "spec.toml:3: scheme.relative_tolerance: 1e-20 is out of range; expected a number from 1e-16 to 1e-3"),
    (spec("taylor", 0.01), ("--backend", "reference"),
     "--backend reference: taylor runs on the cpu and on GPUs; expected auto, cpu or cuda"),
    (spec("taylor", 0.01).replace("step = 0.01", "step = 0.01, order = 4"), (), "taylor chooses its order itself"),
):
    said = run(text, *options, status=2)
    assert line in said and said.count("\n") == 1, said

# What a run needs, beforehand: the system, and the steps of its series.
with open("spec.toml", "w") as file:
    file.write(spec("taylor", 0.01))
done = subprocess.run([livens, "compile", "spec.toml"], capture_output=True, text=True)
assert done.returncode == 0 and len(re.findall(r"^\S", done.stdout, re.MULTILINE)) == 2, (done.stdout, done.stderr)
