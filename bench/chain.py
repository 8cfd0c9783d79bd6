#!/usr/bin/env python3
"""How a step and the first use of a chain grow with its links: examples/systems/chain.toml in every form of a scheme.

    python3 bench/chain.py LIVENS [--links 8,16,32,64] [--scheme rattle] [--rounds 3]

Steps per second of processor time on one thread, of 64 instances, the forms in turns, medians of the rounds; the exponent of
the growth from one length to the next; Newton iterations a step; seconds of processor time that reading and compiling took.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

TEXT = (pathlib.Path(__file__).resolve().parent.parent / "examples/systems/chain.toml").read_text()
SPEC = """
[system]
file = "chain{links}.toml"
[scheme]
name = "{scheme}"
form = "{form}"
step = 0.001
steps = 10
[ensemble]
size = 64
[output]
every = 1000000000
"""


def processor(livens, *arguments):
    """What a call of the program prints, and its seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([livens, *map(str, arguments)], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens")
    parser.add_argument("--links", default="8,16,32,64")
    parser.add_argument("--scheme", default="rattle")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(f"{'links':>5} {'form':<8} {'steps/s':>10} {'growth':>6} {'iterations':>10} {'compiling, s':>12}")
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        os.environ["LIVENS_CACHE"] = str(folder / "cache")
        before = {}
        for links in map(int, options.links.split(",")):
            (folder / f"chain{links}.toml").write_text(TEXT.replace("n = 8\n", f"n = {links}\n"))
            said, _ = processor(options.livens, "list", "--why", folder / f"chain{links}.toml", options.scheme)
            specs, compiling, rates, iterations = {}, {}, {}, {}
            for form in (form for form in ("reduced", "full") if f"{form} (" in said):
                specs[form] = folder / f"{form}{links}.toml"
                specs[form].write_text(SPEC.format(links=links, scheme=options.scheme, form=form))
                _, compiling[form] = processor(options.livens, "compile", specs[form])

            def run(form, steps):
                printed, seconds = processor(options.livens, "run", specs[form], "--steps", steps, "--threads", 1, "-o",
                                             folder / "result.h5", "--force", "--quiet", "--json", "-")
                iterations[form] = json.loads(printed)["newton_iterations_per_step"]
                return seconds

            steps = 40000*8//links
            for _ in range(options.rounds):
                for form in specs:
                    start = run(form, 10)
                    rates.setdefault(form, []).append(64*steps/(run(form, steps + 10) - start))
            for form, measured in rates.items():
                rate = statistics.median(measured)
                growth = ""
                if form in before:
                    links_before, rate_before = before[form]
                    growth = f"{math.log(rate_before/rate)/math.log(links/links_before):.2f}"
                before[form] = links, rate
                print(f"{links:5} {form:<8} {rate:10.3g} {growth:>6} {iterations[form]:10.2f} {compiling[form]:12.1f}", flush=True)


main()
