"""SciPy's DOP853 on the index-1 equations in Python: what a first script does."""

import numpy as np

from . import Method

NAME = "SciPy"
TOLERANCES = tuple(10.0**-k for k in range(3, 14, 2))


def methods(problem):
    from scipy.integrate import solve_ivp

    d = problem.coordinates

    def rate(t, y):
        return np.concatenate([y[d:], problem.acceleration(tuple(y[:d]), tuple(y[d:]))])

    def prepare(tolerance):
        def advance(q, v):
            ends = [solve_ivp(rate, (0.0, problem.end), start, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]
                    for start in np.concatenate([q, v], 1)]
            return *np.split(np.array(ends), 2, axis=1), None

        return advance

    return [Method("DOP853", TOLERANCES, prepare, most=4)]
