"""On a file system without flock runs begin, exclude each other and go on after a kill, and what is compiled on first use
is whole, whoever compiles it at the same time.

usage: no_flock.py LIVENS SOURCE_DIRECTORY DIRECTORY COMPILER
"""

import errno
import signal
import subprocess
import sys
import time

from place import Place, expect

from datasets import require_same  # of tests/program

SHIM = """
#include <cerrno>
#include <cstdlib>
extern "C" int flock(int, int) {
  errno = std::atoi(std::getenv("FLOCK_FAILS_WITH"));
  return -1;
}
"""

SPEC = """
[system]
name = "unit_circle"
[scheme]
name = "ems"
step = 0.05
steps = 40
[ensemble]
size = 3000
[[ensemble.vary]]
what = "initial.v[1]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
"""


class WithoutFlock(Place):
    def __init__(self, livens, source, directory, compiler):
        super().__init__(livens, source, directory, SPEC)
        (self.directory / "shim.cpp").write_text(SHIM)
        shim = self.directory / "shim.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, self.directory / "shim.cpp"], check=True)
        self.environment |= {"LD_PRELOAD": str(shim), "FLOCK_FAILS_WITH": str(errno.ENOSYS)}

    def checkpoint(self, name):
        return self.directory / (name + ".checkpoint")


def runs(place):
    plain = {k: v for k, v in place.environment.items() if k != "LD_PRELOAD"}
    subprocess.run([place.livens, "run", place.spec, "-o", "locked.h5", "--quiet"], env=plain, cwd=place.directory, check=True)
    for number in (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK):
        for every in ("0", "0.001", "600"):
            place.run("free.h5", "--set", f"output.checkpoint_every={every}", FLOCK_FAILS_WITH=str(number))
            # The spec is another by checkpoint_every, and no dataset.
            require_same(place.directory / "locked.h5", place.directory / "free.h5")
            expect(not place.checkpoint("free.h5").exists(), "a checkpoint is left")


def begun(place, name):
    """A run that goes on for longer than a test, with a checkpoint."""
    process = place.start("run", place.spec, "-o", name, "--quiet", "--set", "scheme.steps=200000000", "--set",
                          "output.every=10000", "--set", "output.checkpoint_every=0.1", "--threads", "1")
    while not (place.checkpoint(name) / "standing").exists():
        expect(process.poll() is None, "it has ended:", process.poll() is not None and process.communicate())
        time.sleep(0.01)
    return process


def one_at_a_time(place):
    process = begun(place, "held.h5")
    said = place.call("run", place.spec, "-o", "held.h5", "--resume", expected=4)
    expect(f"is being written by process {process.pid} on " in said and "claim-" in said, said)
    process.send_signal(signal.SIGKILL)
    process.wait()
    claims = list(place.checkpoint("held.h5").glob("claim-*"))
    expect(len(claims) == 1, "what a killed run leaves:", claims)
    # It has ended, and what it has left is taken over.
    process = place.start("run", place.spec, "-o", "held.h5", "--quiet", "--resume", "--set", "scheme.steps=200000000", "--set",
                          "output.every=10000", "--set", "output.checkpoint_every=0.1", "--threads", "1")
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    expect(process.returncode == 130, process.returncode, output, errors)
    # Of another machine nothing is known, but what can be done is said.
    stranger = place.checkpoint("held.h5") / "claim-0-77-1-0123.456-elsewhere"
    stranger.touch()
    said = place.call("run", place.spec, "-o", "held.h5", "--resume", expected=4)
    expect("process 77 on elsewhere" in said and str(stranger.name) in said and "remove this file" in said, said)


def many_at_once(place):
    """Each may compile what all need; what is kept is whole, and nothing else is left."""
    text = place.directory / "text.toml"
    text.write_text('[system]\nfile = "own.toml"\n[scheme]\nname = "ems"\nstep = 0.1\nsteps = 2\n')
    processes = [place.start("compile", text) for _ in range(4)]
    said = [process.communicate() for process in processes]
    expect(all(process.returncode == 0 for process in processes), said)
    left = [path.name for path in place.cache.iterdir() if path not in place.entries() or path.name.startswith("unfinished")]
    expect(left == [], left)


if __name__ == "__main__":
    place = WithoutFlock(*sys.argv[1:5])
    runs(place)
    one_at_a_time(place)
    many_at_once(place)
    print("runs, locks and objects without flock")
