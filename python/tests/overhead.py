"""The time of a run from Python over that of the command line, for the same spec and file: python overhead.py PROGRAM

Runs are interleaved, so that what else the machine does meets all of them. Of each way the least wall-clock time and
the least time of the processors are printed, and their ratios to those of the command line: in a session that has
livens imported; in one that begins with that; and in memory. Exit status 1 where a session takes above 5 % more
processor time. (On a machine that others use, wall-clock times say how long one has waited for them.)
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPEC = """
[system]
name = "four_particle"
damping = [0.03, 0.03]
[scheme]
name = "ems"
step = 0.05
end = 10.0
[ensemble]
size = {size}
[[ensemble.vary]]
what = "initial.p[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
"""


def seconds(call):
    """Of the clock, and of the processors, children among them."""
    clock, processors = time.perf_counter(), sum(os.times()[:4])
    call()
    return time.perf_counter() - clock, sum(os.times()[:4]) - processors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    import livens as lv

    with tempfile.TemporaryDirectory() as folder:
        spec, result = Path(folder) / "spec.toml", Path(folder) / "result.h5"
        spec.write_text(SPEC.format(size=arguments.size))
        script = f"import livens as lv; lv.run({str(spec)!r}, file={str(result)!r}, overwrite=True)"
        ways = {
            "command line": lambda: subprocess.run(
                [arguments.program, "run", spec, "-o", result, "--force", "--quiet"], check=True),
            "python, a session": lambda: lv.run(spec, file=result, overwrite=True),
            "python, with its start": lambda: subprocess.run([sys.executable, "-c", script], check=True),
            "python, in memory": lambda: lv.run(spec),
        }
        least = {name: [float("inf")] * 2 for name in ways}
        for _ in range(arguments.rounds):
            for name, call in ways.items():
                least[name] = list(map(min, least[name], seconds(call)))
    base = least["command line"]
    print(f"{'':24}{'clock':>10}{'':10}{'processors':>12}")
    for name, (clock, processors) in least.items():
        print(f"{name:24}{clock:8.3f} s{clock / base[0]:10.3f}{processors:10.3f} s{processors / base[1]:10.3f}")
    return least["python, a session"][1] > 1.05 * base[1]


if __name__ == "__main__":
    sys.exit(main())
