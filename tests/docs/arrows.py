"""The folders that each folder may include: the arrows of docs/architecture.md, held against the #include lines.

usage: arrows.py CHECKOUT

A folder may include itself and what it lists, all of which stand before it: there is no circle. Of kernels/ and host/
every folder is listed by itself; of the others a folder is all that is below it, too, and so is a name with /*.
"""

import pathlib
import re
import sys

KERNELS = ["kernels/math", "kernels/description", "kernels/systems/shared"]
FORM = [*KERNELS, "kernels/newton", "kernels/schemes"]
MAY_INCLUDE = {
    "kernels/math": [],
    "kernels/math/gpu": ["kernels/math"],
    "kernels/description": ["kernels/math"],
    "kernels/systems/shared": ["kernels/math", "kernels/description"],
    "kernels/systems/assembly": KERNELS,
    "kernels/systems/beside_text": KERNELS,
    "kernels/systems": [*KERNELS, "kernels/systems/assembly"],
    "kernels/newton": [*KERNELS, "kernels/math/gpu"],
    "kernels/schemes": [*KERNELS, "kernels/newton"],
    "kernels/stepping": [*KERNELS, "kernels/newton"],
    "kernels/tangents": [*KERNELS, "kernels/newton", "kernels/stepping"],
    "kernels/forms/vectors": FORM,
    "kernels/forms/spheres": FORM,
    "kernels/forms/frame": FORM,
    "kernels/forms/cranks": FORM,
    "kernels/forms/turning": FORM,
    "kernels/forms/general": FORM,
    "kernels/forms/condensed": FORM,
    "kernels/forms/assembly": [*FORM, "kernels/systems/assembly"],
    "kernels/forms": ["kernels/description"],  # the table of all forms, which a build fills in
    "kernels/backends": [*KERNELS, "kernels/stepping", "kernels/tangents"],
    "kernels/backends/cpu": [*KERNELS, "kernels/newton", "kernels/stepping", "kernels/tangents", "kernels/backends"],
    "kernels/backends/cuda": [*KERNELS, "kernels/math/gpu", "kernels/stepping", "kernels/backends"],
    "ensembles": ["kernels/description", "kernels/stepping"],
    "expressions": ["kernels/math", "kernels/description"],
    "taylor": ["kernels/math", "kernels/description", "kernels/backends/cuda", "expressions"],
    "reference": [],
    "true_motion": ["reference"],
    "bench": ["kernels/*", "reference"],
    "host": ["ensembles", "expressions"],
    "host/files": ["host"],
    "host/layout": ["ensembles"],
    "host/pairs": [
        "kernels/description",
        "kernels/backends",
        "kernels/backends/cuda",
        "ensembles",
        "expressions",
        "reference",
        "true_motion",
        "host",
    ],
    "host/spec": ["kernels/description", "ensembles", "expressions", "host", "host/files", "host/layout", "host/pairs"],
    "host/results": ["kernels/description", "ensembles", "host", "host/files", "host/layout", "host/pairs", "host/spec"],
    "host/checkpoint": ["ensembles", "host", "host/files", "host/results"],
    "host/compilation": [
        "kernels/description",
        "kernels/backends/cuda",
        "expressions",
        "taylor",
        "host",
        "host/files",
        "host/pairs",
        "host/checkpoint",
    ],
    "host/backends": [
        "kernels/description",
        "kernels/backends/cuda",
        "ensembles",
        "expressions",
        "taylor",
        "reference",
        "true_motion",
        "host",
        "host/layout",
        "host/pairs",
        "host/spec",
        "host/checkpoint",
        "host/compilation",
    ],
    "host/run": ["ensembles", "host", "host/files", "host/spec", "host/results", "host/checkpoint", "host/backends"],
    "host/library": ["ensembles", "expressions", "host", "host/layout", "host/pairs", "host/spec", "host/results", "host/backends", "host/run"],
    "host/problems": ["host"],
    "host/checks": ["kernels/description", "ensembles", "expressions", "reference", "host", "host/pairs", "host/spec", "host/compilation", "host/backends"],
    "host/export": ["host", "host/files", "host/layout", "host/spec", "host/results"],
    "host/terminal": ["ensembles", "host"],
    "host/compare": [
        "ensembles",
        "host",
        "host/files",
        "host/pairs",
        "host/spec",
        "host/results",
        "host/checkpoint",
        "host/backends",
        "host/run",
        "host/export",
        "host/terminal",
    ],
    "host/commands": ["kernels/description", "kernels/backends/cuda", "ensembles", "expressions", "bench", "host/*"],
    "python": ["kernels/description", "ensembles", "expressions", "host/*"],
}
BY_ITSELF = ("kernels/", "host/", "host")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
SOURCES = {".hpp", ".cpp", ".cuh", ".cu", ".in"}


def folder_of(path):
    """The folder of MAY_INCLUDE that a file is of, or None."""
    parents = [parent.as_posix() for parent in pathlib.PurePosixPath(path).parents]
    if parents[0].startswith(BY_ITSELF):
        return parents[0] if parents[0] in MAY_INCLUDE else None
    return next((parent for parent in parents if parent in MAY_INCLUDE), None)


def named_by(entry):
    """The folders of an entry of a list."""
    if not entry.endswith("/*"):
        return [entry]
    return [folder for folder in MAY_INCLUDE if f"{folder}/".startswith(entry[:-1])]


def found_from(source, included, root):
    """What a line means, from the checkout: a compiler looks beside the file first, then in the folders above it."""
    for folder in source.parents:
        if (folder / included).exists():
            return (folder / included).resolve().relative_to(root).as_posix()
        if folder == root:
            return included


def main(checkout):
    root = pathlib.Path(checkout).resolve()
    problems, arrows, before = [], 0, set()
    for folder, allowed in MAY_INCLUDE.items():
        before.add(folder)
        problems += [f"{folder} stands before {other}" for entry in allowed for other in named_by(entry) if other not in before]
    for top in sorted({folder.split("/")[0] for folder in MAY_INCLUDE}):
        for source in sorted((root / top).rglob("*")):
            if source.suffix not in SOURCES:
                continue
            path = source.relative_to(root).as_posix()
            folder = folder_of(path)
            if folder is None:
                problems.append(f"{path} is in no folder of the list")
                continue
            allowed = {other for entry in [folder, *MAY_INCLUDE[folder]] for other in named_by(entry)}
            for included in INCLUDE.findall(source.read_text()):
                if "@" in included:  # a place that a generator fills in
                    continue
                included = found_from(source, included, root)
                arrows += 1
                if folder_of(included) not in allowed:
                    problems.append(f"{path} includes {included}")
    print("\n".join(problems))
    print(f"{arrows} includes, {len(problems)} against the arrows")
    return 1 if problems or arrows < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
