"""Impacts, rest and events: against closed forms, values of an independent program, and themselves in parts.

    impacts.py LIVENS SOURCE DIRECTORY lanes|numbers
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "program"))
from datasets import difference, require_same  # noqa: E402

EPS = np.finfo(float).eps
ZENO = 10  # the status
TEXTS = {
    # A ball between a floor and a ceiling, with something that carries no force beside it.
    "slot": """
name = "slot"
kinetic = "1/2*(x'^2 + y'^2)"
potential = "gravity*x"
[[impact]]
gap = "x"
restitution = "restitution"
[[impact]]
gap = "width - x"
restitution = 1
[coordinates]
x = 1
y = 1
[parameters]
gravity = 0.0
width = 1.0
restitution = 0.9
[initial]
q = { x = 0.5 }
v = { x = 1, y = 1 }
""",
    # general_values.md's `driven` with a wall that moves.
    "driven": """
name      = "driven"
kinetic   = "1/2*1.3*dot(u', u') + 1/2*0.8*dot(w', w') + 1/2*0.8*(1 + 0.3*dot(u, u))*(u[0]*u'[1] - u[1]*u'[0]) + 0.3*sin(3*t)*w[1]*w'[0] + 1/2*1.3*1.1^2*u[0]^2"
potential = "9.81*(1.3*u[1] + 0.8*w[1]) + 1/2*25*(1 + 0.4*sin(2*t))*(norm(w - u) - 0.6)^2"
rayleigh  = "1/2*0.6*(dot(w - u, w' - u')/norm(w - u))^2 + 1/3*0.4*norm(w')^3"
constraints = ["(dot(u - pivot(t), u - pivot(t)) - 0.9^2)/2", "w[1] + 1 - 0.3*cos(2*w[0])*(1 + 0.2*sin(3*t))"]
[[impact]]
gap = "0.43 + 0.02*sin(3*t) - u[0]"
restitution = 0.6
[functions]
pivot = { of = ["t"], is = ["0.15*sin(4*t)", "0.05*cos(7*t)"] }
[force]
u = ["-2*u[0]*u'[0] + w[0]", 0]
w = ["-0.5*tanh(w'[0]/0.2) + 1.5*cos(5*t)", 0]
[coordinates]
u = 2
w = 2
[initial]
q = { u = [0.35047650807778546, -0.7789548946025965], w = [0.5008410492384191, -0.8383341684719953] }
v = { u = [1.1186803645943137, 0.21929454084311317], w = [-0.639290874951911, 0.4201144839179248] }
""",
    # M(r): a bead on a rod that turns freely, with a stop.
    "turning_rod": """
name = "turning_rod"
kinetic = "1/2*(r'^2 + (r^2 + 2)*f'^2)"
[[impact]]
gap = "1 - r"
restitution = "restitution"
[coordinates]
r = 1
f = 1
[parameters]
restitution = 0.6
[initial]
q = { r = 0.5 }
v = { f = 1 }
""",
    # A floor that is inclined and nowhere near the origin, along which the ball slides once it rests.
    "incline": """
name = "incline"
kinetic = "1/2*mass*dot(u', u')"
potential = "mass*gravity*u[1]"
[[impact]]
gap = "0.6*u[0] + 0.8*u[1] - 0.3"
restitution = 0.4
[coordinates]
u = 2
[parameters]
mass = 1.3
gravity = 9.81
[initial]
q = { u = [0, 1] }
v = { u = [1, 0] }
""",
    # Three bodies in a row between walls, the middle one on a spring: impacts on each other, by ones and twos.
    "cradle": """
name = "cradle"
kinetic = "1/2*sum(i, 0, 2, m[i]*x'[i]^2)"
potential = "1/2*stiffness*(x[1] - 1.5)^2"
[[impact]]
gap = "x[1] - x[0] - size"
restitution = "e[0]"
[[impact]]
gap = "x[2] - x[1] - size"
restitution = "e[0]"
[[impact]]
gap = "3 + 0.1*sin(4*t) - x[2]"
restitution = "e[1]"
[[impact]]
gap = "x[0]"
restitution = "e[1]"
[coordinates]
x = "3"
[parameters]
m = [1, 2, 0.5]
e = [0.9, 0.5]
size = 0.5
stiffness = 3
[initial]
q = { x = [0.25, 1.5, 2.25] }
v = { x = [2, 0, 0.3] }
""",
    "thrown": """
name = "thrown"
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.81*y"
[coordinates]
x = 1
y = 1
[initial]
v = { x = 1, y = 5 }
""",
}
# q, v, D, W after 50 steps of 0.02 s and the time of the only impact, by a program in numpy that was written from
# general.md alone (bordered Newton, dense). Printed with 15 digits.
DRIVEN = {
    "ems": ([0.212588554278627, -0.801145138286437, 0.715343155002483, -0.956921921803843],
            [-0.896503918946523, -0.426004713892571, -0.511364576302898, 0.28750110412906],
            6.397116731262693, -0.289133962320993 + 1.373949634485235 + 1.549739295510806, 0.6166072969076198),
    "rattle": ([0.212668942777493, -0.8011138818859, 0.715924727109447, -0.957277226772353],
               [-0.897863350103712, -0.426588996347556, -0.496334953618577, 0.278574465414304],
               6.406083276862981, -0.284907438992428 + 1.369933140705987 + 1.547701748474692, 0.6149630595838217),
    "ggl_mp": ([0.212634114745508, -0.801127424699391, 0.715359081443446, -0.9569316511107],
               [-0.896316689433023, -0.42596344666684, -0.510886205523086, 0.287215895167945],
               6.398032989914287, -0.288872328293235 + 1.374053479158426 + 1.547478523929918, 0.61649974057656),
    "livens": ([0.212617671108728, -0.801133818197512, 0.71535913414583, -0.956931683306144],
               [-0.896512065764841, -0.425906405270492, -0.51183028319885, 0.286552439143214],
               6.397223358219758, -0.289085067258607 + 1.374021209696214 + 1.549727144363339, 0.6166075767950501),
}
SCHEMES = tuple(DRIVEN)


def expect(condition, *what):
    if not condition:
        raise SystemExit(" ".join(map(str, what)))


class Place:
    def __init__(self, livens, source, directory):
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        self.livens, self.directory = os.path.abspath(livens), Path(directory)
        self.environment = dict(os.environ)
        for text in (Path(source) / "examples/systems").glob("*.toml"):
            shutil.copy(text, self.directory)
        for name, text in TEXTS.items():
            (self.directory / f"{name}.toml").write_text(text)

    def call(self, *arguments, expected=0):
        done = subprocess.run([self.livens, *map(str, arguments)], env=self.environment, capture_output=True,
                              text=True, cwd=self.directory, check=False)
        expect(done.returncode == expected, arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def spec(self, system, scheme, step, end, more="", of_scheme="", of_output="every = 1"):
        which = f'file = "{system}.toml"' if (self.directory / f"{system}.toml").exists() else f'name = "{system}"'
        parameters, tables = (more.split("[", 1) + [""])[:2]
        (self.directory / "spec.toml").write_text(
            f'[system]\n{which}\n{parameters}[scheme]\nname = "{scheme}"\nstep = {step!r}\nend = {end!r}\n'
            f"{of_scheme}\n{'[' + tables if tables else ''}\n[output]\n{of_output}\n")

    def run(self, name, *arguments, expected=0):
        again = [] if "--resume" in arguments else ["--force"]
        self.call("run", "spec.toml", "-o", name, "--quiet", *again, *arguments, expected=expected)
        return self.directory / name

    def result(self, *spec, **more):
        self.spec(*spec, **more)
        return instances(self.run("run.h5"))


def instances(path):
    with h5py.File(path) as file:
        found = {name: item[()] for name, item in file["instances"].items() if isinstance(item, h5py.Dataset)}
        for name in ("q", "v", "p", "energy"):
            found[name] = file[f"trajectories/{name}"][()]
        return found


BALLS = """[ensemble]
size = 5
[[ensemble.vary]]
what = "system.restitution"
law = "values"
values = [0.0, 0.3, 0.5, 0.8, 1.0]
"""


def ball(place):
    """Where the force is constant all of the schemes are exact: times and heights of a ball that falls from 1 m are those
    of its parabolas. One step rounds about 4 eps of a time of 5 s; each of the 500 adds to that, and a time of the k-th
    impact moves with the speed that is left, e^-k of it."""
    e = np.array([0.0, 0.3, 0.5, 0.8, 1.0])
    for scheme in SCHEMES:
        found = place.result("bouncing_ball", scheme, 0.01, 5.0, BALLS)
        expect((found["status"] == 0).all(), scheme, found["status"])
        first, times = np.sqrt(2 / 9.81), found["impact_time"][:, 0]
        expect(times.shape == (5, 16) and found["impact_count"].shape == (5, 1), times.shape)
        for i, left in enumerate(e):
            hits = first + 2 * first * np.concatenate([[0], np.cumsum(left ** np.arange(1, 16))])
            known = int(min(found["impact_count"][i, 0], 16))
            expect(np.isnan(times[i, known:]).all() and np.isfinite(times[i, :known]).all(), scheme, times[i])
            expect(known == (1 if left == 0 else 6 if left == 1 else known) and known > 0, scheme, left, known)
            bound = 4 * EPS * 5 * 500 / max(left, 0.01) ** np.arange(known)
            bound = np.minimum(bound, 0.01 * 2.0 ** -20 + bound[0])
            off = np.abs(times[i, :known] - hits[:known])
            expect((off < np.maximum(bound, bound[0])).all(), scheme, left, off, bound)
            # Those before the ball rests: e^k of a step that they all are in.
            if 0 < left < 0.7:
                all_of_them = first * (1 + left) / (1 - left)
                expect(abs(times[i, known - 1] - all_of_them) < 2 * first * left**known / (1 - left) + 1e-9,
                       scheme, left, times[i, known - 1], all_of_them)
        # What it has lost is all it had, and it lies on the floor; with 1 nothing is lost.
        resting = e < 0.9
        expect((np.abs(found["final_q"][resting, 1]) < 1e-15).all(), scheme, found["final_q"])
        expect((np.abs(found["final_v"][resting, 1]) < 1e-12).all(), scheme, found["final_v"])
        # The tangential momentum is what it was.
        expect((np.abs(found["p"][:, :, 0] - 1) < 1e-13).all(), scheme)
        expect((found["max_energy_error"] < 500 * 8 * EPS * 10.31).all(), scheme, found["max_energy_error"])
        # Gaps are zero to round-off where they close, and nowhere less.
        expect(found["q"][:, :, 1].min() > -4 * EPS, scheme, found["q"][:, :, 1].min())


def driven_to_and_fro(t, x, v):
    """The undamped oscillator of impact_oscillator with the force cos(2 t) from (x, v) at time t, as a function."""
    # x'' + x = cos(2 s): -cos(2 s)/3 and a free motion.
    a, b = x + np.cos(2 * t) / 3, v - 2 * np.sin(2 * t) / 3
    return (lambda s: a * np.cos(s - t) + b * np.sin(s - t) - np.cos(2 * s) / 3,
            lambda s: -a * np.sin(s - t) + b * np.cos(s - t) + 2 * np.sin(2 * s) / 3)


def closed_form(end, stop, e):
    t, x, v, hits = 0.0, -0.5, 0.0, []
    while True:
        place, speed = driven_to_and_fro(t, x, v)
        grid = np.linspace(t + 1e-6, end, 20000)
        behind = np.flatnonzero(place(grid) > stop)
        if len(behind) == 0:
            return np.array([place(end), speed(end)]), np.array(hits)
        low, high = grid[max(behind[0] - 1, 0)], grid[behind[0]]
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if place(middle) < stop else (low, middle)
        t, x, v = high, stop, -e * speed(high)
        hits.append(high)


def oscillator(place):
    """Against its motion piece by piece: times, place and speed with the order of the scheme."""
    exact, hits = closed_form(6.0, 0.1, 0.8)
    expect(len(hits) >= 2, hits)
    for scheme in SCHEMES:
        errors = []
        for step in (0.04, 0.02, 0.01):
            found = place.result("impact_oscillator", scheme, step, 6.0, "omega = 2.0\ndamping = 0.0\n")
            known = int(found["impact_count"][0, 0])
            expect(known == len(hits), scheme, step, known, hits)
            errors.append([np.abs(found["impact_time"][0, 0, :known] - hits).max(),
                           abs(found["final_q"][0, 0] - exact[0]), abs(found["final_v"][0, 0] - exact[1])])
        orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
        expect((np.abs(orders[-1] - 2) < 0.15).all(), scheme, orders)


def at_a_wall(place):
    """A double pendulum: the order of the scheme against a fine step, and the balance of ems and livens."""
    for scheme in SCHEMES:
        fine = place.result("double_pendulum_at_a_wall", scheme, 0.000625, 2.0)
        expect(fine["impact_count"][0, 0] == 1, scheme, fine["impact_count"])
        errors = []
        for step in (0.01, 0.005, 0.0025):
            found = place.result("double_pendulum_at_a_wall", scheme, step, 2.0)
            errors.append([np.abs(found[name] - fine[name]).max() for name in ("final_q", "final_v")])
            errors[-1].append(abs(found["impact_time"][0, 0, 0] - fine["impact_time"][0, 0, 0]))
            if scheme in ("ems", "livens"):
                # 8 eps a step of the energy scale, as `livens check` has it: 20 J, and the lift of velocities by
                # eps |q|/h.
                scale = found["energy_scale"][0]
                expect(found["max_energy_error"][0] < 8 * EPS * (2 / step) * scale, scheme, found["max_energy_error"])
        # Against a step a quarter of the last one second order is 2 and log2((1 - 1/64)/(1 - 1/16)) more at most.
        orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
        expect((np.abs(orders[-1] - 2) < 0.25).all(), scheme, orders)


def as_another_program(place):
    for scheme, (q, v, lost, work, hit) in DRIVEN.items():
        found = place.result("driven", scheme, 0.02, 1.0, of_scheme="[scheme.newton]\ntolerance = 0",
                             of_output='every = 1\nobserve = ["dissipated_energy", "work"]')
        # 50 steps in which 4 eps |q|/h is a velocity, of livens in the normal direction as well.
        bound = 50 * 4 * EPS / 0.02
        for name, value in (("final_q", q), ("final_v", v)):
            expect(np.abs(found[name][0] - value).max() < bound, scheme, name, found[name][0] - value)
        expect(abs(found["final_dissipated_energy"][0] - lost) < 10 * bound, scheme)
        expect(abs(found["final_work"][0] - work) < 10 * bound, scheme)
        expect(abs(found["impact_time"][0, 0, 0] - hit) < bound, scheme)


def rest(place):
    """On a floor that swings: the ball rests, is thrown, bounces again. The balance counts the work of the floor."""
    more = "amplitude = 0.3\nrestitution = 0.3\n"
    # The program adds up the time, 1200 roundings of up to eps/2 of 6 s; the floor moves with up to 1.8 m/s.
    clock = 1.8 * 1200 * EPS / 2 * 6.0
    for scheme in ("ems", "livens", "rattle"):
        found = place.result("bouncing_ball", scheme, 0.005, 6.0, more)
        gaps = found["q"][0, :, 1] - 0.3 * np.sin(6.0 * 0.005 * np.arange(found["q"].shape[1]))
        expect(gaps.min() > -clock, scheme, gaps.min())
        lies = np.abs(gaps) < clock
        changes = np.count_nonzero(lies[1:] != lies[:-1])
        expect(changes >= 4 and lies.sum() > 50, scheme, changes, lies.sum())
        if scheme != "rattle":
            expect(found["max_energy_error"][0] < 8 * EPS * 1200 * found["energy_scale"][0], scheme)
    # At rest from the start, and on a floor that falls away from it in free fall's own time.
    found = place.result("bouncing_ball", "ems", 0.01, 1.0, '[initial]\nq = [0, 0]\nv = [1, 0]\n')
    expect(found["impact_count"][0, 0] == 0 and np.abs(found["q"][0, :, 1]).max() == 0, found["impact_count"])


def incline(place):
    """Gaps and rates are sums that cancel, and known to rounding alone: bounces die out as they do on a floor at 0, the ball
    rests, and neither rounding of its rate is an event then. Times of flight fall by e; the last impact follows one of less
    than 2^-20 h, or of less height nu^2/(2 a) than gaps are known to, 10 eps 0.6."""
    heights = np.linspace(0.9, 1.1, 50)
    more = f"""[ensemble]
size = 50
[[ensemble.vary]]
what = "initial.q[1]"
law = "values"
values = {heights.tolist()}
"""
    output = """every = 100
observe = [{ name = "rate", expression = "0.6*u'[0] + 0.8*u'[1]" }]
[[output.event]]
name = "turn"
when = "0.6*u'[0] + 0.8*u'[1]"
direction = "both"
keep = 40
"""
    a, e, h = 0.8 * 9.81, 0.4, 0.01
    for scheme in SCHEMES:
        found = place.result("incline", scheme, h, 4.0, more, of_output=output)
        expect((found["status"] == 0).all(), scheme, np.unique(found["status"], return_counts=True))
        y = found["final_q"] @ [0.6, 0.8] - 0.3
        expect(np.abs(y).max() < 10 * EPS * np.abs(found["final_q"]).max(), scheme, np.abs(y).max())
        speed = np.sqrt(0.6**2 + 2 * a * (0.8 * heights - 0.3))
        # Of the flight behind the k-th impact, k = 1, 2, ...: its time 2 nu e^k/a.
        time = np.log(h * 2.0**-20 * a / (2 * speed)) / np.log(e)
        height = np.log(np.sqrt(2 * a * 10 * EPS * 0.6) / speed) / np.log(e)
        count = found["impact_count"][:, 0]
        expect((count >= np.minimum(time, height) - 1).all() and (count <= time + 4).all(), scheme, count, time, height)
        # The first flight has an apex, since u'[0] = 1 lifts it, and every one that rounding leaves one.
        expect((found["turn_count"] >= height - 4).all(), scheme, found["turn_count"], height)
        # livens carries its velocities on: where the ball came to rest just before a node they keep the rounding of that
        # short part, eps q/tau.
        noisy = found["turn_count"] > count + 1
        expect(noisy.sum() <= (2 if scheme == "livens" else 0), scheme, found["turn_count"], count)
        last = np.nanmax(found["turn_time"][~noisy], axis=1)
        expect((last < 1.2).all(), scheme, last.max())


def other_mass(place):
    """M(q): the angular momentum goes on through the impact, and the speed of the bead is turned."""
    found = place.result("turning_rod", "livens", 0.01, 3.0)
    expect(found["impact_count"][0, 0] >= 1, found["impact_count"])
    expect(np.abs(found["p"][0, :, 1] - 2.25).max() < 1e-12, found["p"][0, :, 1])
    expect(found["max_energy_error"][0] < 1e-12, found["max_energy_error"])


JUDGED = {
    # Bounces that die out, rest and release on a floor that swings; a wall that moves; several walls; M(q).
    "bouncing_ball": ("amplitude = 0.3\nrestitution = 0.3\n", 0.01, 2.0),
    "driven": ("", 0.02, 1.0),
    "double_pendulum_at_a_wall": ("", 0.01, 2.0),
    "cradle": ("", 0.02, 2.0),
    "turning_rod": ("", 0.02, 2.0),
}


def judged(place):
    """By the reference, which has the page and nothing else: `livens verify` bounds what rounding makes of both, and every
    wall is met as often. Where bounces die out rounding says which is the last, and how much speed that leaves: the ball is
    verified until then."""
    for system, (more, step, end) in JUDGED.items():
        for scheme in SCHEMES if system != "turning_rod" else ("livens",):
            for order in ("", "order = 4") if (system, scheme) == ("driven", "ems") else ("",):
                of_scheme = order + "\n[scheme.newton]\ntolerance = 0"
                place.spec(system, scheme, step, end, more, of_scheme=of_scheme)
                counts = [instances(place.run("run.h5", "--backend", backend))["impact_count"]
                          for backend in ("cpu", "reference")]
                # It rests at most twice; where rounding is ten times as large two bounces less are seen, at a
                # restitution of 0.3.
                known = abs(counts[0] - counts[1]) <= (4 if system == "bouncing_ball" else 0)
                expect(counts[0].sum() > 0 and known.all(), system, scheme, order, counts)
                if system == "bouncing_ball":
                    place.spec(system, scheme, step, 0.65, more, of_scheme=of_scheme)
                place.call("verify", "spec.toml")


def without_end(place):
    """A ball in a slot hits its walls a hundred times a step: these do not die out, and it must not rest. One instance
    that ends so moves no bit of the others."""
    narrow = """restitution = 0.99
[ensemble]
size = 9
[[ensemble.vary]]
what = "system.width"
law = "values"
values = [1.0, 0.9, 0.8, 0.7, 0.6, 0.0005, 0.55, 0.52, 0.51]
[initial]
q = [0.0002, 0.0]
"""
    found = place.result("slot", "ems", 0.1, 1.0, narrow)
    expect((found["status"] == np.array([0, 0, 0, 0, 0, ZENO, 0, 0, 0])).all(), found["status"])
    expect("zeno" in place.call("info", "run.h5"), "the summary")
    alone = narrow.replace("size = 9", "instances = [0, 1, 2, 3, 4, 6, 7, 8]")
    other = place.result("slot", "ems", 0.1, 1.0, alone)
    for name in ("final_q", "final_v", "impact_time", "impact_count", "newton_iterations"):
        expect(np.array_equal(np.delete(found[name], 5, 0), other[name], equal_nan=True), name)
    expect(place.result("slot", "ems", 0.1, 1.0, narrow, of_scheme="max_impacts = 1000")["status"][5] == 0,
           "with more of them")
    # Beyond a wall at the start, and a restitution that is none.
    found = place.result("slot", "ems", 0.1, 1.0, "[initial]\nq = [-0.1, 0.0]\n")
    expect(found["status"][0] == 5, found["status"])
    found = place.result("slot", "ems", 0.1, 1.0, "restitution = 1.5\n")
    expect(found["status"][0] == 6, found["status"])


MANY = """[ensemble]
size = 1100
[[ensemble.vary]]
what = "system.restitution"
law = "uniform"
low = 0.2
high = 0.9
"""
EVENTS = """every = 20
keep_impacts = 3
columns = ["status", "final_q", "final_v", "impact_count", "impact_time", "newton_iterations", "top_count", "top_time",
           "top_q", "top_v"]
[[output.event]]
name = "top"
when = "u'[1]"
direction = "down"
keep = 4
state = true
"""


def in_parts(place):
    """Threads, single instances, shards and a run that was killed and goes on: the same bits."""
    place.spec("bouncing_ball", "ems", 0.01, 2.0, MANY, of_output=EVENTS)
    whole = place.run("whole.h5")
    require_same(whole, place.run("one.h5", "--threads", "1"))
    for i in range(2):
        place.run(f"part{i}.h5", "--shard", f"{i}/2")
    place.call("merge", "part0.h5", "part1.h5", "-o", "merged.h5")
    require_same(whole, place.directory / "merged.h5")
    place.spec("bouncing_ball", "ems", 0.01, 2.0, MANY.replace("size = 1100", "size = 1100\ninstances = [5, 70, 1099]"),
               of_output=EVENTS)
    some = place.run("some.h5")
    with h5py.File(whole) as all_of, h5py.File(some) as few:
        for name in ("final_q", "impact_time", "top_time", "top_q", "newton_iterations"):
            expect(np.array_equal(all_of[f"instances/{name}"][()][[5, 70, 1099]], few[f"instances/{name}"][()],
                                  equal_nan=True), name)
    settings = ("output.checkpoint_every=0.02", "output.every=10", "scheme.step=5e-4", "ensemble.size=100")
    longer = (*(word for setting in settings for word in ("--set", setting)), "--threads", "1")
    place.spec("bouncing_ball", "ems", 0.01, 2.0, MANY, of_output=EVENTS)
    expected = place.run("in_one_go.h5", *longer)
    process = subprocess.Popen([place.livens, "run", "spec.toml", "-o", "killed.h5", "--quiet", *longer],
                               env=place.environment, cwd=place.directory)
    while process.poll() is None and not (place.directory / "killed.h5.checkpoint/standing").exists():
        time.sleep(0.01)
    expect(process.poll() is None, "it was done before it could be killed")
    process.kill()
    process.wait()
    require_same(expected, place.run("killed.h5", "--resume", *longer))


def events(place):
    """Times of the scheme's order, and the motion as without them, to the bit."""
    plain = "every = 10"
    watched = plain + """
[[output.event]]
name = "apex"
when = "v[1]"
direction = "down"
state = true
[[output.event]]
name = "level"
when = "y - 1"
keep = 1
"""
    place.spec("thrown", "ems", 0.01, 1.5, of_output=plain)
    without = place.run("without.h5")
    place.spec("thrown", "ems", 0.01, 1.5, of_output=watched)
    found = place.run("with.h5")
    new = {"instances/" + name for name in ("apex_count", "apex_time", "apex_q", "apex_v", "apex_event", "level_count",
                                            "level_time", "level_event")}
    expect(set(difference(without, found)) == new, difference(without, found))
    kept = instances(found)
    # Exact, where the force is constant, to the round-off of 150 steps.
    expect(kept["apex_count"][0] == 1 and abs(kept["apex_time"][0, 0] - 5 / 9.81) < 1e-13, kept["apex_time"])
    expect(np.abs(kept["apex_q"][0, 0] - [5 / 9.81, 25 / 9.81 / 2]).max() < 1e-13, kept["apex_q"])
    expect(np.abs(kept["apex_v"][0, 0] - [1, 0]).max() < 1e-13, kept["apex_v"])
    expect(np.isnan(kept["apex_time"][0, 1:]).all() and kept["apex_time"].shape == (1, 16), kept["apex_time"])
    up, down = (5 - np.sqrt(25 - 2 * 9.81)) / 9.81, (5 + np.sqrt(25 - 2 * 9.81)) / 9.81
    expect(kept["level_count"][0] == 2 and kept["level_time"].shape == (1, 1), kept["level_count"])
    expect(abs(kept["level_time"][0, 0] - up) < 1e-13 and down < 1.5, kept["level_time"])
    # Where an impact leaves of a step what is below the last places of a time, the time goes on to the node.
    late = 'every = 1\n[[output.event]]\nname = "late"\nwhen = "t - 0.4"\n'
    for step in (0.1, 0.05, 0.03):
        got = place.result("bouncing_ball", "ems", step, 0.9, "gravity = 10.0\n[initial]\nu = [0, 0.8]\n", of_output=late)
        expect(got["late_count"][0] == 1 and abs(got["impact_time"][0, 0, 0] - 0.4) < 1e-14, step, got["late_count"])
    # With constraints, and of the scheme's order.
    event = 'every = 1\n[[output.event]]\nname = "turn"\nwhen = "v[1] - 0.5"\n'
    for scheme, of_scheme, order, step in (("ems", "", 2, 0.02), ("ggl_vi", "", 1, 0.0025), ("ems", "order = 4", 4, 0.02)):
        times = []
        for k in range(4):
            got = place.result("double_spherical_pendulum", scheme, step / 2**k, 0.5, of_scheme=of_scheme, of_output=event)
            expect(got["turn_count"][0] >= 1, got["turn_count"])
            times.append(got["turn_time"][0, 0])
        slope = np.log2(abs(times[2] - times[1]) / abs(times[3] - times[2]))
        expect(abs(slope - order) < 0.3, scheme, of_scheme, slope, times)


def flight(height, speed, gravity, restitution, end):
    """Height and speed of the ball on a floor at rest at the end, and times of its impacts and of the tops between them; also
    of complex numbers, for derivatives by complex steps."""
    start, hits, tops = 0.0, [], []
    while True:
        falls = (speed + np.sqrt(speed**2 + 2 * gravity * height)) / gravity
        if speed.real > 0 and (start + speed / gravity).real < end.real:
            tops.append(start + speed / gravity)
        if (start + falls).real > end.real:
            left = end - start
            return height + speed * left - gravity * left**2 / 2, speed - gravity * left, hits, tops
        start, height, speed = start + falls, 0.0, -restitution * (speed - gravity * falls)
        hits.append(start)


def derivatives(place):
    """Of the ball, by complex steps of its parabolas, through impacts and a spin that nothing touches: to the bound of
    equations/tangents.md, section 6. Where the ball rests its height has none, and where it hits the floor at a node there is
    none."""
    steps, h = 200, 0.01
    directions = '["initial.q[1]", "initial.v[1]", "system.gravity", "system.restitution", "scheme.step"]'
    events = 'every = 50\n[[output.event]]\nname = "top"\nwhen = "v[1]"\ndirection = "down"\nkeep = 3\nstate = true\n'
    given = [1.0, 0.5, 9.81, 0.8, h]
    for scheme in SCHEMES:
        for order in ("", "order = 4"):
            place.spec("bouncing_ball", scheme, h, steps * h, f"[initial]\nq = [0, 1]\nv = [1, 0.5]\n[tangent]\nof = {directions}\n",
                       of_scheme=order, of_output=events)
            path = place.run("with.h5")
            kept = instances(path)
            expect(kept["impact_count"][0, 0] == 3, scheme, order)
            # The values are those without directions, to the bit.
            plain = place.result("bouncing_ball", scheme, h, steps * h, "[initial]\nq = [0, 1]\nv = [1, 0.5]\n",
                                 of_scheme=f"{order}\n[scheme.newton]\ntolerance = 0", of_output=events)
            for name in ("final_q", "final_p", "final_v", "impact_time", "top_time", "top_q", "max_energy_error"):
                expect(np.array_equal(kept[name], plain[name], equal_nan=True), scheme, order, name)
            with h5py.File(path) as file:
                found = {name: file[f"tangent/{name}"][0]
                         for name in ("final_q", "final_v", "top_time", "top_q", "top_v", "impact_time")}
            expect(found["impact_time"].shape == (1, 16, 5) and np.isnan(found["impact_time"][0, 3:]).all(), scheme, order)
            for k in range(5):
                moved = np.array(given, dtype=complex)
                moved[k] += 1e-30j
                height, speed, hits, tops = flight(*moved[:4], steps * moved[4])
                of = lambda number: np.imag(number) / 1e-30  # noqa: E731
                expect(len(hits) == 3 and len(tops) == 3, hits, tops)
                along = 200.0 if k == 4 else 0.0  # the spin is 1 m/s along the floor
                for name, is_, ought in (("q", found["final_q"][:, k], [along, of(height)]),
                                         ("v", found["final_v"][:, k], [0.0, of(speed)]),
                                         ("hits", found["impact_time"][0, :3, k], [of(one) for one in hits]),
                                         ("times", found["top_time"][:, k], [of(one) for one in tops]),
                                         ("places", found["top_q"][:, 0, k], [of(one) for one in tops]),
                                         ("speeds", found["top_v"][:, 1, k], [0.0, 0.0, 0.0])):
                    bound = 1e2 * EPS / 2 * steps * max(1.0, np.abs(found["final_q"]).max(), np.abs(found["final_v"]).max())
                    expect(np.abs(is_ - ought).max() < bound, scheme, order, name, k, is_ - ought, bound)
    every = f"[tangent]\nof = {directions}\n"
    for scheme in SCHEMES:
        place.spec("bouncing_ball", scheme, h, 3.0, f"restitution = 0.3\n[initial]\nq = [0, 1]\nv = [1, 0]\n{every}",
                   of_output=events)
        with h5py.File(place.run("with.h5")) as file:
            found = file["tangent/final_q"][0]
        # What its last bounces keep is lost where it comes to rest.
        expect(np.abs(found[1]).max() < 1e-12 and abs(found[0, 4] - 300) < 1e-9, scheme, found)
    for step in (0.1, 0.05, 0.03):
        more = f"gravity = 10.0\n[initial]\nq = [0, 0.8]\nv = [1, 0]\n{every}"
        place.spec("bouncing_ball", "ems", step, 0.9, more, of_output="every = 1" + events[len("every = 50"):])
        with h5py.File(place.run("with.h5")) as file:
            found, hit = file["tangent/final_q"][0], file["tangent/impact_time"][0, 0, 0]
        height = np.imag(flight(0.8 + 1e-30j, 0j, 10.0, 0.8, 0.9 + 0j)[0]) / 1e-30
        # With 0.03 s no node is there, and all derivatives are.
        expect(step != 0.03 or np.isfinite(found).all(), step, found)
        expect(np.isnan(found[1, 0]) or abs(found[1, 0] - height) < 1e-11, step, found, height)
        falls = 0.4 / 1.6  # of t = sqrt(2 y/g)
        expect(abs(hit[0] - falls) < 1e-12 or (step != 0.03 and np.isnan(hit[0])), step, hit)
        expect(hit[3] == 0.0, step, hit)
        expect(np.isfinite(found[:, 3]).all() and (np.isnan(found[0, 4]) or abs(found[0, 4] - 0.9 / step) < 1e-12), step, found)


def elastic(place):
    """ems keeps the energy through impacts that lose none, and all directions of the state then keep its differential:
    v.dp + grad V.dq, M being constant, to the bound of equations/tangents.md, section 6."""
    steps = 300
    place.spec("double_pendulum_at_a_wall", "ems", 0.02, steps * 0.02, 'restitution = 1.0\n[tangent]\nof = "state"\n')
    path = place.run("with.h5")
    expect(instances(path)["impact_count"][0, 0] == 4, "four impacts")
    weight = 9.81 * np.array([0, 1.0, 0, 0.7])
    with h5py.File(path) as file:
        q, p, q0, p0 = (file[f"tangent/{name}"][0] for name in ("final_q", "final_p", "initial_q", "initial_p"))
        v = file["trajectories/v"][0]
    start, end = v[0] @ p0 + weight @ q0, v[-1] @ p + weight @ q
    phi = max(np.abs(q).max(), np.abs(p).max())
    expect(np.abs(end - start).max() < 1e2 * EPS / 2 * steps * np.abs(start).max() * phi, end, start)


WRONG = {
    ("spec", "[[output.event]]\nwhen = 'x'\n"): "output.event[0].name: missing",
    ("spec", "[[output.event]]\nname = 'a'\nwhen = '2'\n"): "does not depend on the motion",
    ("spec", "[[output.event]]\nname = 'a'\nwhen = 'x'\ndirection = 'left'\n"): "output.event[0].direction",
    ("spec", "[[output.event]]\nname = 'a'\nwhen = 'x'\nkeep = 0\n"): "output.event[0].keep",
    ("spec", "keep_impacts = 3\n"): "keep_impacts: thrown has no [[impact]]",
}


def refused(place):
    for (_, output), problem in WRONG.items():
        place.spec("thrown", "ems", 0.01, 1.0, of_output=output)
        said = place.call("run", "spec.toml", "-o", "bad.h5", expected=2)
        expect(problem in said, output, said)
    for scheme in ("vi_a", "ggl_vi", "taylor", "contact_2"):
        said = place.call("list", "--why", "bouncing_ball.toml", scheme)
        expect("impacts" in said, scheme, said)
    place.spec("bouncing_ball", "ems", 0.01, 1.0)
    said = place.call("run", "spec.toml", "-o", "bad.h5", "--backend", "cuda", expected=2)
    expect("impacts" in said or "built without" in said, said)
    place.spec("bouncing_ball", "ems", 0.01, 1.0, of_output='[[output.stop]]\nwhen = "u[0]"')
    said = place.call("run", "spec.toml", "-o", "bad.h5", "--backend", "reference", expected=2)
    expect("output.stop: the reference has no stop conditions beside impacts" in said, said)


# Instances that meet their walls, and end, one by one in their lanes; and numbers, which are the same in any lane.
CASES = {
    "lanes": (ball, rest, without_end, in_parts, events),
    "numbers": (oscillator, at_a_wall, as_another_program, incline, other_mass, judged, derivatives, elastic, refused),
}


def main(livens, source, directory, part):
    place = Place(livens, source, directory)
    for case in CASES[part]:
        begin = time.monotonic()
        case(place)
        print(f"{case.__name__}: ok, {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
