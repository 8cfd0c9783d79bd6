"""[tangent] of what rolls, of what meets walls, of named and of random texts: the kernels' derivatives, bases of the state and
Lyapunov exponents beside the reference's own, of motions by extrapolated differences; every other random text starts from
momenta, every third has a wall in its way, and of every fourth there are bases and exponents too.

    tangents_beside_reference.py LIVENS DIRECTORY TEXTS [COUNT [SEED]]
"""

import math
import os
import random
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

try:
    import random_mechanisms
except SystemExit:
    sys.exit(77)
import impacts
import random_texts

SCHEMES = ["ems", "livens", "rattle", "ggl_mp", "ggl_vi", "vi_a", "vi_b", "del_multiplier", "del_nullspace", "contact_1",
           "contact_2", "lagrange_dalembert"]
WITH_WALLS = ["ems", "livens", "rattle", "ggl_mp"]
# Steps onto rows of velocities: in closed form, by Chaplygin's, and by an iteration of a text's own.
ROLLING = [("name", "foucault_pendulum", "contact_1", "latitude"), ("name", "rolling_disk", "contact_2", "radius"),
           ("file", "chaplygin_sleigh.toml", "lagrange_dalembert", "mass"), ("file", "foucault_pendulum.toml", "contact_2", "length")]
# Walls that move, rows, M(q), several impacts, a composed scheme.
WALLED = [("double_pendulum_at_a_wall", "ems", "restitution", "step = 0.02\nend = 1.2"),
          ("double_pendulum_at_a_wall", "rattle", "wall", "step = 0.02\nend = 1.2\norder = 4"),
          ("following", "ems", "mass", "step = 0.02\nend = 0.7"), ("driven", "livens", "", "step = 0.02\nend = 0.8"), ("turning_rod", "livens", "restitution", "step = 0.02\nend = 2.0")]
# What follows from a parameter moves with it, also while the walls hold.
FOLLOWING = """name = "following"
kinetic = "1/2*mass*x'^2 + 1/2*light*y'^2"
potential = "1/2*stiffness*(x - y)^2 + 9.81*mass*x + 9.81*light*y"
[[impact]]
gap = "x + reach"
restitution = 0.6
[coordinates]
x = 1
y = 1
[parameters]
mass = 1.5
light = { default = "mass^2/3", domain = "positive" }
reach = "light/8"
stiffness = 40.0
[initial]
q = { x = "0.3*light", y = 0.2 }
"""
GROWING = """name = "growing"
kinetic = "1/2*mass*(1 + sin(3*t)/2)*x'^2 + 1/2*mass*y'^2"
potential = "1/2*stiffness*(x^2 + y^2) + x^2*y"
[coordinates]
x = 1
y = 1
[parameters]
mass = 1.0
stiffness = 2.0
[initial]
q = { x = 0.5, y = 0.3 }
v = { x = 0.4, y = -0.2 }
"""
# Bases of the state and exponents: rows and a composed scheme; rows that move, driven and damped; M(q), damped; a field; M(t).
STATES = [("name", "double_spherical_pendulum", "rattle", "order = 4", ""),
          ("file", "driven_pivot.toml", "ems", "[initial]\nv = [0.5, 0.2]", "omega = 30.0"),
          ("file", "double_pendulum_angles.toml", "livens", "", "friction = 0.3"), ("file", "penning_trap.toml", "ggl_vi", "", ""),
          ("file", "growing.toml", "livens", "", "")]
EVERY = 5  # steps from one orthonormalisation to the next
# Extrapolated differences are good to some 1e-10 of the largest entry where the motion is that of half a second. The logarithm
# of a growth is off by as much, times how much more the largest has grown meanwhile, and is divided by the 0.125 s of EVERY
# steps to be an exponent: for a ratio of 10 that is 1e-8.
BOUND = 1e-8


def run(livens, folder, name, spec, *arguments):
    (folder / f"{name}.toml").write_text(spec)
    done = subprocess.run([livens, "run", f"{name}.toml", "-o", f"{name}.h5", "--quiet", "--force", *arguments], cwd=folder,
                          env=os.environ | {"LIVENS_CACHE": str(folder / "cache")}, capture_output=True, text=True, check=False)
    if done.returncode < 0:
        sys.exit(f"{name}: ended by signal {-done.returncode}")
    if done.returncode != 0:
        return done.stderr or done.stdout
    with h5py.File(folder / f"{name}.h5") as file:
        if file["instances/status"][0] != 0:
            return f"status {file['instances/status'][0]}"
        compared = {f"{group}/{key}": item[()] for group in ("trajectories", "tangent", "tangent/trajectories") if group in file
                    for key, item in file[group].items() if isinstance(item, h5py.Dataset) and
                    (key.startswith(("final_", "initial_", "lyapunov")) or key in ("q", "p", "v"))}
        if "instances/lyapunov" in file:
            compared["instances/lyapunov"] = file["instances/lyapunov"][()]
        return compared


def difference(livens, folder, name, spec, of, observe=""):
    """The largest difference, relative to the largest entry of its column, and where; or why there is none. `of`: names, or
    "state" with what follows it in its table."""
    spec += (f"[tangent]\nof = {of}\n"
             f'[output]\nevery = 7\nobserve = [{{ name = "seen", expression = "q[0]*p[0] + t*v[0]" }}{observe}]\n')
    reference = run(livens, folder, f"reference_{name}", spec, "--backend", "reference")
    if isinstance(reference, str):
        return reference
    ours = run(livens, folder, f"kernels_{name}", spec)
    if isinstance(ours, str):
        return ours
    worst = 0.0, ""
    for entry, theirs in reference.items():
        apart = np.abs(ours[entry] - theirs)
        if "lyapunov" in entry:  # none before the first orthonormalisation
            apart[np.isnan(ours[entry]) & np.isnan(theirs)] = 0
        size = np.nanmax(np.abs(theirs), axis=tuple(range(theirs.ndim - 1)), initial=0)
        off = apart.max(axis=tuple(range(theirs.ndim - 1))) / (1 + size)
        k = int(np.argmax(np.where(np.isfinite(off), off, np.inf)))
        worst = max(worst, (float(off[k]) if np.isfinite(off[k]) else np.inf, f"{entry} by number {k} of {of if isinstance(of, list) else 'the state'}"))
    return worst


def compare_rolling(livens, folder, texts, key, system, scheme, parameter):
    place = Path(texts).resolve() / system if key == "file" else system
    spec = f'[system]\n{key} = "{place}"\n[scheme]\nname = "{scheme}"\nstep = 0.025\nend = 0.5\n'
    return difference(livens, folder, f"{place.stem if key == 'file' else place}_{scheme}", spec,
                      ["initial.q", "initial.v", f"system.{parameter}", "scheme.step"])


def compare_walled(livens, folder, texts, system, scheme, parameter, steps):
    place = Path(texts).resolve() / f"{system}.toml"
    own = impacts.TEXTS | {"following": FOLLOWING}
    if system in own:
        place = folder / f"{system}.toml"
        place.write_text(own[system])
    spec = f'[system]\nfile = "{place}"\n[scheme]\nname = "{scheme}"\n{steps}\n'
    of = ["initial.q", "initial.v", *([f"system.{parameter}"] if parameter else []), "scheme.step"]
    return difference(livens, folder, f"{system}_{scheme}", spec, of)


def difference_of_state(livens, folder, name, spec, exponents=2):
    of = f'"state"\nlyapunov = {{ count = {exponents}, every = {EVERY} }}'
    return difference(livens, folder, name, spec, of, ', "lyapunov[0]"')


def compare_state(livens, folder, texts, key, system, scheme, steps, parameters):
    place = Path(texts).resolve() / system if key == "file" else system
    if system == "growing.toml":
        place = (folder / system).resolve()
        place.write_text(GROWING)
    name = place.stem if key == "file" else place
    spec = f'[system]\n{key} = "{place}"\n{parameters}\n[scheme]\nname = "{scheme}"\nstep = 0.025\nend = 0.5\n{steps}\n'
    return difference_of_state(livens, folder, f"state_of_{name}_{scheme}", spec)


def with_wall(livens, folder, path, mechanism, draw):
    """The text with a wall that its first half second meets: across the way of the coordinate that goes farthest."""
    for scheme in WITH_WALLS:
        free = run(livens, folder, "free", f'[system]\nfile = "{path.name}"\n[scheme]\nname = "{scheme}"\nstep = 0.025\nend = 0.5\n'
                   "[output]\nevery = 1\n", "--backend", "reference")
        if not isinstance(free, str):
            break
    else:
        return None
    entries = [name if not is_vector else f"{name}[{i}]" for name, size, is_vector, _ in mechanism.coordinates for i in range(size)]
    way = free["trajectories/q"][0] - free["trajectories/q"][0, 0]
    sample, k = np.unravel_index(np.argmax(np.abs(way)), way.shape)
    if not abs(way[sample, k]) > 0.01:
        return None
    place = float(free["trajectories/q"][0, 0, k] + draw.uniform(0.3, 0.8) * way[sample, k])
    gap = f"{place!r} - {entries[k]}" if way[sample, k] > 0 else f"{entries[k]} - {place!r}".replace("- -", "+ ")
    walled = folder / f"walled_{path.name}"
    head, _, tables = path.read_text().partition("\n[")
    walled.write_text(f'{head}\n[[impact]]\ngap = "{gap}"\nrestitution = {draw.uniform(0.2, 1.0)!r}\n[{tables}')
    return walled


def compare(livens, folder, seed):
    """That of a random text, or why there is none."""
    mechanism = random_texts.Mechanism(seed, most=4, is_for_runs=True)
    path = random_mechanisms.Comparison(None, folder).written(mechanism)
    if not path:
        return "no start"
    draw = random.Random(seed)
    of = ["initial.q", "initial.v", *(f"system.{name}" for name in mechanism.parameters if name not in mechanism.follow),
          "scheme.step"]
    start, said = "", []
    schemes = SCHEMES
    if seed % 3 == 0:
        schemes, path = WITH_WALLS, with_wall(livens, folder, path, mechanism, draw)
        if not path:
            return "no wall in its way"
    for scheme in draw.sample(schemes, len(schemes)):
        order = f"order = {draw.choice([2, 4])}\n" if scheme in ("ems", "livens", "rattle", "ggl_mp", "vi_a") else ""
        steps = f'[system]\nfile = "{path.name}"\n[scheme]\nname = "{scheme}"\nstep = 0.025\nend = 0.5\n{order}'
        if seed % 2 == 0 and not start:
            motion = run(livens, folder, f"motion_{seed}", steps, "--backend", "reference")
            if isinstance(motion, str):
                said.append(f"{scheme}: {motion}")
                continue
            start = f"[initial]\np = {motion['trajectories/p'][0, 0].tolist()}\n"
            of[1] = "initial.p"
        found = difference(livens, folder, seed, steps + start, of)
        if isinstance(found, str):
            said.append(f"{scheme}: {found}")
            continue
        # With rows of velocities states have no basis, and without freedom an empty one.
        if seed % 4 == 0 and not mechanism.rows and len(mechanism.g) < len(mechanism.q0):
            of_state = difference_of_state(livens, folder, f"state_{seed}", steps + start)
            found = max(found, (math.inf, of_state) if isinstance(of_state, str) else of_state)
        with h5py.File(folder / f"kernels_{seed}.h5") as file:
            hits = f", {int(file['instances/impact_count'][0, 0])} impacts" if seed % 3 == 0 else ""
        return found[0], f"{scheme} {order.strip()} {path}{hits}: {found[1]}"
    return "; ".join(" ".join(one.split())[:200] for one in said)


def main(livens, directory, texts, count="3", seed="1"):
    folder, livens = Path(directory), os.path.abspath(livens)
    folder.mkdir(parents=True, exist_ok=True)
    compared = wrong = 0
    for compare_one, one in [(compare_rolling, one) for one in ROLLING] + [(compare_walled, one) for one in WALLED] + [
            (compare_state, one) for one in STATES]:
        found = compare_one(livens, folder, texts, *one)
        if isinstance(found, str):
            sys.exit(f"{one}: {found}")
        wrong += not found[0] < BOUND
        print(f"{one}: {found[0]:.1e}, {found[1]}", flush=True)
    for one in range(int(seed), int(seed) + int(count)):
        found = compare(livens, folder, one)
        if isinstance(found, str):
            print(f"{one}: {found}", flush=True)
            continue
        compared += 1
        wrong += not found[0] < BOUND
        print(f"{one}: {found[0]:.1e}, {found[1]}", flush=True)
    print(f"{compared} of {count} texts, {wrong} disagreements")
    return 1 if wrong or 2 * compared < int(count) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
