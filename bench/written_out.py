#!/usr/bin/env python3
"""Steps of `taylor` on a text as they are walked and as they are compiled, in turns on one core: what the second are worth.

    python3 bench/written_out.py LIVENS [--texts NAME ...] [--rounds 5]

Two caches: in one `livens compile` has left the steps, in the other a run has left the system alone. A run of this length
compiles none beside itself.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: text: end (s), instances
TEXTS = {
    "examples/systems/double_pendulum_angles": (5.0, 4096),
    "examples/systems/slider_crank": (3.0, 8192),
    "examples/systems/n_pendulum": (3.0, 2048),
    "examples/systems/four_pendulum": (3.0, 2048),
    "problems/car_axis": (3.0, 1024),
    "problems/andrews_squeezer": (0.03, 1024),
    "problems/pleiades": (3.0, 1024),
}
SPEC = """
[system]
file = "{text}"
[scheme]
name = "taylor"
relative_tolerance = 1e-9
step = {end}
steps = 1
[ensemble]
size = {size}
[[ensemble.vary]]
what = "initial.v[0]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.01
[output]
trajectories = 0
every = 1
extremes = false
checkpoint_every = 0
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens")
    parser.add_argument("--texts", nargs="+", choices=TEXTS, default=list(TEXTS), metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    livens = str(pathlib.Path(arguments.livens).resolve())
    print("| text | first result, walked (s) | compiled (s) | walked, of the speed compiled |\n| --- | ---: | ---: | ---: |")
    for text in arguments.texts:
        end, size = TEXTS[text]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "spec.toml").write_text(SPEC.format(text=ROOT / f"{text}.toml", end=end, size=size))

            def run(cache, *words):
                before = os.times()
                done = subprocess.run([livens, *words], cwd=folder, env={**os.environ, "LIVENS_CACHE": folder / cache},
                                      capture_output=True, text=True, check=True)
                after = os.times()
                return done.stdout, after.children_user + after.children_system - before.children_user - before.children_system

            def speed(cache):
                out, seconds = run(cache, "run", "spec.toml", "-o", "out.h5", "--backend", "cpu", "--threads", "1")
                (folder / "out.h5").unlink()
                return float(re.search(r"([\d.e+]+) steps/s", out)[1]), seconds

            first = speed("walked")[1]
            out, seconds = run("compiled", "compile", "spec.toml")
            rates = [(speed("walked")[0], speed("compiled")[0]) for _ in range(arguments.rounds)]
            # What is larger than is compiled has no second line.
            compiled = len(re.findall(r"^\S", out, re.MULTILINE)) > 1
            ratio = statistics.median(walked / written for walked, written in rates)
            print(f"| {pathlib.Path(text).name} | {first:.1f} | " + (f"{seconds:.1f} | {ratio:.2f} |" if compiled else "- | - |"),
                  flush=True)


if __name__ == "__main__":
    main()
