"""Arrays of a result file that xarray reads when they are used, by the reader of the program."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np
from xarray.backends import BackendArray
from xarray.core import indexing

from livens import _livens


class Scratch:
    """A folder of files that goes with the last object that holds this."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="livens-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class _Dataset(BackendArray):
    """A dataset of a file. What is read are whole entries of its first axis. ``folder``: where a file is that nobody named."""

    def __init__(self, file: _livens.Stored, name: str, shape: tuple[int, ...], dtype: np.dtype[Any],
                 folder: Scratch | None):
        self.file, self.name, self.shape, self.dtype, self.folder = file, name, shape, dtype, folder

    def __getitem__(self, key: indexing.ExplicitIndexer) -> np.ndarray:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> np.ndarray:
        rows, *entries = key
        if isinstance(rows, slice):
            chosen = range(*rows.indices(self.shape[0]))
            first, last = (min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1])) if chosen else (0, -1)
            within: Any = slice(None, None, chosen.step)
        else:
            first = last = int(rows)
            within = 0
        return self.file.rows(self.name, first, last - first + 1)[(within, *entries)]


def when_used(file: _livens.Stored, name: str, shape: tuple[int, ...], dtype: np.dtype[Any],
              folder: Scratch | None) -> Any:
    """Read once; what is changed in place is changed here, and not in the file."""
    cached: Any = indexing.MemoryCachedArray(indexing.LazilyIndexedArray(_Dataset(file, name, shape, dtype, folder)))
    return indexing.CopyOnWriteArray(cached)
