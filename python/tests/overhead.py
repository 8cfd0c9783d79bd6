"""The time of a run from Python over that of the command line, for the same spec and file: python overhead.py PROGRAM

Both as a user has them: a process that is started, a spec that is read, a result that is written. Runs are interleaved, so
that what else the machine does meets both; the ratio of the least times is printed, and that of what Python adds to a
session that has livens imported already. Exit status 1 where the latter is above 1.05.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPEC = """
[system]
name = "four_particle"
[scheme]
name = "ems"
step = 0.05
end = 2.0
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
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


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
            "python, a process": lambda: subprocess.run([sys.executable, "-c", script], check=True),
            "python, a session": lambda: lv.run(spec, file=result, overwrite=True),
            "python, in memory": lambda: lv.run(spec),
        }
        least = dict.fromkeys(ways, float("inf"))
        for _ in range(arguments.rounds):
            for name, call in ways.items():
                least[name] = min(least[name], seconds(call))
    base = least["command line"]
    for name, best in least.items():
        print(f"{name:20} {best:8.3f} s  {best / base:6.3f}")
    return least["python, a session"] / base > 1.05


if __name__ == "__main__":
    sys.exit(main())
