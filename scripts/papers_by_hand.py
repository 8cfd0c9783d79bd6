"""Numbers of the papers from their equations in numpy, without livens: what findings of the gallery name this file for.

usage: papers_by_hand.py foucault [STEP]                        by default 0.145 s
       papers_by_hand.py disk
       papers_by_hand.py double_spherical_pendulum [STEP ...]   by default 0.1 to 0.0001 s

Needs scipy, whose DOP853 gives the true motions. Up to half a minute; with a step of 1e-5 s some minutes.
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
    def rate(t, y):
        q, v = y[:2], y[2:]
        free = -PULL * q - damping * v
        along = turned(q)
        return np.concatenate([v, free - along * (along @ free + 2 * OMEGA * (q @ v)) / (q @ q)])

    return solve_ivp(rate, (0, END), [0, 0.67, 0, 0], method="DOP853", rtol=1e-12, atol=1e-14, t_eval=times).y[:2].T


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


# herglotz-nonholonomic, section 4.4, (4.10) and (4.11): m = 5 kg, R = 0.5 m, I_A = m R^2/2, I_T = m R^2/4.
MASS, RADIUS, TILT, TURN = 5.0, 0.5, np.pi / 9, -0.3 * np.pi
I_A, I_T = MASS * RADIUS**2 / 2, MASS * RADIUS**2 / 4


def disk_rate(y, damping):
    """(v, acceleration) with the rows X' = ..., Y' = ... and their multipliers."""
    theta, phi = y[2], y[3]
    v, (d_theta, d_phi, d_psi) = y[5:], y[7:]
    s, c = np.sin(theta), np.cos(theta)
    e1, e2 = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
    M = np.diag([MASS, MASS, MASS * RADIUS**2 * s**2 + I_T, I_A * s**2 + I_T * c**2, I_A])
    M[3, 4] = M[4, 3] = -I_A * s
    M_rate = np.diag([0, 0, 2 * MASS * RADIUS**2 * s * c * d_theta, 2 * (I_A - I_T) * s * c * d_theta, 0.0])
    M_rate[3, 4] = M_rate[4, 3] = -I_A * c * d_theta
    force = -M_rate @ v - damping * M @ v
    force[2] += (MASS * RADIUS**2 * s * c * d_theta**2 - I_A * (d_psi - d_phi * s) * d_phi * c - I_T * d_phi**2 * c * s
                 + MASS * 9.81 * RADIUS * s)
    A, A_rate = np.zeros((2, 5)), np.zeros((2, 5))
    A[:, :2] = np.eye(2)
    A[:, 2], A[:, 3], A[:, 4] = -RADIUS * c * e2, RADIUS * s * e1, -RADIUS * e1
    A_rate[:, 2] = RADIUS * (s * d_theta * e2 + c * d_phi * e1)
    A_rate[:, 3] = RADIUS * (c * d_theta * e1 + s * d_phi * e2)
    A_rate[:, 4] = -RADIUS * d_phi * e2
    saddle = np.block([[M, A.T], [A, np.zeros((2, 2))]])
    return np.concatenate([v, np.linalg.solve(saddle, np.concatenate([force, -A_rate @ v]))[:5]])


def print_disk():
    for what, d_psi in (("captions", 38.868379), ("steady circle", -5.319914)):
        start = np.array([0, 0, TILT, 0, 0, RADIUS * (d_psi - TURN * np.sin(TILT)), 0, 0, TURN, d_psi])
        run = solve_ivp(lambda t, y: disk_rate(y, 0.1), (0, 22.8), start, method="DOP853", rtol=1e-10, atol=1e-10)
        print(f"{what}: theta'' at the start {disk_rate(start, 0.0)[7]:.2e} rad/s^2 without damping; alpha = 0.1: theta(22.8) "
              f"= {run.y[2, -1]:.4f} rad")


# gamma-convergence-constrained, section 4.1: (14) with (18), where V is linear.
def double_spherical_pendulum(h):
    """Largest |u_n+1 - u_n|/h of R^6 over 10 s, in long double.

    u_n+1 - 2 u_n + u_n-1 = -h^2 M^-1 (f + G(u_n)^T lambda), lambda such that both rods keep their lengths.
    """
    number = np.longdouble
    h, m1, m2, gravity = number(h), number(10), number(5), number("9.81")
    inverse = np.array([[1 / m1, -1 / m1], [-1 / m1, 1 / m1 + 1 / m2]], dtype=number)
    falling = inverse @ np.array([[0, 0, (m1 + m2) * gravity], [0, 0, m2 * gravity]], dtype=number)
    u = np.array([[1, 0, 0], [1.5, 0, 0]], dtype=number)
    free = h * np.array([[0, 1, 0], [0, 0, 1]], dtype=number) - h * h / 2 * falling
    speed = number(0)
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
        u, free = u + step, step - h * h * falling
    return speed


def print_double_spherical_pendulum(*steps):
    for h in steps or ("0.1", "0.01", "0.001", "0.0001"):
        print(f"h = {h} s: {np.format_float_positional(double_spherical_pendulum(h), 15)} m/s")


if __name__ == "__main__":
    of = {"foucault": print_foucault, "disk": print_disk, "double_spherical_pendulum": print_double_spherical_pendulum}
    if len(sys.argv) < 2 or sys.argv[1] not in of:
        sys.exit(__doc__)
    of[sys.argv[1]](*sys.argv[2:])
