"""Numbers of the papers from their equations in numpy, without livens: what findings of the gallery name this file for.

usage: papers_by_hand.py foucault [STEP]                        by default 0.145 s
       papers_by_hand.py steps                                  of Foucault's pendulum: the 89 of the gallery, five sentences
       papers_by_hand.py exceedance [COUNT]                     by default 5000 steps
       papers_by_hand.py heavy_top
       papers_by_hand.py double_four_bar                        a minute or two
       papers_by_hand.py mass_spring
       papers_by_hand.py spring_pendulum
       papers_by_hand.py four_particle
       papers_by_hand.py disk
       papers_by_hand.py double_spherical_pendulum [STEP ...]   by default 0.1 to 0.0001 s

Needs scipy, whose DOP853 gives the true motions. Up to half a minute; with a step of 1e-5 s, and of many steps, minutes.
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp


# herglotz-nonholonomic, section 4.3: (4.4) and (4.7), q1 = q0 + h v0, from rest at (0, 0.67) m.
OMEGA = 7.292115e-5 * np.sin(np.radians(49))  # rad/s, the constraint is -y x' + x y' + OMEGA (x^2 + y^2) = 0
PULL = 9.81 / 67  # 1/s^2
END = 3600.0  # s


def turned(q):
    return np.array([-q[1], q[0]])


def foucault(scheme, damping, h):
    """Nodes of contact_1 or lagrange_dalembert, shape (K, 2).

    The force of the constraint is along J q: it leaves the radial part of the increment, and the constraint with A at the
    beginning of the step gives the other, -OMEGA h.
    """
    before, left = (1 - damping * h, 1.0) if scheme == "contact_1" else (1.0, 1 + damping * h)
    q = [np.array([0.0, 0.67])] * 2
    for _ in range(int(END / h) - 1):
        momentum = (q[-1] - q[-2]) / h - h / 2 * PULL * q[-1]
        free = h * (before * momentum - h / 2 * PULL * q[-1]) / left
        q.append((1 + q[-1] @ free / (q[-1] @ q[-1])) * q[-1] - OMEGA * h * turned(q[-1]))
    return np.array(q)


def foucault_truly(damping, times):
    """The acceleration along J q keeps the constraint as it is, which rest violates."""
    return true_states(damping, t_eval=times).y[:2].T


def true_states(damping, **how):
    def rate(t, y):
        q, v = y[:2], y[2:]
        free = -PULL * q - damping * v
        along = turned(q)
        return np.concatenate([v, free - along * (along @ free + 2 * OMEGA * (q @ v)) / (q @ q)])

    return solve_ivp(rate, (0, END), [0, 0.67, 0, 0], method="DOP853", rtol=1e-12, atol=1e-14, **how)


def plane(q):
    """Nodes of largest radius, and the angle of the plane of swing there (rad)."""
    radius = np.hypot(*q.T)
    k = 1 + np.flatnonzero((radius[1:-1] > radius[:-2]) & (radius[1:-1] >= radius[2:]))
    return k, np.unwrap(2 * np.arctan2(q[k, 1], q[k, 0])) / 2


def print_foucault(step="0.145"):
    h = float(step)
    for damping in (1e-3, 1e-4):
        times = h * np.arange(int(END / h) + 1)
        last = times >= times[-1] - 100
        true = foucault_truly(damping, times)
        _, angle = plane(true)
        print(f"true motion, alpha = {damping}: the plane turns by {angle[-1] - angle[0]:.4f} rad")
        for scheme in ("contact_1", "lagrange_dalembert"):
            q = foucault(scheme, damping, h)
            k, angle = plane(q)
            jumps = np.degrees(np.abs(np.diff(angle)))
            print(f"{scheme}, alpha = {damping}: the plane turns by {angle[-1] - angle[0]:.4f} rad, jumps by {jumps.max():.3f} "
                  f"degrees at {k[jumps.argmax() + 1] * h:.1f} s, error {np.linalg.norm((q - true)[last], axis=1).max():.3e} m")
    _, angle = plane(foucault("lagrange_dalembert", 1e-4, h / 20))
    print(f"a step of a 20th: jumps by {np.degrees(np.abs(np.diff(angle))).max():.3f} degrees")


# The same for many steps at once.
def foucault_of_steps(scheme, damping, h):
    """Largest jump of the plane (rad), and of the last 100 s lists of (which step, time, q, energy/m): foucault() by columns.

    The energy has the momentum at the node from its left, without the force of the constraint.
    """
    before, left = (1 - damping * h, 1.0) if scheme == "contact_1" else (1.0, 1 + damping * h)
    count = (END / h).astype(int)
    older = np.tile([[0.0], [0.67]], len(h))
    newer, jump, plane_of, last = older.copy(), np.zeros(len(h)), np.full((2, len(h)), np.nan), []
    for n in range(1, count.max()):
        momentum = (newer - older) / h - h / 2 * PULL * newer
        free = h * (before * momentum - h / 2 * PULL * newer) / left
        r2 = (newer * newer).sum(0)
        next_q = (1 + (newer * free).sum(0) / r2) * newer - OMEGA * h * np.array([-newer[1], newer[0]])
        on = n < count
        top = on & (r2 > (older * older).sum(0)) & (r2 >= (next_q * next_q).sum(0))
        if top.any():
            with np.errstate(invalid="ignore"):  # the first has none before it
                turn = np.abs(np.arctan((plane_of[0] * newer[1] - plane_of[1] * newer[0]) / (plane_of * newer).sum(0)))
            jump = np.where(top, np.fmax(jump, turn), jump)
            plane_of = np.where(top, newer, plane_of)
        k = np.flatnonzero(on & ((n + 1) * h >= count * h - 100))
        if len(k):
            m = (next_q - newer) / h - h / 2 * PULL * next_q
            last.append((k, (n + 1) * h[k], next_q[:, k], ((m * m).sum(0) + PULL * (next_q * next_q).sum(0))[k] / 2))
        older, newer = np.where(on, newer, older), np.where(on, next_q, newer)
    return jump, last


def print_steps():
    h = np.round(0.03 + 0.0025 * np.arange(89), 4)
    error, off, x = (np.zeros((2, 2, len(h))) for _ in range(3))  # scheme, damping, step
    jumps, energies = np.zeros((2, 2, len(h))), {}
    for j, damping in enumerate((1e-3, 1e-4)):
        truly = true_states(damping, dense_output=True).sol
        for i, scheme in enumerate(("contact_1", "lagrange_dalembert")):
            jumps[i, j], last = foucault_of_steps(scheme, damping, h)
            k = np.concatenate([of[0] for of in last])
            q, energy = (np.concatenate([of[place] for of in last], axis=-1) for place in (2, 3))
            energies[i, j] = [energy[k == step] for step in range(len(h))]
            true = truly(np.concatenate([of[1] for of in last]))
            true_energy = ((true[2:]**2).sum(0) + PULL * (true[:2]**2).sum(0)) / 2
            np.maximum.at(error[i, j], k, np.hypot(*(q - true[:2])))
            np.maximum.at(off[i, j], k, np.abs(energy - true_energy))
            np.maximum.at(x[i, j], k, np.abs(q[0]))
    # The width of a line, 1.5 pt on axes of 357 by 266 pt: of an x axis from -0.67 to 0.67 m, of a y axis as long as its curves.
    seen, high = 2 * 1.5 / 357, 1.5 / 266
    alike = [np.abs(one - other).max() < high * np.ptp([one, other]) for one, other in zip(energies[0, 0], energies[1, 0])]
    holds = np.array([np.abs(x[0, 0] / x[1, 0] - 1) < 2 * high, alike, error[1, 0] < error[0, 0],
                      (error[0, 1] < error[1, 1]) & (off[0, 1] < off[1, 1]), (jumps[1, 1] > seen) & (seen > jumps[0, 1])])
    print(f"planes alike, energies alike, LA closer; contact closer, LA alone jumps: with {holds.sum(1)} of {len(h)} steps, all "
          f"with {h[holds.all(0)]} s, four with {h[holds.sum(0) == 4]} s; at 0.145 s {holds[:, h == 0.145].ravel()}")


def print_exceedance(count="5000"):
    h = np.random.default_rng(1).uniform(0.08, 0.12, int(count))
    for scheme in ("contact_1", "lagrange_dalembert"):
        jumps = np.degrees(foucault_of_steps(scheme, 1e-4, h)[0])
        print(f"{scheme}: jumps above 1, 3, 10, 30 degrees: {[round(float((jumps > a).mean()), 4) for a in (1, 3, 10, 30)]}")


# ggl-structure-preserving-integrators, section 5: (25), (26) and Table 1, in u = (q1, ..., q4); G is linear in u.
FOUR_MASSES = np.repeat([1.0, 3.0, 2.3, 1.7], 3)
BARS = ((0, 1), (2, 3))


def bar_hessians():
    out = np.zeros((2, 12, 12))
    for k, (a, b) in enumerate(BARS):
        apart = np.zeros((3, 12))
        apart[:, 3 * a:3 * a + 3], apart[:, 3 * b:3 * b + 3] = -np.eye(3), np.eye(3)
        out[k] = apart.T @ apart
    return out


HESSIANS = bar_hessians()


def springs(u):
    """V and its gradient."""
    V, DV = 0.0, np.zeros(12)
    for a, b, k in ((0, 2, 1.0), (1, 3, 10.0)):
        s = u[3 * b:3 * b + 3] - u[3 * a:3 * a + 3]
        V += k / 2 * (s @ s - 1)**2
        DV[3 * b:3 * b + 3] += 2 * k * (s @ s - 1) * s
        DV[3 * a:3 * a + 3] -= 2 * k * (s @ s - 1) * s
    return V, DV


def four_particle(scheme, theta=0.5, h=0.05, steps=200):
    """Nodes (q, p), by vi_a with alpha = 1/2, (18), (19); vi_b with alpha = 1, (18), (20); ggl_mp, (8)."""
    def g(u):
        return np.array([(u @ H @ u - 1) / 2 for H in HESSIANS])

    def G(u):
        return HESSIANS @ u

    def ends(x):
        """Residual, and p1: x is (q1, p1 or M v, lambda, gamma)."""
        q1, p1, pull, shift = x[:12], x[12:24], x[24:26], x[26:]
        middle, mean = (q + q1) / 2, (p + p1) / 2 / FOUR_MASSES
        turned_p = np.tensordot(shift, HESSIANS, 1)  # W(gamma)
        if scheme == "vi_a":
            return np.concatenate([
                q1 - q - h * mean - h * G(middle).T @ shift / FOUR_MASSES,
                p1 - p + h * springs(middle)[1] + h * turned_p @ mean + h * G(middle).T @ pull, g(middle), G(middle) @ mean]), p1
        if scheme == "vi_b":
            v = p1 / FOUR_MASSES
            after = p1 - h * springs(q1)[1] - h * turned_p @ v - theta * h * G(q1).T @ pull
            return np.concatenate([q1 - q - h * v - h * G(q1).T @ shift / FOUR_MASSES,
                                   p1 - p + (1 - theta) * h * G(q).T @ pull, g(q1), G(q1) @ v]), after
        return np.concatenate([q1 - q - h * mean - h * G(middle).T @ shift,
                               p1 - p + h * springs(middle)[1] + h * G(middle).T @ pull, g(q1), G(q1) @ (p1 / FOUR_MASSES)]), p1

    q = np.array([0.0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0])
    p = np.concatenate([np.zeros(10), [3.0, 2.0]])
    nodes, x = [(q, p)], np.concatenate([q, p, np.zeros(4)])
    for _ in range(steps):
        for _ in range(12):
            J = np.column_stack([(ends(x + e)[0] - ends(x - e)[0]) / 2e-5 for e in 1e-5 * np.eye(28)])
            step = np.linalg.solve(J, ends(x)[0])
            x = x - step
            if np.abs(step).max() < 1e-11:
                break
        q, p = x[:12], ends(x)[1]
        nodes.append((q, p))
    return np.array(nodes)


def print_four_particle():
    for scheme, theta in (("vi_a", 0.5), ("vi_b", 0.5), ("vi_b", 0.0), ("ggl_mp", 0.5)):
        nodes = four_particle(scheme, theta)
        q, p = nodes[:, 0], nodes[:, 1]
        H = np.array([(a * a / FOUR_MASSES).sum() / 2 + springs(u)[0] for u, a in nodes])
        L = np.cross(q.reshape(-1, 4, 3), p.reshape(-1, 4, 3)).sum(1)
        g = [np.abs([(u @ K @ u - 1) / 2 for K in HESSIANS]).max() for u in q]
        rate = [np.abs(HESSIANS @ u @ (a / FOUR_MASSES)).max() for u, a in nodes]
        print(f"{scheme}{f', theta = {theta}' if scheme == 'vi_b' else ''}: H changes by {np.abs(H - H[0]).max():.4e} J, L by "
              f"{', '.join(f'{change:.2e}' for change in np.abs(L - L[0]).max(0))} kg m^2/s; |g| {max(g):.2e}, |G M^-1 p| {max(rate):.2e} 1/s")


# ggl-variational-principle, section 5.1: (41) with p1 behind W, by (40b); u = (phi, d1, d2, d3), all J alike, so E = J/2.
TOP_MASS = 2700 * np.pi * 0.05**2 * 0.1 / 3  # kg, a cone of the height 0.1 m
TOP_J, TOP_ARM = 0.3 * TOP_MASS * 0.05**2, 0.075  # kg m^2, m
TOP_MASSES = np.repeat([TOP_MASS, TOP_J / 2, TOP_J / 2, TOP_J / 2], 3)


def ggl_vi(quadratic, linear, unit, masses, pull, q, v, h, steps):
    """Nodes (q, p, v, largest |G M^-1 p|) with g = u.quadratic u/2 + linear u - unit; v is that of the step to the node."""
    d, m = len(q), len(unit)
    of_p1, of_pull, of_gamma = slice(d, 2 * d), slice(2 * d, 2 * d + m), slice(2 * d + m, None)

    def G(u):
        return quadratic @ u + linear

    p = masses * v
    nodes, shift, force = [(q, p, v, 0.0)], np.zeros(m), np.zeros(m)
    for _ in range(steps):
        x = np.concatenate([q + h * v, p + h * pull, force, shift])
        for _ in range(12):
            q1, p1, force, shift = x[:d], x[of_p1], x[of_pull], x[of_gamma]
            W = np.tensordot(shift, quadratic, 1)
            v, at = (p1 + h * W @ (p1 / masses)) / masses, G(q)
            inside = G(q + h * v)
            off = np.concatenate([q1 - q - h * v - h * inside.T @ shift / masses,
                                  p1 - p - h * pull + h * at.T @ force + h * W @ (p1 / masses),
                                  (quadratic @ q1) @ q1 / 2 + linear @ q1 - unit, inside @ (p1 / masses)])
            # Newton's matrix by blocks: G is linear, so that its change by h dv, times a, is quadratic a h dv.
            turned_p = quadratic @ (p1 / masses)
            v_by_p, v_by_gamma = (np.eye(d) + h * W / masses) / masses[:, None], h * turned_p.T / masses[:, None]
            along = np.eye(d) + h * W / masses[:, None]
            J = np.zeros((2 * d + 2 * m, 2 * d + 2 * m))
            J[:d, :d], J[:d, of_p1] = np.eye(d), -h * along @ v_by_p
            J[:d, of_gamma] = -h * along @ v_by_gamma - h * inside.T / masses[:, None]
            J[of_p1, of_p1], J[of_p1, of_pull] = np.eye(d) + h * W / masses, h * at.T
            J[of_p1, of_gamma] = h * turned_p.T
            J[of_pull, :d] = G(q1)
            J[of_gamma, of_p1] = inside / masses + h * turned_p @ v_by_p
            J[of_gamma, of_gamma] = h * turned_p @ v_by_gamma
            step = np.linalg.solve(J, off)
            x = x - step
            if np.abs(step[:2 * d]).max() < 1e-13:
                break
        q, p, force, shift = x[:d], x[of_p1], x[of_pull], x[of_gamma]
        v = (p + h * np.tensordot(shift, quadratic, 1) @ (p / masses)) / masses
        nodes.append((q, p, v, np.abs(G(q) @ (p / masses)).max()))
    return nodes


def products(rows, d):
    """Of d_i.d_j - delta_ij by the first entries of both and their count, |d|^2 halved."""
    out = np.zeros((len(rows), d, d))
    for row, (i, j, count) in enumerate(rows):
        for c in range(count):
            out[row, i + c, j + c] += 1.0
            out[row, j + c, i + c] += i != j
    return out


def heavy_top(h, steps):
    directors = ((3, 3), (6, 6), (9, 9), (3, 6), (3, 9), (6, 9))
    quadratic, linear = np.zeros((9, 12, 12)), np.zeros((9, 12))
    quadratic[:6] = products([(i, j, 3) for i, j in directors], 12)
    linear[6:, :3], linear[6:, 9:] = np.eye(3), -TOP_ARM * np.eye(3)
    pull = np.zeros(12)
    pull[2] = -TOP_MASS * 9.81
    s, c = np.sin(np.pi / 3), np.cos(np.pi / 3)
    axes = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    spin = (TOP_MASS * 9.81 * TOP_ARM / 10 + TOP_MASS * TOP_ARM**2 * 10 * c) / TOP_J
    rates = np.cross(np.array([0, 0, 10.0]) + spin * axes[2], axes)
    return ggl_vi(quadratic, linear, np.concatenate([[0.5] * 3, np.zeros(6)]), TOP_MASSES, pull,
                  np.concatenate([TOP_ARM * axes[2], axes.ravel()]), np.concatenate([TOP_ARM * rates[2], rates.ravel()]), h, steps)


def print_heavy_top():
    nodes = heavy_top(0.002, 1000)
    V = TOP_MASS * 9.81 * np.array([q[2] for q, *_ in nodes])
    of_p = np.array([(p * p / TOP_MASSES).sum() / 2 for _, p, *_ in nodes]) + V
    # T(v) is of the step that begins at the node.
    of_v = np.array([(TOP_MASSES * v * v).sum() / 2 for _, _, v, _ in nodes[1:]]) + V[:-1]
    print(f"H changes by {np.abs(of_p - of_p[0]).max():.5e} J with T(p), by {np.abs(of_v - of_v[0]).max():.4e} J with T(v); "
          f"|G M^-1 p| {max(node[3] for node in nodes):.4f} 1/s")
    for h, steps in ((1e-4, 10), (5e-5, 20), (1e-5, 100), (5e-6, 200)):
        print(f"h = {h} s: |phi_3(0.001 s) - 0.0375 m|/0.0375 m = {abs(heavy_top(h, steps)[-1][0][2] / 0.0375 - 1):.4e}")


# The same paper, section 5.2: bars 1 to 5 with phi, d1, d2 in R^2, E = m l^2/24; J = m l^2/12.
LINK_MASSES = np.tile([1.0, 1.0, 1 / 24, 1 / 24, 1 / 24, 1 / 24], 5)


def double_four_bar(directors_at_rest, h=1e-3, steps=10000):
    quadratic, linear, unit = np.zeros((29, 30, 30)), np.zeros((29, 30)), np.zeros(29)
    quadratic[:15] = products([(6 * bar + i, 6 * bar + j, 2) for bar in range(5) for i, j in ((2, 2), (4, 4), (2, 4))], 30)
    unit[:15] = np.tile([0.5, 0.5, 0.0], 5)

    def end(bar, side):  # 2 rows of phi + side/2 d1
        rows = np.zeros((2, 30))
        rows[:, 6 * bar:6 * bar + 2], rows[:, 6 * bar + 2:6 * bar + 4] = np.eye(2), side / 2 * np.eye(2)
        return rows

    for k in range(3):
        linear[15 + 2 * k:17 + 2 * k] = end(k, -1)
        unit[15 + 2 * k] = k
    for row, (upper, side, upright) in enumerate(((3, -1, 0), (3, 1, 1), (4, -1, 1), (4, 1, 2))):
        linear[21 + 2 * row:23 + 2 * row] = end(upper, side) - end(upright, 1)
    q = np.concatenate([*([k, 0.5, 0, 1, -1, 0] for k in range(3)), *([k + 0.5, 1, 1, 0, 0, 1] for k in range(2))]).astype(float)
    turning = [0.5, 0, 0, 0, 0, 0] if directors_at_rest else [0.5, 0, 1, 0, 0, 1]
    v = np.array([*turning * 3, *[1, 0, 0, 0, 0, 0] * 2], dtype=float)
    pull = np.tile([0, -9.81, 0, 0, 0, 0], 5)
    return ggl_vi(quadratic, linear, unit, LINK_MASSES, pull, q, v, h, steps)


def print_double_four_bar(steps="10000"):
    for directors_at_rest in (True, False):
        nodes = double_four_bar(directors_at_rest, steps=int(steps))
        q, p = (np.array([node[k] for node in nodes]) for k in (0, 1))
        x4 = q[:, 0] + q[:, 2] / 2
        k = np.flatnonzero((x4[:-1] < 0) & (x4[1:] >= 0))
        passes = 1e-3 * (k - x4[k] / (x4[k + 1] - x4[k]))  # s
        # From the first node on: momenta of the start are not yet on the constraints where directors are at rest.
        H = ((p * p / LINK_MASSES).sum(1) / 2 + 9.81 * q[:, 1::6].sum(1))[1:]
        print(f"directors {'at rest' if directors_at_rest else 'turning'}: x4 at the end {x4[-1]:.8f} m, "
              f"a turn takes {np.diff(passes).mean():.4f} s, "
              f"H changes by {np.abs(H - H[0]).max():.3e} J, in a step by {np.abs(np.diff(H)).max():.2e} J")


# livens-energy-consistent, section 6.1: (30) with (38) to (41), start and stiffnesses of the authors' script.
def mass_spring(m1=2.0, m2=1.0, k1=2.0, k2=6.0, h=0.1, steps=100):
    """T, V and E at the nodes; q = (x1, q2, x2), p in place of v, of which M leaves v2 + v3 alone."""
    M = np.array([[m1, 0, 0], [0, m2, m2], [0, m2, m2]])
    length = 1.1

    def gradient(a, b):  # the quotient of x^2 + x^4, exact
        return (a + b) * (1 + a * a + b * b)

    def slope(a, b):  # by b
        return 1 + a * a + b * b + 2 * b * (a + b)

    q, p = np.array([0.0, 1.1, 0.0]), M @ np.array([1.0, 1.0, -1.0])
    out = []
    for n in range(steps + 1):
        T = p[0]**2 / (2 * m1) + p[1]**2 / (2 * m2)
        V = k1 / 4 * (q[0]**2 + q[0]**4) + k2 / 4 * (q[2]**2 + q[2]**4)
        out.append((T, V, T + V))
        new, pull = q + h * np.array([p[0] / m1, p[0] / m1, p[1] / m2 - p[0] / m1]), 0.0
        for _ in range(30):
            mean = (q[1] + new[1] - q[0] - new[0]) / 2  # of q2 - x1, whose square is constrained
            force = np.array([-k1 / 4 * gradient(q[0], new[0]) + pull * mean, -pull * mean, -k2 / 4 * gradient(q[2], new[2])])
            off = np.append(2 / h * M @ (new - q) - 2 * p - h * force, ((new[1] - new[0])**2 - length**2) / 2)
            J = np.zeros((4, 4))
            J[:3, :3] = 2 / h * M
            J[0, 0] += h * (k1 / 4 * slope(q[0], new[0]) + pull / 2)
            J[0, 1] -= h * pull / 2
            J[1, :2] += h * pull / 2 * np.array([-1, 1])
            J[2, 2] += h * k2 / 4 * slope(q[2], new[2])
            J[:3, 3] = -h * np.array([mean, -mean, 0])
            J[3, :2] = (new[1] - new[0]) * np.array([-1, 1])
            step = np.linalg.solve(J, off)
            new, pull = new - step[:3], pull - step[3]
            if np.abs(step).max() < 1e-15:
                break
        p, q = p + h * force, new
    return np.array(out)


def print_mass_spring():
    T, V, E = mass_spring().T
    print(f"E at the start {E[0]} J, largest T {T.max():.4f} J, V {V.max():.4f} J, increment of E {np.abs(np.diff(E)).max():.1e} J")


# The same paper, section 6.2: (30) with Gonzalez' derivative (26) for T and V, and (43) to (46).
def spring_pendulum(h=0.01, steps=100):
    """T + V at the nodes; q = (r, theta, phi), v1 = 2 (q1 - q0)/h - v0 and p1 = (M0 + M1)(q1 - q0)/h - p0."""
    def M(q):
        return np.array([1.0, q[0]**2, (q[0] * np.sin(q[1]))**2])

    def V(q):
        return 300 / 2 * ((q[0]**2 - 1) / 2)**2

    def discrete(f, of_f, q, new):
        step = new - q
        slope = of_f((q + new) / 2)
        return slope + (f(new) - f(q) - slope @ step) / (step @ step) * step

    def of_T(v):
        return (lambda q: M(q) @ v**2 / 2,
                lambda q: np.array([q[0] * (v[1]**2 + (np.sin(q[1]) * v[2])**2), q[0]**2 * np.sin(2 * q[1]) / 2 * v[2]**2, 0.0]))

    q, v = np.array([1.05, np.pi / 2, 0.0]), np.array([0.0, 1.0, 1.0])
    p, out = M(q) * v, []
    for n in range(steps + 1):
        out.append(M(q) @ v**2 / 2 + V(q))

        def off(new):
            v1, p1 = 2 * (new - q) / h - v, (M(q) + M(new)) * (new - q) / h - p
            turned = (discrete(*of_T(v), q, new) + discrete(*of_T(v1), q, new)) / 2
            return p1 - p - h * turned + h * discrete(V, lambda q: np.array([150 * (q[0]**2 - 1) * q[0], 0, 0]), q, new)

        new = q + h * v
        for _ in range(12):
            J = np.column_stack([(off(new + e) - off(new - e)) / 2e-6 for e in 1e-6 * np.eye(3)])
            step = np.linalg.solve(J, off(new))
            new = new - step
            if np.abs(step).max() < 1e-14:
                break
        q, v, p = new, 2 * (new - q) / h - v, (M(q) + M(new)) * (new - q) / h - p
    return np.array(out)


def print_spring_pendulum():
    print(f"T + V changes by {np.abs(np.diff(spring_pendulum())).max():.3e} J in a step")


# herglotz-nonholonomic, section 4.4, (4.10) and (4.11): m = 5 kg, R = 0.5 m, I_A = m R^2/2, I_T = m R^2/4.
MASS, RADIUS, TILT, TURN = 5.0, 0.5, np.pi / 9, -0.3 * np.pi
I_A, I_T = MASS * RADIUS**2 / 2, MASS * RADIUS**2 / 4


def disk_inertia(theta):
    s, c = np.sin(theta), np.cos(theta)
    M = np.diag([MASS, MASS, MASS * RADIUS**2 * s**2 + I_T, I_A * s**2 + I_T * c**2, I_A])
    M[3, 4] = M[4, 3] = -I_A * s
    return M


def disk_rows(theta, phi):
    """A, with the rows X' = ..., Y' = ..."""
    e1, e2 = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
    return np.column_stack([np.eye(2), -RADIUS * np.cos(theta) * e2, RADIUS * np.sin(theta) * e1, -RADIUS * e1])


def disk_of_theta(theta, v):
    """The derivative of T by theta, the one coordinate that it has."""
    s, c = np.sin(theta), np.cos(theta)
    d_theta, d_phi, d_psi = v[2:]
    return MASS * RADIUS**2 * s * c * d_theta**2 - I_A * (d_psi - d_phi * s) * d_phi * c - I_T * d_phi**2 * c * s


def disk_rate(y, damping):
    """(v, acceleration)."""
    theta, phi = y[2], y[3]
    v, (d_theta, d_phi, d_psi) = y[5:], y[7:]
    s, c = np.sin(theta), np.cos(theta)
    e1, e2 = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
    M, A = disk_inertia(theta), disk_rows(theta, phi)
    M_rate = np.diag([0, 0, 2 * MASS * RADIUS**2 * s * c * d_theta, 2 * (I_A - I_T) * s * c * d_theta, 0.0])
    M_rate[3, 4] = M_rate[4, 3] = -I_A * c * d_theta
    force = -M_rate @ v - damping * M @ v
    force[2] += disk_of_theta(theta, v) + MASS * 9.81 * RADIUS * s
    A_rate = np.zeros((2, 5))
    A_rate[:, 2] = RADIUS * (s * d_theta * e2 + c * d_phi * e1)
    A_rate[:, 3] = RADIUS * (c * d_theta * e1 + s * d_phi * e2)
    A_rate[:, 4] = -RADIUS * d_phi * e2
    saddle = np.block([[M, A.T], [A, np.zeros((2, 2))]])
    return np.concatenate([v, np.linalg.solve(saddle, np.concatenate([force, -A_rate @ v]))[:5]])


def disk_contact_2(start, damping, end, h=0.1):
    """Nodes of theta with (A.1) to (A.5): (3.4) with q at the middle, V by the trapezoidal rule, alpha (z0 + z1)/2."""
    before, after = 1 - damping * h / 2, 1 + damping * h / 2
    q, v = start[:5].copy(), start[5:]
    P, x = disk_inertia(q[2]) @ v, h * v

    def pull(theta):
        return np.array([0, 0, MASS * 9.81 * RADIUS * np.sin(theta), 0, 0])

    def halves(x):
        middle, v = q + x / 2, x / h
        return disk_inertia(middle[2]) @ v, h / 2 * np.array([0, 0, disk_of_theta(middle[2], v), 0, 0])

    def off(u):
        momentum, part = halves(u[:5])
        middle = q + u[:5] / 2
        return np.concatenate([-momentum + part + h / 2 * pull(q[2]) + before * P - disk_rows(q[2], q[3]).T @ u[5:],
                               disk_rows(middle[2], middle[3]) @ u[:5]])

    theta = [q[2]]
    for _ in range(int(round(end / h))):
        u = np.concatenate([x, np.zeros(2)])
        for _ in range(20):
            J = np.column_stack([(off(u + e) - off(u - e)) / 2e-6 for e in 1e-6 * np.eye(7)])
            step = np.linalg.solve(J, off(u))
            u = u - step
            if np.abs(step).max() < 1e-11:
                break
        x = u[:5]
        momentum, part = halves(x)
        P = (momentum + part + h / 2 * pull(q[2] + x[2])) / after
        q = q + x
        theta.append(q[2])
    return np.array(theta)


def print_disk():
    for what, d_psi in (("captions", 38.868379), ("steady circle", -5.319914)):
        start = np.array([0, 0, TILT, 0, 0, RADIUS * (d_psi - TURN * np.sin(TILT)), 0, 0, TURN, d_psi])
        run = solve_ivp(lambda t, y: disk_rate(y, 0.1), (0, 22.8), start, method="DOP853", rtol=1e-10, atol=1e-10)
        print(f"{what}: theta'' at the start {disk_rate(start, 0.0)[7]:.2e} rad/s^2 without damping; alpha = 0.1: theta(22.8) "
              f"= {run.y[2, -1]:.4f} rad, contact_2 {disk_contact_2(start, 0.1, 22.8)[-1]:.4f} rad")
    start = np.array([0, 0, np.pi / 36, 0, 0, np.pi, 0, 0, 0, 2 * np.pi])
    run = solve_ivp(lambda t, y: disk_rate(y, 0.1), (0, 20), start, method="DOP853", rtol=1e-10, atol=1e-10,
                    t_eval=0.1 * np.arange(201))
    print(f"experiment 2, alpha = 0.1: contact_2 is within {np.abs(disk_contact_2(start, 0.1, 20) - run.y[2]).max():.4f} rad")


# gamma-convergence-constrained, section 4.1: (14) with (18), where V is linear.
def double_spherical_pendulum(h):
    """Largest |u_n+1 - u_n|/h of R^6 over 10 s, in long double, and half of what the energy at the nodes swings by.

    Its momentum is the mean of those of the steps before and after.

    u_n+1 - 2 u_n + u_n-1 = -h^2 M^-1 (f + G(u_n)^T lambda), lambda such that both rods keep their lengths.
    """
    number = np.longdouble
    h, m1, m2, gravity = number(h), number(10), number(5), number("9.81")
    inverse = np.array([[1 / m1, -1 / m1], [-1 / m1, 1 / m1 + 1 / m2]], dtype=number)
    falling = inverse @ np.array([[0, 0, (m1 + m2) * gravity], [0, 0, m2 * gravity]], dtype=number)
    u = np.array([[1, 0, 0], [1.5, 0, 0]], dtype=number)
    free = h * np.array([[0, 1, 0], [0, 0, 1]], dtype=number) - h * h / 2 * falling
    speed, energies, before = number(0), [], None
    mass, weight = np.array([[m1 + m2, m2], [m2, m2]]), gravity * np.array([m1 + m2, m2])
    for _ in range(int(round(10 / float(h)))):
        pull = np.zeros(2, dtype=number)
        for _ in range(9):
            step = free + inverse @ (pull[:, None] * u)
            off = np.array([2 * (u[i] @ step[i]) + step[i] @ step[i] for i in (0, 1)])
            (a, b), (c, d) = [[2 * ((u[i] + step[i]) @ u[j]) * inverse[i, j] for j in (0, 1)] for i in (0, 1)]
            pull = pull - np.array([d * off[0] - b * off[1], a * off[1] - c * off[0]]) / (a * d - b * c)
            if np.abs(off).max() < 4e-19:
                break
        speed = max(speed, np.sqrt((step * step).sum()) / h)
        if before is not None:
            mean = (step + before) / 2
            energies.append((mean * (mass @ mean)).sum() / (2 * h * h) + weight @ u[:, 2])
        u, free, before = u + step, step - h * h * falling, step
    return speed, np.ptp(energies) / 2


def print_double_spherical_pendulum(*steps):
    for h in steps or ("0.1", "0.01", "0.001", "0.0001"):
        speed, amplitude = double_spherical_pendulum(h)
        print(f"h = {h} s: {np.format_float_positional(speed, 15)} m/s, energy within {float(amplitude):.4g} J")


if __name__ == "__main__":
    of = {"foucault": print_foucault, "steps": print_steps, "exceedance": print_exceedance, "four_particle": print_four_particle,
          "heavy_top": print_heavy_top, "double_four_bar": print_double_four_bar, "mass_spring": print_mass_spring, "spring_pendulum": print_spring_pendulum,
          "disk": print_disk, "double_spherical_pendulum": print_double_spherical_pendulum}
    if len(sys.argv) < 2 or sys.argv[1] not in of:
        sys.exit(__doc__)
    of[sys.argv[1]](*sys.argv[2:])
