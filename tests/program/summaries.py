"""All that a run says of its motion without keeping it: observed quantities and expressions with their extremes, stop
conditions, joint histograms, chosen columns; of a table beside Sobol's points, and of a start from that result. One run,
one in small portions on one thread, one killed at random and resumed again and again, shards merged and MPI ranks have
to give the same datasets to the bit; and joint histograms have to be those that NumPy makes of the instances.

usage: summaries.py LIVENS DIRECTORY [MPIRUN]
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time

import h5py
import numpy as np
from datasets import datasets, require_same

SIZE = 4000
SPEC = """
[system]
name = "unit_circle"
[scheme]
name = "del_multiplier"
step = 0.01
steps = 800
[ensemble]
design = "sobol"
[ensemble.table]
file = "design.csv"
[[ensemble.vary]]
what = "initial.v[*]"
law = "truncated_normal"
mode = "add"
mean = 0.0
std = 0.3
low = -0.5
high = 1.0
"""
ONWARD = """
[system]
name = "unit_circle"
[scheme]
name = "del_multiplier"
step = 0.01
steps = 800
[initial]
from = "whole.h5"
"""
OUTPUT = """
[output]
every = 20
trajectories = 1100
checkpoint_every = 0.02
observe = ["kinetic_energy", "q[0]", { name = "height", unit = "m", expression = "q[1] + 0.1*v[0]*t" }]
extremes = true
COLUMNS
[[output.stop]]
when = "q[0] - 0.97"
[[output.stop]]
when = "height_of - 1.05"
[[output.joint]]
name = "end"
of = ["system.mass", "kinetic_energy"]
bins = [12, 50]
[[output.joint]]
of = ["AXIS", { name = "q[0]", low = -0.8, high = 0.9 }, "height"]
bins = [8, 10, 9]
at = "samples"
""".replace("height_of", "q[1] + 0.1*v[0]*t")
COLUMNS = ["system.mass", "stop_time", "final_kinetic_energy", "min_height", "max_q[0]"]


class Program:
    def __init__(self, livens, directory):
        self.livens, self.directory = livens, directory
        self.moments = random.Random(20)

    def path(self, name):
        return os.path.join(self.directory, name)

    def spec(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def run(self, spec, result, *options, launcher=()):
        command = [*launcher, self.livens, "run", spec, "--quiet", "-o", self.path(result), *options]
        subprocess.run(command, check=True)
        return self.path(result)

    def killed(self, spec, whole, seconds):
        """Killed at random moments, and resumed each time, until enough of the kills have met a resumed run."""
        result = self.path("killed.h5")
        command = [self.livens, "run", spec, "--quiet", "-o", result, "--resume", "--threads", "1", "--memory", "3e-4"]
        kills, resumed = 0, 0
        for _ in range(100):
            if resumed >= 4:
                break
            from_checkpoint = os.path.exists(result + ".checkpoint/standing")
            begun = time.monotonic()
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            try:
                if process.wait(self.moments.uniform(0.05, 0.5) * seconds) != 0:
                    raise SystemExit("a run that was killed cannot be resumed")
                if not from_checkpoint:
                    seconds = min(seconds, time.monotonic() - begun)  # the first run may have had a busy machine
                require_same(whole, result)
                os.remove(result)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills, resumed = kills + 1, resumed + from_checkpoint
        if resumed < 4:
            raise SystemExit(f"only {resumed} of {kills} kills were of a run that had been resumed")
        subprocess.run(command, check=True)
        require_same(whole, result)
        os.remove(result)

    def merged(self, spec, result):
        parts = [self.run(spec, f"part{i}.h5", "--shard", f"{i}/3", "--force") for i in range(3)]
        merge = [self.livens, "merge", *parts, "-o", self.path(result)]
        subprocess.run(merge, check=True, stdout=subprocess.DEVNULL)
        return self.path(result)


def write_table(program):
    chance = np.random.default_rng(1)
    table = np.column_stack([chance.uniform(1.0, 2.0, SIZE), chance.normal([0.0, 1.0], 0.2, (SIZE, 2))])
    names = "system.mass,initial.q[0],initial.q[1]"
    np.savetxt(program.path("design.csv"), table, fmt="%.17g", delimiter=",", header=names, comments="")


def check_cuts(program, name, text, mpirun):
    """Returns the result of one run."""
    spec = program.spec(name + ".toml", text)
    begun = time.monotonic()
    whole = program.run(spec, name + ".h5", "--threads", "1", "--memory", "3e-4")
    seconds = time.monotonic() - begun
    require_same(whole, program.run(spec, name + "-together.h5"))
    program.killed(spec, whole, seconds)
    require_same(whole, program.merged(spec, name + "-merged.h5"))
    if mpirun:
        ranks = [mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "plm", "isolated", "-n", "3"]
        require_same(whole, program.run(spec, name + "-ranks.h5", "--threads", "1", launcher=ranks))
    return whole


def check_joints(path, axis):
    with h5py.File(path) as file:
        instances, parameters = file["instances"], file["instances/parameters"]
        ok = instances["status"][:] == 0
        if not 100 < np.sum(ok) < SIZE - 100 or np.sum(instances["status"][:] == 8) < 100:
            raise SystemExit("expected instances that have stopped, and others that are ok")
        joints = file["statistics/joint"]
        mass = parameters["system.mass"][:]
        drawn = parameters["initial.v[*]"][:, 1] if axis == "initial.v[1]" else mass
        values = {"system.mass": mass, "kinetic_energy": instances["final_kinetic_energy"][:], axis: drawn,
                  "q[0]": instances["final_q[0]"][:], "height": instances["final_height"][:]}
        for joint in (joints["end"], joints["1"]):
            names = joint["histogram"].attrs["of"].split()
            edges = [joint[name + "_edges"][:] for name in names]
            expected, _ = np.histogramdd(np.column_stack([values[name][ok] for name in names]), edges)
            counts = joint["histogram"][:]
            counts = counts if counts.ndim == len(names) else counts[-1]
            if not np.array_equal(counts, expected) or counts.sum() == 0:
                raise SystemExit(f"{joint.name} is not what NumPy counts")
            for name, edge in zip(names, edges):
                most = int(joint[name + "_edges"].attrs["bins"])
                if not most / 2 <= len(edge) - 1 <= most:
                    raise SystemExit(f"{len(edge) - 1} bins of {name} for {most}")
        if joints["1/histogram"].shape[0] != len(file["statistics/time"]):
            raise SystemExit("the histogram at samples is not at all of them")


def check_columns(program, whole, chosen):
    everything, some = datasets(whole), datasets(chosen)
    kept = {name for name in some if name.startswith("instances/")} - {"instances/instance", "instances/coordinate"}
    expected = {f"instances/{name}" for name in ["status", *COLUMNS[1:]]} | {"instances/parameters/system.mass"}
    if kept != expected:
        raise SystemExit(f"columns {sorted(kept)}; expected {sorted(expected)}")
    if any(some[name] != everything[name] for name in some):
        raise SystemExit("a chosen column is another one")
    if os.path.getsize(chosen) > os.path.getsize(whole) - 8 * 10 * SIZE:  # five states of two entries alone
        raise SystemExit("a file without most columns is hardly smaller")
    info = json.loads(subprocess.run([program.livens, "info", "--json", chosen], capture_output=True, check=True).stdout)
    if "final_q" not in info["left_out"] or "status" in info["left_out"] or set(info["joint"]) != {"end", "1"}:
        raise SystemExit(f"info says {info['left_out']} and {info['joint']}")
    spec = program.spec("refused.toml", ONWARD.replace("whole.h5", os.path.basename(chosen)))
    ended = subprocess.run([program.livens, "run", spec, "-o", program.path("refused.h5")], capture_output=True, text=True)
    if ended.returncode != 2 or "output.columns left out" not in ended.stderr:
        raise SystemExit(f"a start from a result without final states: {ended.returncode}, {ended.stderr}")


def main(livens, directory, mpirun=None):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    program = Program(livens, directory)
    write_table(program)
    output = OUTPUT.replace("AXIS", "initial.v[1]")
    whole = check_cuts(program, "whole", SPEC + output.replace("COLUMNS", ""), mpirun)
    check_joints(whole, "initial.v[1]")
    columns = f"columns = {json.dumps(COLUMNS)}"
    chosen = check_cuts(program, "chosen", SPEC + output.replace("COLUMNS", columns), mpirun)
    check_columns(program, whole, chosen)
    # Those that had stopped there do not start; nothing stops the others a second time.
    onward = OUTPUT.replace("[[output.stop]]\nwhen = \"q[0] - 0.97\"\n", "").replace("COLUMNS", "")
    check_cuts(program, "onward", ONWARD + onward.replace("AXIS", "system.mass"), mpirun)
    print("the same in every way" + ("" if mpirun else " (without MPI)"))


if __name__ == "__main__":
    main(*sys.argv[1:])
