"""Results open in xarray through h5netcdf and netCDF4: axes have their names, labels and units, and the numbers are those
that h5py reads.

usage: opens.py LIVENS DIRECTORY; exits with 77 where a library is missing
"""

import os
import shutil
import subprocess
import sys

from in_xarray import differing, h5py, numpy, xarray

SPEC = """
[system]
name = "unit_circle"
[scheme]
steps = 20
[ensemble]
size = 3000
[[ensemble.vary]]
what = "initial.v[1]"
law = "normal"
mode = "add"
std = 0.1
mean = 0.0
[output]
every = 5
observe = ["kinetic_energy", "q[1]"]
[[output.joint]]
of = ["initial.v[1]", { name = "q[1]", low = -1, high = 1 }]
bins = [10, 20]
[[output.joint]]
name = "plane"
of = ["q[1]", "energy"]
at = "samples"
"""
SAMPLES = 5
# Of each group: its axes with their lengths (None where they follow from the data) and the coordinates on them.
GROUPS = {
    "instances": ({"instance": 3000, "coordinate": 2}, {"instance", "coordinate"}),
    "trajectories": (
        {"trajectory": 4, "time": SAMPLES, "coordinate": 2, "constraint": 1, "momentum_map": 1},
        {"instance", "time", "coordinate", "constraint", "momentum_map"},
    ),
    "statistics": ({"time": SAMPLES}, {"time"}),
    "statistics/energy_error": ({"time": SAMPLES, "level": 5, "bin": None}, {"time", "level", "bins"}),
    "statistics/joint/0": (
        {"initial.v[1]": None, "initial.v[1]_edges": None, "q[1]": 20, "q[1]_edges": 21},
        {"initial.v[1]", "initial.v[1]_edges", "q[1]", "q[1]_edges"},
    ),
    "statistics/joint/plane": (
        {"time": SAMPLES, "q[1]": None, "q[1]_edges": None, "energy": None, "energy_edges": None},
        {"time", "q[1]", "q[1]_edges", "energy", "energy_edges"},
    ),
    "statistics/q[1]": ({"time": SAMPLES, "level": 5, "bin": None}, {"time", "level", "bins"}),
}


def engines():
    """Those whose libraries are there."""
    found = []
    for engine, library in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
        try:
            __import__(library)
            found.append(engine)
        except ImportError as missing:
            print(f"without {engine}: {missing}")
    return found


def run(livens, directory, name, *options):
    path = os.path.join(directory, name)
    request = os.path.join(directory, "opens.toml")
    with open(request, "w") as file:
        file.write(SPEC)
    subprocess.run([livens, "run", request, "--quiet", "-o", path, *options], check=True)
    return path


def expect(good, what):
    if not good:
        raise SystemExit(f"not as expected: {what}")


def expect_group(path, engine, group, axes, coordinates):
    at = f"{path}, {engine}, {group}"
    expect(not differing(path, group, engine), f"{at}: {differing(path, group, engine)}")
    with xarray.open_dataset(path, group=group, engine=engine) as opened, h5py.File(path, "r") as file:
        expect(set(opened.sizes) == set(axes), f"{at}: axes {dict(opened.sizes)}")
        for axis, length in axes.items():
            expect(length in (None, opened.sizes[axis]), f"{at}: length of {axis}")
        expect(set(opened.coords) == coordinates, f"{at}: coordinates {set(opened.coords)}")
        for name, variable in opened.variables.items():
            expect(variable.attrs["long_name"] == file[group][name].attrs["description"], f"{at}: long_name of {name}")
        for name, variable in opened.data_vars.items():
            unit = file[group][name].attrs["unit"]
            units = {"1": "dimensionless", "SI": None}.get(unit, unit)
            expect(variable.attrs.get("units") == units, f"{at}: units of {name}")


def expect_opens(path, engine, changed={}):
    for group, (axes, coordinates) in GROUPS.items():
        expect_group(path, engine, group, {k: changed.get(k, v) for k, v in axes.items()}, coordinates)
    with xarray.open_dataset(path, group="instances/parameters", engine=engine) as varied:
        expect(varied["initial.v[1]"].dims == ("instance",), "axes of initial.v[1]")
    with xarray.open_dataset(path, group="instances", engine=engine) as opened:
        status = opened["status"].attrs
        meanings = status["flag_meanings"].split()
        expect(len(meanings) == len(status["flag_values"]) and meanings[0] == "ok", "flags of the status")
        first = changed.get("first", 0)
        expect(int(opened["instance"][0]) == first, f"the number of the first instance is {first}")
    if hasattr(xarray, "open_datatree"):
        with xarray.open_datatree(path, engine=engine) as tree:
            expect({f"/{group}" for group in GROUPS} <= set(tree.groups), f"groups of the tree: {tree.groups}")


def expect_said(livens, path, words):
    ended = subprocess.run([livens, "info", path], capture_output=True, text=True)
    expect(ended.returncode == 4 and words in ended.stderr and "truncated" not in ended.stderr, f"{words}: {ended}")


def expect_writers_named(livens, path):
    """A result that another program opens for writing is not called truncated, before and after."""
    copy = path + ".copy.h5"
    shutil.copy(path, copy)
    with h5py.File(copy, "r"):
        subprocess.run([livens, "info", copy], check=True, stdout=subprocess.DEVNULL)  # others may read
    with h5py.File(copy, "r+"):
        expect_said(livens, copy, "is open for writing in another program")
    expect_said(livens, copy, "another program has opened it for writing")
    shutil.copy(path, copy)
    with h5py.File(copy, "r+") as file:
        file.attrs["note"] = "mine"
        file["more"] = numpy.arange(100000.0)
    expect_said(livens, copy, "another program has opened it for writing")
    shutil.copy(path, copy)
    child = os.fork()
    if child == 0:
        file = h5py.File(copy, "r+")
        file.attrs["note"] = "mine"
        file.flush()
        os._exit(0)  # as if it were killed
    os.waitpid(child, 0)
    expect_said(livens, copy, "another program has opened it for writing")
    with open(path, "rb") as file, open(copy, "wb") as cut:
        cut.write(file.read()[:-1000])
    ended = subprocess.run([livens, "info", copy], capture_output=True, text=True)
    expect(ended.returncode == 4 and "truncated" in ended.stderr, f"a truncated result: {ended}")
    print("opened for writing: said so")


if __name__ == "__main__":
    program, scratch = sys.argv[1:]
    if not engines():
        sys.exit(77)
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    followed = run(program, scratch, "followed.h5", "--set", "output.trajectories=4")
    alone = run(program, scratch, "alone.h5", "--set", "output.trajectories=0")  # an axis of length 0
    shard = run(program, scratch, "shard.h5", "--shard", "1/2", "--set", "output.trajectories=4")
    expect_writers_named(program, followed)
    for engine in engines():
        expect_opens(followed, engine)
        expect_opens(alone, engine, {"trajectory": 0})
        with h5py.File(shard, "r") as file:
            first, size = int(file.attrs["shard_first"]), len(file["instances/status"])
        expect_opens(shard, engine, {"trajectory": 0, "instance": size, "first": first})
        print(f"opened with {engine}")
    shutil.rmtree(scratch)
