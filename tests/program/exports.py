"""livens export: the tables and the flat netCDF file have the numbers of the result, to the bit.

usage: exports.py LIVENS DIRECTORY
"""

import csv
import os
import shutil
import struct
import subprocess
import sys

import h5py
import numpy

SPEC = """
[system]
name = "unit_circle"
[scheme]
steps = 20
[ensemble]
size = 70000  # more than a portion of a compressed dataset
[[ensemble.vary]]
what = "initial.v[*]"
law = "normal"
mode = "add"
std = 0.1
mean = 0.0
[output]
every = 5
trajectories = 3
observe = ["kinetic_energy", "q[1]"]
"""


def expect(good, what):
    if not good:
        raise SystemExit(f"not as expected: {what}")


def table_of(path):
    """Names, units and columns of numbers; text stays text."""
    with open(path, newline="") as file:
        names, units, *rows = csv.reader(file)
    expect(units[0].startswith("# ") and len(units) == len(names), f"units of {path}")
    expect(all(len(row) == len(names) for row in rows), f"cells of {path}")
    return dict(zip(names, zip(*rows)))


def same(cells, values):
    """Equal to the bit; no number is no number."""
    for cell, value in zip(cells, values):
        if struct.pack("d", float(cell)) != struct.pack("d", value) and not (cell == "nan" and value != value):
            return False
    return len(cells) == len(values)


def expect_tables(directory, result):
    instances = table_of(os.path.join(directory, "instances.csv"))
    group = result["instances"]
    for name, dataset in list(group.items()) + list(group["parameters"].items()):
        if name in ("parameters", "coordinate", "instance"):
            continue
        if dataset.ndim == 1:
            expect(same(instances[name], dataset[()]), f"instances.csv: {name}")
            continue
        base = name.split("[")[0]
        for k in range(dataset.shape[1]):
            expect(same(instances[f"{base}[{k}]"], dataset[:, k]), f"instances.csv: {name} {k}")
    expect(same(instances["instance"], group["instance"][()]), "numbers of the instances")
    statistics = table_of(os.path.join(directory, "statistics.csv"))
    for name, quantity in result["statistics"].items():
        if isinstance(quantity, h5py.Dataset):
            continue
        rows = [i for i, one in enumerate(statistics["quantity"]) if one == name]
        for figure in ("mean", "std", "min", "max", "rms"):
            expect(same([statistics[figure][i] for i in rows], quantity[figure][()]), f"{figure} of {name}")
        middle = [statistics["quantile_0.5"][i] for i in rows]
        expect(same(middle, quantity["quantiles"][:, list(quantity["level"]).index(0.5)]), f"median of {name}")
    trajectories = table_of(os.path.join(directory, "trajectories.csv"))
    q = result["trajectories/q"]
    expect(len(trajectories["time"]) == q.shape[0] * q.shape[1], "a line for every sample of every trajectory")
    expect(same(trajectories["q[0]"], q[:, :, 0].ravel()), "trajectories.csv: q[0]")
    expect(same(trajectories["kinetic_energy"], result["trajectories/kinetic_energy"][()].ravel()), "what is observed")


def expect_flat(path, result, engine):
    import xarray

    with xarray.open_dataset(path, engine=engine) as opened:
        pairs = [("final_q", "instances/final_q"), ("initial.v[*]", "instances/parameters/initial.v[*]")]
        pairs += [("trajectory_q", "trajectories/q"), ("energy_error_mean", "statistics/energy_error/mean")]
        pairs += [("q[1]_histogram", "statistics/q[1]/histogram"), ("time", "statistics/time")]
        for name, there in pairs:
            found, raw = opened[name], result[there]
            expect(found.values.tobytes() == raw[()].tobytes(), f"{engine}: {name}")
            expect(found.attrs["long_name"] == raw.attrs["description"], f"{engine}: long_name of {name}")
        expect(opened["trajectory_q"].dims == ("trajectory", "time", "coordinate"), "axes of the trajectories")
        expect(opened["energy_error_histogram"].dims == ("time", "energy_error_bin"), "axes of a histogram")
        expect("energy_error_bins" in opened.coords and "trajectory_instance" in opened.coords, "coordinates")
        expect(opened["status"].dtype.kind in "ui" and "ok" in opened["status"].attrs["flag_meanings"], "status")
        expect(opened.attrs["scheme"] == result.attrs["scheme"], "attributes of the run")
        ok = opened.where(opened.status == 0, drop=True)
        expect(ok.sizes["instance"] == int(numpy.sum(result["instances/status"][()] == 0)), "selection by status")
    print(f"opened with {engine}")


if __name__ == "__main__":
    program, scratch = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    spec, path = os.path.join(scratch, "study.toml"), os.path.join(scratch, "study.h5")
    with open(spec, "w") as file:
        file.write(SPEC)
    subprocess.run([program, "run", spec, "--quiet", "-o", path], check=True)
    for form in ("csv", "netcdf"):
        subprocess.run([program, "export", path, form], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(path, "r") as result:
        expect_tables(os.path.join(scratch, "study"), result)
        for engine, library in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
            try:
                __import__("xarray"), __import__(library)
            except ImportError as missing:
                print(f"without {engine}: {missing}")
                continue
            expect_flat(os.path.join(scratch, "study.nc"), result, engine)
    shutil.rmtree(scratch)
