"""run.tangent: derivatives at the end, and beside them those at the samples."""

from __future__ import annotations

import xarray as xr


class Tangent(xr.Dataset):
    """Derivatives at the end; ``trajectories`` has those at the samples. What is made of this is without these."""

    __slots__ = ("trajectories",)


def tangent_of(at_the_end: xr.Dataset, at_samples: xr.Dataset) -> Tangent:
    tangent = Tangent(at_the_end.data_vars, at_the_end.coords, at_the_end.attrs)
    tangent.trajectories = at_samples
    return tangent
