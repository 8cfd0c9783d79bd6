"""numbalsoda on the index-1 equations compiled by Numba: DOP853, a trajectory after another in one compiled loop."""

import numpy as np

from . import Method

NAME = "numbalsoda"
TOLERANCES = tuple(10.0**-k for k in range(2, 15, 2))


def methods(problem):
    import numba
    import numbalsoda

    d = problem.coordinates
    scope = {"numba": numba, "signature": numbalsoda.lsoda_sig, "acceleration": numba.njit(problem.acceleration)}
    # Tuples of a fixed length, which Numba wants to see written out.
    q, v = (", ".join(f"y[{i}]" for i in range(first, first + d)) for first in (0, d))
    exec(f"@numba.cfunc(signature)\ndef rate(t, y, dy, _):\n    a = acceleration(({q}), ({v}))\n"
         + "".join(f"    dy[{i}] = y[{d + i}]\n    dy[{d + i}] = a[{i}]\n" for i in range(d)), scope)
    address, end = scope["rate"].address, problem.end
    dop853 = numbalsoda.dop853

    @numba.njit
    def ends(starts, tolerance):
        result = np.full(starts.shape, np.nan)
        times = np.array([0.0, end])
        for k in range(starts.shape[0]):
            path, success = dop853(address, starts[k], times, rtol=tolerance, atol=tolerance)
            if success:
                result[k] = path[-1]
        return result

    def prepare(tolerance):
        def advance(q, v):
            return *np.split(ends(np.concatenate([q, v], 1), tolerance), 2, axis=1), None

        return advance

    return [Method("DOP853", TOLERANCES, prepare)]
