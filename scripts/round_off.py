#!/usr/bin/python3
"""One law of round-off: of every pair of a system and a scheme, how the errors of energy, momentum and
constraint grow over a long run, and whether that is the law of what the scheme keeps (round_off.toml).

    energy_drift.sh --all      a table of all pairs, of 300000 steps of 128 instances, a tenth of the steps where they
                               are slow; some ten minutes on two cores
    energy_drift.sh --check    the short form: 50000 steps of 32 instances of what is not slow, ten seconds. Exit status 1
                               where a pair breaks a law
    energy_drift.sh --all --texts
                               the same of texts in examples/systems, those of built-in systems and others, each in its
                               preferred form

A cell has the exponent b of rms ~ t^b over the ensemble, the half-width of its 95 % interval, the rms at the end, and
how the law goes. What is kept exactly has b = 1/2 (a random walk), what is kept on the average b = 0.

The interval is a jackknife over 32 groups of instances (ensembles/growth.hpp), Student's of 31 degrees of freedom: its
half-width is 2.04 standard errors. A walk breaks its law where b exceeds 1/2 by more than twice the half-width, 4.08
standard errors, which an estimate of 1/2 does with a chance of 1.5e-4; over the 100 judged exponents of a table one is
called broken by chance in 1 of 60 tables; with the same bits a table is the same. What is bounded breaks it where b
exceeds 1/4, from where on it is nearer to a walk, by as much: over short times a bound that is not reached yet has a
small exponent of its own.
"""

import argparse
import collections
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import h5py

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = {"walk": 0.5, "bounded": 0.25}
SPEC = """[system]
{system}
[scheme]
name = "{scheme}"
steps = {steps}
{step}newton.tolerance = 0.0
[ensemble]
size = {instances}
[output]
sampling = "log"
trajectories = 0
checkpoint_every = 0.0
"""

Growth = collections.namedtuple("Growth", "exponent half size")  # size: the rms at the end


def toml_of(table):
    return "\n".join(f"{key} = {json.dumps(value)}" for key, value in table.items())


class Program:
    def __init__(self, path, directory):
        self.path, self.directory = path, pathlib.Path(directory)

    def said(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.path} {' '.join(map(str, arguments))}: {done.stderr}{done.stdout}")
        return done.stdout

    def pairs(self, expected, texts):
        """Names of systems, their texts or none, and schemes: what is compiled, or what runs a text."""
        built_in = [(pair["system"], pair["scheme"]) for pair in json.loads(self.said("list", "--json"))["pairs"]
                    if pair["compiled"] and pair["system"] in expected["systems"]]
        if not texts:
            yield from ((name, None, scheme) for name, scheme in built_in)
            return
        for name, scheme in built_in + list(itertools.product(expected["texts"], expected["laws"])):
            text = HERE.parent / "examples" / "systems" / f"{name}.toml"
            if f"{scheme} runs" in self.said("list", "--why", text, scheme):
                yield name, text, scheme

    def growths(self, name, text, scheme, ensemble, steps, instances):
        """Growth of energy, momentum and constraint (that on velocities, where there is none on positions), of those
        that the pair has, and how many instances failed."""
        spec, result = self.directory / "spec.toml", self.directory / "result.h5"
        named = f'file = "{text}"' if text else f'name = "{name}"'
        step = f'step = {ensemble["step"]}\n' if "step" in ensemble else ""
        spec.write_text(SPEC.format(system=named, scheme=scheme, steps=steps, step=step, instances=instances)
                        + "".join(f"[[ensemble.vary]]\n{toml_of(law)}\n" for law in ensemble["vary"]))
        result.unlink(missing_ok=True)
        self.said("run", spec, "-o", result, "--quiet")
        with h5py.File(result) as file:
            statistics = file["statistics"]
            columns = {"energy": "energy_error", "momentum": "momentum_error",
                       "constraint": "constraint" if "constraint" in statistics else "velocity_constraint"}
            failed = int((file["instances/status"][:] != 0).sum())
            return {what: growth_of(statistics[f"{column}/rms"]) for what, column in columns.items()
                    if column in statistics}, failed


def growth_of(rms):
    low, high = rms.attrs["growth_interval"]
    return Growth(float(rms.attrs["growth_exponent"]), (high - low) / 2, float(rms[-1]))


def broken(growth, law):
    """True where the exponent cannot be had by chance from what keeps the law. An error of 0, which has none, keeps it."""
    return math.isfinite(growth.exponent) and growth.exponent - LARGEST[law] > 2 * growth.half


def cell(growth, law):
    if growth.size == 0.0:
        return "exact"
    if not math.isfinite(growth.exponent):
        return f"- at {growth.size:.0e}"
    mark = " " if law is None else "!" if broken(growth, law) else "w" if law == "walk" else "b"
    return f"{growth.exponent:5.2f} +- {growth.half:4.2f} {growth.size:7.0e} {mark}"


def main():
    parser = argparse.ArgumentParser(prog="energy_drift.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--all", action="store_true", help="a table of all pairs")
    form.add_argument("--check", action="store_true", help="the short form, which can fail")
    parser.add_argument("--steps", type=int, help="steps of every instance")
    parser.add_argument("--instances", type=int, help="instances of every ensemble, a multiple of 32")
    parser.add_argument("--texts", action="store_true", help="texts in place of built-in systems")
    parser.add_argument("--only", default="", metavar="SYSTEM[/SCHEME]", help="pairs that begin like this")
    parser.add_argument("--expected", type=pathlib.Path, default=HERE / "round_off.toml",
                        help="the laws and the ensembles")
    given = parser.parse_args()
    steps = given.steps or (50000 if given.check else 300000)
    instances = given.instances or (32 if given.check else 128)
    expected = tomllib.loads(given.expected.read_text())
    livens = os.environ.get("LIVENS", HERE.parent / "build/release/livens")

    faults = []
    with tempfile.TemporaryDirectory() as directory:
        program = Program(livens, directory)
        ensembles = expected["systems"] | expected["texts"]
        print(f"{steps} steps of {instances} instances: b +- 95 %, rms at the end; w a walk, b bounded, ! broken")
        print(f"{'':41}{'energy':26}{'momentum':26}constraint")
        for name, text, scheme in program.pairs(expected, given.texts):
            ensemble, laws = ensembles[name], expected["laws"].get(scheme)
            if laws is None or scheme in ensemble.get("without", []):
                continue
            laws = laws | {what: "walk" for what in ensemble.get("keeps", {}).get(scheme, [])}
            slow = scheme in ensemble.get("slow", [])
            if not f"{name}/{scheme}".startswith(given.only) or given.check and slow:
                continue
            length = steps // 10 if slow else steps
            growths, failed = program.growths(name, text, scheme, ensemble, length, instances)
            cells = [cell(growths[what], laws.get(what)) if what in growths else ""
                     for what in ("energy", "momentum", "constraint")]
            print(f"{name:26}{scheme:15}{cells[0]:26}{cells[1]:26}{cells[2]}"
                  + (f"  {failed} failed" if failed else ""), flush=True)
            if failed:
                faults.append(f"{name} {scheme}: an instance failed")
            for what, growth in growths.items():
                law = laws.get(what)
                if law is not None and broken(growth, law):
                    faults.append(f"{name} {scheme}: {what} breaks its law")
    for fault in faults:
        print(fault)
    sys.exit(bool(faults) and given.check)


if __name__ == "__main__":
    main()
