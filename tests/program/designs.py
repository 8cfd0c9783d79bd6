"""Tables, Sobol's points, ranges of entries and starts from a result: the same numbers from any kind of file, with 1
and 2 threads, in small portions, in shards, killed and resumed; and the rules for what a result hands on.

usage: designs.py LIVENS DIRECTORY
"""

import os
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
from datasets import require_same

SIZE = 5000
SPEC = """
[system]
name = "unit_circle"
[scheme]
name = "del_multiplier"
step = 0.01
steps = STEPS
[initial]
START
[ensemble]
design = "sobol"
TABLE
[[ensemble.vary]]
what = "initial.v[*]"
law = "triangular"
mode = "add"
low = -0.1
peak = 0.0
high = 0.1
[output]
trajectories = 1200
every = 20
"""


class Program:
    def __init__(self, livens, directory):
        self.livens, self.directory = livens, directory

    def path(self, name):
        return os.path.join(self.directory, name)

    def spec(self, name, steps=40, start="", table="[ensemble.table]\nfile = 'design.csv'"):
        with open(self.path(name), "w") as file:
            file.write(SPEC.replace("STEPS", str(steps)).replace("START", start).replace("TABLE", table))
        return self.path(name)

    def command(self, spec, result, *options):
        return [self.livens, "run", spec, "-o", self.path(result), "--quiet", *options]

    def run(self, spec, result, *options):
        again = [] if "--resume" in options else ["--force"]
        subprocess.run([*self.command(spec, result, *options), *again], check=True)
        return self.path(result)

    def refused(self, spec, expected):
        ended = subprocess.run(self.command(spec, "refused.h5"), capture_output=True, text=True)
        if ended.returncode != 2 or expected not in ended.stderr:
            raise SystemExit(f"expected status 2 and '{expected}', got {ended.returncode}: {ended.stderr}")


def write_tables(program):
    chance = np.random.default_rng(1)
    design = {"system.mass": chance.uniform(1.0, 2.0, SIZE), "initial.q": chance.normal([0.0, 1.0], 0.3, (SIZE, 2))}
    design["system.mass"][17] = -1.0  # outside of its domain: the instance fails, and stays so
    np.savez(program.path("design.npz"), **design)
    np.savez_compressed(program.path("compressed.npz"), **design)
    with h5py.File(program.path("design.h5"), "w") as file:
        for name, values in design.items():
            file[name] = values
    columns = np.column_stack([design["system.mass"], design["initial.q"]])
    names = "system.mass,initial.q[0],initial.q[1]"
    np.savetxt(program.path("design.csv"), columns, fmt="%.17g", delimiter=",", header=names, comments="")
    return design


def killed(program, spec, result):
    """Killed on its way again and again, a little later each time, and resumed to the end."""
    options = ["--threads", "1", "--set", "output.checkpoint_every=0.01", "--memory", "0.0005"]
    kills, delay = 0, 0.1
    while True:
        process = subprocess.Popen(
            program.command(spec, result, *options, *["--resume" if kills else "--force"]), stderr=subprocess.DEVNULL
        )
        try:
            if process.wait(delay) != 0:
                raise SystemExit("a run that was killed cannot be resumed")
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills, delay = kills + 1, 1.3 * delay
    if kills < 2:
        raise SystemExit("the run was over before it was killed twice")
    return program.path(result)


def check_cuts(program, spec, whole):
    require_same(whole, program.run(spec, "threads.h5", "--threads", "1", "--memory", "0.0005"))
    parts = [program.run(spec, f"part{i}.h5", "--shard", f"{i}/3") for i in range(3)]
    merge = [program.livens, "merge", *parts, "-o", program.path("merged.h5")]
    subprocess.run(merge, check=True, stdout=subprocess.DEVNULL)
    require_same(whole, program.path("merged.h5"))
    os.remove(program.path("merged.h5"))


def check_killed(program, start, table):
    spec = program.spec("long.toml", steps=8000, start=start, table=table)
    require_same(program.run(spec, "undisturbed.h5"), killed(program, spec, "killed.h5"))


def check_parameters(whole, design):
    with h5py.File(whole) as file:
        if not np.array_equal(file["instances/parameters/system.mass"][:], design["system.mass"]):
            raise SystemExit("the masses are not those of the table")
        drawn = file["instances/parameters/initial.v[*]"][:]
        text = file.attrs["spec"]
        if drawn.shape != (SIZE, 2) or abs(np.corrcoef(drawn.T)[0, 1]) > 0.01:
            raise SystemExit("initial.v[*] is not drawn for every entry")
        if "sha256" not in text or len(text) > 2000:
            raise SystemExit("the table is in the spec, or its SHA-256 is not")


def check_start(program, whole, design):
    spec = program.spec("on.toml", steps=60, start="from = 'whole.h5'", table="")
    spec_text = open(spec).read().replace('design = "sobol"', "").split("[[ensemble.vary]]")[0]
    with open(spec, "w") as file:
        file.write(spec_text + "[output]\ntrajectories = 1200\nevery = 20\n")
    on = program.run(spec, "on.h5")
    with h5py.File(whole) as before, h5py.File(on) as after:
        ok = before["instances/status"][:] == 0
        if not np.array_equal(before["instances/status"][~ok], after["instances/status"][~ok]) or (~ok).sum() < 1:
            raise SystemExit("an instance that failed has started again")
        if after["instances/failed_step"][17] != 0:
            raise SystemExit("an instance that failed has made steps")
        if not np.array_equal(after["instances/parameters/system.mass"][:], design["system.mass"]):
            raise SystemExit("the masses were not handed on")
        for name in ("q", "v"):
            # Both states are consistent to newton.tolerance, 1e-10 of scaled residuals; the projection moves by that.
            moved = np.abs(before[f"instances/final_{name}"][:] - after[f"instances/initial_{name}"][:])[ok].max()
            if moved > 1e-8:
                raise SystemExit(f"{name} moved by {moved} between the runs")
    check_cuts(program, spec, on)
    # One run of 100 steps against 40 and then 60: the difference is that of the tolerance, over 1 s.
    long = program.run(program.spec("long.toml", steps=100), "long.h5")
    with h5py.File(long) as one, h5py.File(on) as two:
        apart = np.abs(one["instances/final_q"][:] - two["instances/final_q"][:])[ok].max()
        if apart > 1e-6:
            raise SystemExit(f"two runs end {apart} from one")
    program.refused(program.spec("wide.toml", start="from = 'whole.h5'", table="size = 6000"), "has rows for 5000")
    program.refused(program.spec("part.toml", start="from = 'part0.h5'", table=""), "is a shard")
    self_named = subprocess.run(program.command(spec, "whole.h5"), capture_output=True, text=True)
    if self_named.returncode != 2 or not os.path.exists(whole):
        raise SystemExit("a result was written over the one that it starts from")
    program.refused(program.spec("none.toml", start="from = 'none.h5'", table=""), "none.toml:9: initial.from: ")


def check_other_table(program):
    """A checkpoint of one table is not gone on with by another."""
    shutil.copy(program.path("design.csv"), program.path("other.csv"))
    spec = program.spec("other.toml", table="[ensemble.table]\nfile = 'other.csv'", steps=400000)  # longer than it may run
    command = program.command(spec, "other.h5", "--set", "output.checkpoint_every=0.01", "--memory", "0.001")
    process = subprocess.Popen(command)
    standing = program.path("other.h5.checkpoint/standing")
    while process.poll() is None and not os.path.exists(standing):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    if process.wait() != 130:
        raise SystemExit("the run was over before it was interrupted")
    with open(program.path("other.csv"), "a") as file:
        file.write("1.5,0.1,0.9\n")
    ended = subprocess.run([*command, "--resume"], capture_output=True, text=True)
    if ended.returncode == 0 or "a file that the spec names" not in ended.stderr:
        raise SystemExit(f"a run went on with another table, or did not say why not: {ended.stderr}")


def main(livens, directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    program = Program(livens, directory)
    design = write_tables(program)
    spec = program.spec("design.toml")
    whole = program.run(spec, "whole.h5")
    check_parameters(whole, design)
    for table in ("design.npz", "compressed.npz", "design.h5"):
        named = program.spec("named.toml", table=f"[ensemble.table]\nfile = '{table}'")
        with h5py.File(whole) as one, h5py.File(program.run(named, "named.h5")) as two:
            for name in ("final_q", "final_p", "max_energy_error"):
                if one[f"instances/{name}"][:].tobytes() != two[f"instances/{name}"][:].tobytes():
                    raise SystemExit(f"{table} gives another {name}")
    check_cuts(program, spec, whole)
    check_start(program, whole, design)
    check_killed(program, "", "[ensemble.table]\nfile = 'design.npz'")
    check_killed(program, "from = 'whole.h5'", "")
    check_other_table(program)


if __name__ == "__main__":
    main(*sys.argv[1:])
