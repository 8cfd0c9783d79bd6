"""run.tangent: derivatives by their names, of a run in memory and of one in a file."""

import numpy as np
import pytest
import xarray as xr

import livens as lv

names = ["initial.v[1]", "system.radius", "scheme.step"]


@pytest.fixture
def moved(circle):
    return circle.replace(observe=[{"name": "height", "expression": "2*q[1]"}], tangent={"of": names})


def test_shapes_and_labels(moved):
    run = moved.run()
    tangent = run.tangent
    assert set(tangent.data_vars) == {"final_q", "final_p", "final_v", "final_height"}
    assert tangent.final_q.sizes == {"instance": 16, "coordinate": 2, "wrt": 3}
    assert tangent.final_height.sizes == {"instance": 16, "wrt": 3}
    assert tangent.wrt.values.tolist() == names
    assert tangent.final_q.attrs["unit"] == "SI" and tangent.final_q.attrs["long_name"]
    np.testing.assert_array_equal(tangent.instance, run.instances.instance)
    np.testing.assert_array_equal(2 * tangent.final_q.isel(coordinate=1), tangent.final_height)


def test_they_are_the_slopes_of_the_final_state(moved):
    delta = 1e-5
    one = moved.replace(vary={}, size=1)
    there, back = (one.replace(initial={"v": [0.0, value]}).run().instances.final_q[0] for value in (1 + delta, 1 - delta))
    slope = one.replace(initial={"v": [0.0, 1.0]}).run().tangent.final_q.sel(wrt="initial.v[1]")[0]
    np.testing.assert_allclose(slope, (there - back) / (2 * delta), atol=1e-8)


def test_memory_and_file_are_the_same(moved, tmp_path):
    memory, file = moved.run(), moved.run(file=tmp_path / "run.h5")
    xr.testing.assert_identical(memory.tangent, file.tangent.load())
    with xr.open_dataset(tmp_path / "run.h5", group="tangent", engine="h5netcdf") as read:
        assert read.wrt.values.tolist() == names
        np.testing.assert_array_equal(read.final_q, memory.tangent.final_q)


def test_exponents_are_of_the_instances(circle):
    run = circle.replace(tangent={"lyapunov": {"count": 2, "every": 5}}).run()
    assert run.instances.lyapunov.sizes == {"instance": 16, "exponent": 2}
    assert run.instances.lyapunov.attrs["units"] == "1/s"
    with pytest.raises(lv.SpecError, match="no derivatives"):
        run.tangent


def test_exponents_are_of_the_time_to_the_last_orthonormalisation(circle):
    of = {"lyapunov": {"count": 2, "every": 5}}
    at = {steps: circle.replace(scheme=circle.scheme.replace(steps=steps, end=None), every=1, interval=None,
                                tangent=of).run().instances.lyapunov.values for steps in (4, 20, 23)}
    np.testing.assert_array_equal(at[20], at[23])
    assert np.isnan(at[4]).all()


def test_a_run_without_says_what_to_ask_for(circle):
    with pytest.raises(lv.SpecError, match="tangent"):
        circle.run().tangent
