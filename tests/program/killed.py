"""A run is killed (SIGKILL) at random moments and resumed each time: every dataset has to be that of a run in one go.

usage: killed.py LIVENS DIRECTORY [KILLS]
"""

import os
import random
import shutil
import subprocess
import sys
import time

from datasets import require_same

SPEC = """
[system]
name = "four_particle"
[scheme]
name = "ems"
steps = 20000
[ensemble]
size = 3000
[[ensemble.vary]]
what = "initial.v[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.3
[output]
every = 250
trajectories = 1500
checkpoint_every = 0.02
energy_bound = 1e-15
"""


def main(livens, directory, kills=20):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    spec, whole, result = (os.path.join(directory, name) for name in ("killed.toml", "whole.h5", "killed.h5"))
    with open(spec, "w") as file:
        file.write(SPEC)
    # Three chunks, so that some of the kills come between the end of one and the beginning of the next.
    run = [livens, "run", spec, "--quiet", "--memory", "1e-4"]
    begun = time.monotonic()
    subprocess.run(run + ["-o", whole], check=True)
    seconds = time.monotonic() - begun

    moments = random.Random(1)
    done, completed, resumed = 0, 0, 0
    while done < kills:
        resumed += os.path.exists(result + ".checkpoint/standing")
        process = subprocess.Popen(run + ["-o", result, "--resume"], stderr=subprocess.DEVNULL)
        try:
            status = process.wait(moments.uniform(0.0, 0.3 * seconds))
            if status != 0:
                raise SystemExit(f"a resumed run ended with {status}")
            require_same(whole, result)
            completed += 1
            os.remove(result)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            done += 1
    subprocess.run(run + ["-o", result, "--resume"], check=True)
    require_same(whole, result)
    leftover = os.path.exists(result + ".checkpoint")
    print(f"killed {done} times, {resumed} times from a checkpoint, {completed + 1} runs completed, all the same")
    if leftover or resumed < kills // 2:
        raise SystemExit("the checkpoint was left behind, or hardly ever used")


def killed_merge(livens, directory):
    """What a merge has written when it is killed goes with the next one."""
    spec, joined = os.path.join(directory, "killed.toml"), os.path.join(directory, "joined.h5")
    parts = [os.path.join(directory, f"part{i}.h5") for i in range(2)]
    for i, part in enumerate(parts):
        subprocess.run([livens, "run", spec, "--quiet", "--size", "60000", "--steps", "2", "-o", part, "--shard", f"{i}/2"],
                       check=True)
    before = set(os.listdir(directory))

    def left():
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(directory) for name in names]
        return [path for path in paths if ".partial-" in path]

    def written():
        try:
            return any(os.path.getsize(path) > 0 for path in left())
        except FileNotFoundError:
            return False

    process = subprocess.Popen([livens, "merge", *parts, "-o", joined], stdout=subprocess.DEVNULL)
    while not written():
        if process.poll() is not None:
            raise SystemExit("the merge was done before it could be killed")
    process.kill()
    process.wait()
    if not left():
        raise SystemExit("a killed merge left nothing; the test means nothing")
    subprocess.run([livens, "merge", *parts, "-o", joined], check=True, stdout=subprocess.DEVNULL)
    if left() or set(os.listdir(directory)) != before | {"joined.h5"}:
        raise SystemExit(f"a killed merge left {left()}")
    print("a killed merge: nothing is left after the next one")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *(int(count) for count in sys.argv[3:]))
    killed_merge(*sys.argv[1:3])
