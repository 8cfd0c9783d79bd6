"""The problems of the comparison, as every tool gets them: which motions, from where, for how long.

Accelerations are those of the index-1 form, M a = f - G^T lambda with d^2 g/dt^2 = 0, written out on scalars, so that
NumPy, Numba, JAX and a symbolic tool all take the same lines. Parameters are the standard ones of livens. Two problems are
built into livens, two are texts of a user's; of these the lines are generated.
"""

from dataclasses import dataclass
from typing import Callable

import numpy as np


@dataclass(frozen=True)
class Problem:
    name: str  #: of the system in livens
    end: float  #: s
    acceleration: Callable  #: (tuple of d, tuple of d) -> tuple of d, m/s^2
    start_q: tuple  #: m
    start_v: tuple  #: m/s
    varied: tuple  #: indices of v to which a normal number is added, or tuples of indices to which the same is; tangent to g
    deviation: float  #: its standard deviation, m/s
    inverse_mass: tuple  #: B of M^-1 = B (x) I, 1/kg
    potential: Callable  #: d components of q -> J; on scalars, as the acceleration
    constraint: Callable  #: the same -> the m components of g, a list
    dimension: int = 3  #: of I
    text: str = ""  #: the path of the system for livens, from the root of its source; a built-in one has its name

    def energy(self, q, v):
        """(N, d), (N, d) -> (N,), J."""
        mass = np.kron(np.linalg.inv(np.array(self.inverse_mass)), np.eye(self.dimension))
        return 0.5 * np.einsum("ni,ij,nj->n", v, mass, v) + np.array([self.potential(one) for one in q])

    def constraints(self, q):
        """(N, d) -> (N, m)."""
        return np.array([self.constraint(one) for one in q]).reshape(len(q), -1)

    @property
    def coordinates(self):
        return len(self.start_q)

    def start(self, trajectories, seed=1):
        """Positions and velocities of shape (trajectories, d): the system's own, and seeded deviations."""
        q = np.tile(np.array(self.start_q), (trajectories, 1))
        v = np.tile(np.array(self.start_v), (trajectories, 1))
        numbers = np.random.default_rng(seed).normal(0.0, self.deviation, (trajectories, len(self.varied)))
        for k, places in enumerate(self.varied):
            v[:, np.atleast_1d(places)] += numbers[:, k, None]
        return q, v


def double_pendulum_acceleration(q, v):
    """Relative vectors u1, u2; masses 10 and 5 kg, lengths 1 and 1.5 m, g = 9.81 m/s^2.

    M^-1 = 1/m1 [[1, -1], [-1, (m1 + m2)/m2]], so that G M^-1 G^T = 1/m1 [[u1.u1, -u1.u2], [-u1.u2, 3 u2.u2]]."""
    x1, y1, z1, x2, y2, z2 = q
    a1, b1, c1, a2, b2, c2 = v
    m1, share, gravity = 10.0, 3.0, 9.81
    s11 = (x1 * x1 + y1 * y1 + z1 * z1) / m1
    s12 = -(x1 * x2 + y1 * y2 + z1 * z2) / m1
    s22 = share * (x2 * x2 + y2 * y2 + z2 * z2) / m1
    r1 = a1 * a1 + b1 * b1 + c1 * c1 - gravity * z1
    r2 = a2 * a2 + b2 * b2 + c2 * c2
    determinant = s11 * s22 - s12 * s12
    l1 = (s22 * r1 - s12 * r2) / determinant / m1
    l2 = (s11 * r2 - s12 * r1) / determinant / m1
    return (
        l2 * x2 - l1 * x1, l2 * y2 - l1 * y1, l2 * z2 - l1 * z1 - gravity,
        l1 * x1 - share * l2 * x2, l1 * y1 - share * l2 * y2, l1 * z1 - share * l2 * z2,
    )


def four_particle_acceleration(q, v):
    """Masses 1, 3, 2.3, 1.7 kg; bars 1-2 and 3-4 of 1 m; springs 1-3 and 2-4 with k = 1 and 10 N/m^3."""
    x1, y1, z1, x2, y2, z2, x3, y3, z3, x4, y4, z4 = q
    m1, m2, m3, m4 = 1.0, 3.0, 2.3, 1.7
    # Springs: force 2 k (|r|^2 - 1) r on the first end.
    sx, sy, sz, tx, ty, tz = x3 - x1, y3 - y1, z3 - z1, x4 - x2, y4 - y2, z4 - z2
    s = 2.0 * (sx * sx + sy * sy + sz * sz - 1.0)
    t = 20.0 * (tx * tx + ty * ty + tz * tz - 1.0)
    # Bars: r.(a2 - a1) + |w|^2 = 0 with the multiplier along r.
    bx, by, bz, ex, ey, ez = x2 - x1, y2 - y1, z2 - z1, x4 - x3, y4 - y3, z4 - z3
    wx, wy, wz, ux, uy, uz = v[3] - v[0], v[4] - v[1], v[5] - v[2], v[9] - v[6], v[10] - v[7], v[11] - v[8]
    free12 = bx * (t * tx / m2 - s * sx / m1) + by * (t * ty / m2 - s * sy / m1) + bz * (t * tz / m2 - s * sz / m1)
    free34 = ex * (s * sx / m3 - t * tx / m4) + ey * (s * sy / m3 - t * ty / m4) + ez * (s * sz / m3 - t * tz / m4)
    k = (free12 + wx * wx + wy * wy + wz * wz) / ((1.0 / m1 + 1.0 / m2) * (bx * bx + by * by + bz * bz))
    n = (free34 + ux * ux + uy * uy + uz * uz) / ((1.0 / m3 + 1.0 / m4) * (ex * ex + ey * ey + ez * ez))
    return (
        (s * sx + k * bx) / m1, (s * sy + k * by) / m1, (s * sz + k * bz) / m1,
        (t * tx - k * bx) / m2, (t * ty - k * by) / m2, (t * tz - k * bz) / m2,
        (n * ex - s * sx) / m3, (n * ey - s * sy) / m3, (n * ez - s * sz) / m3,
        (-t * tx - n * ex) / m4, (-t * ty - n * ey) / m4, (-t * tz - n * ez) / m4,
    )


def square(q, first, second=None):
    """|r|^2 of the vector that begins at index `first`, or of the one from there to that at `second`."""
    if second is None:
        return q[first] * q[first] + q[first + 1] * q[first + 1] + q[first + 2] * q[first + 2]
    x, y, z = q[second] - q[first], q[second + 1] - q[first + 1], q[second + 2] - q[first + 2]
    return x * x + y * y + z * z


def double_pendulum_potential(q):
    return 9.81 * (15.0 * q[2] + 5.0 * q[5])


def double_pendulum_constraint(q):
    return [(square(q, 0) - 1.0) / 2, (square(q, 3) - 2.25) / 2]


def four_particle_potential(q):
    return 0.5 * (square(q, 0, 6) - 1.0) ** 2 + 5.0 * (square(q, 3, 9) - 1.0) ** 2


def four_particle_constraint(q):
    return [(square(q, 0, 3) - 1.0) / 2, (square(q, 6, 9) - 1.0) / 2]


def written_out(name, coordinates, lines, accelerations):
    """A function (q, v) -> accelerations on scalars q0, q1, ... and v0, v1, ..., from lines of code and expressions."""
    names = [", ".join(f"{x}{i}" for i in range(coordinates)) for x in "qv"]
    code = [f"def {name}(q, v):", f"    {names[0]} = q", f"    {names[1]} = v", *(f"    {line}" for line in lines),
            f"    return ({', '.join(accelerations)},)"]
    scope = {}
    exec("\n".join(code), scope)
    return scope[name]


def pleiades():
    """Seven stars of masses 1, ..., 7 in the plane, G = 1 (the Bari test set; problems/pleiades.toml)."""
    stars, lines, of = 7, [], [[] for _ in range(14)]
    for i in range(stars):
        for j in range(i + 1, stars):
            x, y, w = f"x{i}{j}", f"y{i}{j}", f"w{i}{j}"
            lines += [f"{x} = q{2 * j} - q{2 * i}", f"{y} = q{2 * j + 1} - q{2 * i + 1}", f"{w} = ({x} * {x} + {y} * {y}) ** -1.5",
                      f"{x} = {x} * {w}", f"{y} = {y} * {w}"]
            for k, r in enumerate((x, y)):
                of[2 * i + k].append(f"{j + 1.0} * {r}")
                of[2 * j + k].append(f"{-i - 1.0} * {r}")

    def potential(q):
        return -sum((i + 1) * (j + 1) / np.hypot(q[2 * j] - q[2 * i], q[2 * j + 1] - q[2 * i + 1])
                    for i in range(stars) for j in range(i + 1, stars))

    return Problem("pleiades", 3.0, written_out("stars", 14, lines, [" + ".join(sums) for sums in of]),
                   (3, 3, 3, -3, -1, 2, -3, 0, 2, 0, -2, -4, 2, 4), (0, 0, 0, 0, 0, 0, 0, -1.25, 0, 1, 1.75, 0, -1.5, 0), (0, 1), 0.01,
                   np.diag([1 / (i + 1) for i in range(stars)]), potential, lambda q: [], 2, "problems/pleiades.toml")


def n_pendulum(n=5):
    """A chain of n masses of 1 kg on rods of 1 m in the plane, u_i its rods (examples/systems/n_pendulum.toml). The forces T_i u_i
    of the rods follow from u_i.u_i'' + v_i.v_i = 0, u_i'' = T_{i-1} u_{i-1} - 2 T_i u_i + T_{i+1} u_{i+1} but for the first:
    three diagonals, eliminated from the top."""
    lines = []
    for i in range(n):
        x, y = f"q{2 * i}", f"q{2 * i + 1}"
        lines += [f"s{i} = {x} * {x} + {y} * {y}", f"f{i} = v{2 * i} * v{2 * i} + v{2 * i + 1} * v{2 * i + 1}"]
        if i > 0:
            lines += [f"c{i} = {x} * q{2 * i - 2} + {y} * q{2 * i - 1}", f"r{i} = c{i} / d{i - 1}",
                      f"d{i} = 2.0 * s{i} - r{i} * c{i}", f"f{i} = f{i} + r{i} * f{i - 1}"]
        else:
            lines += ["d0 = s0", "f0 = f0 - 9.81 * q1"]
    for i in reversed(range(n)):
        lines.append(f"t{i} = f{i} / d{i}" if i == n - 1 else f"t{i} = (f{i} + c{i + 1} * t{i + 1}) / d{i}")
    accelerations = []
    for i in range(n):
        for k in range(2):
            terms = [f"t{i - 1} * q{2 * i - 2 + k}"] if i > 0 else ["-9.81"] if k == 1 else []
            terms.append(f"-{2.0 if i > 0 else 1.0} * t{i} * q{2 * i + k}")
            terms += [f"t{i + 1} * q{2 * i + 2 + k}"] if i + 1 < n else []
            accelerations.append(" + ".join(terms))
    mass = [[n - max(i, j) for j in range(n)] for i in range(n)]
    side = np.sqrt(0.5)
    return Problem("n_pendulum", 3.0, written_out("chain", 2 * n, lines, accelerations),
                   tuple((-1) ** i * side for i in range(2 * n)), (0.0,) * (2 * n), tuple((2 * i, 2 * i + 1) for i in range(n)), 0.1, np.linalg.inv(mass),
                   lambda q: 9.81 * sum((n - i) * q[2 * i + 1] for i in range(n)),
                   lambda q: [(q[2 * i] ** 2 + q[2 * i + 1] ** 2 - 1.0) / 2 for i in range(n)], 2,
                   "examples/systems/n_pendulum.toml")


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem("double_spherical_pendulum", 5.0, double_pendulum_acceleration,
                (1.0, 0.0, 0.0, 1.5, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (1, 2, 4, 5), 0.1,
                ((0.1, -0.1), (-0.1, 0.3)), double_pendulum_potential, double_pendulum_constraint),
        Problem("four_particle", 10.0, four_particle_acceleration,
                (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0),
                (0.0,) * 10 + (3 / 1.7, 2 / 1.7), (10, 11), 0.1,
                ((1.0, 0, 0, 0), (0, 1 / 3, 0, 0), (0, 0, 1 / 2.3, 0), (0, 0, 0, 1 / 1.7)),
                four_particle_potential, four_particle_constraint),
        pleiades(), n_pendulum(),
    )
}
BUILT_IN = {name: problem for name, problem in PROBLEMS.items() if not problem.text}
