"""livens new: the spec of every system that is compiled in runs as it stands, and with every line switched on that can
be.

usage: new_specs.py LIVENS DIRECTORY
"""

import json
import os
import re
import shutil
import subprocess
import sys


def blocks(lines):
    """Ranges of the lines that are switched on together: a table with its keys, else each alone."""
    i = 0
    while i < len(lines):
        last = i + 1
        if re.match(r"#\[", lines[i]):
            while last < len(lines) and re.match(r"#\w", lines[last]):
                last += 1
        if re.match(r"#[\[\w]", lines[i]):
            yield i, last
        i = last


def run(livens, spec, *options):
    done = subprocess.run(
        [livens, "run", spec, "--quiet", "--force", "-o", spec + ".h5", *options], capture_output=True, text=True
    )
    if done.returncode != 0:
        with open(spec) as file:
            raise SystemExit(f"{spec}: exit status {done.returncode}, said '{done.stderr}'\n{file.read()}")


def try_system(livens, scratch, system):
    spec = os.path.join(scratch, f"{system}.toml")
    subprocess.run([livens, "new", system, "-o", spec], check=True, stdout=subprocess.DEVNULL)
    run(livens, spec)
    with open(spec) as file:
        lines = file.read().splitlines()
    tried = 0
    for first, last in blocks(lines):
        changed = os.path.join(scratch, f"{system}_{first}.toml")
        with open(changed, "w") as file:
            file.write("\n".join(line[1:] if first <= i < last else line for i, line in enumerate(lines)) + "\n")
        run(livens, changed, "--steps", "2")
        tried += 1
    if tried < 3:
        raise SystemExit(f"{system}: only {tried} lines can be switched on")
    print(f"{system}: runs, and with {tried} changes")


if __name__ == "__main__":
    program, scratch = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    listed = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True).stdout)
    for system in listed["systems"]:
        if system["compiled"]:
            try_system(program, scratch, system["name"])
    shutil.rmtree(scratch)
