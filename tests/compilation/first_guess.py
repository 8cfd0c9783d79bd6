"""usage: first_guess.py LIVENS TEXTS DIRECTORY
Where Newton's method starts: of forms for any mechanism, and of vi_a in a condensed form, steps along a smooth motion take an
iteration less than from the velocity, and at rest a mechanism stays without one."""

import json
import pathlib
import subprocess
import sys

import h5py
import numpy as np

livens, texts, directory = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
directory.mkdir(parents=True, exist_ok=True)


def run(text, scheme, steps):
    """Iterations a step, and the coordinates of sixty nodes of one instance."""
    spec = directory / "spec.toml"
    spec.write_text(f"""
[system]
file = "{texts / text}.toml"
[ensemble]
size = 3
[scheme]
name = "{scheme}"
steps = {steps}
[output]
every = {steps // 60}
trajectories = 1
""")
    done = subprocess.run([livens, "run", spec, "-o", directory / "result.h5", "--force", "--quiet", "--json", "-"], check=True,
                          capture_output=True, text=True)
    with h5py.File(directory / "result.h5") as result:
        q = result["trajectories/q"][:]
    return json.loads(done.stdout)["newton_iterations_per_step"], q.reshape(-1, q.shape[-1])


# The first two steps are led nowhere. Of `ems`, whose tolerance is round-off, the second iteration is what that takes.
for scheme, most in (("rattle", 1), ("ems", 2)):
    iterations, _ = run("crank_by_motor", scheme, 600)
    assert iterations < most + 0.02, f"{scheme}: {iterations} iterations a step"

# Nodes of vi_a are off the constraint to one side and the other: a straight line beside that, without a velocity, too.
iterations, _ = run("double_spherical_pendulum", "vi_a", 600)
assert iterations < 1.5, f"vi_a: {iterations} iterations a step"

# The controller brings the pole to rest. There the guess by the velocity is exact, and no step moves anything.
iterations, q = run("cart_pole", "rattle", 60000)
assert iterations < 0.05, f"at rest: {iterations} iterations a step"
assert np.ptp(q[-20:], axis=0).max() < 1e-9, "it moves at rest"
