"""Fits, functions of jax, exponents: what is made of run.tangent, against runs without it."""

import sys
from pathlib import Path

import numpy as np
import pytest

import livens as lv

DOCUMENTS = Path(__file__).parents[2] / "docs"
of = ["system.damping", "system.radius"]
outputs = ["q", "v[0]", "height"]


@pytest.fixture
def motion():
    """One damped motion on a circle, with an expression."""
    return lv.Ensemble(lv.systems.unit_circle(radius=0.9, damping=0.1), lv.schemes.ems(step=0.1, end=1.0, tolerance=0),
                       observe=[{"name": "height", "expression": "2*q[1]"}])


def with_values(study, damping, radius):
    return study.replace(system=study.system.replace(damping=damping, radius=radius))


def measured(study, *values):
    """What a run without tangents has at the end."""
    run = with_values(study, *values).run()
    return {"q": run.final.q[0], "v[0]": run.final.v[0, 0], "height": run.instances.final_height.values[0]}


def flat(values):
    return np.concatenate([np.ravel(values[name]) for name in outputs])


def differences(study, x):
    """By central differences: an error of delta^2 of the third derivative, here of the size 1, and of 1e-16/delta."""
    delta = 1e-5
    return np.stack([(flat(measured(study, *(x + step))) - flat(measured(study, *(x - step)))) / (2 * delta)
                     for step in delta * np.eye(2)], axis=1)


def test_the_jacobian_is_that_of_runs_without_tangents(motion):
    zero = {"q": [0.0, 0.0], "v[0]": 0.0, "height": (0.0, 0.5), "q[0]": 0.0}
    r = lv.residuals(motion, zero, of)
    assert r.names == tuple(of)
    np.testing.assert_array_equal(r.x0, [0.1, 0.9])
    value, slope, deviation = r.fun(r.x0)[:4], r.jac(r.x0)[:4], np.array([1.0, 1.0, 1.0, 0.5])
    np.testing.assert_array_equal(r.jac(r.x0)[4], slope[0])
    np.testing.assert_allclose(value * deviation, flat(measured(motion, *r.x0)), rtol=0, atol=1e-14)
    np.testing.assert_allclose(slope * deviation[:, None], differences(motion, r.x0), rtol=0, atol=1e-8)


def test_the_jacobian_of_the_last_x_is_there(motion):
    r = lv.residuals(motion, {"q": [0.0, 0.0]}, of)
    x = r.x0.copy()
    r.fun(x)
    run = r.last[0]
    r.jac(x)
    assert r.last[0] is run
    x[0] = 0.2  # the array of before, with another value
    r.jac(x)
    assert r.last[0] is not run


def test_a_fit_finds_a_damping_and_a_length(motion):
    from scipy.optimize import least_squares

    truth = [0.3, 1.1]
    data = {end: measured(motion.replace(scheme=motion.scheme.replace(end=end)), *truth) for end in (0.5, 1.0)}
    r = lv.residuals(motion, data, of, ["q", "height"])
    fit = least_squares(r.fun, r.x0, jac=r.jac, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    np.testing.assert_allclose(fit.x, truth, rtol=0, atol=1e-8)
    assert r.fun(r.x0).shape == (6,)


def test_instances_have_measured_values_each(motion):
    speeds = lv.Values([0.5, 1.0, 1.5])
    many = motion.replace(vary={"initial.v[1]": speeds})
    run = with_values(many, 0.3, 1.1).run()
    r = lv.residuals(many, {"q": run.final.q, "height": (run.instances.final_height, np.full(3, 0.1))}, of)
    np.testing.assert_allclose(r.fun([0.3, 1.1]), 0, atol=1e-13)
    assert r.jac([0.3, 1.1]).shape == (9, 2) and np.abs(r.fun(r.x0)).max() > 0.01
    with pytest.raises(lv.SpecError, match="initial.v\\[1\\]' varies"):
        lv.residuals(many, {"q": run.final.q}, ["initial.v[1]"])


def test_what_does_not_move_is_nan(motion):
    r = lv.residuals(motion, {"q": [0.0, 0.0]}, of)
    assert np.isnan(r.fun([0.1, -1.0])).all() and np.isnan(r.jac([0.1, -1.0])).all()


@pytest.mark.parametrize("data, message", [
    ({"height": [1.0, 2.0]}, r"data\.height.*\(2,\).*\(1,\)"), ({"heigt": 1.0}, "'heigt' has no derivatives.*height"),
    ({"q[2]": 1.0}, r"q\[0\] to q\[1\]"), ({}, "nothing was measured"), ({"height": np.nan}, "not finite"),
    ({"height": (1.0, 0.0)}, "> 0"), ({"height": (1.0, [1.0, 1.0])}, "standard deviations of shape")])
def test_wrong_data_are_refused(motion, data, message):
    with pytest.raises(lv.SpecError, match=message):
        lv.residuals(motion, data, of)


@pytest.mark.filterwarnings("ignore:.*is no multiple")
def test_a_time_between_two_nodes_is_refused(motion):
    r = lv.residuals(motion, {0.55: {"q": [0.0, 0.0]}}, of)
    with pytest.raises(lv.SpecError, match="no node"):
        r.fun(r.x0)


def test_the_step_is_refused(motion):
    with pytest.raises(lv.SpecError, match="scheme.step"):
        lv.residuals(motion, {"q": [0.0, 0.0]}, ["scheme.step"])


def test_gradients_of_jax(motion):
    jax = pytest.importorskip("jax")
    f = lv.jax.function(motion, of, outputs)
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(lv.SpecError, match="jax_enable_x64"):
        f(f.x0)
    jax.config.update("jax_enable_x64", True)
    assert f.names == tuple(of) and f.outputs == ("q[0]", "q[1]", "v[0]", "height")
    expected = differences(motion, f.x0)
    np.testing.assert_allclose(f(f.x0), flat(measured(motion, *f.x0)), rtol=0, atol=1e-14)
    forward = jax.jit(jax.jacfwd(f))(f.x0)
    np.testing.assert_allclose(forward, expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(jax.jacrev(f)(f.x0), forward, rtol=0, atol=1e-15)
    np.testing.assert_allclose(jax.grad(lambda x: f(x)[3] ** 2)(f.x0), 2 * f(f.x0)[3] * forward[3], rtol=1e-14)
    batch = f.x0 + np.linspace(0, 0.1, 3)[:, None]
    np.testing.assert_array_equal(jax.vmap(f)(batch), np.stack([f(x) for x in batch]))
    np.testing.assert_array_equal(jax.vmap(jax.jacfwd(f))(batch), np.stack([jax.jacfwd(f)(x) for x in batch]))
    with pytest.raises(lv.SpecError, match="has the shape"):
        f(f.x0[:1])


def test_the_block_of_jax_runs():
    pytest.importorskip("jax")
    if not DOCUMENTS.is_dir():
        pytest.skip("tests without the checkout")
    from test_tutorial import run_blocks

    assert run_blocks(DOCUMENTS / "python.md", Path(), ["py"]) == 1


def test_without_jax_it_says_what_to_install(motion, monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(lv.SpecError, match="pip install jax"):
        lv.jax.function(motion, of, outputs)


def test_a_function_is_of_one_motion(circle):
    pytest.importorskip("jax")
    with pytest.raises(lv.SpecError, match="varies"):
        lv.jax.function(circle, of, ["q"])


def test_exponents_with_their_mean(circle):
    study = circle.replace(tangent={"lyapunov": {"count": 2, "every": 5}})
    found, run = lv.lyapunov(circle, count=2, every=5), study.run()
    np.testing.assert_array_equal(found.lyapunov, run.instances.lyapunov)
    np.testing.assert_allclose(found["mean"], run.instances.lyapunov.mean("instance"), rtol=1e-14)
    np.testing.assert_allclose(found.standard_error, run.instances.lyapunov.std("instance", ddof=1) / 4, rtol=1e-14)
    assert found.ok == 16 and found["mean"].attrs["units"] == "1/s"
