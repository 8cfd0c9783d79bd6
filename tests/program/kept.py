"""An initial state off the constraints with consistency = "keep": full forms and nonholonomic schemes do with it what the
reference does; a reduced form, which cannot leave its constraints, refuses it.

usage: kept.py LIVENS DIRECTORY
"""

import json
import os
import subprocess
import sys

SPEC = """
[system]
name = "{system}"
[scheme]
name = "{scheme}"
steps = 20
{form}
[initial]
consistency = "keep"
[ensemble]
size = 8
[[ensemble.vary]]
what = "initial.v[0]"
law = "normal"
mode = "add"
mean = 0.0
std = 1e-3
{position}
"""
# The position of a nonholonomic system is free; every velocity then has its own violation already.
POSITION = """
[[ensemble.vary]]
what = "initial.q[0]"
law = "normal"
mode = "add"
mean = 0.0
std = 1e-6
"""
NONHOLONOMIC = ("foucault_pendulum", "rolling_disk")


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def main(livens, directory):
    os.makedirs(directory, exist_ok=True)
    listed = json.loads(run([livens, "list", "--json"]).stdout)
    constraints = {system["name"]: system["m"] for system in listed["systems"]}
    problems, compared, refused = [], 0, 0
    for pair in filter(lambda pair: pair["compiled"], listed["pairs"]):
        system, scheme = pair["system"], pair["scheme"]
        if scheme.startswith("reference_") or scheme == "taylor" or constraints[system] == 0:
            continue
        for form in pair["forms"]:
            spec = os.path.join(directory, f"{system}-{scheme}-{form}.toml")
            with open(spec, "w") as file:
                file.write(
                    SPEC.format(
                        system=system,
                        scheme=scheme,
                        form=f'form = "{form}"',
                        position="" if system in NONHOLONOMIC else POSITION,
                    )
                )
            done = run([livens, "verify", spec])
            if form == "full" or system in NONHOLONOMIC:
                compared += 1
                if done.returncode != 0:
                    problems.append(f"{spec}: differs from the reference\n{done.stdout}{done.stderr}")
            else:
                refused += 1
                if done.returncode != 2 or "initial.consistency" not in done.stderr:
                    problems.append(f"{spec}: is not refused ({done.returncode})\n{done.stdout}{done.stderr}")
    print("\n".join(problems))
    print(f"{compared} forms compared with the reference, {refused} refuse")
    return 1 if problems or compared == 0 or refused == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
