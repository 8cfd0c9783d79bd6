#!/usr/bin/env python3
"""The coordinates of a text by their own names, in [[ensemble.vary]], in the columns of a table, in [initial] and in
output.observe, are the entries that their indices are; a name that is not there is refused. Axes are labelled with them, in
a shard and what is merged or exported of it as well.

usage: own_names.py LIVENS DIRECTORY; exits with 77 where a library is missing
"""

import pathlib
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

LIVENS, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
# A scalar between two vectors, one of a single entry: no index within a name is one of q. Energies that tell all apart.
TEXT = """
name = "three"
kinetic = "1/2*dot(u', u') + x'^2 + 3/2*dot(w', w')"
potential = "1/2*dot(u, u) + x^2*w[0]^2 + u[1]^4 + x^4"
[coordinates]
u = 2
x = 1
w = "1"
[initial]
q = { u = [1, 2], x = 3, w = [4] }
"""
SPEC = """
system.file = "three.toml"
scheme = {{ name = "ems", step = 0.1, steps = 3 }}
output = {{ every = 1, checkpoint_every = 0, observe = [{observe}] }}
"""
LAW = '[[ensemble.vary]]\nwhat = "{what}"\nlaw = "normal"\nmode = "add"\nmean = 0\nstd = 0.1\n'
ENTRIES = {"u[0]": 0, "u[1]": 1, "x": 2, "w[0]": 3}
STATES = {"q": "{}", "v": "{}'", "p": "p({})"}


def own(state, entry):
    """q, v or p by the name of its coordinate."""
    name, bracket, index = entry.partition("[")
    return STATES[state].format(name) + bracket + index


def run(name, text):
    spec, out = FOLDER / f"{name}.toml", FOLDER / f"{name}.h5"
    spec.write_text(text)
    command = [LIVENS, "run", spec, "--backend", "reference", "--force", "--quiet", "-o", out]
    return out, subprocess.run(command, capture_output=True, text=True, check=False)


def called(*command):
    done = subprocess.run([LIVENS, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def values(name, text):
    """Every dataset of a run by its path."""
    out, done = run(name, text)
    assert done.returncode == 0, done.stderr
    found = {}
    with h5py.File(out) as file:
        file.visititems(lambda path, item: found.update({path: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def quoted(names):
    return ", ".join(f'"{name}"' for name in names)


def same(a, b):
    return np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "three.toml").write_text(TEXT)
    named = {own(state, entry): f"{state}[{index}]" for state in STATES for entry, index in ENTRIES.items()}

    # Observed.
    by_name = values("observed", SPEC.format(observe=quoted(named)))
    by_index = values("indexed", SPEC.format(observe=quoted(named.values())))
    for name, index in named.items():
        for path in ("instances/final_{}", "statistics/{}/mean"):
            assert same(by_name[path.format(name)], by_index[path.format(index)]), (name, path)

    # Varied: one by one, all entries, a range.
    varied = dict(named) | {"u[*]": "q[0:2]", "u'[*]": "v[0:2]", "u[1:2]": "q[1:2]"}
    for number, (name, index) in enumerate(varied.items()):
        size = "[ensemble]\nsize = 4\n"
        states = [values(f"varied_{number}_{which}", SPEC.format(observe='"energy"') + size
                         + LAW.format(what="initial." + what)) for which, what in enumerate((name, index))]
        for path in ("instances/final_q", "instances/final_v", "instances/initial_energy"):
            assert same(states[0][path], states[1][path]), (name, path)
        assert np.ptp(states[0]["instances/initial_energy"]) > 0, name

    # The columns of a table.
    (FOLDER / "names.csv").write_text("initial.x,initial.u'[1]\n1,2\n3,4\n")
    (FOLDER / "indices.csv").write_text("initial.q[2],initial.v[1]\n1,2\n3,4\n")
    states = [values(f"table_{table}", SPEC.format(observe='"energy"') + f'ensemble.table.file = "{table}.csv"\n')
              for table in ("names", "indices")]
    assert same(states[0]["instances/final_q"], states[1]["instances/final_q"])

    # Where it starts.
    own_start = values("own_start", SPEC.format(observe='"energy"') + "[initial]\nu = [1.5, 2]\n\"x'\" = 2\n")
    start = values("start", SPEC.format(observe='"energy"') + "[initial]\nq = [1.5, 2, 3, 4]\nv = [0, 0, 2, 0]\n")
    for path in ("instances/final_q", "instances/final_p"):
        assert same(own_start[path], start[path]), path

    # Labels of axes.
    spec, whole, flat = (FOLDER / name for name in ("parts.toml", "whole.h5", "whole.nc"))
    spec.write_text(SPEC.format(observe='"energy"') + "[ensemble]\nsize = 2048\n" + LAW.format(what="initial.x"))
    parts = [FOLDER / f"part_{shard}.h5" for shard in range(2)]
    for shard, part in enumerate(parts):
        called("run", spec, "--quiet", "--force", "--backend", "reference", "--shard", f"{shard}/2", "-o", part)
    whole.unlink(missing_ok=True)
    called("merge", *parts, "-o", whole)
    called("export", whole, "netcdf", "-o", flat, "--force")
    for path, places in ((whole, ("instances/coordinate", "trajectories/coordinate")), (flat, ("coordinate",))):
        with h5py.File(path) as file:
            for place in places:
                assert list(file[place].asstr()) == list(ENTRIES), (path, place)

    for what, words in (("initial.y", "unknown quantity 'initial.y'"), ("initial.u[2]", "index 2 of 'initial.u[2]'"),
                        ("initial.u", "'initial.u' has 2 entries"), ("initial.x''", "unknown quantity"),
                        ("initial.ux'", "did you mean")):
        _, done = run("refused", SPEC.format(observe='"energy"') + "[ensemble]\nsize = 4\n" + LAW.format(what=what))
        assert done.returncode == 2 and words in done.stderr, (what, done.stderr)
    for name, words in (("u", "is no entry"), ("y", "cannot be observed"), ("u[2]", "is no entry"),
                        ("x[0]", "cannot be observed"),
                        ("x - 1", 'expected { name = "x___1", expression = "x - 1" }')):
        _, done = run("refused", SPEC.format(observe=quoted([name])))
        assert done.returncode == 2 and words in done.stderr, (name, done.stderr)
    print(f"{len(named)} names observed, {len(varied)} varied")


main()
