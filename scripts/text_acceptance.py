#!/usr/bin/env python3
"""usage: text_acceptance.py BUILD [--against BUILD] [--systems A,B] [--schemes A,B] [--rounds N]
Steps per second of processor time of texts (examples/systems) in their preferred and in their full form, with fractions of
that of the built-in system of the same name, or of the same text by another build, in turns on one thread: medians of the
rounds. Newton iterations a step in brackets. What is not compiled yet is compiled first."""

import argparse
import json
import math
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTANCES = 256
SECONDS = 0.2  # of a measurement
STEPS = {"four_particle": 0.05, "heavy_top": 0.002, "double_spherical_pendulum": 0.01, "double_four_bar": 0.01,
         "unit_circle": 0.01, "mass_spring": 0.1, "spring_pendulum": 0.01, "foucault_pendulum": 0.1, "rolling_disk": 0.002}
SCHEMES = "ems,ggl_mp,vi_a,livens,ggl_vi,vi_b,rattle,del_multiplier,contact_1,contact_2,lagrange_dalembert"


class Contestant:
    """A spec, and the number of its steps that take as long as a measurement."""

    def __init__(self, program, directory, name, system, scheme, step, form):
        self.program, self.path = program, directory / f"{name}.toml"
        # What a built-in system has by default: a text has another step of its own, and with that another tolerance.
        tolerance = 0.0 if scheme in ("ems", "livens") else 1e-9
        lines = ["[system]", system, "[scheme]", f'name = "{scheme}"', f"step = {step}", "steps = 10",
                 f"newton.tolerance = {tolerance}"]
        lines += [f'form = "{form}"'] if form else []
        self.path.write_text("\n".join(lines + ["[output]", "every = 1000000000", ""]))
        self.rates, self.summary = [], None

    def seconds(self, steps):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.program, "run", self.path, "--threads", "1", "--backend", "cpu", "--steps", str(steps),
                               "--size", str(INSTANCES), "-o", self.path.with_suffix(".h5"), "--force", "--quiet",
                               "--json", "-"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        self.summary = json.loads(done.stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def prepare(self):
        self.seconds(10)
        self.steps = 100
        while (spent := self.seconds(self.steps) - self.seconds(10)) < SECONDS / 4 and self.steps < 10**7:
            self.steps *= 4
        self.steps = max(20, int(self.steps * SECONDS / max(spent, SECONDS / 100)))

    def measure(self):
        start = self.seconds(10)
        spent = self.seconds(self.steps + 10) - start
        self.rates.append(self.steps * INSTANCES / max(spent, 1e-3))

    def figure(self, best):
        rate = statistics.median(self.rates)
        iterations = self.summary["newton_iterations_per_step"]
        return f"{rate:9.3g} ({iterations:4.2f}) {rate / best:7.3f}"


def forms(program, system, scheme):
    said = subprocess.run([program, "list", "--why", system, scheme], capture_output=True, text=True, check=True).stdout
    said = " ".join(said.split())
    return [form for form in ("reduced", "full") if f"{form} (" in said]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--systems", default=",".join(STEPS))
    parser.add_argument("--schemes", default=SCHEMES)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    program = options.build / "livens"
    rival = "by the other" if options.against else "built-in"
    print(f"{'system':<28}{'scheme':<16}{rival + ' steps/s':>24}  {'text, preferred':>24}  {'text, full':>24}")
    fractions = []
    for system in options.systems.split(","):
        text = ROOT / "examples" / "systems" / f"{system}.toml"
        for scheme in options.schemes.split(","):
            with tempfile.TemporaryDirectory() as place:
                directory = pathlib.Path(place)
                first = (options.against / "livens", f'file = "{text}"') if options.against else (
                    program, f'name = "{system}"')
                names = [("first", *first, None)]
                names += [(form, program, f'file = "{text}"', form) for form in forms(program, text, scheme)]
                if len(names) == 1 or not (options.against or forms(program, system, scheme)):
                    continue  # no scheme for it
                rivals = [Contestant(of, directory, name, what, scheme, STEPS.get(system, 0.01), form)
                          for name, of, what, form in names]
                for rival in rivals:
                    rival.prepare()
                for _ in range(options.rounds):
                    for rival in rivals:
                        rival.measure()
                best = statistics.median(rivals[0].rates)
                fractions.append(statistics.median(rivals[1].rates) / best)
                print(f"{system:<28}{scheme:<16}" + "  ".join(rival.figure(best) for rival in rivals), flush=True)
    mean = math.exp(statistics.fmean(math.log(fraction) for fraction in fractions))
    print(f"{len(fractions)} pairs: geometric mean {mean:.3f}, worst {min(fractions):.3f}")


if __name__ == "__main__":
    main()
