#!/usr/bin/env python3
"""The tables of docs/contract.md that follow from the program, written anew between their marks.

    contract_tables.py LIVENS docs/contract.md          rewrites them
    contract_tables.py LIVENS docs/contract.md --check  exit status 1, with the difference, where one is stale

LIVENS is a program with all schemes: built with SUNDIALS, of any systems that reference_ode and reference_dae run.
A table stands between `<!-- livens list --NAME -->` and `<!-- end -->`.
"""

import difflib
import pathlib
import re
import subprocess
import sys

MARKED = re.compile(r"(<!-- livens list (--\w+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def rewritten(text, livens):
    def table(match):
        printed = subprocess.run([livens, "list", match[2]], check=True, capture_output=True, text=True)
        return match[1] + printed.stdout + match[4]

    fresh, count = MARKED.subn(table, text)
    if count == 0:
        sys.exit("no table is marked")
    return fresh


def main():
    check = sys.argv[-1:] == ["--check"]
    arguments = sys.argv[1 : len(sys.argv) - check]
    if len(arguments) != 2:
        sys.exit(__doc__)
    livens, path = arguments[0], pathlib.Path(arguments[1])
    stale = path.read_text()
    fresh = rewritten(stale, livens)
    if fresh == stale:
        return
    if not check:
        path.write_text(fresh)
        return
    sys.stdout.writelines(difflib.unified_diff(stale.splitlines(True), fresh.splitlines(True), str(path), "fresh"))
    sys.exit(f"{path} is stale: scripts/contract_tables.py {livens} {path}")


main()
