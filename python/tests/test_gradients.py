"""Fits, functions of jax, exponents: what is made of run.tangent, against runs without it."""

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
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


def test_the_jacobian_of_the_last_x_is_there(motion, monkeypatch):
    r = lv.residuals(motion, {"q": [0.0, 0.0]}, of)
    assert r.last == []
    asked = []
    final = r._fits[0].final
    real = final.of
    monkeypatch.setattr(final, "of", lambda x: asked.append(x.copy()) or real(x))
    x = r.x0.copy()
    value = r.fun(x)
    run = r.last[0]
    r.jac(x)
    assert len(asked) == 1 and r.last[0] is run
    np.testing.assert_array_equal(run.instances.final_q.values[0], value)
    x[0] = 0.2  # the array of before, with another value
    r.jac(x)
    assert len(asked) == 2 and r.last[0] is not run


def test_a_fit_finds_a_damping_and_a_length(motion):
    from scipy.optimize import least_squares

    truth = [0.3, 1.1]
    data = {end: measured(motion.replace(scheme=motion.scheme.replace(end=end)), *truth) for end in (0.5, 1.0)}
    r = lv.residuals(motion, data, of, ["q", "height"])
    fit = least_squares(r.fun, r.x0, jac=r.jac, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    np.testing.assert_allclose(fit.x, truth, rtol=0, atol=1e-8)
    assert r.fun(r.x0).shape == (6,)
    assert len(r.last) == 1 and r.last[0].trajectories.sizes["time"] == 3  # 0, 0.5 and 1 s


def test_times_are_samples_of_one_run_or_runs(motion, monkeypatch):
    names, truth = ["q", "v[0]", "height"], [0.3, 1.1]
    times = [0.2, 1.0, 0.5]
    data = {end: measured(motion.replace(scheme=motion.scheme.replace(end=end)), *truth) for end in times}
    r = lv.residuals(motion, data, of, names)
    monkeypatch.setattr(lv.gradients, "_samples_a_time", 1)
    apart = lv.residuals(motion, data, of, names)
    assert len(r._fits) == 1 and len(apart._fits) == 3
    for x in (r.x0, truth):
        np.testing.assert_array_equal(r.fun(x), apart.fun(x))
        np.testing.assert_array_equal(r.jac(x), apart.jac(x))
    np.testing.assert_allclose(r.fun(truth), 0, atol=1e-13)
    # What was measured at a time need not be so at another.
    some = lv.residuals(motion, {0.2: {"height": data[0.2]["height"]}, 1.0: {"q": data[1.0]["q"]}}, of)
    np.testing.assert_array_equal(some.fun(r.x0), r.fun(r.x0)[[3, 4, 5]])


@pytest.mark.parametrize("times", [[0.0], [0.0, 0.1], [0.0, 0.1, 1.0]])
def test_the_start_is_a_time(motion, times):
    # Samples of the study itself are others: its own spacing does not count.
    r = lv.residuals(motion.replace(sampling="log"), {t: {"q": np.zeros(2), "v[0]": 0.0} for t in times}, of)
    found = r.fun(r.x0).reshape(len(times), 3)
    for t, values in zip(times, found):
        if t == 0.0:
            there = motion.replace(every=1).run().trajectories
            expected = np.append(there.q.values[0, 0], there.v.values[0, 0, 0])
        else:
            there = motion.replace(scheme=motion.scheme.replace(end=t)).run().final
            expected = np.append(there.q[0], there.v[0, 0])
        assert np.array_equal(values, expected)
    assert r.jac(r.x0).shape == (3 * len(times), 2)


def test_threads_may_share_residuals(motion):
    r = lv.residuals(motion, measured(motion, 0.2, 1.1), of)
    points = [r.x0 + 0.001 * k for k in range(40)]
    alone = [r.fun(x) for x in points]
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(a, b) for a, b in zip(alone, pool.map(r.fun, points)))


def test_what_stops_is_known_until_then(motion):
    stopping = motion.replace(stop=[{"when": "t - 0.55"}])
    r = lv.residuals(stopping, {0.5: {"q[0]": 0.0}, 1.0: {"q[0]": 0.0}}, of)
    assert np.isfinite(r.fun(r.x0)[0]) and np.isnan(r.fun(r.x0)[1])


def test_a_call_after_the_first_gives_the_same_as_a_run(motion):
    many = motion.replace(vary={"initial.v[1]": lv.Values([0.5, 1.0, 1.5])})
    r = lv.residuals(many, {"q": np.zeros((3, 2))}, of)
    for x in ([0.3, 1.1], [0.1, 0.9], [0.2, 1.0]):
        np.testing.assert_array_equal(r.fun(x), with_values(many, *x).run().final.q.T.ravel())
    assert pickle.loads(pickle.dumps(r)).fun([0.3, 1.1]).shape == (6,)


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


def test_a_time_between_two_nodes_is_refused(motion):
    with pytest.raises(lv.SpecError, match="no node"):
        lv.residuals(motion, {0.55: {"q": [0.0, 0.0]}}, of)


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


def test_times_in_jax(motion):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    times = [0.3, 1.0]
    f = lv.jax.function(motion, of, outputs, times)
    ends = [lv.jax.function(motion.replace(scheme=motion.scheme.replace(end=end)), of, outputs) for end in times]
    np.testing.assert_array_equal(f(f.x0), np.stack([g(f.x0) for g in ends]))
    np.testing.assert_array_equal(jax.jacfwd(f)(f.x0), np.stack([jax.jacfwd(g)(f.x0) for g in ends]))
    assert jax.vmap(f)(np.stack([f.x0] * 3)).shape == (3, 2, 4)


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def test_gradients_of_torch(motion, torch):
    f = lv.torch.function(motion, of, outputs)
    assert f.names == tuple(of) and f.outputs == ("q[0]", "q[1]", "v[0]", "height")
    x = torch.tensor(f.x0, requires_grad=True)
    np.testing.assert_allclose(f(x).detach(), flat(measured(motion, *f.x0)), rtol=0, atol=1e-14)
    assert torch.autograd.gradcheck(f, (x,), check_forward_ad=True, check_batched_grad=True)
    jacobian = torch.func.jacrev(f)(x.detach())
    np.testing.assert_allclose(jacobian, differences(motion, f.x0), rtol=0, atol=1e-8)
    np.testing.assert_allclose(torch.func.jacfwd(f)(x.detach()), jacobian, rtol=0, atol=1e-15)
    (f(x)[3] ** 2).backward()
    np.testing.assert_allclose(x.grad, 2 * f(x)[3].detach() * jacobian[3], rtol=1e-14)


def test_a_batch_of_torch_is_one_run(motion, torch, monkeypatch):
    f = lv.torch.function(motion, of, outputs)
    batch = torch.tensor(f.x0 + np.linspace(0, 0.1, 6).reshape(3, 1, 2))
    singles = [[f(x) for x in row] for row in batch]
    slopes = [[torch.func.jacrev(f)(x) for x in row] for row in batch]
    runs, real = [], lv.gradients.Final.of
    monkeypatch.setattr(lv.gradients.Final, "of", lambda self, x: runs.append(len(x)) or real(self, x))
    np.testing.assert_array_equal(torch.func.vmap(torch.func.vmap(f))(batch), [[list(x) for x in row] for row in singles])
    np.testing.assert_array_equal(f(batch), torch.func.vmap(f)(batch))
    np.testing.assert_array_equal(torch.func.vmap(f, in_dims=1)(batch), f(batch.movedim(1, 0)))
    assert runs == [3, 3, 3, 3, 3]
    found = torch.func.vmap(torch.func.jacrev(f))(batch[:, 0])
    np.testing.assert_array_equal(found, torch.stack([row[0] for row in slopes]))
    assert runs == [3, 3, 3, 3, 3, 3]


def test_times_in_torch(motion, torch):
    f = lv.torch.function(motion, of, outputs, times=[0.3, 1.0])
    x = torch.tensor(f.x0, requires_grad=True)
    assert f(x).shape == (2, 4) and torch.func.vmap(f)(torch.stack([x, x, x])).shape == (3, 2, 4)
    assert torch.autograd.gradcheck(f, (x,), check_forward_ad=True, check_batched_grad=True)
    np.testing.assert_array_equal(f(x)[1].detach(), lv.torch.function(motion, of, outputs)(x).detach())


def test_torch_has_no_second_derivative(motion, torch):
    f = lv.torch.function(motion, of, outputs)
    x = torch.tensor(f.x0, requires_grad=True)
    (slope,) = torch.autograd.grad((f(x) ** 2).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="second derivative"):
        torch.autograd.grad(slope.sum(), x)
    with pytest.raises(RuntimeError, match="second derivative"):
        torch.func.grad(lambda y: torch.func.grad(lambda z: (f(z) ** 2).sum())(y).sum())(x.detach())
    assert torch.func.hessian(lambda y: (f(y) ** 2).sum())(x.detach()).isnan().all()


def test_torch_refuses_what_is_no_x(motion, torch):
    f = lv.torch.function(motion, of, outputs)
    for wrong in (torch.zeros(3, dtype=torch.float64), torch.zeros(2), np.zeros(2)):
        with pytest.raises(lv.SpecError, match="a tensor of float64"):
            f(wrong)
    assert f(torch.tensor([0.1, -1.0], dtype=torch.float64)).isnan().all()


def test_without_torch_it_says_what_to_install(motion, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(lv.SpecError, match="pip install torch"):
        lv.torch.function(motion, of, outputs)


def test_the_block_of_jax_runs():
    pytest.importorskip("jax")
    if not DOCUMENTS.is_dir():
        pytest.skip("tests without the checkout")
    from test_tutorial import run_blocks

    assert run_blocks(DOCUMENTS / "python.md", Path(), ["py"]) == 2


def test_the_block_of_torch_runs(torch):
    if not DOCUMENTS.is_dir():
        pytest.skip("tests without the checkout")
    from test_tutorial import run_blocks

    assert run_blocks(DOCUMENTS / "python.md", Path(), ["python3"]) == 1


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
