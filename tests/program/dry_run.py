"""What `livens run --dry-run` says of a run is what the run then does: its peak memory within 20 %, the numbers of the
result file exactly, its length at most what was said; and nothing is written.

usage: dry_run.py LIVENS DIRECTORY [TEXT.toml]
"""

import json
import os
import shutil
import subprocess
import sys
import time

import h5py
import numpy as np

ACCURACY = 0.2  # of the peak memory, as the contract says

RANDOM = """
[[ensemble.vary]]
what = "initial.v[*]"
law = "normal"
mean = 0.0
std = 1.0
mode = "add"
"""
OBSERVED = 'observe = ["kinetic_energy", "potential_energy", "q[0]", "v[1]", "energy"]\n'


def spec(system="name = \"unit_circle\"", scheme="ems", steps=50, size=1000, ensemble="", vary=RANDOM, output=""):
    return (f'[system]\n{system}\n[scheme]\nname = "{scheme}"\nstep = 0.01\nsteps = {steps}\n'
            f"[ensemble]\nsize = {size}\n{ensemble}{vary}[output]\n{output}")


def cases(text):
    """Name, spec, further options."""
    yield "few instances", spec(steps=200), ()
    yield "many instances, in chunks", spec(size=1_500_000, steps=5, output="every = 5\n"), ()
    yield "small chunks", spec(size=400_000, steps=5, output="every = 5\n"), ("--memory", "0.02")
    yield "no checkpoint", spec(size=400_000, steps=5, output="every = 5\ncheckpoint_every = 0\n"), ()
    yield "trajectories", spec(size=2000, steps=1000, output="every = 1\ntrajectories = 1000\n"), ()
    yield "histograms", spec(size=4096, steps=2000, output="every = 1\n" + OBSERVED), ()
    yield "extremes", spec(size=200_000, steps=5, output="every = 5\nextremes = true\n" + OBSERVED), ()
    yield ("a table", spec(size=300_000, steps=5, vary='[ensemble.table]\nfile = "design.npz"\n', output="every = 5\n"),
           ())
    yield ("another system", spec("name = \"foucault_pendulum\"", "contact_2", size=300_000, steps=5,
                                  output="every = 5\n"), ())
    if text:
        yield "a system as text", spec(f'file = "{text}"', "livens", size=100_000, steps=5, output="every = 5\n"), ()


def peak_of(livens, directory, *options):
    """Peak memory of a run in bytes. Asked by a process of its own, small: before exec a child is as large as who
    starts it, and that counts."""
    ask = ("import os, sys\n"
           "child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)\n"
           "_, status, used = os.wait4(child, 0)\n"
           "print(os.waitstatus_to_exitcode(status), used.ru_maxrss)")
    ended = subprocess.run([sys.executable, "-S", "-c", ask, livens, *options], cwd=directory, capture_output=True,
                           text=True)
    status, kibibytes = ended.stdout.split()[-2:]
    if status != "0":
        raise SystemExit(f"{options}: exit status {status}: {ended.stderr}")
    return 1024 * int(kibibytes)


def numbers_in(path):
    """Bytes of all datasets but histograms, and of those that are nothing but the name, or have the names, of an axis."""
    total = 0

    def visit(name, item):
        nonlocal total
        bare = isinstance(item, h5py.Dataset) and str(item.attrs.get("NAME", b"")).find("not a netCDF variable") >= 0
        if isinstance(item, h5py.Dataset) and item.dtype.kind != "O" and not bare and not name.endswith(("/histogram", "/bins")):
            total += item.size * item.dtype.itemsize

    with h5py.File(path) as file:
        file.visititems(visit)
    return total


def design(path):
    generator = np.random.default_rng(1)
    np.savez(path, **{f"initial.v[{k}]": generator.normal(size=300_000) for k in range(2)})


def main(livens, directory, text=""):
    livens = os.path.abspath(livens)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    design(os.path.join(directory, "design.npz"))
    worst = 0.0
    for name, text_of_spec, options in cases(text and os.path.abspath(text)):
        with open(os.path.join(directory, "s.toml"), "w") as file:
            file.write(text_of_spec)
        before = sorted(os.listdir(directory))
        call = [livens, "run", "s.toml", "-o", "r.h5", *options]
        ended = subprocess.run([*call, "--dry-run", "--json"], cwd=directory, capture_output=True, text=True)
        if ended.returncode != 0:
            raise SystemExit(f"{name}: {ended.stderr}")
        if sorted(os.listdir(directory)) != before:
            raise SystemExit(f"{name}: --dry-run has left {os.listdir(directory)}")
        said = json.loads(ended.stdout)
        start = time.monotonic()
        peak = peak_of(livens, directory, *call[1:], "--quiet")
        seconds = time.monotonic() - start
        result = os.path.join(directory, "r.h5")
        ratio = said["memory_bytes"]["peak"] / peak
        worst = max(worst, abs(ratio - 1))
        length, numbers = os.path.getsize(result), numbers_in(result)
        print(f"{name:28}{peak / 2**20:8.1f} MiB, {ratio:5.2f} of it said; file {length / 2**20:8.1f} MiB of at most "
              f"{said['file_bytes']['most'] / 2**20:8.1f}; {seconds:.2g} s of {said['estimated_seconds']:.2g} s said")
        if said["file_bytes"]["numbers"] != numbers:
            raise SystemExit(f"{name}: {numbers} bytes of numbers, and {said['file_bytes']['numbers']} were said")
        if length > said["file_bytes"]["most"]:
            raise SystemExit(f"{name}: the file has {length} bytes")
        os.remove(result)
    if worst > ACCURACY:
        raise SystemExit(f"the peak memory is off by {100 * worst:.0f} %")
    shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
