"""A disk that is full, a directory that is lost, and a million instances: the run ends with status 4 and its checkpoint
is good; the million need less than 2 GiB.

usage: full_disk.py LIVENS DIRECTORY
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from datasets import require_same

SPEC = """
[system]
name = "four_particle"
[scheme]
steps = STEPS
[ensemble]
size = SIZE
[[ensemble.vary]]
what = "initial.v[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.3
[output]
every = EVERY
checkpoint_every = 0.05
"""


def spec(path, size, steps, every):
    text = SPEC.replace("SIZE", str(size)).replace("STEPS", str(steps)).replace("EVERY", str(every))
    with open(path, "w") as file:
        file.write(text)
    return path


def limited(size):
    """A file may not grow beyond `size` bytes, as on a disk that is full."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def full_disk(livens, directory):
    request = spec(os.path.join(directory, "disk.toml"), 2000, 20000, 100)
    whole, result = os.path.join(directory, "whole.h5"), os.path.join(directory, "disk.h5")
    run = [livens, "run", request, "--quiet"]
    subprocess.run(run + ["-o", whole], check=True)
    # Full when the samples grow, later still, and only when the result is written.
    refused = 0
    for size in (1_500_000, 2_500_000, os.path.getsize(whole) // 2):
        ended = subprocess.run(run + ["-o", result, "--resume"], preexec_fn=limited(size), capture_output=True)
        message = ended.stderr.decode()
        if ended.returncode == 0:
            break  # compressed, the result is smaller than the segments
        refused += 1
        if ended.returncode != 4 or "File too large" not in message or os.path.exists(result):
            raise SystemExit(f"a full disk: status {ended.returncode}, {message}")
    if refused < 2:
        raise SystemExit("the disk was never full")
    subprocess.run(run + ["-o", result, "--resume"], check=True)
    require_same(whole, result)
    print("full disk: status 4, the checkpoint is good")


def full_at_the_end(livens, directory):
    """Nothing but the result is written before the disk is full, and it has all values of the instances: they become a
    checkpoint, which is smaller."""
    request = spec(os.path.join(directory, "end.toml"), 60, 200, 200)
    whole, result = os.path.join(directory, "end_whole.h5"), os.path.join(directory, "end.h5")
    run = [livens, "run", request, "--quiet", "--set", "output.checkpoint_every=3600"]
    subprocess.run(run + ["-o", whole], check=True)
    ended = subprocess.run(run + ["-o", result], preexec_fn=limited(os.path.getsize(whole) - 1), capture_output=True)
    if ended.returncode != 4 or not os.path.exists(os.path.join(result + ".checkpoint", "standing")):
        raise SystemExit(f"a disk that is full at the end: status {ended.returncode}, {ended.stderr.decode()}")
    subprocess.run(run + ["-o", result, "--resume"], check=True)
    require_same(whole, result)
    print("full at the end: status 4, the checkpoint is good")


def lost_directory(livens, directory):
    place = os.path.join(directory, "lost")
    os.makedirs(place)
    request = spec(os.path.join(directory, "lost.toml"), 2000, 200000, 1000)
    process = subprocess.Popen(
        [livens, "run", request, "--quiet", "-o", os.path.join(place, "lost.h5")], stderr=subprocess.PIPE
    )
    time.sleep(0.5)
    os.rename(place, place + "_elsewhere")  # at once, whatever is being written
    message = process.communicate()[1].decode()
    if process.returncode != 4 or "No such file or directory" not in message:
        raise SystemExit(f"a lost directory: status {process.returncode}, {message}")
    print("lost directory: status 4")


def million(livens, directory):
    request = spec(os.path.join(directory, "million.toml"), 1_000_000, 4, 2)
    subprocess.run([livens, "run", request, "--quiet", "-o", os.path.join(directory, "million.h5")], check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    size = os.path.getsize(os.path.join(directory, "million.h5"))
    print(f"a million instances: {used / 2**30:.2f} GiB of memory, {size / 2**30:.2f} GiB of results")
    if used > 2 * 2**30:
        raise SystemExit("more than 2 GiB")


if __name__ == "__main__":
    program, scratch = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    full_disk(program, scratch)
    full_at_the_end(program, scratch)
    lost_directory(program, scratch)
    million(program, scratch)
    shutil.rmtree(scratch)
