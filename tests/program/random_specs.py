"""Specs drawn at random over all pairs and options. Each is run, what its result says of itself is checked
(result_checks.py), and it is run once more in another way, which must give the same bits.

usage: random_specs.py LIVENS DIRECTORY [SECONDS [SEED]]

Draws until the seconds are over, 60 by default; SEED is 1, and any other draws other specs. A spec that is wrong stays in
the directory, with its number; SEED:NUMBER in place of SEED draws that one alone.
"""

import collections
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
from datasets import difference
from drawn_spec import Catalogue, draw, text_of
from result_checks import Wrong, check, expect, same

# A velocity that was drawn and does not fit the constraints; what `livens list` does not say of a form.
REFUSALS = ("the base state violates", "has no compensated updates", "has no viscous damping")
EXIT_DONE, EXIT_REFUSED, EXIT_FAILED, EXIT_INTERRUPTED = 0, 2, 3, 130


class Drawn:
    """One spec, in a directory of its own."""

    def __init__(self, livens, directory, spec, chance):
        self.livens, self.directory, self.spec, self.chance = livens, directory, spec, chance
        os.makedirs(directory)
        with open(self.path("s.toml"), "w") as file:
            file.write(text_of(spec))

    def path(self, name):
        return os.path.join(self.directory, name)

    def livens_said(self, *words, status=EXIT_DONE):
        ended = subprocess.run([self.livens, *words], cwd=self.directory, capture_output=True, text=True, timeout=300)
        expect(ended.returncode == status, f"{' '.join(words)}: exit status {ended.returncode}, {ended.stderr}")
        return ended.stdout

    def run(self):
        """The exit status, and why a spec was refused."""
        ended = subprocess.run([self.livens, "run", "s.toml", "--quiet", "--force"], cwd=self.directory, capture_output=True,
                               text=True, timeout=300)
        return ended.returncode, ended.stderr

    def same_in_another_way(self, failed):
        other = self.chance.choice([self.portions, self.shards, self.interrupted, self.some_instances, self.stated])
        other(failed)
        return other.__name__

    def require_same(self, name):
        different = difference(self.path("s.h5"), self.path(name))
        expect(not different, f"{name} differs in {', '.join(different)}")

    def portions(self, _):
        self.livens_said("run", "s.toml", "--quiet", "--force", "-o", "b.h5", "--threads", "3", "--memory", "1e-6")
        self.require_same("b.h5")

    def shards(self, _):
        with h5py.File(self.path("s.h5")) as result:
            blocks = -(-len(result["instances/status"]) // 1024)
        for i in range(blocks):
            self.livens_said("run", "s.toml", "--quiet", "--force", "--shard", f"{i}/{blocks}")
        parts = [f"s.{i}-of-{blocks}.h5" for i in range(blocks)]
        self.livens_said("merge", *parts, "-o", "b.h5")
        self.require_same("b.h5")

    def interrupted(self, _):
        """At a random moment, which may be none."""
        run = ["run", "s.toml", "--quiet", "-o", "b.h5", "--resume", "--threads", "1"]
        for _ in range(3):
            process = subprocess.Popen([self.livens, *run], cwd=self.directory, stderr=subprocess.DEVNULL)
            time.sleep(self.chance.uniform(0.0, 0.2))
            process.send_signal(signal.SIGTERM)
            # Before it has begun and after it has written a signal ends it as it ends any program.
            expect(process.wait(timeout=60) in (EXIT_DONE, EXIT_INTERRUPTED, -signal.SIGTERM), "an interrupted run")
        self.livens_said(*run)
        self.require_same("b.h5")

    def some_instances(self, _):
        """Of an ensemble: with the values that they have there, and the same motion."""
        with h5py.File(self.path("s.h5")) as result:
            whole = {name: item[()] for name, item in result["instances"].items()
                     if isinstance(item, h5py.Dataset) and (name == "number" or not h5py.h5ds.is_scale(item.id))}
        rows = sorted(self.chance.sample(range(len(whole["status"])), min(len(whole["status"]), 7)))
        numbers = whole["number"][rows] if "number" in whole else np.array(rows)
        listed = ",".join(str(number) for number in numbers)
        self.livens_said("run", "s.toml", "--quiet", "--force", "-o", "b.h5", "--set", f"ensemble.instances=[{listed}]")
        with h5py.File(self.path("b.h5")) as result:
            for name, values in whole.items():
                expect(same(result["instances"][name][()], values[rows]), f"some instances: {name}")

    def stated(self, failed):
        """Failures are an exit status where that is asked for, and a spec of their own."""
        status = EXIT_FAILED if failed else EXIT_DONE
        error = ["--set", 'ensemble.on_failure="error"']
        self.livens_said("run", "s.toml", "--quiet", "--force", "-o", "b.h5", *error, status=status)
        expect("instances ok" in self.livens_said("info", "s.h5"), "info")
        if failed:
            self.livens_said("failures", "s.h5", "-o", "f.toml")
            self.livens_said("run", "f.toml", "--quiet", "--force", "-o", "f.h5")
            with h5py.File(self.path("f.h5")) as result:
                expect(len(result["instances/status"]) == failed and np.all(result["instances/status"][()] > 0),
                       "failures fail again")


def main(livens, directory, seconds="60", seed="1"):
    livens, until = os.path.abspath(livens), time.monotonic() + float(seconds)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    catalogue = Catalogue(livens)
    seed, _, only = seed.partition(":")
    seen, wrong = collections.Counter(), 0
    for number in [int(only)] if only else itertools.count():
        if time.monotonic() > until and not only:
            break
        chance = random.Random(f"{seed} {number}")
        drawn = Drawn(livens, os.path.join(directory, str(number)), draw(catalogue, chance), chance)
        seen["specs"] += 1
        try:
            status, said = drawn.run()
            if status == EXIT_REFUSED and any(reason in said for reason in REFUSALS):
                seen["refused"] += 1
            else:
                expect(status == EXIT_DONE, f"exit status {status}, {said}")
                statuses = check(drawn.path("s.h5"), drawn.spec, drawn.spec["system"]["name"] in catalogue.loaded)
                seen["instances"] += len(statuses)
                seen["failed instances"] += int(np.sum(statuses != 0))
                seen[drawn.same_in_another_way(int(np.sum(statuses != 0)))] += 1
        except (Wrong, KeyError, subprocess.TimeoutExpired) as problem:
            wrong += 1
            print(f"{seed}:{number}, {drawn.directory}: {problem!r}", flush=True)
            continue
        shutil.rmtree(drawn.directory)
    print(", ".join(f"{count} {name}" for name, count in seen.items()) + f", {wrong} wrong")
    if wrong or seen["refused"] > 5 + seen["specs"] // 5:
        raise SystemExit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
