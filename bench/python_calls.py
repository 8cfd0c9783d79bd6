#!/usr/bin/env python3
"""What a call from Python costs beside the steps: of a built-in system and of the same one as a text, in turns.

    python3 bench/python_calls.py [--system four_particle] [--scheme ems] [--calls 200]

Milliseconds of processor time of a run of one instance and one step, its study at hand and made anew for every call; medians.
Needs the package (PYTHONPATH=build/release/python, or pip install ./python)."""
import argparse
import pathlib
import statistics
import time

import livens as lv

TEXTS = pathlib.Path(__file__).resolve().parent.parent / "examples/systems"


def milliseconds(call):
    begin = time.process_time()
    call()
    return 1e3 * (time.process_time() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", default="four_particle")
    parser.add_argument("--scheme", default="ems")
    parser.add_argument("--calls", type=int, default=200)
    options = parser.parse_args()
    systems = {"built-in": getattr(lv.systems, options.system),
               "text": lambda: lv.System.from_text(TEXTS / f"{options.system}.toml")}
    scheme = getattr(lv.schemes, options.scheme)

    def study(kind):
        return lv.Ensemble(systems[kind](), scheme(step=0.01, end=0.01), size=1)

    at_hand = {kind: study(kind) for kind in systems}
    spent = {(kind, what): [] for kind in systems for what in ("at hand", "made anew")}
    for number in range(options.calls + 1):
        for kind in systems:
            times = {"at hand": milliseconds(lambda: at_hand[kind].run(threads=1)),
                     "made anew": milliseconds(lambda: study(kind).run(threads=1))}
            if number > 0:  # what is not compiled yet is compiled first
                for what, value in times.items():
                    spent[kind, what].append(value)
    for (kind, what), values in spent.items():
        print(f"{kind:<10}{what:<12}{statistics.median(values):8.3f} ms")


if __name__ == "__main__":
    main()
