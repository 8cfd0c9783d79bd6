"""One ensemble in one run, in 7 uneven shards merged, by 3 MPI ranks, with 1 and 2 threads, in small portions, and
interrupted: the datasets have to be identical.

usage: cuts.py LIVENS DIRECTORY [MPIRUN]
"""

import os
import shutil
import signal
import subprocess
import sys
import time

from datasets import datasets, require_same

SPEC = """
[system]
name = "four_particle"
[scheme]
name = "SCHEME"
step = 0.02
steps = 400
[ensemble]
size = 9500
[[ensemble.vary]]
what = "initial.v[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.5
[[ensemble.vary]]
what = "system.stiffness[1]"
law = "uniform"
low = 5.0
high = 15.0
STEPS
[output]
trajectories = 1200
observe = ["q[9]", "kinetic_energy", "energy_error"]
sampling = "log"
"""
VARIED_STEPS = """
[[ensemble.vary]]
what = "scheme.step"
law = "uniform"
low = 0.01
high = 0.05
[output]
interval = 0.5
"""


def main(livens, directory, mpirun=None):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for name, scheme, varied in (("shared", "ems", False), ("varied", "ggl_vi", True)):
        spec = os.path.join(directory, name + ".toml")
        text = SPEC.replace("SCHEME", scheme)
        if varied:
            text = text.replace("STEPS\n[output]\n", VARIED_STEPS).replace('sampling = "log"\n', "")
        with open(spec, "w") as file:
            file.write(text.replace("STEPS\n", ""))

        def path(of):
            return os.path.join(directory, f"{name}-{of}.h5")

        def run(of, *options, launcher=()):
            subprocess.run([*launcher, livens, "run", spec, "--quiet", "-o", path(of), *options], check=True)
            return path(of)

        whole = run("whole")
        if len(datasets(whole)) < 40:
            raise SystemExit("datasets are missing")
        require_same(whole, run("one-thread", "--threads", "1"))
        require_same(whole, run("two-threads", "--threads", "2"))
        require_same(whole, run("portions", "--memory", "1e-4"))
        parts = [run(f"part{i}", "--shard", f"{i}/7") for i in range(7)]
        subprocess.run([livens, "merge", *parts, "-o", path("merged")], check=True, stdout=subprocess.DEVNULL)
        require_same(whole, path("merged"))
        if mpirun:
            # As root, and on fewer processors than ranks, mpirun wants to be told; "isolated": without ssh.
            ranks = [mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "plm", "isolated", "-n", "3"]
            require_same(whole, run("ranks", "--threads", "1", launcher=ranks))
            if os.path.exists(path("ranks") + ".checkpoint"):
                raise SystemExit("the ranks left their checkpoints behind")
        process = subprocess.Popen([livens, "run", spec, "--quiet", "-o", path("stopped")], stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        status = process.wait()
        if status not in (0, 130):
            raise SystemExit(f"an interrupted run ended with {status}")
        if status == 130:
            run("stopped", "--resume")
        require_same(whole, path("stopped"))
        print(f"{name}: the same in every way" + ("" if mpirun else " (without MPI)"))


if __name__ == "__main__":
    main(*sys.argv[1:])
