"""Work against precision of schemes, measured against certified problems: docs/problems/work_precision.md.

usage: work_precision.py LIVENS CHECKOUT

Errors are those of q at the end, relative to its largest entry; work is steps times Newton iterations, which is no matter of
the machine. Needs h5py.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

RUNS = {  # problem: steps, schemes with their options
    "henon_heiles": ((2000, 4000, 8000), (("ems", ""), ("rattle", ""), ("ems", "order = 8\n"), ("rattle", "order = 8\n"))),
    "pendulum_a01": ((1000, 2000, 4000), (("ems", ""), ("vi_a", ""), ("ems", "order = 8\n"), ("rattle", "order = 8\n"))),
    "swinging_atwood": ((1000, 2000, 4000), (("livens", ""),)),
}


def error_of(livens, problem, scheme, options, steps):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "text.toml").write_text(problem["text"])
        (folder / "spec.toml").write_text(f'[system]\nfile = "text.toml"\n[scheme]\nname = "{scheme}"\n{options}'
                                          f'step = {problem["end"] / steps!r}\nsteps = {steps}\nnewton.tolerance = 0\n')
        subprocess.run([livens, "run", folder / "spec.toml", "-o", folder / "run.h5", "--quiet", "--backend", "cpu"],
                       check=True, capture_output=True)
        with h5py.File(folder / "run.h5") as result:
            assert result["instances/status"][0] == 0
            q = result["instances/final_q"][0]
            iterations = int(result["instances/newton_iterations"][0])
    certified = np.array(problem["certificate"]["q"]["values"][-1])
    return np.abs(q - certified).max() / np.abs(certified).max(), iterations


def main(livens, checkout):
    problems = json.loads(subprocess.run([livens, "problems", "--json"], check=True, capture_output=True).stdout)
    parts = ["# Work and precision", "Written by `scripts/work_precision.py`. Error of q at the end against the certified "
             "one, relative to its largest entry, and the iterations of Newton's method that all steps took."]
    for name, (all_steps, schemes) in RUNS.items():
        problem = problems[name]
        largest = max(abs(x) for x in problem["certificate"]["q"]["values"][-1])
        certain = problem["certificate"]["q"]["error"][-1] / largest
        rows = [f"## `{name}`", f"To {problem['end']:g}; the certificate leaves {certain:.0e} open.", "",
                "| scheme | " + " | ".join(f"{steps} steps" for steps in all_steps) + " |",
                "| --- |" + " --- |" * len(all_steps)]
        for scheme, options in schemes:
            found = [error_of(livens, problem, scheme, options, steps) for steps in all_steps]
            label = f"`{scheme}`" + (f", {options.strip()}" if options else "")
            rows.append(f"| {label} | " + " | ".join(f"{error:.1e}, {work}" for error, work in found) + " |")
        parts.append("\n".join(rows).replace("open.\n\n", "open.\n\n", 1))
    (pathlib.Path(checkout) / "docs/problems/work_precision.md").write_text("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
