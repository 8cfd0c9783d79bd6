"""livens run with taylor on the systems of livens by name: the same bits as on their texts, and the motion that CVODE has.

usage: built_in.py LIVENS EXAMPLES
"""

import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

livens, examples = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
os.chdir(tempfile.mkdtemp())

# Parameters that leave a state consistent, so that all instances may start from one.
VARIED = {
    "double_four_bar": ["mass", "gravity", "damping[0]"],
    "double_spherical_pendulum": ["mass[1]", "gravity", "damping[0]"],
    "foucault_pendulum": ["mass", "gravity", "damping"],
    "four_particle": ["mass[1]", "stiffness[0]", "damping[1]"],
    "heavy_top": ["density", "gravity", "damping"],
    "mass_spring": ["mass[1]", "stiffness[1]", "damping[1]"],
    "rolling_disk": ["inertia_axial", "gravity", "damping", "force[3]", "force_rate[0]"],
    "spring_pendulum": ["mass", "axial_stiffness", "rest_length", "damping"],
    "unit_circle": ["mass", "damping"],
}
END = 0.25  # s; after three of them the bars of double_four_bar lie in one line


def run(text, output, status=0):
    with open("spec.toml", "w") as file:
        file.write(text)
    done = subprocess.run([livens, "run", "spec.toml", "-o", output, "--force", "--quiet"], capture_output=True, text=True)
    assert done.returncode == status, (done.returncode, done.stderr, text)
    return done.stderr


def datasets(path):
    """All numbers but the values drawn, which a text may have other units for, and what a system follows of its own."""
    kept = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, one: kept.__setitem__(name, one[()]) if isinstance(one, h5py.Dataset) else None)
    return {name: values for name, values in kept.items() if not name.startswith("instances/parameters/")}


def spec(system, scheme, *lines, observe=(), steps=4):
    return "\n".join((
        system, f'scheme = {{ name = "{scheme}", step = {END / steps}, end = {END} }}',
        f"output = {{ every = {steps // 4}, trajectories = 5, observe = {json.dumps(list(observe))} }}", *lines))


def drawn(what, law):
    return f'[[ensemble.vary]]\nwhat = "{what}"\n{law}'


def show(name):
    return json.loads(subprocess.run([livens, "show", name, "--json"], capture_output=True, check=True).stdout)


def same_bits(a, b, left_out=()):
    # A text calls its coordinates by names, of the result of the other they are numbers.
    a, b = ({name: one for name, one in of.items() if not name.endswith("/coordinate")} for of in (a, b))
    assert a.keys() - b.keys() <= set(left_out) and not b.keys() - a.keys(), a.keys() ^ b.keys()
    for name in b:
        assert np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f"), (name, a[name], b[name])


listed = show("taylor")
names = [row["name"] for row in listed["systems"]]
assert sorted(names) == sorted(VARIED), names

for name in names:
    by_name, as_text = f'system.name = "{name}"', f'system.file = "{examples}/{name}.toml"'
    described, of_text = show(name), show(f"{examples}/{name}.toml")
    # What stands in a result by its number has the same meaning.
    for key in ("d", "m", "momentum", "nonholonomic"):
        assert described[key] == of_text[key], (name, key)
    shapes = [[(one["name"], one["domain"], np.size(one["default"])) for one in each["parameters"]]
              for each in (described, of_text)]
    assert shapes[0] == shapes[1], (name, shapes)
    for one, other in zip(described["parameters"], of_text["parameters"]):
        assert one["default"] is None or one["default"] == other["default"], (name, one, other)

    # From where the motion by name is after a while, both of them: the same bits.
    run(spec(by_name, "taylor"), "start.h5")
    start = datasets("start.h5")
    q, v = (start[f"instances/final_{x}"][0].tolist() for x in "qv")
    lines = [f'initial = {{ q = {q}, v = {v}, consistency = "require" }}', "[ensemble]", "size = 5"]
    lines += [drawn(f"system.{what}", 'law = "uniform"\nlow = 0.9\nhigh = 1.1') for what in VARIED[name]]
    observe = ["kinetic_energy", "p[0]", "velocity_constraint[0]"][: 3 if described["m"] else 2]
    run(spec(by_name, "taylor", *lines, observe=observe), "name.h5")
    run(spec(as_text, "taylor", *lines, observe=observe), "text.h5")
    own = [f"instances/{one['name']}" for one in described["observables"]]
    same_bits(datasets("name.h5"), datasets("text.h5"), own)
    assert not datasets("name.h5")["instances/status"].any(), name

    # Every parameter of a positive domain is drawn; CVODE, which reads no text here, is the judge, with the bound of
    # tests/true_motion: 1e4 of its tolerances.
    lines = ["[ensemble]", "size = 5"]
    for one in described["parameters"]:
        for k, default in enumerate(np.atleast_1d(one["default"])):
            if one["domain"] == "positive" and default is not None:
                what = f"system.{one['name']}" + (f"[{k}]" if np.size(one["default"]) > 1 else "")
                lines.append(drawn(what, 'law = "uniform"\nmode = "multiply"\nlow = 0.9\nhigh = 1.1'))
    observe = [one["name"] for one in described["sampled"]]
    run(spec(by_name, "taylor", *lines, observe=observe), "taylor.h5")
    series = datasets("taylor.h5")
    assert not series["instances/status"].any(), name
    if "reference_ode" in described["schemes"]:
        run(spec(by_name, "reference_ode", *lines, observe=observe), "cvode.h5")
        judge = datasets("cvode.h5")
        force = 1.0 + np.abs(judge["instances/final_v"]).max()
        for quantity in ("q", "v", "p", "lambda", "momentum", "energy", *observe):
            path = f"trajectories/{quantity}"
            if path not in judge:
                continue
            size = 1.0 + np.nanmax(np.abs(judge[path]), initial=0.0) * (force if quantity == "lambda" else 1.0)
            ours, theirs = series[path], judge[path]
            if quantity == "lambda":
                ours, theirs = ours[:, 1:], theirs[:, 1:]
            assert np.allclose(ours, theirs, rtol=0.0, atol=1e-8 * size), (name, quantity, np.abs(ours - theirs).max())
        for quantity in ("initial_energy", "energy_scale"):
            ours, theirs = series[f"instances/{quantity}"], judge[f"instances/{quantity}"]
            assert np.allclose(ours, theirs, rtol=1e-12, atol=0.0), (name, quantity, ours, theirs)

    # The distance of any scheme from this motion.
    run(spec(by_name, described["scheme"]["name"], *lines, steps=512).replace("trajectories = 5", 'trajectories = 5, error_against = "taylor"'), "far.h5")
    far = datasets("far.h5")
    error = np.abs(far["instances/final_q"] - series["instances/final_q"]).max(axis=1)
    assert np.array_equal(far["instances/position_error"], error) and np.all(error > 0.0), (name, error)

# What follows from other parameters does so for every instance.
radius = 0.5
rows = [(mass, mass * (radius * radius) / 2, mass * (radius * radius) / 4) for mass in (4.0, 5.3, 7.5)]
for output, columns in (("follows", ["system.mass"]),
                        ("given", ["system.mass", "system.inertia_axial", "system.inertia_transverse"])):
    with open("design.csv", "w") as file:
        for row in (columns, *rows):
            print(*row[: len(columns)], sep=",", file=file)
    run(spec('system.name = "rolling_disk"', "taylor", 'ensemble.table.file = "design.csv"'), f"{output}.h5")
same_bits(datasets("follows.h5"), datasets("given.h5"))

# A stop and an expression over a system by name.
run(spec('system.name = "double_spherical_pendulum"', "taylor").replace(
    "observe = []", 'observe = [{ name = "reach", unit = "m", expression = "q[2] + q[5]" }],'
    ' stop = [{ when = "q[2] + 0.05*length[0]" }]'), "stopped.h5")
stopped = datasets("stopped.h5")
assert np.all(stopped["instances/status"] == 8) and np.all(stopped["instances/final_q"][:, 2] > -0.05)
assert np.array_equal(stopped["instances/final_reach"], stopped["instances/final_q"][:, [2, 5]].sum(axis=1))

# An assembly is no text.
for scheme, extra, key in (("taylor", "", "scheme.name"), ("del_nullspace", ', error_against = "taylor"', "output.error_against")):
    said = run(spec('system.name = "three_bar_swing"', scheme).replace("observe = []", "observe = []" + extra), "no.h5", status=2)
    assert key in said and said.count("\n") == 1, said
why = subprocess.run([livens, "list", "--why", "three_bar_swing", "taylor"], capture_output=True, text=True, check=True).stdout
assert "where no assembly is" in " ".join(why.split()), why
