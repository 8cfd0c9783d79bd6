#!/usr/bin/env python3
"""Energy and constraints over long times: livens and what a user would take instead, on one core.

    bench/peers/long_time.py LIVENS [-o DIRECTORY] [--longest-motion FACTOR]

Every method of METHODS runs to 1, 10, 100, ... times the end of a problem, each at one setting: a step that a user would
take for steps, the finest tolerance for solvers with step control. At each end: medians over the trajectories of the
largest error of the energy, relative to its scale |T| + |V| at the start, and of the largest |g|; the exponent b with which
the first grows from the last end but one to the last (error ~ t^b; 0: bounded, 0.5: round-off that walks); microseconds a
trajectory. Positions are not compared: both motions are chaotic. Writes DIRECTORY/long_time.csv and long_time.md.
"""

import argparse
import csv
import dataclasses
import importlib
import os
import sys

import compare  # one core, before anything starts threads
import numpy as np
import tools
from problems import BUILT_IN

#: module, name of the method, setting: steps to the end of the problem, or a tolerance
METHODS = {
    "double_spherical_pendulum": [("livens", "ems to round-off, order 2", 320), ("livens", "rattle, order 8", 320),
                                  ("livens", "taylor", 1e-16), ("heyoka", "Taylor, batches", 1e-16),
                                  ("jax_schemes", "RATTLE, order 2", 320)],
    "four_particle": [("livens", "ems to round-off, order 2", 320), ("livens", "rattle, order 8", 320), ("livens", "taylor", 1e-16),
                      ("heyoka", "Taylor, batches", 1e-16), ("jax_schemes", "RATTLE, order 2", 320)],
}


def measured(problem, module, name, setting, factor, trajectories):
    """(energy error, |g|, seconds a trajectory) at `factor` times the end of the problem."""
    longer = dataclasses.replace(problem, end=problem.end * factor)
    tool = importlib.import_module(f"tools.{module}")
    offered = tool.methods(longer) + getattr(tool, "for_long_times", lambda problem: [])(longer)
    method = next(m for m in offered if m.name == name)
    rung = compare.Rung(longer, module, method, setting * factor if setting > 1 else setting, trajectories)
    seconds = rung.run()
    q, v = rung.ends
    start_q, start_v = (array[: len(q)] for array in rung.start)
    before = problem.energy(start_q, start_v)
    potential = np.array([problem.potential(one) for one in start_q])
    error = np.abs(problem.energy(q, v) - before) / (np.abs(before - potential) + np.abs(potential))
    return np.median(error), np.median(np.abs(problem.constraints(q)).max(1)), seconds / len(q)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens", help="the program")
    parser.add_argument("-o", default="peers", metavar="DIRECTORY")
    parser.add_argument("--trajectories", type=int, default=64)
    parser.add_argument("--longest-motion", type=int, default=1000, metavar="FACTOR")
    parser.add_argument("--problem", choices=BUILT_IN, action="append")
    arguments = parser.parse_args()
    os.makedirs(arguments.o, exist_ok=True)
    os.environ["LIVENS"] = tools_program = os.path.abspath(arguments.livens)
    importlib.import_module("tools.livens").PROGRAM = tools_program
    factors = [10**k for k in range(int(np.log10(arguments.longest_motion)) + 1)]
    rows = []
    for name in arguments.problem or BUILT_IN:
        for module, method, setting in METHODS[name]:
            try:
                points = [measured(BUILT_IN[name], module, method, setting, factor, arguments.trajectories)
                          for factor in factors]
            except (ImportError, StopIteration) as missing:
                print(f"{module}, {method}: left out, {missing!r}", file=sys.stderr)
                continue
            energies = [max(point[0], 1e-17) for point in points]
            exponent = np.log10(energies[-1] / energies[-2]) if len(factors) > 1 else float("nan")
            for factor, (energy, constraint, seconds) in zip(factors, points):
                rows.append([name, importlib.import_module(f"tools.{module}").NAME, method, f"{setting:g}",
                             f"{BUILT_IN[name].end * factor:g}", f"{energy:.1e}", f"{constraint:.1e}",
                             f"{1e6 * seconds:.3g}", f"{exponent:.2f}"])
                print(*rows[-1], flush=True)
    head = ["problem", "tool", "method", "setting", "end (s)", "energy", "constraint (m^2)", "us a trajectory", "b"]
    with open(os.path.join(arguments.o, "long_time.csv"), "w", newline="") as out:
        csv.writer(out).writerows([head, *rows])
    last = [row for row in rows if float(row[4]) == BUILT_IN[row[0]].end * factors[-1]]
    with open(os.path.join(arguments.o, "long_time.md"), "w") as out:
        for row in [head, ["---"] * len(head), *last]:
            out.write("| " + " | ".join(row) + " |\n")


if __name__ == "__main__":
    main()
