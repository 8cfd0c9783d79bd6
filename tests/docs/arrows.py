"""The folders that each folder may include: the arrows of docs/architecture.md, held against the #include lines.

usage: arrows.py CHECKOUT
"""

import os
import pathlib
import re
import sys

# A folder may include itself and what stands here; `shared` headers belong to the folder above them.
MAY_INCLUDE = {
    "kernels/math": [],
    "kernels/systems": ["kernels/math", "kernels/description/interface.hpp"],
    "kernels/schemes": [
        "kernels/math",
        "kernels/systems/shared",
        "kernels/systems/assembly",  # parts of which systems are made
        "kernels/newton/newton.hpp",
        "kernels/newton/measured.hpp",
        "kernels/description/interface.hpp",
    ],
    "kernels/stepping": [
        "kernels/math",
        "kernels/systems/shared",
        "kernels/schemes/shared",
        "kernels/description/interface.hpp",
    ],
    "kernels/backends": ["kernels"],
    "ensembles": ["kernels/backends", "kernels/stepping"],
    "expressions": ["kernels/math", "kernels/description/interface.hpp"],
    "taylor": [
        "expressions",
        "kernels/math",
        "kernels/description/interface.hpp",
        "kernels/description/plain_record.hpp",
        "kernels/description/plugin.hpp",  # taylor/own_series.cpp.in
        "kernels/backends/cuda/cuda_launch.hpp",  # taylor/cuda
    ],
    "reference": [],
    "true_motion": ["reference"],
    "python": ["host", "ensembles/thread.hpp", "expressions/nearest.hpp", "kernels/description/interface.hpp"],
    "host": ["ensembles", "expressions", "taylor", "kernels/backends", "kernels/stepping", "kernels/math", "reference", "true_motion", "bench"],
}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
SOURCES = {".hpp", ".cpp", ".cuh", ".cu", ".in"}


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def main(checkout):
    root = pathlib.Path(checkout)
    problems, arrows = [], 0
    for folder, allowed in MAY_INCLUDE.items():
        for source in sorted((root / folder).rglob("*")):
            if source.suffix not in SOURCES:
                continue
            for included in INCLUDE.findall(source.read_text()):
                if "@" in included:  # a place that a generator fills in
                    continue
                if (source.parent / included).exists():  # a compiler looks beside the file that includes first
                    included = os.path.normpath(source.parent.relative_to(root) / included)
                arrows += 1
                if not any(within(included, other) for other in [folder, *allowed]):
                    problems.append(f"{source.relative_to(root)} includes {included}")
    print("\n".join(problems))
    print(f"{arrows} includes, {len(problems)} against the arrows")
    return 1 if problems or arrows < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
