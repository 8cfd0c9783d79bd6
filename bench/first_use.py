#!/usr/bin/env python3
"""What the first use of a text costs: a run of one instance and ten steps where nothing is compiled yet, in seconds of
processor time.

    python3 bench/first_use.py LIVENS [--rounds 3]

A text of 3 coordinates, and two of 12 with the terms that a text can have, walls apart: a constraint that moves, a
gyroscopic term, a turning frame, time in the potential, springs, a contact, a damper, drag in a wind, a force from a
table; the last one has a mass that depends on place and time, and a row of velocities, too.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

SHORT = pathlib.Path(__file__).resolve().parent.parent / "examples/systems/cart_pendulum.toml"
LONG = """
name = "all_terms"
kinetic = "1/2*m[0]*dot(a', a') + 1/2*m[1]*dot(b', b') + 1/2*m[2]*dot(c', c') + 1/2*m[3]*dot(d', d') + field*(a[0]*a[1]' - a[1]*a[0]') + 1/2*m[3]*turn^2*(d[0]^2 + d[1]^2){mass}"
potential = "k[0]/2*(norm(c - a) - rest)^2 + k[1]/2*(norm(d - b) - rest)^2*(1 + 0.1*sin(2*t)) + 9.81*(m[0]*a[2] + m[1]*b[2] + m[2]*c[2] + m[3]*d[2]) + 2/5*stiff*max(0.1 - a[2], 0)^(5/2)"
rayleigh = "eta/2*(dot(c - a, c' - a')/norm(c - a))^2 + drag/3*norm(d' - wind(t))^3"
constraints = ["(dot(b - a, b - a) - l^2)/2", "(dot(d - c, d - c) - (l + 0.05*sin(3*t))^2)/2"]
nonholonomic = [{row}]
[coordinates]
a = 3
b = 3
c = 3
d = 3
[force]
c = ["motor(t)*tanh(c[0]'/0.1)", "-0.1*c[1]", "0.2*cos(t)"]
[functions]
wind = {{ of = ["t"], is = ["0.3*sin(t)", "0.1", "0"] }}
motor = {{ x = [0, 1, 3], y = [0, 0.5, 0.4], beyond = "hold" }}
[parameters]
m = [1.0, 3.0, 2.3, 1.7]
k = [10.0, 20.0]
field = 0.3
turn = 0.5
rest = 1.0
stiff = 100.0
eta = 0.2
drag = 0.1
l = 1.0
[initial]
q = {{ a = [0, 0, 1], b = [1, 0, 1], c = [0, 1, 1], d = [1, 1, 1] }}
"""
TEXTS = [
    ("3 coordinates", "ems", SHORT.read_text()),
    ("12 coordinates, all terms with a constant mass", "ems", LONG.format(mass="", row="")),
    ("12 coordinates, all terms", "livens",
     LONG.format(mass=" + 0.05*(a[0]^2 + sin(t)^2)*(b[1]')^2", row='"b[2]\' - 0.1*a[0]*b[0]\'"')),
]


def seconds(livens, directory, text, scheme):
    (directory / "mechanism.toml").write_text(text)
    (directory / "study.toml").write_text(f'[system]\nfile = "mechanism.toml"\n[scheme]\nname = "{scheme}"\nsteps = 10\n')
    result = directory / "result.h5"
    result.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as cache:
        program = subprocess.Popen([livens, "run", directory / "study.toml", "-o", result], env={**os.environ, "LIVENS_CACHE": cache},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(program.pid, 0)
    if status != 0:
        raise SystemExit(f"livens run: status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("livens")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        for name, scheme, text in TEXTS:
            rounds = [seconds(arguments.livens, pathlib.Path(directory), text, scheme) for _ in range(arguments.rounds)]
            print(f"{statistics.median(rounds):5.1f} s  {scheme}, {name}", flush=True)


if __name__ == "__main__":
    main()
