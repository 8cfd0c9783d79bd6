"""usage: vectors_of_texts.py LIVENS DIRECTORY
Texts that are vectors alone take the forms in vectors: the steps of the reference, with its energies, momentum maps and
multipliers, however the text is written. Of frames and unit vectors: the order of coordinates and rows, the axis
of the weight, where the pivot is, left-handed directors, a constant in V, points off the principal axes, drag, two bodies. Of
particles: rods between them or from the origin, springs of several laws between particles and their means, viscous elements,
also those that drive, weights, what drifts, rows in several units."""

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


class Particles:
    """Particles in space, pairs of them on rods, single ones, and some on rods from the origin, drawn at random."""

    LAWS = ["{k}*({s} - {l}^2)^2", "{k}*(sqrt({s}) - {l})^2", "{k}*({l}/{s}^2 - {l}/{s})", "-{k}/sqrt({s})", "{k}*{s}/{l}",
            "{k}*log({s} + {l}) + {k}*exp(-{s})"]

    def __init__(self, seed, pairs, singles=0, held=0, springs=3, weighted=False, damped=False, angular=False):
        self.random = random = np.random.default_rng(seed)
        self.axis = seed % 3
        self.rows, self.potential, self.rayleigh, self.position, self.velocity = [], [], [], {}, {}
        self.names = [f"x{i}" for i in range(2 * pairs + singles + held)]
        masses, drift = random.uniform(0.5, 2, len(self.names)), random.normal(size=3)
        for name in self.names:
            self.position[name], self.velocity[name] = 2 * random.normal(size=3), random.normal(size=3)
        for i in range(pairs):
            self.join(*self.names[2 * i:2 * i + 2], i)
        for name in self.names[2 * pairs + singles:]:
            self.join(None, name, len(self.rows))
        for name in self.names[:2 * pairs + singles]:
            self.velocity[name] = self.velocity[name] + drift
        self.kinetic = [f"{m / 2}*dot({x}', {x}')" for m, x in zip(masses, self.names)]
        for i in range(springs):
            self.spring(self.LAWS[(seed + i) % len(self.LAWS)], damped and i % 2 == 0)
        if weighted:
            self.potential += [f"{9.81 * m}*{x}[{self.axis}]" for m, x in zip(masses, self.names)] + ["1.7"]
        self.angular = angular

    def join(self, a, b, i):
        apart = self.position[b] - (self.position[a] if a else 0)
        moving = self.velocity[b] - (self.velocity[a] if a else 0)
        self.velocity[b] = self.velocity[b] - apart * (moving @ apart) / (apart @ apart)
        square = f"dot({b} - {a}, {b} - {a})" if a else f"dot({b}, {b})"
        self.rows.append([f"{square} - {apart @ apart}", f"({square}/{apart @ apart} - 1)/2"][i % 2])

    def spring(self, law, damped):
        ends = self.random.permutation(self.names)
        if len(ends) > 2 and self.random.random() < 0.4:
            vector = f"2*{ends[0]} - {ends[1]} - {ends[2]}"
        else:
            vector = " - ".join(ends[:2])
        s = f"dot({vector}, {vector})"
        k, length = self.random.uniform(0.5, 2, 2)
        self.potential.append(law.format(k=k, s=s, l=length))
        rate = " - ".join(f"{term}'" for term in vector.split(" - "))
        if damped:
            self.rayleigh.append(f"{self.random.uniform(0.1, 0.5)}*drag*dot({rate}, {rate})")

    def text(self):
        total = [" + ".join(f"cross({x}, p({x}))[{i}]" for x in self.names) for i in range(3)]
        maps = total if self.angular else [f"({total[0]})^2", f"p({self.names[0]})[1]"]
        self.random.shuffle(self.names)
        self.random.shuffle(self.rows)
        sums = {"kinetic": self.kinetic, "potential": self.potential, "rayleigh": self.rayleigh}
        lines = ['name = "mechanism"'] + [f'{key} = "{" + ".join(terms)}"' for key, terms in sums.items() if terms]
        lines += [f"constraints = {json.dumps(self.rows)}", f"momentum = {json.dumps(maps)}", "[coordinates]"]
        lines += [f"{name} = 3" for name in self.names]
        lines += ["[parameters]", "drag = 1.0"] if self.rayleigh else []
        for section, values in (("q", self.position), ("v", self.velocity)):
            lines += [f"[initial.{section}]"] + [f"{name} = {values[name].tolist()}" for name in self.names]
        return "\n".join(lines) + "\n"


class Rods:
    """Rods in space that their inertias couple, one hanging on the other, each in coordinates of its own."""

    def __init__(self, seed, rods, damped=False):
        self.random = random = np.random.default_rng(seed)
        self.axis, names = seed % 3, [f"u{i}" for i in range(rods)]
        masses, ends = random.uniform(0.5, 2, rods), [" + ".join(f"{u}'" for u in names[:i + 1]) for i in range(rods)]
        self.kinetic = [f"{m / 2}*dot({end}, {end})" for m, end in zip(masses, ends)]
        self.potential = [f"{9.81 * masses[i:].sum()}*{u}[{self.axis}]" for i, u in enumerate(names)] + ["0.3"]
        self.rayleigh = [f"{0.2 + 0.1 * i}*drag*dot({end}, {end})" for i, end in enumerate(ends)] if damped else []
        self.momentum = " + ".join(f"cross({u}, p({u}))[{self.axis}]" for u in names)
        self.position, self.velocity, self.rows = {}, {}, []
        for i, u in enumerate(names):
            at, moving = random.normal(size=(2, 3))
            self.position[u], self.velocity[u] = at, moving - at * (moving @ at) / (at @ at)
            self.rows.append([f"(dot({u}, {u}) - {at @ at})/2", f"3*(dot({u}, {u})/{at @ at} - 1)"][i % 2])

    def text(self):
        names = list(self.position)
        self.random.shuffle(names)
        self.random.shuffle(self.rows)
        sums = {"kinetic": self.kinetic, "potential": self.potential, "rayleigh": self.rayleigh}
        lines = ['name = "mechanism"'] + [f'{key} = "{" + ".join(terms)}"' for key, terms in sums.items() if terms]
        lines += [f"constraints = {json.dumps(self.rows)}", f'momentum = ["{self.momentum}"]', "[coordinates]"]
        lines += [f"{name} = 3" for name in names]
        lines += ["[parameters]", "drag = 1.0"] if self.rayleigh else []
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


# Unit vectors of the plane and nothing else.
CIRCLE = """
name = "mechanism"
kinetic = "0.6*dot(u', u')"
potential = "1.2*9.81*(u[1] - 2)"
rayleigh = "0.5*friction*dot(u', u')"
constraints = ["dot(u, u)/length^2 - 1"]
[coordinates]
u = 2
[parameters]
length = { default = 0.8, domain = "positive" }
friction = 0.3
[initial]
q = { u = [0.48, 0.64] }
v = { u = [-0.64, 0.48] }
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


def integrate(text, scheme, form, backend="cpu"):
    (directory / "mechanism.toml").write_text(text)
    spec = directory / "spec.toml"
    spec.write_text(f"""
[system]
file = "mechanism.toml"
{"drag = -0.5" if "drag = 1.0" in text else ""}
[scheme]
name = "{scheme}"
form = "{form}"
step = {0.1 if text == LONG_STEPS else STEP}
steps = {5 if text == LONG_STEPS else STEPS}
newton.tolerance = 0.0
[output]
trajectories = 1
""")
    subprocess.run([livens, "run", spec, "--backend", backend, "-o", directory / "result.h5", "--force", "--quiet"],
                   check=True)
    with h5py.File(directory / "result.h5") as result:
        columns = result["trajectories"]
        return {name: columns[name][:] for name in columns if columns[name].dtype.kind == "f"}


CASES = [(Mechanism(0).text(), "ems", 3), (Mechanism(1, mirrored=True, damped=True).text(), "rattle", 3),
         (Mechanism(2, plain=True).text(), "ggl_vi", 6), (Mechanism(3, plain=True).text(), "vi_b", 3),
         (Mechanism(4, coupled=True, damped=True).text(), "ems", 3), (Mechanism(5, coupled=True).text(), "vi_a", 3),
         (Mechanism(6, bodies=2).text(), "livens", 6), (Mechanism(7, bodies=2, coupled=True).text(), "del_multiplier", 6),
         (Mechanism(8, coupled=True).text(), "ggl_mp", 3), (PENDULUM, "ems", 1), (PENDULUM, "livens", 1),
         (PENDULUM, "rattle", 0), (CIRCLE, "ggl_vi", 0), (LONG_STEPS, "vi_b", 3),
         (Particles(0, pairs=2, singles=1, angular=True).text(), "ems", 10),
         (Particles(2, pairs=1, singles=1, held=1, weighted=True, damped=True).text(), "ems", 10),
         (Particles(3, pairs=1, singles=2, damped=True).text(), "livens", 8),
         (Particles(4, pairs=3).text(), "ggl_mp", 12),
         (Particles(5, pairs=1, singles=1, held=1, damped=True).text(), "ggl_mp", 10),
         (Particles(6, pairs=2, damped=True).text(), "vi_a", 7),
         (Particles(7, pairs=2, damped=True, weighted=True).text(), "vi_b", 0),
         (Particles(8, pairs=1, singles=2, held=1).text(), "ggl_vi", 0),
         (Particles(9, pairs=2, singles=1).text(), "rattle", 0),
         (Particles(10, pairs=1, singles=1, damped=True).text(), "del_multiplier", 5),
         (Particles(11, pairs=0, held=2, springs=1, weighted=True, damped=True).text(), "ggl_mp", 4),
         (Particles(12, pairs=1, springs=0).text(), "vi_a", 2), (Rods(13, 2).text(), "ggl_mp", 4),
         (Rods(14, 3, damped=True).text(), "ggl_mp", 6)]

for text, scheme, unknowns in CASES:
    reduced = integrate(text, scheme, "reduced")
    # With long steps the reference finds no root.
    expected = integrate(text, scheme, "full", "cpu" if text == LONG_STEPS else "reference")
    said = subprocess.run([livens, "list", "--why", directory / "mechanism.toml", scheme], check=True, capture_output=True,
                          text=True).stdout
    assert f": reduced ({unknowns} unknown" in said, said
    assert set(reduced) == set(expected) and {"q", "p", "v", "energy", "lambda"} <= set(expected), scheme
    for name, values in expected.items():
        # A rounding of either in every step, over h in a velocity and over h^2 in a multiplier, and eight times that
        # for the motion; of quantities of the size of 1 or more.
        size = max(1.0, np.nanmax(np.abs(values), initial=0.0))
        bound = 16 * STEPS * np.finfo(float).eps / STEP ** (2 if name in ("lambda", "gamma") else 1)
        difference = np.nanmax(np.abs(reduced[name] - values), initial=0.0) / size
        assert np.array_equal(np.isnan(reduced[name]), np.isnan(values)), f"{scheme}: {name}"
        assert difference < bound, f"{scheme} with {unknowns} unknowns: {name} differs by {difference:.1e}\n{text}"
