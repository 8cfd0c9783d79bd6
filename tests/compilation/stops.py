"""What a spec observes by an expression, and where it stops: against the closed form of a thrown mass, an interpreter
of the same text, and itself in parts.

usage: stops.py LIVENS DIRECTORY
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
from datasets import require_same  # noqa: E402

GRAVITY, STEP, UP, HEIGHT = 9.81, 0.01, 2.0, 1.0
SYSTEM = f"""
name      = "thrown_mass"
kinetic   = "1/2*mass*(x'^2 + y'^2)"
potential = "mass*gravity*y"
[coordinates]
x = 1
y = 1
[parameters]
mass    = 2.0
gravity = {GRAVITY}
floor   = -1.0
[initial]
q = {{ y = {HEIGHT} }}
v = {{ x = 1.0, y = {UP} }}
"""
SPEC = f"""
[system]
file = "thrown_mass.toml"
[scheme]
name = "ems"
step = {STEP}
end  = 2.0
[ensemble]
size = {{size}}
[[ensemble.vary]]
what = "system.floor"
law  = "{{law}}"
low  = {{low}}
high = {{high}}
{{count}}
[output]
every        = 10
observe      = ["q[1]", {{{{ name = "above", unit = "m", expression = "y - floor" }}}},
                {{{{ name = "angular", expression = "x*p(y) - y*p[0]" }}}}, {{{{ name = "age", expression = "t" }}}}]
[[output.stop]]
when = "{{when}}"
"""
FLOORS = {"size": 6, "law": "linspace", "low": -3.0, "high": 2.0, "count": "count = 6", "when": "y - floor"}
MANY = FLOORS | {"size": 3000, "law": "uniform", "count": ""}
BAD = {
    "y - flor": "unknown name 'flor'; did you mean 'floor'?\n  y - flor\n      ^",
    "y + ": "found the end; expected a number, a name or '('",
    "2*mass": "does not depend on the motion",
    "q": "is a vector; expected a scalar",
    "y/0": "is not finite, such as a division by zero",
    "q[2]": "expected an index from 0 to 1",
    "energy - 3": "unknown name 'energy'; expected x, y, mass, gravity, floor, q, v or p",
}


class Place:
    def __init__(self, livens, directory):
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        self.livens, self.directory = livens, Path(directory)
        self.environment = os.environ | {"LIVENS_CACHE": str(self.directory / "cache")}
        (self.directory / "thrown_mass.toml").write_text(SYSTEM)

    def call(self, *arguments, expected=0):
        done = subprocess.run([self.livens, *map(str, arguments)], env=self.environment, capture_output=True, text=True,
                              cwd=self.directory, check=False)
        expect(done.returncode == expected, arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def run(self, name, spec, *arguments, **others):
        (self.directory / "spec.toml").write_text(SPEC.format(**spec))
        again = [] if "--resume" in arguments else ["--force"]
        self.call("run", "spec.toml", "-o", name, "--quiet", *again, *arguments, **others)
        return self.directory / name


def expect(condition, *what):
    if not condition:
        raise SystemExit(" ".join(map(str, what)))


def instances(path):
    with h5py.File(path) as file:
        return {name: item[()] for name, item in file["instances"].items() if isinstance(item, h5py.Dataset)}


def at_the_closed_form(place):
    """Every scheme that is exact for a constant force has y = HEIGHT + UP t - GRAVITY t^2/2 at its nodes, and so have
    its shorter steps: the times are those of the motion, up to the round-off of 200 steps over the velocity there."""
    found = instances(place.run("floors.h5", FLOORS))
    floors = np.linspace(-3.0, 2.0, 6)
    meets = floors <= HEIGHT  # what is above the highest point, 1.204 m, is never met
    expect((found["status"] == np.where(meets, 8, 0)).all(), found["status"])
    expect((found["failed_step"] == -1).all(), found["failed_step"])
    exact = (UP + np.sqrt(UP**2 + 2 * GRAVITY * (HEIGHT - floors[meets]))) / GRAVITY
    before = np.floor(exact / STEP) * STEP
    late = found["stop_time"][meets] - exact
    line = GRAVITY * STEP**2 / 8 / (GRAVITY * exact - UP)  # what a line between two nodes is off by at most
    expect((np.abs(late) < 1e-12).all() and line.min() > 1e-6, late, line)
    expect(np.isnan(found["stop_time"][~meets]).all() and np.isnan(found["stop_condition"][~meets]).all(), found)
    # Each keeps the node before: 1e-10 covers the round-off of 200 steps.
    age = np.where(meets, 0.0, 2.0)
    age[meets] = before
    y = HEIGHT + UP * age - GRAVITY * age**2 / 2
    angular = 2.0 * (age * (UP - GRAVITY * age) - y)
    for name, value in {"age": age, "q[1]": y, "above": y - floors, "angular": angular}.items():
        expect(np.abs(found[f"final_{name}"] - value).max() < 1e-10, name, found[f"final_{name}"], value)


def statistics_without_what_has_stopped(place):
    with h5py.File(place.directory / "floors.h5") as file:
        times, ok = file["statistics/time"][()], file["statistics/ok"][()]
        stop = file["instances/stop_time"][()]
        expect((ok == [(~(stop <= t)).sum() for t in times]).all(), ok)
        age = file["trajectories/age"][()]
        expect((np.isnan(age) == (stop[:, None] <= times)).all(), age)
    said = place.call("info", "floors.h5")
    expect("1 of 6 instances ok, 5 stopped" in said, said)
    expect("no instance has failed" in place.call("failures", "floors.h5", "-o", "again.toml"), "failures")
    place.run("allowed.h5", FLOORS, "--set", "ensemble.on_failure=error")


def as_the_reference(place):
    """Beside the compiled class an interpreter of the expressions, on the motion of Eigen: up to round-off."""
    found = instances(place.directory / "floors.h5")
    other = instances(place.run("other.h5", FLOORS, "--backend", "reference"))
    expect((found["status"] == other["status"]).all(), other["status"])
    for name in ("stop_time", "stop_condition", "final_above", "final_angular", "final_age"):
        difference = np.nanmax(np.abs(found[name] - other[name]))
        expect(difference < 1e-10, name, difference)


WAVE = """
name      = "wave"
kinetic   = "1/2*x'^2"
potential = "1/2*rate^2*x^2 + bend*x^4"
[coordinates]
x = 1
[parameters]
rate = 20.0
bend = 0.0
[initial]
q = { x = 1.0 }
v = { x = 3.0 }
"""


def of_the_scheme_s_order(place):
    """x = cos(20 t) + 3/20 sin(20 t) first passes a level going down; its time is off by the order of the scheme, and not
    at all of `taylor`, which takes many series a step here, and of the true motion."""
    (place.directory / "wave.toml").write_text(WAVE)
    amplitude, phase, level = np.hypot(1, 0.15), np.arctan2(0.15, 1), -0.4
    exact = (phase + np.arccos(level / amplitude)) / 20.0

    def off(scheme, step, *more):
        name = "wave.h5"
        (place.directory / "spec.toml").write_text(
            f"[system]\nfile = \"wave.toml\"\n[scheme]\nname = \"{scheme}\"\nstep = {step}\nend = 2.5\n"
            f"[[output.stop]]\nwhen = \"x + 0.4\"\n")
        place.call("run", "spec.toml", "-o", name, "--quiet", "--force", *more)
        return instances(place.directory / name)["stop_time"][0] - exact

    for scheme, order in (("ems", 2), ("rattle", 2), ("livens", 2), ("vi_a", 2)):
        more = ("--set", "scheme.newton.tolerance=0")
        errors = np.array([off(scheme, step, *more) for step in (4e-3, 2e-3)])
        found = np.log2(np.abs(errors[0] / errors[1]))
        expect(abs(found - order) < 0.15, scheme, errors, found)
        others = np.array([off(scheme, step, *more, "--backend", "reference") for step in (4e-3, 2e-3)])
        expect(np.abs(errors - others).max() < 1e-13, scheme, errors, others)
    errors = np.array([off("ems", step, "--set", "scheme.newton.tolerance=0", "--set", "scheme.order=4") for step in (1e-2, 5e-3)])
    expect(abs(np.log2(np.abs(errors[0] / errors[1])) - 4) < 0.3, errors)
    # At nodes far apart the level may have been passed there and back in between: the last passage counts.
    period = 2 * np.pi / 20.0
    for step in (0.002, 0.03, 0.13, 0.47):
        node = next(n * step for n in range(1, 100) if amplitude * np.cos(20 * n * step - phase) <= level)
        late = off("taylor", step)
        expect(abs(late - period * np.floor((node - exact) / period)) < 1e-13, step, late, node)
    late = off("reference_ode", 0.03)  # whose steps are held to 1e-12
    expect(abs(late) < 1e-9, late)


def at_an_impact(place):
    """A ball falls from 1 m: what jumps over zero where it bounces stops there, and what is zero on the way then."""
    shutil.copy(Path(__file__).parents[2] / "examples/systems/bouncing_ball.toml", place.directory)
    fall = np.sqrt(2 / GRAVITY)
    for when, exact in (("u'[1] - 2", fall), ("u[1] - 0.5", np.sqrt(1 / GRAVITY))):
        (place.directory / "spec.toml").write_text(
            f"[system]\nfile = \"bouncing_ball.toml\"\n[scheme]\nname = \"rattle\"\nstep = {STEP}\nend = 1.0\n"
            f"[[output.stop]]\nwhen = \"{when}\"\n")
        place.call("run", "spec.toml", "-o", "ball.h5", "--quiet", "--force")
        found = instances(place.directory / "ball.h5")["stop_time"][0]
        expect(abs(found - exact) < 1e-12, when, found, exact)
    # Thrown at the floor from the floor: the impact is at the start.
    (place.directory / "spec.toml").write_text(
        f"[system]\nfile = \"bouncing_ball.toml\"\n[scheme]\nname = \"rattle\"\nstep = {STEP}\nend = 1.0\n"
        f"[initial]\nq = [0, 0]\nv = [0, -3]\n[[output.stop]]\nwhen = \"u'[1] - 2\"\n")
    place.call("run", "spec.toml", "-o", "ball.h5", "--quiet", "--force")
    found = instances(place.directory / "ball.h5")
    expect(found["stop_time"][0] == 0.0 and found["status"][0] == 8, found)


def at_the_start(place):
    """From zero an expression goes where it wants, having no sign to change; its first return ends the instance."""
    found = instances(place.run("start.h5", FLOORS | {"when": f"y - {HEIGHT}"}))
    expect((found["status"] == 8).all() and (np.abs(found["stop_time"] - 2 * UP / GRAVITY) < 1e-3).all(), found)
    # What never reaches zero, and what is there at time 0 and not again.
    for when in ("y + 100", "x"):
        found = instances(place.run("never.h5", FLOORS | {"when": when}))
        expect((found["status"] == 0).all(), when, found["status"])
        expect(np.isnan(found["stop_time"]).all(), when, found["stop_time"])
    # The end of a time, whatever the motion: exact where a node is there.
    found = instances(place.run("clock.h5", FLOORS | {"when": "t - 0.5"}))
    expect((np.abs(found["stop_time"] - 0.5) < 1e-15).all(), found["stop_time"])
    # Times of all nodes, as near as doubles are: each of them is met, at its node or in the step behind.
    nodes = instances(place.run("nodes.h5", FLOORS | {"size": 199, "low": 0.01, "high": 1.99, "count": "count = 199",
                                                      "when": "t - floor"}))
    expect((nodes["status"] == 8).all(), np.flatnonzero(nodes["status"] != 8))
    expect(np.abs(nodes["stop_time"] - np.linspace(0.01, 1.99, 199)).max() < 1e-14, nodes["stop_time"])
    # What has no value at a node ends there, as a failure; what has none on the way to the next one stops there.
    found = instances(place.run("lost.h5", FLOORS | {"when": "log(y + 1)"}))
    expect((found["status"] == 8).all(), found["status"])
    found = instances(place.run("lost.h5", FLOORS | {"when": "sqrt(y) + 1"}))
    expect((found["status"] == 3).all(), found["status"])
    found = instances(place.run("lost.h5", FLOORS | {"when": "1/(x - 0.005)"}))
    expect((found["status"] == 8).all() and np.isfinite(found["stop_time"]).all(), found)


def in_parts(place):
    """Threads, single instances, shards and a run that was killed and goes on: the same bits."""
    whole = place.run("whole.h5", MANY)
    counts = np.bincount(instances(whole)["status"], minlength=9)
    expect(counts[8] > 500 and counts[0] > 100 and counts.sum() == counts[8] + counts[0], counts)
    require_same(whole, place.run("one.h5", MANY, "--threads", "1"))
    for i in range(2):
        place.run(f"part{i}.h5", MANY, "--shard", f"{i}/2")
    place.call("merge", "part0.h5", "part1.h5", "-o", "merged.h5")
    require_same(whole, place.directory / "merged.h5")
    settings = ("scheme.step=2e-4", "output.every=1000", "output.checkpoint_every=0.02")
    longer = (*(word for setting in settings for word in ("--set", setting)), "--threads", "1")
    expected = place.run("in_one_go.h5", MANY, *longer)
    process = subprocess.Popen([place.livens, "run", "spec.toml", "-o", "killed.h5", "--quiet", *longer],
                               env=place.environment, cwd=place.directory)
    while process.poll() is None and not (place.directory / "killed.h5.checkpoint/standing").exists():
        time.sleep(0.01)
    expect(process.poll() is None, "it was done before it could be killed")
    process.kill()
    process.wait()
    require_same(expected, place.run("killed.h5", MANY, "--resume", *longer))


def refused(place):
    for when, problem in BAD.items():
        (place.directory / "spec.toml").write_text(SPEC.format(**(FLOORS | {"when": when})))
        said = place.call("run", "spec.toml", "-o", "bad.h5", expected=2)
        expect("output.stop[0].when: " in said and problem in said, when, said)
    for name in ("q", "energy", "x y", "2nd"):
        (place.directory / "spec.toml").write_text(SPEC.format(**FLOORS).replace('"above"', f'"{name}"'))
        said = place.call("run", "spec.toml", "-o", "bad.h5", expected=2)
        expect("output.observe[1].name: " in said, name, said)
    expect(not (place.directory / "bad.h5").exists(), "a result of a bad spec")


def main(livens, directory):
    place = Place(os.path.abspath(livens), directory)
    for case in (at_the_closed_form, statistics_without_what_has_stopped, as_the_reference, of_the_scheme_s_order, at_an_impact, at_the_start, in_parts,
                 refused):
        begin = time.monotonic()
        case(place)
        print(f"{case.__name__}: ok, {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
