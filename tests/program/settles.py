"""Newton's method to round-off (tolerance 0) loses no instance that the standard tolerance keeps: 64 instances of every
pair of steps, with some spread, both ways.

usage: settles.py LIVENS DIRECTORY [STEPS [SYSTEM [SCHEME]]]        2000 steps and all pairs where they are left out
"""

import json
import os
import subprocess
import sys

import h5py

SPEC = """
[system]
name = "{system}"
[scheme]
name = "{scheme}"
steps = {steps}
[scheme.newton]
tolerance = {tolerance}
[ensemble]
size = 64
[[ensemble.vary]]
what = "initial.v[{entry}]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.05
[output]
every = {steps}
checkpoint_every = 0
"""


def lost(livens, path, **values):
    with open(path + ".toml", "w") as file:
        file.write(SPEC.format(**values))
    subprocess.run(
        [livens, "run", path + ".toml", "-o", path + ".h5", "--quiet"], check=True, capture_output=True
    )
    with h5py.File(path + ".h5", "r") as result:
        status = result["instances/status"][:]
    os.remove(path + ".h5")
    return {i for i in range(len(status)) if status[i] != 0}


def main(livens, directory, steps="2000", only=None, only_scheme=None):
    os.makedirs(directory, exist_ok=True)
    listed = json.loads(subprocess.run([livens, "list", "--json"], capture_output=True, check=True).stdout)
    d = {system["name"]: system["d"] for system in listed["systems"]}
    problems = pairs = 0
    for pair in filter(lambda pair: pair["compiled"], listed["pairs"]):
        system, scheme = pair["system"], pair["scheme"]
        if scheme.startswith("reference_") or scheme == "taylor":
            continue
        if (only and system != only) or (only_scheme and scheme != only_scheme):
            continue
        path = os.path.join(directory, f"{system}-{scheme}")
        values = dict(system=system, scheme=scheme, steps=steps, entry=d[system] - 1)
        pairs += 1
        strict = lost(livens, path, tolerance="0.0", **values)
        # Mostly there are none, and what the standard tolerance loses does not matter.
        alone = strict and strict - lost(livens, path, tolerance="1e-10", **values)
        if alone:
            problems += 1
            print(f"{system} {scheme}: instances {sorted(alone)} end with tolerance 0 alone")
    print(f"{pairs} pairs, {steps} steps: {problems} lose instances")
    return 1 if problems or pairs == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
