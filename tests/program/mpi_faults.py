"""One of three MPI ranks fails in one way or another, or was asked for something else: all of them end soon, with its
message and its exit status, and nothing is lost.

usage: mpi_faults.py LIVENS DIRECTORY MPIRUN
"""

import fcntl
import glob
import os
import shutil
import signal
import subprocess
import sys
import time

from datasets import require_same

# 10 s are promised from the failure on; the rest is for mpirun to start, on a machine that has other things to do.
SOON = 10.0 + 10.0
WHOLE = 200.0  # s for a run in which nothing fails
MPIRUN_INTERRUPTED = 1  # what mpirun itself ends with when it is sent a signal, which it hands on to all ranks
LONG = 1_000_000_000  # steps: hours

SPEC = """
[system]
name = "foucault_pendulum"
[scheme]
name = "contact_2"
step = STEP
steps = STEPS
[ensemble]
size = 3072
[[ensemble.vary]]
what = "system.length"
law = "uniform"
low = 50.0
high = 80.0
[output]
every = EVERY
trajectories = 0
checkpoint_every = 0.05
"""


class Ranks:
    """Three ranks, each with its own command, in a directory of their own."""

    def __init__(self, livens, directory, mpirun):
        self.livens, self.directory = livens, directory
        # As root, and on fewer processors than ranks, mpirun wants to be told; "isolated": without ssh.
        self.launcher = [mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "plm", "isolated"]
        self.spec("long.toml", LONG)
        self.spec("short.toml", 400_000)

    def spec(self, name, steps, step="0.01", extra=""):
        text = SPEC.replace("EVERY", str(max(steps // 40, 1))).replace("STEPS", str(steps)).replace("STEP", step)
        with open(os.path.join(self.directory, name), "w") as file:
            file.write(extra + text)

    def start(self, arguments):
        """`arguments` of each rank; the same for all if it is a list of words."""
        each = arguments if isinstance(arguments[0], list) else [arguments] * 3
        commands = []
        for words in each:
            program = words if words[0] == "bash" else [self.livens, "run", "--quiet", "--threads", "1", *words]
            commands += ([":"] if commands else []) + ["-n", "1", *program]
        return subprocess.Popen(self.launcher + commands, cwd=self.directory, stderr=subprocess.PIPE, text=True)

    def expect(self, what, arguments, status, message):
        begun = time.monotonic()
        self.ended(what, self.start(arguments), status, message)
        print(f"{what}: {status}, {time.monotonic() - begun:.1f} s")

    def ended(self, what, process, status, message, within=SOON):
        try:
            said = process.communicate(timeout=within)[1]
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
            raise SystemExit(f"{what}: the ranks were still there after {within:.0f} s") from None
        if process.returncode != status or message not in said:
            raise SystemExit(f"{what}: exit status {process.returncode} for {status}, said:\n{said}")

    def left(self):
        return sorted(os.path.basename(path) for path in glob.glob(os.path.join(self.directory, "*.h5*")))


def wrong_requests(ranks):
    good = ["long.toml", "-o", "r.h5"]
    ranks.spec("unknown.toml", LONG, extra='typo = 1\n')
    ranks.spec("other.toml", LONG, step="0.02")
    for what, odd, status, message in (
        ("a spec that is wrong", ["unknown.toml", "-o", "r.h5"], 2, "unknown.toml:1: typo: unknown key"),
        ("a spec that is another", ["other.toml", "-o", "r.h5"], 2, "differs from rank 0 in the spec"),
        ("other options", [*good, "--seed", "7"], 2, "differs from rank 0 in the options"),
        ("another output", ["long.toml", "-o", "s.h5"], 2, "differs from rank 0 in the output"),
        ("one that would resume", [*good, "--resume"], 2, "differs from rank 0 in --resume"),
        ("an option that is none", [*good, "--progress", "loud"], 2, "loud"),
        ("a result that cannot be written", ["long.toml", "-o", "none/r.h5"], 4, "none/r.h5: cannot be written"),
    ):
        for rank in (0, 1, 2):
            if rank == 1 or what == "a spec that is wrong":
                commands = [good, good, good]
                commands[rank] = odd
                ranks.expect(f"{what}, on rank {rank}", commands, status, message)
                if ranks.left():
                    raise SystemExit(f"{what}: left {ranks.left()}")


def failures_on_the_way(ranks):
    # A disk that fills up under one of them. The limit is in blocks of 1024 bytes.
    run = ["long.toml", "-o", "full.h5"]
    command = 'ulimit -f 256; trap "" XFSZ; exec "$0" run "$@"'
    full = ["bash", "-c", command, ranks.livens, "--quiet", "--threads", "1", *run]
    ranks.expect("a full disk", [run, full, run], 4, "rank 1: full.h5.checkpoint/rank-1-of-3")
    shutil.rmtree(os.path.join(ranks.directory, "full.h5.checkpoint"), ignore_errors=True)

    # One that hears nothing is not waited for. Each notes who it is.
    command = 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec "$0" run "$@"'
    noted = ["bash", "-c", command, ranks.livens, "--quiet", "--threads", "1", "long.toml", "-o", "deaf.h5"]
    process = ranks.start([noted] * 3)
    checkpoints = os.path.join(ranks.directory, "deaf.h5.checkpoint/rank-*/standing")
    until = time.monotonic() + SOON
    while len(glob.glob(checkpoints)) < 3:
        if time.monotonic() > until:
            raise SystemExit("no checkpoints")
        time.sleep(0.05)
    pids = [int(open(os.path.join(ranks.directory, f"pid.{rank}")).read()) for rank in range(3)]
    os.kill(pids[2], signal.SIGSTOP)
    os.kill(pids[1], signal.SIGTERM)
    ranks.ended("a rank that hears nothing", process, 130, "rank 1: interrupted; the checkpoint is in")
    print("a rank that hears nothing: 130")


def checkpoints(ranks):
    """An interrupted run goes on in the same way only, also where a rank had written no checkpoint yet."""
    ranks.ended("a whole run", ranks.start(["short.toml", "-o", "whole.h5"]), 0, "", within=WHOLE)
    place = os.path.join(ranks.directory, "parts.h5.checkpoint")
    process = ranks.start(["short.toml", "-o", "parts.h5", "--set", "output.checkpoint_every=1e-9"])
    until = time.monotonic() + SOON
    while len(glob.glob(place + "/rank-*/standing")) < 3 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    ranks.ended("an interrupted run", process, MPIRUN_INTERRUPTED, "")
    for path in glob.glob(place + "/rank-*/segments"):
        with open(path, "rb") as segments:
            fcntl.flock(segments, fcntl.LOCK_EX)  # the rank has ended
    files = {path: open(path, "rb").read() for path in glob.glob(place + "/rank-*/*")}
    if len(files) != 6:
        raise SystemExit(f"an interrupted run left {sorted(files)}")

    again = ["short.toml", "-o", "parts.h5", "--set", "output.checkpoint_every=1e-9"]
    for what, command in (("one process", [again]), ("two ranks", [again] * 2)):
        for resume in ([], ["--resume"]):
            ranks.expect(f"{what} {' '.join(resume)}", [[*words, *resume] for words in command], 2,
                         "holds an interrupted run of 3 ranks")
    ranks.expect("three ranks anew", again, 2, "holds an interrupted run")
    for path, content in files.items():
        if open(path, "rb").read() != content:
            raise SystemExit(f"{path} has changed")
    for rank in (0, 2):
        shutil.rmtree(f"{place}/rank-{rank}-of-3")
    ranks.expect("a checkpoint on one rank, anew", again, 2, "holds an interrupted run")
    ranks.ended("going on", ranks.start([*again, "--resume"]), 0, "", within=WHOLE)
    require_same(os.path.join(ranks.directory, "whole.h5"), os.path.join(ranks.directory, "parts.h5"))
    if os.path.exists(place):
        raise SystemExit("the checkpoint was left behind")
    print("checkpoints: refused where they do not fit, gone on from where they do")


def main(livens, directory, mpirun):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    ranks = Ranks(os.path.abspath(livens), directory, mpirun)
    wrong_requests(ranks)
    failures_on_the_way(ranks)
    checkpoints(ranks)
    shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
