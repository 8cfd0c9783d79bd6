#!/usr/bin/env python3
"""What a result costs: a run that writes it against its own stepping, and against a run that keeps nothing.

    python3 bench/writing.py LIVENS [--spec studies/four_particle.toml] [--size 1000000] [--rounds 5]

A round is the spec as it is, then the same ensemble that keeps statuses alone: no trajectories, no columns, no
checkpoints, samples at the start and the end only. Both begin in turn, without a file of that name. The median over
the rounds of

* whole / stepping: the time of the whole program by the one it says it spent on stepping (`wall_seconds`);
* whole / bare: by the whole time of the run that keeps nothing, whose threads share their cores with no writing;
* the same of processor time, which other programs disturb less.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time


def measured(command):
    """Summary, seconds and processor seconds of a command that prints its summary as JSON."""
    start = time.monotonic()
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    printed = program.stdout.read()
    _, status, usage = os.wait4(program.pid, 0)
    seconds = time.monotonic() - start
    if status != 0:
        raise SystemExit(f"{' '.join(command)}: status {os.waitstatus_to_exitcode(status)}")
    return json.loads(printed), seconds, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens")
    parser.add_argument("--spec", default="studies/four_particle.toml")
    parser.add_argument("--size", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=5)
    typed = parser.parse_args()

    with tempfile.TemporaryDirectory() as directory:
        result = os.path.join(directory, "result.h5")
        common = [typed.livens, "run", typed.spec, "--json", "--set", f"ensemble.size={typed.size}",
                  "--set", "output.checkpoint_every=3600",  # no more due on a busy machine than on a quiet one
                  "-o", result]
        plan = json.loads(subprocess.run([*common, "--dry-run"], check=True, capture_output=True).stdout)
        steps = round(plan["steps"] / plan["instances"])
        bare = ["output.trajectories=0", "output.columns=['status']", "output.checkpoint_every=0",
                f"output.every={steps}"]
        commands = {"whole": common, "bare": [*common, *(word for key in bare for word in ("--set", key))]}
        rows = []
        for turn in range(typed.rounds):
            found = {}
            for kind in sorted(commands, reverse=turn % 2 == 0):
                if os.path.exists(result):
                    os.remove(result)  # to free its pages is no part of a run
                found[kind] = measured(commands[kind])
            (summary, whole, work), (_, without, bare_work) = found["whole"], found["bare"]
            rows.append((whole / summary["wall_seconds"], whole / without, work / bare_work))
            print(f"{whole:.1f} s in all, {summary['wall_seconds']:.1f} s of stepping; {without:.1f} s bare; "
                  f"processor {work:.1f} s, bare {bare_work:.1f} s", flush=True)
    for name, column in zip(("whole / stepping", "whole / bare", "processor, whole / bare"), zip(*rows)):
        print(f"{name:<24} {statistics.median(column):.2f}   ({min(column):.2f} to {max(column):.2f})")


if __name__ == "__main__":
    main()
