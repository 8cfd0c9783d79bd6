"""A run that is asked to end does so within two seconds, whatever it is doing, and goes on later with the same bits; a
small stack and steps that cannot be counted end no run.

usage: interrupts.py LIVENS DIRECTORY
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
from datasets import require_same

PENDULUM = """
system.name = "foucault_pendulum"
scheme = { SCHEME }
ensemble = { size = SIZE, vary = [{ what = "system.length", law = "uniform", low = 50.0, high = 80.0 }] }
output = { OUTPUT }
"""


def pendulum(scheme, size, output):
    return PENDULUM.replace("SCHEME", scheme).replace("SIZE", str(size)).replace("OUTPUT", output)


class Runs:
    def __init__(self, livens, directory):
        self.livens, self.directory = os.path.abspath(livens), directory

    def command(self, name, *options):
        threads = () if "--threads" in options else ("--threads", "1")
        return [self.livens, "run", f"{name}.toml", "--quiet", "--force", *threads, *options]

    def spec(self, name, text):
        with open(os.path.join(self.directory, f"{name}.toml"), "w") as file:
            file.write(text)

    def path(self, name):
        return os.path.join(self.directory, name)

    def run(self, name, *options, status=0, **more):
        ended = subprocess.run(self.command(name, *options), cwd=self.directory, capture_output=True, text=True, **more)
        if ended.returncode != status:
            raise SystemExit(f"{name}: exit status {ended.returncode} for {status}, said '{ended.stderr}'")
        return ended.stderr

    def stop(self, name, after, *options, by=signal.SIGTERM):
        """Returns the exit status, what was said, and how long the end took."""
        process = subprocess.Popen(self.command(name, *options), cwd=self.directory, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        process.send_signal(by)
        asked = time.monotonic()
        try:
            said = process.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            raise SystemExit(f"{name}: still there after 60 s") from None
        return process.returncode, said, time.monotonic() - asked

    def stop_soon(self, name, by):
        shutil.rmtree(self.path(f"{name}.h5.checkpoint"), ignore_errors=True)
        status, said, seconds = self.stop(name, 1.0, by=by)
        if status != 130 or seconds > 2.0:
            raise SystemExit(f"{name}: ended with {status} after {seconds:.2f} s, said '{said}'")
        print(f"{name}: {seconds:.2f} s, {said.strip()}")


def without_end(runs, systems):
    """One call of the solver that takes minutes: a million seconds to the next node, or Newton's method without end."""
    for scheme in ("reference_ode", "reference_dae"):
        runs.spec(scheme, pendulum(f'name = "{scheme}", step = 1e6, steps = 10', 64, "every = 1"))
        for by in (signal.SIGTERM, signal.SIGINT):
            runs.stop_soon(scheme, by)
    runs.spec("error_against", pendulum('name = "contact_2", step = 1e6, steps = 10', 64,
                                        'every = 1, error_against = "reference_ode"'))
    runs.stop_soon("error_against", signal.SIGTERM)
    if "unit_circle" in systems:
        # No residual of the full form is that small for every instance, and each iteration is counted.
        runs.spec("newton", """
            system.name = "unit_circle"
            scheme = { name = "ems", form = "full", newton = { tolerance = 1e-300, max_iterations = 2147483647 } }
            ensemble = { size = 4096, vary = [{ what = "initial.v[1]", law = "uniform", low = 0.5, high = 1.5 }] }
        """)
        for by in (signal.SIGTERM, signal.SIGINT):
            runs.stop_soon("newton", by)


def the_same_after_all(runs):
    """Interrupted at many moments, in the true motion and in the run, with other portions and threads."""
    runs.spec("compared", pendulum('name = "contact_2", step = 0.1, steps = 300', 1100,
                                   'every = 30, trajectories = 1050, error_against = "reference_ode", '
                                   "checkpoint_every = 0.05"))
    begun = time.monotonic()
    runs.run("compared", "-o", "whole.h5")
    seconds = time.monotonic() - begun
    moments, ways, interrupted = 6, ((), ("--memory", "1e-4"), ("--threads", "2")), 0
    for i in range(moments):
        status, said, _ = runs.stop("compared", seconds * (i + 0.5) / moments, "-o", "parts.h5", "--resume",
                                    *ways[i % len(ways)])
        if status == 130:
            interrupted += 1
            if "--resume goes on" not in said or not os.path.exists(runs.path("parts.h5.checkpoint/standing")):
                raise SystemExit(f"compared: no checkpoint, said '{said}'")
        elif status != 0:
            raise SystemExit(f"compared: exit status {status}, said '{said}'")
    runs.run("compared", "-o", "parts.h5", "--resume")
    require_same(runs.path("whole.h5"), runs.path("parts.h5"))
    if interrupted < 2 or os.path.exists(runs.path("parts.h5.checkpoint")):
        raise SystemExit(f"compared: {interrupted} times interrupted, or the checkpoint was left behind")
    print(f"compared with the true motion: the same after {interrupted} interrupts")


def small_stack(runs, pairs):
    """The form with the most unknowns there is, whose step has the largest matrices."""
    size, pair = max((pair["forms"].get("full", 0), (pair["system"], pair["scheme"])) for pair in pairs
                     if not pair["scheme"].startswith("reference_"))
    runs.spec("stack", f"""
        system.name = "{pair[0]}"
        scheme = {{ name = "{pair[1]}", form = "full", steps = 2 }}
        ensemble.size = 3000
    """)
    runs.run("stack", "-o", "roomy.h5")

    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, 256 << 10))

    for threads in ("1", "4"):
        runs.run("stack", "-o", "small.h5", "--threads", threads, preexec_fn=limit)
        require_same(runs.path("roomy.h5"), runs.path("small.h5"))
    print(f"a stack of 256 KiB: {pair[1]} on {pair[0]} with {size} unknowns")


def uncountable_steps(runs):
    """A step so small that the steps to the end are more than 2^53 is a failure of its own instance. The last of these
    cannot start for another reason."""
    grid = ('vary = [{ what = "scheme.step", law = "values", values = [0.05, 1e-16] }, '
            '{ what = "system.length", law = "values", values = [67.0, -1.0] }]')
    spec = pendulum('name = "contact_2", end = 2000.0', 4, "interval = 0.5")
    spec = spec[:spec.index("vary =")] + grid + spec[spec.index(" }\noutput"):]
    for name, instances, statuses in (("alone", [0], [0]), ("beside_one_that_fails", [0, 3], [0, 6]),
                                      ("beside_all", [0, 1, 2, 3], [0, 6, 6, 6])):
        runs.spec(name, spec.replace("size = 4,", f"size = 4, instances = {instances},"))
        runs.run(name, "-o", f"{name}.h5", timeout=120)
        with h5py.File(runs.path(f"{name}.h5")) as result:
            status, final = result["instances/status"][:], result["instances/final_q"][0]
            steps = result.attrs["steps"]
        if name == "alone":
            expected = final
        if list(status) != statuses or steps != 40000 or not np.array_equal(final, expected):
            raise SystemExit(f"{name}: statuses {status}, {steps} steps, final {final} for {expected}")
    print("uncountable steps: invalid_parameter, and the others are as they are alone")


def main(livens, directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    runs = Runs(livens, directory)
    listed = json.loads(subprocess.run([runs.livens, "list", "--json"], capture_output=True, check=True).stdout)
    pairs = [pair for pair in listed["pairs"] if pair["compiled"]]
    uncountable_steps(runs)
    small_stack(runs, pairs)
    if any(pair["scheme"] == "reference_ode" for pair in pairs):
        without_end(runs, [system["name"] for system in listed["systems"] if system["compiled"]])
        the_same_after_all(runs)
    shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
