#!/usr/bin/env python3
"""The share of a build's objects that a change of one scheme compiles again, from what ninja has recorded.

    rebuilt_share.py BUILD_DIRECTORY [MOST]

For every header that holds a scheme or a form of one (the list of kernels/CMakeLists.txt): the objects whose compilation
read it, as `ninja -t deps` lists them. Exit status 1 where that is more than MOST (0.15) of all objects, or where the record
holds no header of a scheme. An object that was never built is not in the record and is not counted.
"""

import collections
import pathlib
import re
import subprocess
import sys

OBJECT = re.compile(r"^(\S+\.o): #deps")
LISTED = re.compile(r"set\(livens_families\n(.*?)\)", re.DOTALL)


def listed_headers():
    """Of the checkout."""
    text = (pathlib.Path(__file__).parent.parent / "kernels/CMakeLists.txt").read_text()
    return {f"kernels/{word}.hpp" for word in LISTED.search(text)[1].split() if not word.endswith(":")}


def readers(record, headers):
    """The objects, and of every one of the headers those that read it. A line without an indent opens an object."""
    objects, of_header, current = set(), collections.defaultdict(set), None
    for line in record.splitlines():
        if match := OBJECT.match(line):
            current = match[1]
            objects.add(current)
        elif current is not None and (header := "kernels/" + line.rpartition("kernels/")[2].strip()) in headers:
            of_header[header].add(current)
    return objects, of_header


def main():
    build = pathlib.Path(sys.argv[1])
    most = float(sys.argv[2]) if len(sys.argv) > 2 else 0.15
    record = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    objects, of_header = readers(record, listed_headers())
    if not of_header:
        sys.exit(f"{build}: ninja has no record of an object that reads a scheme; build first")
    worst = 0.0
    for header, compiled in sorted(of_header.items(), key=lambda entry: -len(entry[1])):
        share = len(compiled) / len(objects)
        worst = max(worst, share)
        print(f"{share:6.1%}  {len(compiled):4d} of {len(objects)}  {header}")
    if worst > most:
        sys.exit(f"a change of one scheme compiles {worst:.1%} of all objects again; at most {most:.0%} should be")


if __name__ == "__main__":
    main()
