#!/usr/bin/env python3
"""livens and what a user would take instead: time per trajectory over error, on one core, with the same equations, the
same trajectories and the same judge.

    bench/peers/compare.py LIVENS [-o DIRECTORY] [--problem NAME] [--tool MODULE]

Every method runs at settings from coarse to fine. The error of a setting is the median over the first 32 trajectories
of the largest |q - q_true| at the end, q_true from heyoka in extended precision; its time is the median of the rounds,
in which all settings of all tools take turns, per trajectory. What takes longer than --longest seconds a round is left
out, and so are finer settings of it. Compilation is not in these times; the time to the first result is, in a table of
its own: a fresh process, from the import to the end of the first run at the coarsest setting.

Writes DIRECTORY/work_precision.csv, first_result.csv, best.md (a row a tool) and at_equal_error.md (a row a method).
Tools whose package is not installed are named and left out (requirements.txt).
"""

import argparse
import csv
import importlib
import os
import statistics
import subprocess
import sys
import time

# One core for everybody, before anything starts threads.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np  # noqa: E402

import tools  # noqa: E402
from problems import PROBLEMS  # noqa: E402
from tools import heyoka as judge  # noqa: E402

JUDGED = 32  # trajectories whose ends are compared
ERRORS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12)


class Rung:
    """A method at one setting: its error, once, and its seconds a trajectory, once a round."""

    def __init__(self, problem, tool, method, setting, trajectories):
        self.problem, self.tool, self.method, self.setting = problem, tool, method, setting
        self.start = problem.start(min(trajectories, method.most))
        self.advance = method.prepare(setting)
        self.seconds = []
        self.error = None

    def run(self):
        """Seconds of one run; its ends are kept."""
        before = time.process_time()
        *self.ends, seconds = self.advance(*self.start)
        return time.process_time() - before if seconds is None else seconds

    def judged(self, truth):
        """Errors of the ends in position, and of the constraints and the energy there."""
        q, v = (end[:JUDGED] for end in self.ends)
        self.error = float(np.median(np.abs(q - truth[0][: len(q)]).max(1)))
        self.constraint = float(np.median(np.abs(self.problem.constraints(q)).max(1, initial=0.0)))
        before = self.problem.energy(*(array[: len(q)] for array in self.start))
        self.energy = float(np.median(np.abs(self.problem.energy(q, v) - before)))

    def timed(self):
        self.seconds.append(self.run() / len(self.start[0]))

    @property
    def time(self):
        return statistics.median(self.seconds)

    def row(self):
        return [self.problem.name, self.tool, self.method.name, f"{self.setting:g}", f"{self.error:.3g}",
                f"{self.constraint:.3g}", f"{self.energy:.3g}", f"{1e6 * self.time:.4g}"]


def ladder(problem, tool, method, arguments, truth):
    """The settings of a method that take no longer than --longest and still gain; the first run also compiles."""
    rungs = []
    for setting in method.settings:
        rung = Rung(problem, tool, method, setting, arguments.trajectories)
        rung.run()
        rung.judged(truth)
        if not np.isfinite(rung.error):
            continue  # too coarse: it failed
        rung.timed()
        rungs.append(rung)
        print(f"  {tool}, {method.name}, {setting:g}: {rung.error:.1e} in {1e6 * rung.time:.4g} us", flush=True)
        at_round_off = len(rungs) > 4 and min(r.error for r in rungs[-2:]) > 0.5 * min(r.error for r in rungs[:-2])
        if at_round_off or rung.time * len(rung.start[0]) > arguments.longest / 2:
            break
    return rungs


def time_at(error, rungs):
    """Seconds a trajectory at an error: log against log between the rungs around it, the coarsest rung's where even
    that is better, NaN where none is as good. A rung beaten in both by another one is left out."""
    best = []
    for rung in sorted(rungs, key=lambda rung: rung.time):
        if not best or rung.error < best[-1].error:
            best.append(rung)
    if not best or best[-1].error > error:
        return float("nan")
    x, y = [np.log(r.error) for r in reversed(best)], [np.log(r.time) for r in reversed(best)]
    return float(np.exp(np.interp(np.log(error), x, y)))


def table(rungs):
    """Markdown: a row a method, microseconds a trajectory at each of ERRORS."""
    lines = ["| problem | tool | method | " + " | ".join(f"{error:g}" for error in ERRORS) + " |",
             "| --- | --- | --- |" + " ---: |" * len(ERRORS)]
    for problem in dict.fromkeys(r.problem.name for r in rungs):
        for tool, method in dict.fromkeys((r.tool, r.method.name) for r in rungs if r.problem.name == problem):
            mine = [r for r in rungs if (r.problem.name, r.tool, r.method.name) == (problem, tool, method)]
            times = [1e6 * time_at(error, mine) for error in ERRORS]
            cells = ["-" if np.isnan(t) else f"{t:.3g}" for t in times]
            lines.append(f"| {problem} | {tool} | {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def line_of(tool, method):
    """What stands for a method where a tool has one line: itself, but livens has three."""
    if tool != "livens":
        return tool
    return "livens, taylor" if method == "taylor" else "CVODE, by livens" if "CVODE" in method else "livens, steps"


def best_table(rungs):
    """Markdown: a row a line, microseconds a trajectory of the best of its methods at each of ERRORS, and which."""
    lines = ["| problem | tool | " + " | ".join(f"{error:g}" for error in ERRORS) + " |",
             "| --- | --- |" + " ---: |" * len(ERRORS)]
    for problem in dict.fromkeys(r.problem.name for r in rungs):
        methods = dict.fromkeys((r.tool, r.method.name) for r in rungs if r.problem.name == problem)
        for line in dict.fromkeys(line_of(*method) for method in methods):
            cells = []
            for error in ERRORS:
                times = {}
                for method in (m for m in methods if line_of(*m) == line):
                    time = time_at(error, [r for r in rungs if (r.problem.name, r.tool, r.method.name) == (problem, *method)])
                    if not np.isnan(time):
                        times[method] = time
                tool_and_method = min(times, key=times.get, default=None)
                name = f" ({tool_and_method[1]})" if tool_and_method and "order" in tool_and_method[1] else ""
                cells.append(f"{1e6 * times[tool_and_method]:.3g}{name}" if times else "-")
            lines.append(f"| {problem} | {line} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def first_result(livens, module, problem):
    """Seconds of a fresh process from its start to a first result; None where it fails."""
    code = (f"import tools, importlib; from problems import PROBLEMS; p = PROBLEMS['{problem}']\n"
            f"m = importlib.import_module('tools.{module}').methods(p)[0]; m.prepare(m.settings[0])(*p.start(8))")
    before = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(os.path.abspath(__file__)),
                          env={**os.environ, "LIVENS": livens}, capture_output=True)
    return time.monotonic() - before if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens", help="the program")
    parser.add_argument("-o", default="peers", metavar="DIRECTORY")
    parser.add_argument("--trajectories", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--longest", type=float, default=20.0, help="seconds of a run that is still taken")
    parser.add_argument("--problem", choices=PROBLEMS, action="append")
    parser.add_argument("--tool", choices=tools.MODULES, action="append")
    arguments = parser.parse_args()
    os.makedirs(arguments.o, exist_ok=True)
    livens = os.environ["LIVENS"] = os.path.abspath(arguments.livens)

    rungs, firsts = [], []
    for name in arguments.problem or PROBLEMS:
        problem = PROBLEMS[name]
        truth = judge.truth(problem, *problem.start(min(JUDGED, arguments.trajectories)))
        print(name, flush=True)
        of_problem = []
        for module in arguments.tool or tools.MODULES:
            try:
                tool = importlib.import_module(f"tools.{module}")
                methods = tool.methods(problem)
            except ImportError as missing:
                print(f"  {module}: left out, {missing}")
                continue
            for method in methods:
                of_problem += ladder(problem, tool.NAME, method, arguments, truth)
            if methods:
                seconds = first_result(livens, module, name)
                firsts.append([name, tool.NAME, methods[0].name, "failed" if seconds is None else f"{seconds:.2f}"])
        for _ in range(arguments.rounds - 1):
            for rung in of_problem:
                rung.timed()
        rungs += of_problem

    for file, head, rows in (
        ("work_precision.csv", ["problem", "tool", "method", "setting", "error of q (m)", "constraints", "energy (J)",
                                "us a trajectory"], [rung.row() for rung in rungs]),
        ("first_result.csv", ["problem", "tool", "method", "seconds"], firsts),
    ):
        with open(os.path.join(arguments.o, file), "w", newline="") as out:
            csv.writer(out).writerows([head, *rows])
    for name, text in (("at_equal_error.md", table(rungs)), ("best.md", best_table(rungs))):
        with open(os.path.join(arguments.o, name), "w") as out:
            out.write(text)
    print(best_table(rungs))


if __name__ == "__main__":
    main()
