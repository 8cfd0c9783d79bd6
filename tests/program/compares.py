"""livens compare: schemes show the order they are listed with, and a comparison that was interrupted goes on to the
same results and the same table.

usage: compares.py LIVENS DIRECTORY
"""

import csv
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time

from datasets import require_same

SPEC = """
[system]
name = "unit_circle"
[scheme]
end = 1.0
newton.tolerance = 0.0
[ensemble]
size = SIZE
[[ensemble.vary]]
what = "initial.v[1]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
[output]
every = 10
"""
STEPS = [0.02, 0.01, 0.005, 0.0025]
# The error is C h^p (1 + a h + ...): as long as a h is below 0.2 at the longest of steps that span a factor of 8, the
# slope is moved by less than log(1.2)/log(8) = 0.088. The motion is of unit speed and size, and so is a.
ORDER_WITHIN = 0.1


def expect(good, what):
    if not good:
        raise SystemExit(f"not as expected: {what}")


def table_of(directory):
    with open(os.path.join(directory, "table.csv"), newline="") as file:
        return list(csv.DictReader(file))


def expect_orders(livens, scratch):
    listed = json.loads(subprocess.run([livens, "list", "--json"], check=True, capture_output=True).stdout)
    order = {scheme["name"]: scheme["order"] for scheme in listed["schemes"]}
    runs = {pair["scheme"] for pair in listed["pairs"] if pair["system"] == "unit_circle" and pair["compiled"]}
    # Those of first order are of second order here: there are no forces whose first-order terms would show.
    schemes = sorted(runs & {"ems", "vi_a", "livens", "rattle"})
    truth = ["--set", "output.error_against=reference_ode"] if "reference_ode" in runs else []
    spec, into = os.path.join(scratch, "orders.toml"), os.path.join(scratch, "orders")
    with open(spec, "w") as file:
        file.write(SPEC.replace("SIZE", "16"))
    over = ["--over", "scheme.name=" + ",".join(schemes), "--over", "scheme.step=" + ",".join(map(str, STEPS))]
    said = subprocess.run(
        [livens, "compare", spec, *over, *truth, "-o", into], check=True, capture_output=True, text=True
    ).stdout
    print(said)
    expect(all(len(line) <= 80 for line in said.splitlines()), "at most 80 columns")
    table = table_of(into)
    expect(len(table) == len(schemes) * len(STEPS), "a line for every combination")
    for row in table:
        expect(os.path.exists(os.path.join(into, row["file"])), f"{row['file']} is there")
        expect(row["ok"] == row["instances"] == "16", f"all instances of {row['file']} are ok")
        if row["scheme.name"] != "vi_a":  # which has it inside the step
            expect(float(row["constraint_max"]) < 1e-12, f"the constraint of {row['file']}")
        if not truth:
            continue
        found, low, high = (float(row[name]) for name in ("order", "order_low", "order_high"))
        expect(row["order_of"] == "position_error", f"the error of {row['file']}")
        expect(low < found < high, f"interval of {row['file']}: {low} {found} {high}")
        expect(abs(found - order[row["scheme.name"]]) < ORDER_WITHIN, f"order of {row['file']}: {found}")
    energies = [row for row in table if row["scheme.name"] == "ems"]
    expect(all(float(row["relative_energy_error_max"]) < 1e-12 for row in energies), "ems keeps the energy")


def expect_resumed(livens, scratch):
    spec = os.path.join(scratch, "long.toml")
    with open(spec, "w") as file:
        file.write(SPEC.replace("SIZE", "4096").replace("end = 1.0", "step = 0.001"))
    whole, cut = os.path.join(scratch, "whole"), os.path.join(scratch, "cut")

    def command(directory, *options):
        over = ["--over", "scheme.steps=100,20000,50"]
        return [livens, "compare", spec, *over, "--threads", "1", "--progress", "none", "-o", directory, *options]

    subprocess.run(command(whole), check=True, capture_output=True)
    process = subprocess.Popen(command(cut), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    first = os.path.join(cut, "table.csv")
    while not os.path.exists(first) and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.2)  # into the second run
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[1]
    expect(process.returncode == 130, f"exit status {process.returncode} of an interrupted comparison: {said}")
    expect("1 of 3 runs are finished" in said and "--resume" in said, f"what it says: {said}")
    expect([row["file"] for row in table_of(cut)] == ["steps=100.h5"], "the table is of what is finished")
    again = subprocess.run(command(cut), capture_output=True, text=True)
    expect(again.returncode == 2 and "--resume" in again.stderr, f"a second one is refused: {again.stderr}")
    kept = os.stat(os.path.join(cut, "steps=100.h5")).st_mtime_ns
    subprocess.run(command(cut, "--resume"), check=True, capture_output=True)
    expect(os.stat(os.path.join(cut, "steps=100.h5")).st_mtime_ns == kept, "what was finished stays")
    expect(sorted(os.listdir(whole)) == sorted(os.listdir(cut)), f"files: {os.listdir(cut)}")
    for one, other in zip(table_of(whole), table_of(cut)):
        require_same(os.path.join(whole, one["file"]), os.path.join(cut, other["file"]))
        one.pop("wall_seconds"), other.pop("wall_seconds")
        expect(one == other, f"lines of the tables: {one} {other}")
    expect(all(math.isfinite(float(row["relative_energy_error_max"])) for row in table_of(cut)), "errors are numbers")


if __name__ == "__main__":
    program, scratch = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    expect_orders(program, scratch)
    expect_resumed(program, scratch)
    shutil.rmtree(scratch)
