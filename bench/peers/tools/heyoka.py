"""heyoka's Taylor method on the lanes of a core (taylor_adaptive_batch), as its documentation advises for ensembles."""

import numpy as np

from . import Method

NAME = "heyoka"
BATCH = 8  # doubles of an AVX-512 register
TOLERANCES = tuple(10.0**-k for k in (1, 2, 3, 4, 6, 8, 10, 12, 14, 16))


def equations(problem):
    """[(variable, derivative)] in heyoka's expressions, and the variables of q and v."""
    import heyoka

    d = problem.coordinates
    names = heyoka.make_vars(*[f"q{i}" for i in range(d)], *[f"v{i}" for i in range(d)])
    q, v = names[:d], names[d:]
    return list(zip(q, v)) + list(zip(v, problem.acceleration(tuple(q), tuple(v))))


def truth(problem, q, v):
    """Ends in extended precision, a trajectory at a time, rounded to double: the judge of all tools."""
    import heyoka

    taylor = heyoka.taylor_adaptive(equations(problem), np.zeros(2 * problem.coordinates, dtype=np.longdouble),
                                    fp_type=np.longdouble, compact_mode=True)
    ends = []
    for start in np.concatenate([q, v], 1):
        taylor.time = np.longdouble(0)
        taylor.state[:] = start
        taylor.propagate_until(np.longdouble(problem.end))
        ends.append(taylor.state.astype(float))
    return np.split(np.array(ends), 2, axis=1)


def methods(problem):
    import heyoka

    def prepare(tolerance):
        zero = np.zeros((2 * problem.coordinates, BATCH))
        taylor = heyoka.taylor_adaptive_batch(equations(problem), zero, tol=tolerance)

        def advance(q, v):
            start = np.concatenate([q, v], 1).T
            end = np.empty_like(start)
            for first in range(0, start.shape[1], BATCH):
                lanes = np.minimum(np.arange(first, first + BATCH), start.shape[1] - 1)  # the last ones again
                taylor.set_time(0.0)
                taylor.state[:] = start[:, lanes]
                taylor.propagate_until(problem.end)
                end[:, lanes] = taylor.state
            return end[: problem.coordinates].T, end[problem.coordinates :].T, None

        return advance

    return [Method("Taylor, batches", TOLERANCES, prepare)]
