"""usage: condensed.py LIVENS SOURCE DIRECTORY
Texts in their condensed forms make the steps of the full form, with damping, composed and without constraints; and the
difficult ones among them, which both take with pivots."""

import pathlib
import subprocess
import sys

import h5py
import numpy as np

livens, source, directory = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
directory.mkdir(parents=True, exist_ok=True)
# Text, scheme, step, steps, keys of the scheme, of the system.
CASES = [
    ("four_particle", "ems", 0.05, 60, "", ""),
    ("four_particle", "ems", 0.05, 40, "order = 4", "damping = [0.3, 0.1]"),
    ("four_particle", "ems", 0.5, 10, "", ""),
    ("four_particle", "ggl_vi", 0.02, 60, "", "damping = [0.3, 0.1]"),
    ("four_particle", "vi_b", 0.02, 60, "", "damping = [0.3, 0.1]"),
    ("four_particle", "rattle", 0.05, 40, "order = 4", "damping = [0.3, 0.1]"),
    ("slider_crank", "rattle", 0.01, 60, "", ""),
    ("bead_on_catenary", "rattle", 0.01, 60, "", ""),
    ("heavy_top", "ggl_vi", 0.002, 40, "", "damping = 0.1"),
    ("chain", "rattle", 0.001, 60, "", ""),
    ("double_four_bar", "rattle", 0.005, 40, "", ""),  # A^-1 G^T in a loop
    ("cart_pendulum", "ems", 0.01, 60, "", ""),
]


def integrate(case, form):
    text, scheme, step, steps, of_scheme, of_system = case
    spec = directory / f"{form}.toml"
    spec.write_text(f"""
[system]
file = "{source}/examples/systems/{text}.toml"
{of_system}
[scheme]
name = "{scheme}"
form = "{form}"
step = {step}
steps = {steps}
newton.tolerance = 0.0
{of_scheme}
[ensemble]
size = 12
seed = 3
[[ensemble.vary]]
what = "initial.v"
law = "normal"
mode = "multiply"
mean = 1.0
std = 0.05
shared = true
[output]
every = {steps}
trajectories = 12
""")
    subprocess.run([livens, "run", spec, "-o", directory / "result.h5", "--force", "--quiet"], check=True)
    with h5py.File(directory / "result.h5") as result:
        assert result.attrs["form"] in (form, form.encode()), result.attrs["form"]
        return {name: result["trajectories"][name][:] for name in ("q", "p")}


for case in CASES:
    # These are vectors, too, in forms of their own.
    in_vectors = case[0] in ("heavy_top", "four_particle")
    condensed, full = integrate(case, "condensed" if in_vectors else "reduced"), integrate(case, "full")
    for name in ("q", "p"):
        size = np.abs(full[name]).max()
        assert np.isfinite(full[name]).all() and size > 0.1, case
        # A rounding of either form in each of at most 60 steps, which the motion lets grow a hundredfold.
        difference = np.abs(condensed[name] - full[name]).max() / size
        assert difference < 1e-12, f"{case}: {name} differs by {difference:.1e}"
        assert not np.array_equal(condensed[name], full[name]), f"{case}: the same form twice"
