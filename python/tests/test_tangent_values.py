"""Derivatives of the discrete motion against those of an independent program.

It takes the printed equations in full form, their matrices by complex steps and the implicit function theorem step by
step, in 80 bits. The bound is that of docs/equations/tangents.md, section 6: a hundred roundings a step of the largest
entry.
Each case compiles a pair: with LIVENS_ALL_TANGENTS set all of them run, else the one that compiles first.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import livens as lv

here = Path(__file__).parent / "tangent_values"
cases = json.loads((here / "cases.json").read_text())
runs = [name for name in cases if name == "unit_circle-vi_b" or os.environ.get("LIVENS_ALL_TANGENTS")]


@pytest.mark.parametrize("name", runs)
@pytest.mark.parametrize("steps", ["50", "200"])
def test_values_of_another_program(name, steps, tmp_path):
    spec = tmp_path / "spec.toml"
    spec.write_text(cases[name]["spec"][steps] + f"\n[tangent]\nof = {json.dumps(cases[name]['of'])}\n")
    tangent = lv.Ensemble.from_toml(spec).run().tangent
    values = np.load(here / "values.npz")
    for of, found in (("dq", tangent.final_q), ("dp", tangent.final_p)):
        expected = values[f"{name}/{of}{steps}"]
        bound = 1e2 * 2.0**-53 * int(steps) * abs(expected).max()
        assert abs(found.values[0] - expected).max() <= bound
