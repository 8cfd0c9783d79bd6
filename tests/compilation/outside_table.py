"""An instance that leaves a table without a value there ends with the status `outside_table`; one whose numbers end for
another reason does not.

    outside_table.py LIVENS SOURCE DIRECTORY
"""

import csv
import os
import re
import sys

from place import Place, expect

TEXT = """
name = "table_end"
kinetic = "1/2*x'^2"
potential = "{potential}"
[functions]
push = {{ x = [0, 0.5, 1], y = [0, 1, 0.5] }}
[force]
x = "{force}"
[coordinates]
x = 1
[initial]
q = {{ x = 0.1 }}
v = {{ x = {speed} }}
"""
# (potential, force, speed), the step that fails of 0.03 s, and its status. The pushes are far below 1 N: x is 0.1 + v t to
# some hundredths.
CASES = [
    (("0", "push(t)", 0.0), 33, "outside_table"),
    (("0.001*push(x)", "0", 1.0), 30, "outside_table"),
    (("0.001*push(x)", "0", -1.0), 3, "outside_table"),
    (("0", "push(0.1*t) + sqrt(1 - t)", 0.0), 33, "not_finite"),
    (("0", "push(t + 2)", 0.0), 0, "outside_table"),
    (("0", "push(0.4*t)", 0.0), -1, "ok"),
]
SPEC = """
[system]
file = "table_end.toml"
[scheme]
name = "{scheme}"
step = 0.03
end = 1.2
[output]
file = "out.h5"
"""

livens, source, directory = sys.argv[1:]
place = Place(livens, source, directory, "", compiler=os.environ.get("CXX"))
numbers = {name: number for number, name in re.findall(r"\| (\d+) \| `(\w+)`", place.call("list", "--statuses"))}
for (potential, force, speed), step, status in CASES:
    (place.directory / "table_end.toml").write_text(TEXT.format(potential=potential, force=force, speed=speed))
    for scheme, *backend in (("ems", "--backend", "cpu"), ("ems", "--backend", "reference")):
        place.spec.write_text(SPEC.format(scheme=scheme))
        place.call("run", "spec.toml", "--force", "--quiet", *backend)
        place.call("export", "out.h5", "csv", "-o", "table", "--force")
        with open(place.directory / "table/instances.csv") as table:
            row = next(csv.DictReader(line for line in table if not line.startswith("#")))
        what = (potential, force, speed, scheme, *backend)
        expect(row["status"] == numbers[status], *what, "ended with", row["status"], "not", status)
        expect(int(row["failed_step"]) == step, *what, "failed at", row["failed_step"], "not", step)
print(len(CASES), "ends of tables")
