"""diffrax on the index-1 equations: Tsitouras' method of order 5 with step control, vmap over the ensemble."""

import numpy as np

from . import Method

NAME = "diffrax"
TOLERANCES = tuple(10.0**-k for k in range(3, 14, 2))


def methods(problem):
    import diffrax
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    d = problem.coordinates

    def rate(t, y, _):
        return jnp.concatenate([y[d:], jnp.stack(problem.acceleration(tuple(y[:d]), tuple(y[d:])))])

    def prepare(tolerance):
        def trajectory(start):
            solution = diffrax.diffeqsolve(
                diffrax.ODETerm(rate), diffrax.Tsit5(), 0.0, problem.end, None, start, max_steps=100_000, throw=False,
                saveat=diffrax.SaveAt(t1=True),
                stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance))
            return jnp.where(solution.result == diffrax.RESULTS.successful, solution.ys[0], jnp.nan)

        many = jax.jit(jax.vmap(trajectory))

        def advance(q, v):
            return *np.split(np.asarray(many(np.concatenate([q, v], 1))), 2, axis=1), None

        return advance

    return [Method("Tsit5", TOLERANCES, prepare)]
