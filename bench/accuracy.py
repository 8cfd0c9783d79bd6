#!/usr/bin/env python3
"""Time per trajectory at equal error: contact_2 on the lanes of one core against CVODE and IDA in the same program.

    bench/accuracy.py LIVENS [--rounds R] [SYSTEM...]

For each system a ladder of steps h is run with the kernels and a ladder of tolerances with reference_ode and
reference_dae, in turns. The error of a rung is the median over the instances of the largest |q - q_true| at the end,
q_true from reference_ode at a relative tolerance of 1e-13; its time is the best round's time of the stepping divided by
the number of instances. The solvers' time at a kernel's error is interpolated between their rungs, log against log.
They are given the best that there is: no sample but the end, and equations written out (true_motion/motions). Newton's
tolerance of the kernels is h^3/100, as the solvers' is in proportion to theirs: a small part of the error of a step.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

COMMON = 32  # instances that are compared; the solvers run no more
LANES = 1024  # instances of the kernels: what a thread takes at a time

SYSTEMS = {
    "rolling_disk": dict(
        end=20.0, steps=[100, 200, 400, 800, 1600, 3200, 12800, 51200],
        system="damping = 0.1",
        vary='[{what = "initial.q[2]", law = "uniform", low = 0.05, high = 0.15},'
             ' {what = "initial.v[4]", law = "uniform", low = 6.0, high = 6.6}]'),
    "foucault_pendulum": dict(
        end=3600.0, steps=[9000, 18000, 36000, 72000, 144000, 576000, 2304000],
        system="damping = 1e-4",
        vary='[{what = "initial.q[1]", law = "uniform", low = 0.5, high = 0.8}]'),
}
TOLERANCES = {"reference_ode": [10.0 ** (-k / 2) for k in range(2, 23)], "reference_dae": [10.0**-k for k in range(2, 9)]}


class Program:
    def __init__(self, livens):
        self.livens = os.path.abspath(livens)
        self.folder = tempfile.TemporaryDirectory()

    def run(self, name, scheme, steps, size, options=""):
        """Final positions and status of the first instances, and seconds of stepping per instance."""
        problem = SYSTEMS[name]
        spec, out = (os.path.join(self.folder.name, file) for file in ("spec.toml", "out.h5"))
        with open(spec, "w") as file:
            file.write(f"""
system.name = "{name}"
system.{problem["system"]}
ensemble = {{ size = {size}, vary = {problem["vary"]} }}
output = {{ every = {steps}, trajectories = 0 }}
scheme = {{ name = "{scheme}", step = {problem["end"] / steps!r}, steps = {steps} {options} }}
""")
        done = subprocess.run([self.livens, "run", spec, "-o", out, "--force", "--backend", "cpu", "--threads", "1", "--quiet"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        with h5py.File(out) as file:
            good = file["instances/status"][:COMMON] == 0
            return file["instances/final_q"][:COMMON], good, file.attrs["wall_seconds"] / size


def interpolated(error, errors, times):
    """Time at the given error, log against log; NaN outside the ladder, which goes from loose to tight. A rung whose
    error is below that of a tighter one has been lucky and is left out."""
    x, y = [], []
    for rung in reversed(range(len(errors))):
        if not x or errors[rung] > x[-1]:
            x.append(errors[rung])
            y.append(times[rung])
    return float(np.exp(np.interp(np.log(error), np.log(x), np.log(y), left=np.nan, right=np.nan)))


def measure(program, name, rounds):
    steps = SYSTEMS[name]["steps"]
    rungs = [("contact_2", n, LANES, f", newton = {{tolerance = {(SYSTEMS[name]['end'] / n) ** 3 / 100}}}")
             for n in steps]
    for scheme, tolerances in TOLERANCES.items():
        rungs += [(scheme, 1, COMMON, f", relative_tolerance = {t}, absolute_tolerance = {t}") for t in tolerances]
    true, _, _ = program.run(name, "reference_ode", 1, COMMON,
                             ", relative_tolerance = 1e-13, absolute_tolerance = 1e-15")
    errors, times = {}, {rung: np.inf for rung in rungs}
    for _ in range(rounds):
        for rung in rungs:
            q, good, seconds = program.run(name, *rung)
            difference = np.where(good, np.abs(q - true).max(axis=1), np.inf)
            errors[rung] = float(np.median(difference))
            times[rung] = min(times[rung], seconds)
    return rungs, errors, times


def report(name, rungs, errors, times):
    print(f"\n{name}, {SYSTEMS[name]['end']:g} s; microseconds per trajectory")
    ladder = {scheme: [rung for rung in rungs if rung[0] == scheme and np.isfinite(errors[rung]) and errors[rung] > 0]
              for scheme in TOLERANCES}
    for scheme, own in ladder.items():
        print(f"  {scheme}: " + ", ".join(f"{errors[r]:.1e}: {1e6 * times[r]:.0f}" for r in own))
    print(f"  {'h (s)':>9}{'error':>10}{'contact_2':>12}{'CVODE':>12}{'IDA':>12}{'ratio CVODE':>13}{'ratio IDA':>11}")
    for rung in rungs:
        if rung[0] != "contact_2" or not np.isfinite(errors[rung]):
            continue
        ode, dae = (interpolated(errors[rung], [errors[r] for r in own], [times[r] for r in own])
                    for own in ladder.values())
        print(f"  {SYSTEMS[name]['end'] / rung[1]:>9.4g}{errors[rung]:>10.1e}{1e6 * times[rung]:>12.3f}"
              f"{1e6 * ode:>12.1f}{1e6 * dae:>12.1f}{ode / times[rung]:>13.1f}{dae / times[rung]:>11.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", default=list(SYSTEMS))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    program = Program(arguments.livens)
    for name in arguments.systems:
        report(name, *measure(program, name, arguments.rounds))


if __name__ == "__main__":
    main()
