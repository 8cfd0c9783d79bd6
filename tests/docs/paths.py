"""Files that the documents name exist: every path with a folder in `backticks` or behind a link of a Markdown file, and
every decision that is linked.

usage: paths.py CHECKOUT
"""

import pathlib
import re
import subprocess
import sys

QUOTED = re.compile(r"`((?:[A-Za-z0-9_.-]+/)+[A-Za-z0-9_.-]+\.(?:hpp|cpp|cu|cuh|py|sh|md|toml|json|in|txt))`")
LINKED = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
MADE = ("build/", "BUILD/")  # what a build makes


def main(checkout):
    root = pathlib.Path(checkout)
    listed = subprocess.run(["git", "-C", checkout, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    # A path may be short for one further down: `laws/energy.cpp`.
    known = "\n" + "\n".join(listed) + "\n"
    problems = named = 0
    for document in (root / path for path in listed if path.endswith(".md")):
        text = document.read_text()
        for path in QUOTED.findall(text):
            named += 1
            if path.startswith(MADE) or f"/{path}\n" in known or f"\n{path}\n" in known:
                continue
            problems += 1
            print(f"{document.relative_to(root)}: there is no {path}")
        for path in LINKED.findall(text):
            named += 1
            if not (document.parent / path).exists():
                problems += 1
                print(f"{document.relative_to(root)}: nothing at {path}")
    print(f"{named} paths, {problems} lead nowhere")
    return 1 if problems or named < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
