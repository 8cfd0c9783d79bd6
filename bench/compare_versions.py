#!/usr/bin/env python3
"""The speed of one build of livens against another: both take turns on one core, pair by pair.

    python3 bench/compare_versions.py OLD NEW [--only unit_circle/ems ...] [--turns 9] [--isa avx512] [--least 0.98]

OLD and NEW are livens programs; the same one twice shows how far to trust the figures. A turn is a tenth of a second of a pair (`livens bench --rounds 1`) by one and then the
other, beginning with either in turn, so that the clock of the core and its neighbours favour neither. Prints the median
of NEW/OLD over the turns for every pair and form that both have, slowest first, with the range that holds the middle
half of them, and the geometric mean; ends with status 1 if that is below --least. A ratio is steps per second of NEW
by those of OLD: above one where NEW is faster.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile


def pairs_of(program):
    listed = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True).stdout)
    return [f"{pair['system']}/{pair['scheme']}/{form}" for pair in listed["pairs"] for form in pair["forms"]]


def steps_per_second(program, pair, isa, file):
    command = [program, "bench", "--only", pair, "--isa", isa, "--rounds", "1", "--json", file]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(file) as figures:
        return json.load(figures)["results"][0]["steps_per_second"]


def ratios(old, new, pair, isa, turns, file):
    """NEW/OLD, turn by turn."""
    found = []
    for turn in range(turns):
        first, second = (old, new) if turn % 2 == 0 else (new, old)
        before = steps_per_second(first, pair, isa, file)
        after = steps_per_second(second, pair, isa, file)
        found.append(after / before if first == old else before / after)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", action="append", default=[], help="pairs that begin like this; may be repeated")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--isa", choices=("avx2", "avx512"), default="avx512")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--least", type=float, default=0.98)
    typed = parser.parse_args()
    if typed.turns < 3:
        parser.error("--turns: expected at least 3")

    os.sched_setaffinity(0, {typed.core})
    both = set(pairs_of(typed.old))
    pairs = [pair for pair in pairs_of(typed.new) if pair in both and pair.startswith(tuple(typed.only or [""]))]
    if not pairs:
        parser.error("no pair that both have begins like that")
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs:
            lower, middle, upper = statistics.quantiles(
                ratios(typed.old, typed.new, pair, typed.isa, typed.turns, os.path.join(folder, "figures")), n=4)
            table.append((middle, lower, upper, pair))
            print(f"{middle:.3f}  {lower:.3f} .. {upper:.3f}  {pair}", file=sys.stderr, flush=True)
    mean = math.exp(statistics.fmean(math.log(row[0]) for row in table))
    for middle, lower, upper, pair in sorted(table):
        print(f"{middle:.3f}  {lower:.3f} .. {upper:.3f}  {pair}")
    print(f"{mean:.3f}  geometric mean of {len(table)} pairs and forms, {typed.isa}")
    return 0 if mean >= typed.least else 1


if __name__ == "__main__":
    sys.exit(main())
