"""Whatever is observed, under whatever name: it is refused before the first step, by --dry-run in the same words, or the
result can be written and read, by livens, by xarray and as one netCDF file. Names that --dry-run takes go into results
together, or alone where they exclude each other.

The names tried are all that occur in a result, as groups, datasets, axes or parts of these.

usage: names.py LIVENS DIRECTORY; exits with 77 where a library is missing
"""

import os
import re
import shutil
import subprocess
import sys

from in_xarray import differing, h5py, numpy, xarray

SPEC = """
[system]
name = "unit_circle"
[scheme]
name = "rattle"
steps = 3
[ensemble]
size = 2
[[ensemble.vary]]
what = "initial.v[0:2]"
law = "normal"
mode = "add"
std = 0.1
mean = 0.0
shared = false
[output]
every = 1
energy_bound = 1e-3
extremes = true
observe = [{observe}]
{joint}
"""
JOINT = "[[output.joint]]\nof = ['{0}', 'energy']\nat = 'samples'\n"
# What Python has of its own on the way to a name.
OF_PYTHON = ["values", "data", "mean", "attrs", "dims", "coords", "class", "keys", "items", "ok", "close", "_x", "None"]


def run(*arguments):
    return subprocess.run([str(one) for one in arguments], capture_output=True, text=True)


def words_of(path):
    """Everything between slashes, brackets and dots, with and without what stands before an underscore."""
    words = set(OF_PYTHON) | {"constraint_row", "joint", "histogram"}
    with h5py.File(path) as file:
        paths = []
        file.visit(paths.append)
        for one in paths + list(file.attrs):
            for part in one.split("/"):
                words.add(part)
                words.add(re.sub(r"^(final|min|max|initial)_", "", part))
    return sorted(word for word in words if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word))


class Check:
    def __init__(self, livens, directory):
        self.livens, self.directory, self.problems = livens, directory, []
        self.result = os.path.join(directory, "result.h5")
        self.refused = 0

    def expect(self, holds, what):
        if not holds:
            self.problems.append(what)
        return holds

    def arguments(self, observe, joint):
        """The call of a run, whose spec stands there."""
        spec = os.path.join(self.directory, "spec.toml")
        with open(spec, "w") as file:
            file.write(SPEC.format(observe=observe, joint=joint))
        return [self.livens, "run", spec, "-o", self.result, "--backend", "reference", "--force", "--quiet"]

    def is_taken(self, observe, joint):
        return run(*self.arguments(observe, joint), "--dry-run").returncode == 0

    def one(self, name, observe, joint=""):
        result = self.result
        for left in (result, f"{result}.checkpoint"):
            shutil.rmtree(left, ignore_errors=True)
        arguments = self.arguments(observe, joint)
        tried, ran = run(*arguments, "--dry-run"), run(*arguments)
        self.expect(tried.returncode == ran.returncode, f"{name}: --dry-run {tried.returncode}, a run {ran.returncode}")
        if ran.returncode != 0:
            self.refused += 1
            self.expect(ran.returncode == 2 and tried.stderr == ran.stderr and "spec.toml:" in ran.stderr,
                        f"{name}: {ran.returncode}: {ran.stderr}")
            return None
        self.readable(name, result)
        return result

    def readable(self, name, result):
        flat = os.path.join(self.directory, "flat.nc")
        for arguments in (["info", result], ["export", result, "netcdf", "-o", flat, "--force"],
                          ["export", result, "csv", "-o", os.path.join(self.directory, "csv"), "--force"]):
            called = run(self.livens, *arguments)
            self.expect(called.returncode == 0, f"{name}: {' '.join(arguments[:3])}: {called.stderr}")
        try:
            with h5py.File(result) as file:
                quantities = [f"statistics/{one}" for one in file["statistics"] if "mean" in file["statistics"][one]]
            for group in ["instances", "trajectories", "statistics", *quantities]:
                different = differing(result, group)
                self.expect(not different, f"{name}: {different} of {group} differ in xarray")
            with xarray.open_dataset(flat, engine="h5netcdf") as opened:
                opened.load()
        except Exception as problem:
            self.problems.append(f"{name}: {type(problem).__name__}: {problem}")


def main(livens, directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    check = Check(livens, directory)
    quantities = ["constraint", "velocity_constraint", "momentum_error", "energy_error", "dissipated_energy", "work",
                  "energy", "kinetic_energy", "potential_energy", "total_energy", "q[0]", "v[1]", "p[0]", "momentum[0]",
                  "constraint[0]", "velocity_constraint[0]"]
    for name in quantities:
        if name != "energy":
            check.expect(check.is_taken(f"'{name}'", JOINT.format(name)), f"{name} can be observed, and was refused")
    whole = check.one("all", ", ".join(f"'{name}'" for name in quantities), JOINT.format("q[0]"))
    with h5py.File(whole) as file:
        values, maxima = file["trajectories/constraint"][()], file["trajectories/constraint[0]"][()]
        check.expect(numpy.array_equal(values, abs(maxima)), "constraint is not the norm of its one component")
        check.expect("constraint_row" in file["trajectories"], "the axis of the multipliers has no name of its own")
    check.expect(check.refused == 0, "the quantities that can be observed were refused together")
    names = words_of(whole)
    observing = {name: f"{{ name = '{name}', expression = '2*q[0]' }}" for name in names}
    taken = []
    for name in names:
        if check.is_taken(observing[name], JOINT.format(name)):
            taken.append(name)
        else:
            check.expect(check.one(name, observing[name], JOINT.format(name)) is None, f"{name}: --dry-run refused it")

    def numbers_of(some):
        observe, joints = ", ".join(observing[name] for name in some), "".join(map(JOINT.format, some))
        if len(some) > 1 and not check.is_taken(observe, joints):
            numbers_of(some[: len(some) // 2])
            numbers_of(some[len(some) // 2 :])
            return
        result = check.one(" ".join(some), observe, joints)
        check.expect(result is not None, f"{some}: refused, but not by --dry-run")
        if result is None:
            return
        with h5py.File(result) as file:
            for name in some:
                check.expect(numpy.array_equal(file[f"trajectories/{name}"][()], 2 * file["trajectories/q"][:, :, 0]),
                             f"{name}: other numbers")

    for begin in range(0, len(taken), 8):
        numbers_of(taken[begin : begin + 8])
    # Two names that are one in the netCDF file: final_mean of "mean", and the mean of "final".
    two = "{ name = 'final', expression = 'q[0]' }, { name = 'mean', expression = 'q[1]' }"
    check.expect(check.one("final and mean", two) is None, "final and mean stand together")
    print(f"{len(taken)} names written and read, {check.refused} refused")
    for problem in check.problems:
        print(problem)
    return 1 if check.problems or check.refused < 20 or len(taken) < 40 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
