"""Results as xarray opens them, beside what h5py reads; the test that imports this exits with 77 where a library is missing."""

import sys

try:
    import h5py
    import numpy
    import xarray
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def differing(path, group, engine="h5netcdf"):
    """The datasets of a group that are not there in xarray, or have other numbers; an axis without labels is none."""
    with xarray.open_dataset(path, group=group, engine=engine) as opened, h5py.File(path, "r") as file:
        datasets = {name: item for name, item in file[group].items() if isinstance(item, h5py.Dataset)
                    and not item.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension")}
        return [name for name, raw in datasets.items() if name not in opened.variables
                or raw[()].tobytes() != numpy.asarray(opened[name].values, raw.dtype).tobytes()]
