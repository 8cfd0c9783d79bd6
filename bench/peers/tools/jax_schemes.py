"""Structure-preserving schemes as a user of JAX writes them for one trajectory, and vmap makes them an ensemble: RATTLE
with three Newton iterations a step, and its compositions of order 4, 6 and 8."""

import numpy as np

from . import Method

NAME = "JAX, by hand"
STEPS = tuple(20 * 2**k for k in range(11))
# The first halves of the symmetric compositions: Suzuki 1990; Kahan and Li 1997.
HALVES = {
    4: (0.41449077179437573714, 0.41449077179437573714, -0.65796308717750294857),
    6: (0.39216144400731413927925056, 0.33259913678935943859974864, -0.70624617255763935980996482,
        0.08221359629355080023149045, 0.79854399093482996339895035),
    8: (0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
        0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
        0.25837438768632204729397911, 0.29501172360931029887096624, -0.60550853383003451169892108),
}


def stages(order):
    return HALVES[order] + HALVES[order][-2::-1] if order > 2 else (1.0,)


def rattle(problem):
    """(q, p), h -> (q, p): one step."""
    import jax
    import jax.numpy as jnp

    inverse = np.array(problem.inverse_mass)
    diagonal = not np.any(inverse - np.diag(np.diag(inverse)))

    def velocity(p):
        blocks = p.reshape(-1, 3)
        return (np.diag(inverse)[:, None] * blocks if diagonal else inverse @ blocks).reshape(-1)

    def constraint(q):
        return jnp.stack(problem.constraint(q))

    def solve(a, b):  # 2 x 2
        determinant = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
        return jnp.stack([a[1, 1] * b[0] - a[0, 1] * b[1], a[0, 0] * b[1] - a[1, 0] * b[0]]) / determinant

    force, jacobian = jax.grad(lambda q: -problem.potential(q)), jax.jacobian(constraint)

    def step(q, p, h):
        G = jacobian(q)
        W = jax.vmap(velocity)(G)  # rows of G M^-1
        free = p + 0.5 * h * force(q)
        q1 = q + h * velocity(free)
        multipliers = jnp.zeros(2)  # times h^2/2
        for _ in range(3):
            multipliers = multipliers + solve(jacobian(q1) @ W.T, constraint(q1))
            q1 = q + h * velocity(free) - multipliers @ W
        G1 = jacobian(q1)
        p1 = free - multipliers @ G / h + 0.5 * h * force(q1)
        W1 = jax.vmap(velocity)(G1)
        return q1, p1 - solve(G1 @ W1.T, W1 @ p1) @ G1

    return step


def methods(problem):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    step = rattle(problem)
    mass = np.kron(np.linalg.inv(np.array(problem.inverse_mass)), np.eye(3))

    def prepare_order(order):
        def prepare(steps):
            h = problem.end / steps

            def whole(state, _):
                q, p = state
                for factor in stages(order):
                    q, p = step(q, p, factor * h)
                return (q, p), None

            def trajectory(q, v):
                (q, p), _ = jax.lax.scan(whole, (q, mass @ v), None, length=steps)
                return q, jnp.linalg.solve(mass, p)

            many = jax.jit(jax.vmap(trajectory))

            def advance(q, v):
                return *(np.asarray(end) for end in many(q, v)), None

            return advance

        return prepare

    return [Method(f"RATTLE, order {order}", STEPS, prepare_order(order)) for order in (2, 4, 6, 8)]
