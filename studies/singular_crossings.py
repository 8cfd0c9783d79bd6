"""Failures per passage of a singular position: singular_crossings.toml with ems and ggl_vi, with and without retries.

usage: singular_crossings.py [SCHEME RETRY SIZE] ...

A passage is a step in which sin theta changes its sign (singular_crossings). Without retries an instance ends at its first
failure, and its passages until then are what failures are counted over: of a constant chance per passage, failures are
Poisson's, and the interval is the exact one of 95 %, by quantiles of chi^2. Where they failed is said by the median of
|sin theta| there. Forms: what livens chooses, the reduced ones, of 1 unknown and of 6. docs/measurements/singular_crossings.txt is
what the defaults print, in some ten minutes of one core.
"""

import pathlib
import sys

import numpy as np
from scipy.stats import chi2

import livens as lv

HERE = pathlib.Path(__file__).parent
# A million passages where no failure is expected; where many are, a tenth of it tells their rate to a twentieth.
RUNS = ("ems 0 1024", "ems 2 1024", "ggl_vi 0 2048", "ggl_vi 2 256")


def interval(count: int) -> tuple[float, float]:
    return (chi2.ppf(0.025, 2 * count) / 2 if count else 0.0), chi2.ppf(0.975, 2 * count + 2) / 2


def main(arguments: list[str]) -> None:
    runs = [" ".join(arguments[k:k + 3]) for k in range(0, len(arguments), 3)] or RUNS
    study = lv.Ensemble.from_toml(HERE / "singular_crossings.toml")
    for scheme, retry, size in map(str.split, runs):
        run = study.replace(scheme=study.scheme.replace(scheme, retry=int(retry)), size=int(size)).run()
        of = run.instances
        passages, failed = int(of.singular_crossings.sum()), of.status.values != 0
        low, high = interval(int(failed.sum()))
        print(f"{scheme}, retry = {retry}: {size} instances, {passages} passages, {failed.sum()} failures, "
              f"{failed.sum() / passages:.2e} a passage ({low / passages:.2e} to {high / passages:.2e}), "
              f"{int(of.retried_steps.sum())} steps redone in parts")
        if failed.any():
            print(f"    median |sin theta| where they failed {np.median(np.abs(of.final_q.values[failed, 3])):.1e}")
        kept = of.max_energy_error.values[~failed]
        if len(kept):
            print(f"    energy error of the others, median {np.median(kept):.1e} J, largest {kept.max():.1e} J", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
