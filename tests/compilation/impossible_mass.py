"""An instance whose parameters make a mass that no body has ends with the status `invalid_parameter` where it would start;
one beside it runs.

    impossible_mass.py LIVENS SOURCE DIRECTORY
"""

import csv
import os
import re
import sys

from place import Place, expect

# A body, two coordinates with a coupled mass, and one whose mass is its own parameter.
CONSTANT = """
name = "masses"
kinetic = "1/2*a'^2 + coupling*a'*b' + 1/2*b'^2 + 1/2*(loaded - removed)*u'^2"
[coordinates]
a = 1
b = 1
u = 1
[bodies.plate]
mass = "1"
inertia = ["across", "along", "along"]
[initial.q]
plate.x = [0, 0, 0]
[initial.v]
a = 1
u = 1
plate.omega = [1, 2, 3]
"""
AT_A_PLACE = """
name = "masses"
kinetic = "1/2*(loaded - removed + coupling*cos(u - t))*u'^2 + 1/2*across*sin(u)^2*a'^2"
[coordinates]
a = 1
u = 1
[initial.v]
u = 0.1
"""
PARAMETERS = """
[parameters]
coupling = { default = 0.5, meaning = "of two masses" }
loaded = { default = 2.0, domain = "positive", meaning = "a mass" }
removed = { default = 1.0, domain = "positive", meaning = "a mass" }
across = { default = 1.0, domain = "positive", meaning = "moment of inertia" }
along = { default = 1.0, domain = "positive", meaning = "moment of inertia" }
"""
SPEC = """
[system]
file = "masses.toml"
[scheme]
name = "{scheme}"
step = 0.01
end = 0.1
[output]
file = "out.h5"
[ensemble]
size = {size}
[[ensemble.vary]]
what = "system.{parameter}"
law = "values"
values = {values}
"""
# (text, scheme, parameter, its values that a mass has, and those that none has). E1 = along - across/2; with a mass that
# depends on the place a mass of 0 is one at this place alone.
CASES = [
    (CONSTANT, "rattle", "across", [0.5, 1.9], [2, 2.5]),
    (CONSTANT, "rattle", "coupling", [-0.9, 0, 0.9], [-2, -1, 1, 2]),
    (CONSTANT, "rattle", "removed", [0.5, 1.9], [2, 3]),
    (AT_A_PLACE, "livens", "coupling", [-0.5, 1], [-1.5]),
]

livens, source, directory = sys.argv[1:]
place = Place(livens, source, directory, "", compiler=os.environ.get("CXX"))
numbers = {name: number for number, name in re.findall(r"\| (\d+) \| `(\w+)`", place.call("list", "--statuses"))}
runs = 0
for text, scheme, parameter, possible, impossible in CASES:
    (place.directory / "masses.toml").write_text(text + PARAMETERS)
    for backend in ("cpu", "reference"):
        values = impossible + possible
        place.spec.write_text(SPEC.format(scheme=scheme, parameter=parameter, size=len(values), values=values))
        place.call("run", "spec.toml", "--force", "--quiet", "--backend", backend)
        place.call("export", "out.h5", "csv", "-o", "table", "--force")
        with open(place.directory / "table/instances.csv") as table:
            found = [row["status"] for row in csv.DictReader(line for line in table if not line.startswith("#"))]
        wanted = [numbers["invalid_parameter"]] * len(impossible) + [numbers["ok"]] * len(possible)
        expect(found == wanted, parameter, values, scheme, backend, "ended with", found, "not", wanted)
        runs += 1
print(runs, "ensembles with masses that no body has")
