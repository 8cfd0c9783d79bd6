#!/usr/bin/python3
"""What a system written as text costs, and what it keeps: prints, for double_spherical_pendulum and cart_pendulum,
the speed in full forms beside that of a built-in system, and the largest error of energy over 1e5 steps.

Usage: text_acceptance.py LIVENS SOURCE_DIRECTORY [TURNS]

Speeds are instances times steps over processor seconds of one thread, of runs in turns, the text's and the built-in
one's; a short run is taken off each, so that reading and loading do not count. Of the ratios the median is shown. The
cart has no built-in counterpart: beside it stands unit_circle, whose full form has as many unknowns and no potential.
Status 1 where a text is slower than 0.8 of the same system built in, or an energy is not kept to round-off.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SPEC = """
[system]
{system}
[scheme]
name = "{scheme}"
{form}
step = {step}
steps = {steps}
[scheme.newton]
tolerance = {tolerance}
[ensemble]
size = {size}
seed = 1
{initial}
[[ensemble.vary]]
what = "initial.v[{varied}]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
[output]
every = {steps}
trajectories = 0
"""
SLOWEST = 0.8
LONG, SHORT, SIZE = 4000, 400, 1024
# The step is a power of two, for which h times 1/h is 1: where that is off by e, p1 = 2 M Dq/h - p0 gains 4 e T of
# energy in every step, always in the same direction, in any system.
# A position q, of the order of one metre, is rounded by 2^-53 |q|, a velocity 2 Dq/h - v0 by 4/h times that, and the
# energy by m v times that, at random from step to step: over n steps sqrt(n) times as much. m v in units of the energy
# scale is at most 8 s/m for the pendulum (15 kg fall from 10 J to 231 J), 1 s/m for the cart.
STEP = 0.0078125
ENERGY_STEPS = 100_000
ROUND_OFF_PER_MOMENTUM = 4 / STEP * 2.0**-53 * ENERGY_STEPS**0.5


class Program:
    def __init__(self, livens, directory):
        self.livens, self.directory = os.path.abspath(livens), Path(directory)

    def run(self, **values):
        """What the program says, and its processor seconds."""
        spec, result = self.directory / "spec.toml", self.directory / "result.h5"
        spec.write_text(SPEC.format(step=STEP, **values))
        result.unlink(missing_ok=True)
        process = subprocess.Popen([self.livens, "run", spec, "-o", result, "--threads", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(said)
        return said, usage.ru_utime

    def speed(self, system, scheme):
        def seconds(steps):
            return self.run(system=system, scheme=scheme, form='form = "full"', steps=steps, size=SIZE,
                            tolerance="1e-12", initial="", varied=1)[1]
        return SIZE * (LONG - SHORT) / (seconds(LONG) - seconds(SHORT))

    def energy_error(self, system, scheme, **start):
        said, _ = self.run(system=system, scheme=scheme, form="", steps=ENERGY_STEPS, size=64, tolerance="0.0", **start)
        return float(re.search(r"energy error / energy scale +\S+ +\S+ +(\S+)", said).group(1))


def main(livens, source, turns="5"):
    def text(name):
        return f'file = "{Path(source).resolve()}/examples/systems/{name}.toml"'

    failed = False
    with tempfile.TemporaryDirectory() as directory:
        program = Program(livens, directory)
        # The cart as a whole stays where it is: what it rolls away would be a position that grows.
        at_rest = {"initial": "[initial]\nq = [0.1, 0.9, -0.5]\nv = [0.5, -1.5, 0.0]", "varied": 2}
        for name, beside, momentum, start in (
                ("double_spherical_pendulum", "double_spherical_pendulum", 8, {"initial": "", "varied": 1}),
                ("cart_pendulum", "unit_circle", 1, at_rest)):
            for scheme in ("ems", "livens"):
                of_text, of_other = text(name), f'name = "{beside}"'
                for system in (of_text, of_other):  # compiled beforehand
                    program.run(system=system, scheme=scheme, form='form = "full"', steps=1, size=1, tolerance="0.0",
                                initial="", varied=1)
                ratios, speeds = [], []
                for _ in range(int(turns)):
                    speeds.append(program.speed(of_text, scheme))
                    ratios.append(speeds[-1] / program.speed(of_other, scheme))
                error = program.energy_error(of_text, scheme, **start)
                ratio = statistics.median(ratios)
                bound = momentum * ROUND_OFF_PER_MOMENTUM
                slow, off = name == beside and ratio < SLOWEST, error > bound
                failed = failed or slow or off
                print(f"{name:26} {scheme:7} {statistics.median(speeds):9.2e} steps/s, {ratio:5.2f} of the built-in "
                      f"{beside}{' TOO SLOW' if slow else ''}; energy error over {ENERGY_STEPS} steps {error:.1e}"
                      f"{' BROKEN' if off else ''} (bound {bound:.1e})", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
