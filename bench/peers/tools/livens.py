"""livens itself, by its command line: the seconds are those of its stepping, on one thread, or on the GPU."""

import os
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

from . import Method

NAME = "livens"
PROGRAM = os.environ.get("LIVENS", "livens")  # compare.py sets it
ROOT = pathlib.Path(__file__).resolve().parents[3]

#: scheme, orders
SCHEMES = {
    "double_spherical_pendulum": [("livens", (2, 4)), ("rattle", (2, 4, 6, 8)), ("del_nullspace", (2, 4, 6, 8)),
                                  ("ems", (2, 4, 6, 8))],
    "four_particle": [("rattle", (2, 4, 6, 8)), ("livens", (2, 4)), ("ems", (2, 4, 6, 8))],
    "pleiades": [("rattle", (2, 4, 6, 8))],
    "n_pendulum": [("rattle", (2, 4, 6, 8)), ("ems", (2, 4))],
}
STEPS = tuple(20 * 2**k for k in range(14))
TAYLOR_TOLERANCES = tuple(10.0**-k for k in (3, 4, 6, 8, 10, 12, 14, 16))
CVODE_TOLERANCES = tuple(10.0**-k for k in range(3, 14, 2))


def run(problem, scheme, steps, q, v, backend=("--backend", "cpu", "--threads", "1")):
    """Ends and seconds of one `livens run`; `backend`: its options that say where, and how much at a time."""
    with tempfile.TemporaryDirectory() as folder:
        columns = {f"initial.{name}[{i}]": array[:, i] for name, array in (("q", q), ("v", v))
                   for i in range(problem.coordinates)}
        np.savez(os.path.join(folder, "start.npz"), **columns)
        spec, out = os.path.join(folder, "spec.toml"), os.path.join(folder, "out.h5")
        system = f'file = "{ROOT / problem.text}"' if problem.text else f'name = "{problem.name}"'
        with open(spec, "w") as file:
            file.write(f'system.{system}\nensemble.table.file = "{folder}/start.npz"\n'
                       f'output = {{ trajectories = 0, every = {steps}, extremes = false, checkpoint_every = 0 }}\n'
                       f'[scheme]\n{scheme}\nstep = {problem.end / steps!r}\nsteps = {steps}\n')
        if problem.text:  # its steps, too, which a run of seconds would not compile
            subprocess.run([PROGRAM, "compile", spec], check=True, capture_output=True)
        subprocess.run([PROGRAM, "run", spec, "-o", out, *backend, "--quiet"], check=True)
        with h5py.File(out) as file:
            # An instance that failed has no end to compare.
            good = file["instances/status"][:] == 0
            ends = [np.where(good[:, None], file[f"instances/final_{name}"][:], np.nan) for name in "qv"]
            return *ends, file.attrs["wall_seconds"]


def stepping(problem, scheme, order, tolerance=None):
    """Of a setting, the steps; `tolerance`: of Newton's method, None: the standard one."""
    keys = f'name = "{scheme}"\n' + (f"order = {order}\n" if order > 2 else "")
    if tolerance is not None:
        keys += f"newton.tolerance = {tolerance}\n"
    return lambda steps: lambda q, v: run(problem, keys, steps, q, v)


def for_long_times(problem):
    """What is kept to round-off wants Newton's method to go that far (bench/peers/long_time.py)."""
    return [Method("ems to round-off, order 2", STEPS, stepping(problem, "ems", 2, 0.0))]


def methods(problem):
    def cvode(tolerance):
        tolerances = f"relative_tolerance = {tolerance}\nabsolute_tolerance = {tolerance}"
        return lambda q, v: run(problem, f'name = "reference_ode"\n{tolerances}', 1, q, v)

    def taylor(tolerance):
        return lambda q, v: run(problem, f'name = "taylor"\nrelative_tolerance = {tolerance}', 1, q, v)

    offered = [Method(f"{scheme}, order {order}", STEPS, stepping(problem, scheme, order))
               for scheme, orders in SCHEMES[problem.name] for order in orders]
    return offered + [Method("taylor", TAYLOR_TOLERANCES, taylor),
                      Method("reference_ode (CVODE)", CVODE_TOLERANCES, cvode, most=64)]
