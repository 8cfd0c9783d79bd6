"""livens run with reference_ode, reference_dae and output.error_against: the columns, the failures, the messages."""

import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

livens = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())


def run(text, *options, status=0):
    with open("spec.toml", "w") as file:
        file.write(text)
    done = subprocess.run([livens, "run", "spec.toml", "-o", "out.h5", "--force", "--quiet", *options], capture_output=True, text=True)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done.stderr


def numbers(*names):
    with h5py.File("out.h5") as file:
        return [file[name][()] for name in names]


pendulum = """
system.name = "foucault_pendulum"
scheme = { name = "SCHEME", step = STEP, end = 32.0 }
ensemble = { size = 40, vary = [{ what = "system.length", law = "uniform", low = 50.0, high = 80.0 }] }
output = { every = EVERY, trajectories = 2 EXTRA }
"""


def spec(scheme, step, every, extra=""):
    return (pendulum.replace("SCHEME", scheme).replace("STEP", str(step)).replace("EVERY", str(every))
            .replace("EXTRA", extra))


# The error is a column, of second order, and the same to the bit whatever the threads.
errors = {}
for step, every in ((0.1, 40), (0.05, 80)):
    run(spec("contact_2", step, every, ', error_against = "reference_ode"'), "--threads", "1")
    end, along, final, trajectory = numbers("/instances/position_error", "/trajectories/position_error",
                                            "/instances/final_q", "/trajectories/q")
    assert end.shape == (40,) and along.shape == (2, 9), (end.shape, along.shape)
    assert np.array_equal(along[:, -1], end[:2]) and np.all(along[:, 0] == 0.0)
    errors[step] = end
order = np.log2(np.median(errors[0.1] / errors[0.05]))
assert abs(order - 2.0) < 0.05, order
run(spec("contact_2", 0.05, 80, ', error_against = "reference_ode"'), "--threads", "2")
assert np.array_equal(numbers("/instances/position_error")[0], errors[0.05])

# It is the difference to what the scheme itself gives, whose nodes add no error beyond its tolerance.
run(spec("reference_ode", 0.05, 80))
fine, q = numbers("/instances/final_q", "/trajectories/q")
assert np.array_equal(np.abs(final - fine).max(axis=1), errors[0.05])
assert np.array_equal(np.abs(trajectory - q).max(axis=2), along)
run(spec("reference_ode", 32.0, 1))
assert np.abs(numbers("/instances/final_q")[0] - fine).max() < 1e-9  # two periods of some 200 steps, each 1e-12

# An instance that fails harms no other, and has no error.
bad = spec("contact_2", 0.1, 40, ', error_against = "reference_ode"').replace(
    'law = "uniform", low = 50.0, high = 80.0', 'law = "values", values = [60.0, -1.0, 70.0]').replace("size = 40", "size = 3")
run(bad)
end, status = numbers("/instances/position_error", "/instances/status")
assert list(status) == [0, 6, 0] and list(np.isnan(end)) == [False, True, False], (status, end)

listed = json.loads(subprocess.run([livens, "list", "--json"], capture_output=True).stdout)
if {"rolling_disk"} & {system["name"] for system in listed["systems"] if system["compiled"]}:
    disk = """
system.name = "rolling_disk"
scheme = { name = "NAME", step = 0.05, end = 0.6 }
ensemble.vary = [{ what = "initial.v[3]", law = "values", values = [VALUES] }]
"""
    for name in ("reference_ode", "reference_dae"):
        run(disk.replace("NAME", name).replace("VALUES", "0.1, 1e200, 0.2"))
        status, step, final = numbers("/instances/status", "/instances/failed_step", "/instances/final_q")
        assert list(status) == [0, 3, 0] and list(step) == [-1, 0, -1], (status, step)
        run(disk.replace("NAME", name).replace("VALUES", "0.1, 0.15, 0.2"))
        alone = numbers("/instances/final_q")[0]
        assert np.array_equal(alone[[0, 2]], final[[0, 2]])

# A fault of a request is said in one line.
for text, options, line in (
    (spec("contact_2", 0.1, 40, ', error_against = "reference_od"'), (), "spec.toml:5: output.error_against: 'reference_od' is no scheme of the true motion of foucault_pendulum; expected reference_ode, reference_dae or taylor"),
    (spec("reference_ode", 4.0, 1).replace("end = 32.0", "end = 32.0, relative_tolerance = 0.0"), (), "spec.toml:3: scheme.relative_tolerance: 0 is out of range; expected a number between 0 and 1"),
    (spec("contact_2", 0.1, 40).replace("end = 32.0", "end = 32.0, relative_tolerance = 1e-9"), (), "spec.toml:3: scheme.relative_tolerance: scheme contact_2 has no option 'relative_tolerance'"),
    (spec("reference_ode", 4.0, 1), ("--backend", "cuda"), "--backend cuda: reference_ode runs on the cpu; expected auto or cpu"),
    (spec("reference_ode", 4.0, 1), ("--backend", "reference"), "--backend reference: reference_ode runs on the cpu; expected auto or cpu"),
):
    said = run(text, *options, status=2)
    assert line in said and said.count("\n") == 1, said
