"""A GPU fails in the middle of a run: the message says which, and the run goes on from what was done before. More
instances than its memory holds go there in chunks.

usage: failing_device.py LIVENS DIRECTORY      LIVENS: the program with imitated GPUs
"""

import os
import shutil
import subprocess
import sys

from datasets import require_same

SPEC = """
[system]
name = "four_particle"
[scheme]
name = "ems"
steps = 200
[ensemble]
size = 10000
[[ensemble.vary]]
what = "initial.v[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.3
[output]
every = 20
trajectories = 8
"""


def main(livens, directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    spec, whole, result = (os.path.join(directory, name) for name in ("failing.toml", "whole.h5", "result.h5"))
    with open(spec, "w") as file:
        file.write(SPEC)
    subprocess.run([livens, "run", spec, "--quiet", "--backend", "cpu", "-o", whole], check=True)

    # The last chunk is a short block, of the first device.
    run = [livens, "run", spec, "--quiet", "--memory", "3e-3", "--devices", "0,1", "-o", result]
    environment = os.environ | {"LIVENS_IMITATION_FAILS": "9300"}
    failing = subprocess.run(run, env=environment, capture_output=True, text=True)
    print(failing.stderr, end="")
    for part in ("imitation (device 0)", ", instances 9216 to 9999: CUDA: advance of ems", "; --resume goes on from "):
        if part not in failing.stderr:
            raise SystemExit(f"the message does not say '{part}'")
    if failing.returncode != 4 or os.path.exists(result):
        raise SystemExit(f"the run ended with {failing.returncode}")
    if subprocess.run(run, stderr=subprocess.DEVNULL).returncode != 2:
        raise SystemExit("there is no checkpoint to go on from")
    subprocess.run(run + ["--resume"], check=True)
    require_same(whole, result)

    many = ["run", spec, "--quiet", "--force", "--memory", "64", "--set", "ensemble.size=600000", "--set", "scheme.steps=1",
            "--set", "output.every=1"]
    subprocess.run([livens] + many + ["--backend", "cpu", "-o", whole], check=True)
    subprocess.run([livens] + many + ["--backend", "cuda", "-o", result], check=True)
    require_same(whole, result)


main(sys.argv[1], sys.argv[2])
