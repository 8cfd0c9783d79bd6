"""Result files compared dataset by dataset, to the bit."""

import h5py


def datasets(path):
    """Bytes of every dataset of a file, by name."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(
            lambda name, item: found.update({name: item[()].astype("S").tobytes() if item.dtype.kind == "O" else item[()].tobytes()})
            if isinstance(item, h5py.Dataset)
            else None
        )
    found.pop("shard/samples", None)
    return found


def difference(expected, actual):
    """Names of the datasets that differ or are in one file only."""
    a, b = datasets(expected), datasets(actual)
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def require_same(expected, actual):
    different = difference(expected, actual)
    if different:
        raise SystemExit(f"{actual} differs from {expected} in {', '.join(different)}")
