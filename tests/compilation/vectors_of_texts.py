"""usage: vectors_of_texts.py LIVENS DIRECTORY
Texts that are frames alone, or a unit vector of the plane, take the forms in vectors: the steps of the full form, with its
energies, momentum maps and multipliers, however the text is written: the order of coordinates and rows, the axis of the
weight, where the pivot is, left-handed directors, a constant in V, points off the principal axes, drag, two bodies."""

import json
import pathlib
import subprocess
import sys

import h5py
import numpy as np

livens, directory = sys.argv[1], pathlib.Path(sys.argv[2])
directory.mkdir(parents=True, exist_ok=True)
STEP, STEPS = 0.005, 30


class Mechanism:
    """Rigid bodies that hang one on the other by spherical joints, drawn at random. `plain`: written like heavy_top.toml;
    `coupled`: joints off the principal axes, and inertias between directors."""

    def __init__(self, seed, bodies=1, plain=False, coupled=False, damped=False, mirrored=False):
        self.random = np.random.default_rng(seed)
        self.plain, self.axis = plain, 2 if plain else seed % 3
        self.kinetic, self.potential, self.rayleigh, self.rows, self.momentum = [], [], [], [], []
        self.position, self.velocity = {}, {}
        where = np.zeros(3) if plain else self.random.normal(size=3)
        self.end, self.at, self.moving = str(where.tolist()), where, np.zeros(3)
        for body in range(bodies):
            self.add(f"{body}", coupled, damped, mirrored)
        if not plain:
            self.potential.append("1.7*g")

    def add(self, name, coupled, damped, mirrored):
        directors, point = [f"{letter}{name}" for letter in "abc"], f"x{name}"
        frame = np.linalg.qr(self.random.normal(size=(3, 3)))[0]
        frame[:, 0] *= np.sign(np.linalg.det(frame)) * (-1 if mirrored else 1)
        omega, mass, inertia = 3 * self.random.normal(size=3), 1.3, self.random.uniform(0.1, 1, 3)
        arm, out = 0.5 * self.random.normal(size=(2, 3))
        if not coupled:
            arm[:2] = 0
        here, drift = self.at + frame @ arm, self.moving + np.cross(omega, frame @ arm)
        for i, director in enumerate(directors):
            self.position[director], self.velocity[director] = frame[:, i], np.cross(omega, frame[:, i])
            self.kinetic.append(f"{inertia[i] / 2}*dot({director}', {director}')")
        self.position[point], self.velocity[point] = here, drift
        self.kinetic.append(f"{mass / 2}*dot({point}', {point}')")
        self.potential.append(f"{mass}*g*{point}[{self.axis}]")
        a, b, c = directors
        if coupled:
            self.kinetic.append(f"0.03*dot({a}', {b}')")
        if damped:
            self.rayleigh.append(f"1/2*drag*(dot({point}', {point}') + 0.3*dot({a}', {a}'))")
        own = [f"(dot({d}, {d}) - 1)/2" for d in directors] + [f"dot({a}, {b})", f"dot({a}, {c})", f"dot({b}, {c})"]
        tie = f"{point} - ({self.end}" + "".join(f" + {arm[i]}*{directors[i]}" for i in range(3) if arm[i]) + ")"
        if not self.plain:
            self.random.shuffle(own)
        self.rows += [*own, tie] if self.plain else [tie, *own]
        self.momentum += [f"cross({x}, p({x}))[{self.axis}]" for x in [point, *directors]]
        self.end += "".join(f" + {arm[i] + out[i]}*{directors[i]}" for i in range(3))
        self.at, self.moving = here + frame @ out, drift + np.cross(omega, frame @ out)

    def text(self):
        names = list(self.position)
        names = [names[3], *names[:3]] if self.plain else names
        if not self.plain:
            self.random.shuffle(names)
        # One of them is not of the first power in p, and none has to be conserved.
        maps = [" + ".join(self.momentum)] if self.plain else [f"({' + '.join(self.momentum)})^2", f"p({names[0]})[1]"]
        sums = {"kinetic": self.kinetic, "potential": self.potential, "rayleigh": self.rayleigh}
        lines = ['name = "mechanism"'] + [f'{key} = "{" + ".join(terms)}"' for key, terms in sums.items() if terms]
        lines += [f"constraints = {json.dumps(self.rows)}", f"momentum = {json.dumps(maps)}", "[coordinates]"]
        lines += [f"{name} = 3" for name in names] + ["[parameters]", "g = 9.81"]
        lines += ['drag = { default = 0.4, domain = "non_negative" }'] if self.rayleigh else []
        for section, values in (("q", self.position), ("v", self.velocity)):
            lines += [f"[initial.{section}]"] + [f"{name} = {values[name].tolist()}" for name in names]
        return "\n".join(lines) + "\n"


PENDULUM = """
name = "mechanism"
kinetic = "1/2*mass*dot(x', x') + 0.2*dot(u', u')"
potential = "mass*9.81*(x[0] - 2)"
constraints = ["x - [1, 2] - arm*u", "dot(u, u)/length^2 - 1"]
momentum = ["p(u)[0]^2 + u[1]"]
[coordinates]
u = 2
x = 2
[parameters]
mass = { default = 1.2, domain = "positive" }
arm = 0.7
length = { default = 0.8, domain = "positive" }
[initial]
q = { u = [0.48, 0.64], x = [1.336, 2.448] }
v = { u = [-0.64, 0.48], x = [-0.448, 0.336] }
"""


# Its fifth turn has another root behind two changes of sign of the determinant, far from the turn before.
LONG_STEPS = """
name = "mechanism"
kinetic = "0.65*dot(phi', phi') + 0.4907420239683359*dot(d1', d1') + 0.15*dot(d2', d2') + 0.2*dot(d3', d3')"
potential = "12.753*phi[2]"
constraints = ["(dot(d1, d1) - 1)/2", "(dot(d2, d2) - 1)/2", "(dot(d3, d3) - 1)/2",
               "dot(d1, d2)", "dot(d1, d3)", "dot(d2, d3)", "phi - arm*d3"]
[coordinates]
phi = 3
d1 = 3
d2 = 3
d3 = 3
[parameters]
arm = { default = 0.9227961363680603, domain = "positive" }
w = [1.131, 1.421, 3.925]
[initial]
q = { phi = [0, 0, "arm"], d1 = [1, 0, 0], d2 = [0, 1, 0], d3 = [0, 0, 1] }
v = { phi = ["arm*w[1]", "-arm*w[0]", 0], d1 = [0, "w[2]", "-w[1]"], d2 = ["-w[2]", 0, "w[0]"], d3 = ["w[1]", "-w[0]", 0] }
"""


def integrate(text, scheme, form, unknowns):
    (directory / "mechanism.toml").write_text(text)
    spec = directory / f"{form}.toml"
    spec.write_text(f"""
[system]
file = "mechanism.toml"
[scheme]
name = "{scheme}"
form = "{form}"
step = {0.1 if text == LONG_STEPS else STEP}
steps = {5 if text == LONG_STEPS else STEPS}
newton.tolerance = 0.0
[output]
trajectories = 1
""")
    said = subprocess.run([livens, "list", "--why", directory / "mechanism.toml", scheme], check=True, capture_output=True,
                          text=True).stdout
    assert f": {form} ({unknowns} unknown" in said or form == "full", said
    subprocess.run([livens, "run", spec, "-o", directory / "result.h5", "--force", "--quiet"], check=True)
    with h5py.File(directory / "result.h5") as result:
        columns = result["trajectories"]
        return {name: columns[name][:] for name in columns if columns[name].dtype.kind == "f"}


CASES = [(Mechanism(0).text(), "ems", 3), (Mechanism(1, mirrored=True, damped=True).text(), "rattle", 3),
         (Mechanism(2, plain=True).text(), "ggl_vi", 6), (Mechanism(3, plain=True).text(), "vi_b", 3),
         (Mechanism(4, coupled=True, damped=True).text(), "ems", 3), (Mechanism(5, coupled=True).text(), "vi_a", 3),
         (Mechanism(6, bodies=2).text(), "livens", 6), (Mechanism(7, bodies=2, coupled=True).text(), "del_multiplier", 6),
         (Mechanism(8, coupled=True).text(), "ggl_mp", 3), (PENDULUM, "ems", 1), (PENDULUM, "livens", 1),
         (PENDULUM, "rattle", 0), (LONG_STEPS, "vi_b", 3)]

for text, scheme, unknowns in CASES:
    reduced, full = integrate(text, scheme, "reduced", unknowns), integrate(text, scheme, "full", unknowns)
    assert set(reduced) == set(full) and {"q", "p", "v", "energy", "lambda"} <= set(full), scheme
    for name, values in full.items():
        # A rounding of either form in every step, over h in a velocity and over h^2 in a multiplier, and eight times that
        # for the motion; of quantities of the size of 1 or more.
        size = max(1.0, np.nanmax(np.abs(values), initial=0.0))
        bound = 16 * STEPS * np.finfo(float).eps / STEP ** (2 if name in ("lambda", "gamma") else 1)
        difference = np.nanmax(np.abs(reduced[name] - values), initial=0.0) / size
        assert np.array_equal(np.isnan(reduced[name]), np.isnan(values)), f"{scheme}: {name}"
        assert difference < bound, f"{scheme} with {unknowns} unknowns: {name} differs by {difference:.1e}\n{text}"
