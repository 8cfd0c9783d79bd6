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
    """(q, p), h -> (q, p): one step, on tuples of d scalars: XLA makes one loop over the trajectories of it. As
    matrices and vectors of JAX the same lines take many times as long."""
    import jax

    d, inverse = problem.coordinates, problem.inverse_mass
    every = tuple(range(d))
    slope = jax.grad(lambda *q: problem.potential(q), every)
    rows = [jax.grad(lambda *q, k=k: problem.constraint(q)[k], every) for k in range(2)]
    at_random = [float(x) for x in np.random.default_rng(2).normal(size=d)]
    depends = [[float(x) != 0.0 for x in row(*at_random)] for row in rows]

    def jacobian(q):
        return [tuple(x if real else 0.0 for x, real in zip(row(*q), of)) for row, of in zip(rows, depends)]

    def total(terms):
        terms = [t for t in terms if not (isinstance(t, float) and t == 0.0)]
        return sum(terms[1:], terms[0]) if terms else 0.0

    def times(a, x):
        return 0.0 if isinstance(x, float) and x == 0.0 or a == 0.0 else a * x

    def velocity(p):
        return tuple(total(times(inverse[i // 3][j], p[3 * j + i % 3]) for j in range(d // 3)) for i in range(d))

    def dot(a, b):
        return total(x * y for x, y in zip(a, b) if not isinstance(x, float) and not isinstance(y, float))

    def plus(a, factor, b):
        return tuple(x if isinstance(y, float) else x + factor * y for x, y in zip(a, b))

    def solve(a, b):  # 2 x 2
        determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0]
        return ((a[1][1] * b[0] - a[0][1] * b[1]) / determinant, (a[0][0] * b[1] - a[1][0] * b[0]) / determinant)

    def step(q, p, h):
        G = jacobian(q)
        W = [velocity(row) for row in G]  # rows of G M^-1
        free = plus(p, -0.5 * h, slope(*q))
        q1 = plus(q, h, velocity(free))
        sums = (0.0, 0.0)  # multipliers, times h^2/2
        for _ in range(3):
            more = solve([[dot(row, w) for w in W] for row in jacobian(q1)], problem.constraint(q1))
            sums = (sums[0] + more[0], sums[1] + more[1])
            q1 = plus(plus(q1, -more[0], W[0]), -more[1], W[1])
        p1 = plus(plus(free, -sums[0] / h, G[0]), -sums[1] / h, G[1])
        p1 = plus(p1, -0.5 * h, slope(*q1))
        G1 = jacobian(q1)
        W1 = [velocity(row) for row in G1]
        along = solve([[dot(row, w) for w in W1] for row in G1], [dot(w, p1) for w in W1])
        return q1, plus(plus(p1, -along[0], G1[0]), -along[1], G1[1])

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
    if problem.text:
        return []  # written for the built-in two
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    mass = np.kron(np.linalg.inv(np.array(problem.inverse_mass)), np.eye(3))

    def as_array(end):
        return np.stack(end, 1) if isinstance(end, tuple) else np.asarray(end)

    def prepare_order(step, order, components):
        def prepare(steps):
            h = problem.end / steps

            def stage(state, factor):
                return step(*state, factor * h), None

            def whole(state, _):  # in a row, seventeen stages are slower than as a loop
                return jax.lax.scan(stage, state, jnp.array(stages(order)))[0], None

            def trajectory(q, p):
                return jax.lax.scan(whole, (q, p), None, length=steps)[0]

            many = jax.jit(jax.vmap(trajectory))

            def advance(q, v):
                q, p = many(*(components(array) for array in (q, v @ mass)))
                return as_array(q), np.linalg.solve(mass, as_array(p).T).T, None

            return advance

        return prepare

    return [Method(f"{name}, order {order}", STEPS, prepare_order(scheme(problem), order, components))
            for name, scheme, components in (("RATTLE", rattle, lambda array: tuple(array.T.copy())),
                                             ("null space", null_space, lambda array: array))
            for order in (2, 4, 6, 8)
            if scheme is rattle or problem.name == "double_spherical_pendulum"]
