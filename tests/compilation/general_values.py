"""The values of docs/equations/general_values.md come out of the program: q, p, the energy dissipated and the work of
every scheme on mechanisms with all the terms of general.md. Those of `exact` are the matter of tests/reference.

    general_values.py LIVENS SOURCE DIRECTORY

Values are printed with 12 decimals for positions and 9 for energies: half of the last one, and the round-off of 25 steps.
"""

import csv
import os
import re
import sys
from pathlib import Path

from place import Place, expect

# Options with which the values were computed, where they are not the standard ones: for M(t) contact_1 is otherwise the
# scheme of section 9 with s = 1/2, and lagrange_dalembert that with s = 0.
options = {"contact_1": 'variant = "endpoint"', "lagrange_dalembert": 'variant = "symmetric"'}
header = re.compile(r"    (\w+)(?: +D (\S+) +W (\S+) (\S+) (\S+))?$")


def mechanisms(page):
    """(text, [(scheme, numbers)]) of every mechanism of the page, one for each table of values."""
    found = []
    for section in re.split(r"\n## ", page.read_text())[1:]:
        text = re.search(r"```toml\n(.*?)```", section, re.S)[1]
        for table in section.split("```")[2].split("The same with "):
            changed = re.match(r"`(\w+) = 0`", table)
            of_table = text
            if changed:  # a damping of 0: livens takes a text that has none
                of_table = re.sub(rf'(?m)^dissipation_rate = "{changed[1]}"$', "", text)
            values, scheme = [], None
            for line in table.splitlines():
                if line.startswith("    del_multiplier, p projected"):
                    scheme = None
                elif match := header.match(line):
                    scheme = {"of": match[1], "energies": [float(x) for x in match.groups()[1:] if x]}
                    values.append(scheme)
                elif scheme and (match := re.match(r"        ([qp]) (.*)", line)):
                    scheme[match[1]] = [float(x) for x in match[2].split()]
            found.append((of_table, values))
    return found


def final(place, file):
    place.call("export", file, "csv", "-o", "table", "--force")
    with open(place.directory / "table/instances.csv") as table:
        row = next(csv.DictReader(line for line in table if not line.startswith("#")))
    with open(place.directory / "table/statistics.csv") as table:
        rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
    return row, {line["quantity"]: float(line["mean"]) for line in rows}  # the last time counts


livens, source, directory = sys.argv[1:]
page = Path(source) / "docs/equations/general_values.md"
place = Place(livens, source, directory, "", compiler=os.environ.get("CXX"))
compared = 0
for text, schemes in mechanisms(page):
    (place.directory / "mechanism.toml").write_text(text)
    for values in schemes:
        scheme = values["of"]
        if scheme == "exact":
            continue
        place.spec.write_text(f"""
[system]
file = "mechanism.toml"
[scheme]
name = "{scheme}"
step = 0.02
end = 0.5
{options.get(scheme, "")}
[scheme.newton]
tolerance = 0.0
[output]
file = "out.h5"
every = 25
observe = ["work"]
""")
        place.call("run", "spec.toml", "--force", "--progress", "none")
        row, last = final(place, "out.h5")
        expect(row["status"] in ("0", "ok"), scheme, row["status"])
        for name in ("q", "p"):
            entries = [float(entry) for key, entry in row.items() if key.startswith(f"final_{name}[")]
            for i, (entry, expected) in enumerate(zip(entries, values[name], strict=True)):
                off = abs(entry - expected)
                expect(off < 1e-11, text.splitlines()[0], scheme, f"{name}[{i}] is off by {off}")
                compared += 1
        if values["energies"]:
            lost, *work = values["energies"]
            expect(abs(last["dissipated_energy"] - lost) < 1e-8, scheme, "dissipated energy", last)
            expect(abs(last["work"] - sum(work)) < 1e-8, scheme, "work", last)
            compared += 2
expect(compared > 100, compared, "values were compared")
print(compared, "values")
