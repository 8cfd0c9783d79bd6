"""Structure-preserving schemes as a user of JAX writes them for one trajectory, and vmap makes them an ensemble: RATTLE,
and the discrete null space method, with three Newton iterations a step, and their compositions of order 4, 6 and 8."""

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


def null_space(problem):
    """(q, p), h -> (q, p): one step of the discrete Euler-Lagrange equations by the midpoint rule, for rods from one to
    the next (relative coordinates). The unknowns are two for a rod, in the plane normal to it."""
    import jax
    import jax.numpy as jnp

    inverse = np.array(problem.inverse_mass)
    mass, rods = np.linalg.inv(inverse), len(inverse)

    def times(matrix, q):
        return (matrix @ q.reshape(-1, 3)).reshape(-1)

    def solve(a, b):  # without pivots: near a multiple of a positive definite matrix
        n = len(b)
        a, b = [[a[i, j] for j in range(n)] for i in range(n)], [b[i] for i in range(n)]
        for c in range(n):
            for i in range(c + 1, n):
                ratio = a[i][c] / a[c][c]
                a[i] = [x - ratio * y for x, y in zip(a[i], a[c])]
                b[i] = b[i] - ratio * b[c]
        for c in reversed(range(n)):
            b[c] = (b[c] - sum(a[c][j] * b[j] for j in range(c + 1, n))) / a[c][c]
        return jnp.stack(b)

    def plane(u):
        """Two unit vectors normal to u and to each other (Duff et al. 2017), 2 x 3."""
        x, y, z = u / jnp.sqrt(u @ u)
        sign = jnp.where(z >= 0, 1.0, -1.0)
        a = -1.0 / (sign + z)
        b = x * y * a
        return jnp.stack([jnp.stack([1.0 + sign * x * x * a, sign * b, -sign * x]), jnp.stack([b, sign + y * y * a, -y])])

    slope = jax.grad(problem.potential)

    def step(q, p, h):
        planes = jax.vmap(plane)(q.reshape(-1, 3))

        def reduced(f):  # N^T f
            return jnp.einsum("bij,bj->bi", planes, f.reshape(-1, 3)).reshape(-1)

        def arrival(w):
            u = q.reshape(-1, 3)
            turned = u + jnp.einsum("bij,bi->bj", planes, w.reshape(-1, 2))
            return (turned * jnp.sqrt((u * u).sum(1) / (turned * turned).sum(1))[:, None]).reshape(-1)

        def sides(q1):
            return times(mass, q1 - q) / h, 0.5 * h * slope(0.5 * (q + q1))

        def residual(w):
            rate, pull = sides(arrival(w))
            return reduced(h * (p - rate - pull))

        w = h * reduced(times(inverse, p))
        for _ in range(3):
            w = w - solve(jax.jacfwd(residual)(w), residual(w))
        q1 = arrival(w)
        rate, pull = sides(q1)
        p1 = rate - pull
        # Less the part along the constraints: G has a rod in each row.
        G = [jnp.zeros(3 * rods).at[3 * b : 3 * b + 3].set(q1[3 * b : 3 * b + 3]) for b in range(rods)]
        W = [times(inverse, row) for row in G]
        normal = jnp.stack([jnp.stack([row @ w for w in W]) for row in G])
        multipliers = solve(normal, jnp.stack([w @ p1 for w in W]))
        return q1, p1 - sum(l * row for l, row in zip(multipliers, G))

    return step


def methods(problem):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    mass = np.kron(np.linalg.inv(np.array(problem.inverse_mass)), np.eye(3))

    def prepare_order(step, order, unroll):
        def prepare(steps):
            h = problem.end / steps

            def stage(state, factor):
                return step(*state, factor * h), None

            def whole(state, _):
                # A loop where XLA would take too long to compile seventeen stages in a row.
                return jax.lax.scan(stage, state, jnp.array(stages(order)), unroll=unroll)[0], None

            def trajectory(q, v):
                (q, p), _ = jax.lax.scan(whole, (q, mass @ v), None, length=steps)
                return q, jnp.linalg.solve(mass, p)

            many = jax.jit(jax.vmap(trajectory))

            def advance(q, v):
                return *(np.asarray(end) for end in many(q, v)), None

            return advance

        return prepare

    return [Method(f"{name}, order {order}", STEPS, prepare_order(scheme(problem), order, unroll))
            for name, scheme, unroll in (("RATTLE", rattle, len(stages(8))), ("null space", null_space, 1))
            for order in (2, 4, 6, 8)
            if scheme is rattle or problem.name == "double_spherical_pendulum"]
