#!/usr/bin/env python3
"""The speed of one build of livens against another: both take turns on one core, pair by pair.

    python3 bench/compare_versions.py OLD NEW [--only unit_circle/ems ...] [--turns 9] [--isa avx512] [--least 0.98]
    python3 bench/compare_versions.py OLD NEW --preferred    # forms that one of them has not, too
    python3 bench/compare_versions.py OLD NEW --by-run       # OLD of any age

OLD and NEW are livens programs; the same one twice shows how far to trust the figures. A turn is a tenth of a second of
a pair (`livens bench --rounds 1`) by one and then the other, beginning with either in turn, so that the clock of the
core and its neighbours favour neither. Prints the median of NEW/OLD over the turns for every pair and form that both
have, slowest first, with the range that holds the middle half of them, and the geometric mean; ends with status 1 if
that is below --least. A ratio is steps per second of NEW by those of OLD: above one where NEW is faster.

With --preferred every pair is measured once, in the form that each build takes where a spec names none: the
reduced one where there is one.

An OLD whose `livens bench` does not take pairs, as before the folders by theme, is measured with --by-run: a turn is an
ensemble, `livens run`, of the initial state that the system has by itself, and the rate is the one that the result
states (`steps_per_second`, read with h5py). It is of the form that each build prefers, for the best instruction set of
the processor, with a tolerance that is given. Pairs that need other numbers of Newton iterations then are listed, but
not in the mean: they do other work.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile


TRUE_MOTIONS = ("taylor", "reference_ode", "reference_dae")  # `livens bench` leaves them out


def pairs_of(program, preferred):
    """What the rows are called, SYSTEM/SCHEME/FORM or SYSTEM/SCHEME, with what `livens bench --only` takes for each."""
    listed = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True).stdout)
    found = {}
    for pair in listed["pairs"]:
        if not pair.get("compiled", True) or pair["scheme"] in TRUE_MOTIONS:
            continue
        name = f"{pair['system']}/{pair['scheme']}"
        if preferred:
            found[name] = f"{name}/{'reduced' if 'reduced' in pair['forms'] else 'full'}"
        else:
            found |= {f"{name}/{form}": f"{name}/{form}" for form in pair["forms"]}
    return found


def steps_per_second(program, pair, isa, file):
    command = [program, "bench", "--only", pair, "--isa", isa, "--rounds", "1", "--json", file]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(file) as figures:
        return json.load(figures)["results"][0]["steps_per_second"]


steps_of_a_run = 200


def run(program, pair, size, folder):
    """Steps per second of an ensemble, and Newton iterations a step."""
    import h5py  # of no use elsewhere

    system, scheme = pair.split("/")
    spec, result = os.path.join(folder, "spec.toml"), os.path.join(folder, "result.h5")
    with open(spec, "w") as file:
        file.write(f'[system]\nname = "{system}"\n[scheme]\nname = "{scheme}"\n'
                   f'step = 0.002\nend = {0.002 * steps_of_a_run}\n[scheme.newton]\ntolerance = 1e-10\n'
                   f'[ensemble]\nsize = {size}\n'
                   f'[output]\nfile = "{result}"\nevery = {steps_of_a_run}\ncheckpoint_every = 0\n')
    subprocess.run([program, "run", spec, "--threads", "1", "--progress", "none"], check=True,
                   stdout=subprocess.DEVNULL)
    with h5py.File(result) as file:
        found = float(file.attrs["steps_per_second"]), file["instances/newton_iterations"][0] / steps_of_a_run
    os.remove(result)
    return found


def ratios(measure, old, new, turns):
    """NEW/OLD, turn by turn, of what measure(program) finds."""
    found = []
    for turn in range(turns):
        first, second = (old, new) if turn % 2 == 0 else (new, old)
        before = measure(first)
        after = measure(second)
        found.append(after / before if first == old else before / after)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", action="append", default=[], help="pairs that begin like this; may be repeated")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--isa", choices=("avx2", "avx512"), default="avx512")
    parser.add_argument("--preferred", action="store_true", help="the form that each build prefers, of every pair")
    parser.add_argument("--by-run", action="store_true", help="measure ensembles, of the preferred forms")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--least", type=float, default=0.98)
    typed = parser.parse_args()
    if typed.turns < 3:
        parser.error("--turns: expected at least 3")

    os.sched_setaffinity(0, {typed.core})
    lists = [pairs_of(program, typed.preferred or typed.by_run) for program in (typed.old, typed.new)]
    of_program = dict(zip((typed.old, typed.new), lists))
    pairs = [pair for pair in lists[1] if pair in lists[0] and pair.startswith(tuple(typed.only or [""]))]
    if not pairs:
        parser.error("no pair that both have begins like that")
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs:
            if typed.by_run:
                (rate, before), (_, after) = (run(program, pair, 256, folder) for program in (typed.old, typed.new))
                size = max(64, int(rate * 0.2 / steps_of_a_run))  # stepping takes a fifth of a second
                if abs(after - before) > 0.01 * before:
                    print(f"{pair}: {before:g} Newton iterations a step, then {after:g}")
                    continue
                measure = lambda program: run(program, pair, size, folder)[0]
            else:
                measure = lambda program: steps_per_second(program, of_program[program][pair], typed.isa,
                                                           os.path.join(folder, "figures"))
            lower, middle, upper = statistics.quantiles(ratios(measure, typed.old, typed.new, typed.turns), n=4)
            table.append((middle, lower, upper, pair))
            print(f"{middle:.3f}  {lower:.3f} .. {upper:.3f}  {pair}", file=sys.stderr, flush=True)
    if not table:
        parser.error("no pair that needs the same number of Newton iterations in both")
    mean = math.exp(statistics.fmean(math.log(row[0]) for row in table))
    for middle, lower, upper, pair in sorted(table):
        print(f"{middle:.3f}  {lower:.3f} .. {upper:.3f}  {pair}")
    of = "pairs, by runs" if typed.by_run else f"pairs{'' if typed.preferred else ' and forms'}, {typed.isa}"
    print(f"{mean:.3f}  geometric mean of {len(table)} {of}")
    return 0 if mean >= typed.least else 1


if __name__ == "__main__":
    sys.exit(main())
