"""Gradients that go back over a motion, against derivatives that were carried along with it."""

import os

import numpy as np
import pytest

import livens as lv
from livens import _livens
from livens.gradients import Final
from livens.laws import Table

# A bead on a circle, with a drag, a spring that is not linear, and a force by the corners of a polygon.
driven = lv.System.from_text("""
    name        = "driven_bead"
    kinetic     = "1/2*mass*(x'^2 + y'^2)"
    potential   = "mass*gravity*y + 1/2*stiffness*x^2 + bump*x^4"
    rayleigh    = "1/2*drag*x'^2"
    constraints = ["(x^2 + y^2 - rod^2)/2"]
    coordinates = { x = 1, y = 1 }
    [parameters]
    mass      = { default = 1.3, domain = "positive" }
    gravity   = 9.81
    stiffness = 2.0
    bump      = 0.7
    rod       = { default = 0.8, domain = "positive" }
    drag      = { default = 0.2, domain = "non_negative" }
    push      = [1.0, -2.0, 0.5, 3.0, 1.0]
    [force]
    x = "sum(i, 0, 4, push[i]*max(0, 1 - abs(t/0.1 - i)))"
    [initial]
    q = { x = "0.6*rod", y = "-0.8*rod" }
    v = { x = 0.8, y = 0.6 }
    """)
# Its mass matrix depends on the angles.
angles = lv.System.from_text("""
    name      = "pole_on_cart"
    kinetic   = "1/2*(cart + bob)*s'^2 + bob*rod*s'*angle'*cos(angle) + 1/2*bob*rod^2*angle'^2"
    potential = "bob*gravity*rod*cos(angle)"
    force     = { s = "push*cos(3*t)" }
    coordinates = { s = 1, angle = 1 }
    parameters  = { cart = 1.0, bob = 0.3, rod = 0.5, gravity = 9.81, push = 2.0 }
    initial     = { q = { angle = 3.0 }, v = { s = 0.2 } }
    """)
steps = 20


def study(system, scheme, **options):
    return lv.Ensemble(system, getattr(lv.schemes, scheme)(**{"step": 0.02, "steps": steps, "tolerance": 0, **options}))


def everything(of_one):
    """All parameters, an entry each, and the initial state."""
    return [f"system.{name}" for name in of_one.system.parameters] + ["initial.q", "initial.v"]


def bound(above, slope):
    """1e2 u n |Phi|, the bound of derivatives themselves (equations/tangents.md, section 6), of a sum of them."""
    size = np.abs(above.ravel()) @ np.abs(slope.reshape(-1, slope.shape[-1]))
    return 1e2 * 2**-53 * steps * size.max()


def cotangents(final, seed=1):
    return np.random.default_rng(seed).standard_normal(final.shape)


@pytest.mark.parametrize(("system", "scheme", "options"), [
    (driven, "ems", {}),
    (driven, "del_multiplier", {}),
    (angles, "livens", {}),
    (lv.systems.heavy_top(height=0.1, precession_rate=10.0), "ems", {}),  # from which radius and spin follow
], ids=lambda one: one if isinstance(one, str) else "")
def test_a_gradient_is_that_of_the_derivatives_carried_along(system, scheme, options):
    one = study(system, scheme, **options)
    forward, reverse = (Final(one, everything(one), ["q", "v", "p"], mode=mode) for mode in ("forward", "reverse"))
    assert forward.names == reverse.names and forward.outputs == reverse.outputs
    np.testing.assert_array_equal(forward.x0, reverse.x0)
    value, slope = forward.at(forward.x0)
    np.testing.assert_array_equal(reverse.values_at(reverse.x0), value)
    above = cotangents(reverse)
    assert np.abs(slope).max() > 0.1
    np.testing.assert_allclose(reverse.gradients_at(reverse.x0, above), above @ slope, rtol=0, atol=bound(above, slope))


def test_a_composed_step_from_momenta():
    one = study(lv.systems.unit_circle(radius=0.9, damping=0.1), "rattle", order=4)
    one = one.replace(initial={"q": [0.5, -0.8], "p": [1.0, 0.3]})
    of = ["system.damping", "system.radius", "initial.q", "initial.p"]
    forward, reverse = (Final(one, of, ["q", "v", "p"], mode=mode) for mode in ("forward", "reverse"))
    above, slope = cotangents(reverse), forward.at(forward.x0)[1]
    np.testing.assert_allclose(reverse.gradients_at(reverse.x0, above), above @ slope, rtol=0, atol=bound(above, slope))


@pytest.fixture(scope="module")
def observed():
    return study(driven, "livens").replace(observe=[{"name": "lever", "expression": "rod*q[0]*p[1] + sin(t)*v[0]"}])


of = ["system.rod", "system.push", "initial.v"]
outputs = ["lever", "q[1]", "v", "lever"]


def test_sums_over_several_times(observed):
    times = [0.4, 0.1, 0.1, 0.0]
    forward, reverse = (Final(observed, of, outputs, times, mode) for mode in ("forward", "reverse"))
    value, slope = forward.at(forward.x0)
    above = cotangents(reverse)
    np.testing.assert_array_equal(reverse.values_at(reverse.x0), value)
    np.testing.assert_allclose(reverse.gradients_at(reverse.x0, above), np.tensordot(above, slope), rtol=0,
                               atol=bound(above, slope))


def test_the_same_bits_whatever_is_kept_and_whoever_computes(observed):
    final = Final(observed, of, outputs, mode="reverse")
    above = cotangents(final)
    one = final.gradients_at(final.x0, above)
    runs, columns = final._runs(final.x0[None])
    counted = [("q", np.ones((1, 1, 2))), ("sampled", np.ones((1, 1, 1)))]
    kept = [runs.gradients(columns, [], counted, every) for every in (0, 1, 7, steps, 10 * steps)]
    for other in kept[1:]:
        np.testing.assert_array_equal(other, kept[0])
    x = final.x0 * (1 + np.linspace(0, 1e-3, 40)[:, None])
    many = final.gradients_at(x, above)
    np.testing.assert_array_equal(many[0], one)
    processors = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(processors)})
        alone = Final(observed, of, outputs, mode="reverse")
        np.testing.assert_array_equal(alone.gradients_at(x, above), many)
    finally:
        os.sched_setaffinity(0, processors)
    np.testing.assert_array_equal(final.gradients_at(x[7], above), many[7])


def test_the_length_of_the_step(observed):
    names = ["scheme.step", "system.rod"]
    run = observed.replace(tangent={"of": names}).run()
    with_table = observed.replace(tangent={"of": names}, table=Table({"system.rod": np.array([0.8])}))
    runs = _livens.Adjoint(with_table._study())
    above = np.array([[[0.3, -1.0]]])
    found = runs.gradients([np.array([0.8])], [], [("q", above), ("sampled", np.ones((1, 1, 1)))])
    slope = np.concatenate([run.tangent.final_q.values[0], run.tangent.final_lever.values])
    weights = np.array([*above.ravel(), 1.0])
    np.testing.assert_allclose(found[0], weights @ slope, rtol=0, atol=bound(weights, slope))


def test_an_instance_that_fails_has_no_gradient():
    one = study(lv.systems.unit_circle(), "ems", step=0.1, steps=10)
    final = Final(one, ["initial.v[1]", "system.radius"], ["q"], mode="reverse")
    x = np.array([[1.0, 1.0], [1e200, 1.0], [1.0, -1.0], [0.5, 1.0]])
    value, gradient = final.values_at(x), final.gradients_at(x, np.ones(2))
    for rows in (value, gradient):
        np.testing.assert_array_equal(np.isnan(rows).all(axis=1), [False, True, True, False])
        np.testing.assert_array_equal(np.isnan(rows).any(axis=1), [False, True, True, False])
    np.testing.assert_array_equal(gradient[3], final.gradients_at(x[3], np.ones(2)))


@pytest.mark.parametrize(("more", "said"), [
    ({"stop": [{"when": "q[0] - 100"}]}, "stops"),
    ({"event": [{"name": "bottom", "when": "q[0]"}]}, "events"),
])
def test_what_has_no_adjoint_is_refused(observed, more, said):
    with pytest.raises(lv.SpecError, match=said):
        Final(observed.replace(**more), of, outputs, mode="reverse")


def test_impacts_have_no_adjoint():
    ball = lv.System.from_text("""
        name      = "ball"
        kinetic   = "1/2*z'^2"
        potential = "9.81*z"
        coordinates = { z = 1 }
        initial     = { q = { z = 1 } }
        [[impact]]
        gap = "z"
        restitution = 0.5
        """)
    with pytest.raises(lv.SpecError, match="impacts"):
        Final(study(ball, "ems"), ["initial.v"], ["q"], mode="reverse")


def test_a_mode_has_a_name(observed):
    with pytest.raises(lv.SpecError, match="mode"):
        Final(observed, of, outputs, mode="backward")


def test_jax_in_both_modes(observed):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    f, g = (lv.jax.function(observed, of, outputs, times=[0.2, 0.4], mode=mode) for mode in ("forward", "reverse"))
    np.testing.assert_array_equal(f(f.x0), g(g.x0))
    slope = np.asarray(jax.jacfwd(f)(f.x0))
    sums = [lambda x, h=h: jax.numpy.sum(jax.numpy.sin(h(x))) for h in (f, g)]
    within = bound(np.ones(f(f.x0).shape), slope)
    np.testing.assert_allclose(jax.grad(sums[1])(g.x0), jax.grad(sums[0])(f.x0), rtol=0, atol=within)
    np.testing.assert_allclose(jax.jacrev(g)(g.x0), slope, rtol=0, atol=within)
    batch = g.x0 * np.array([1.0, 1.001, 1.002])[:, None]
    found = jax.jit(jax.vmap(jax.grad(sums[1])))(batch)
    np.testing.assert_allclose(found, jax.vmap(jax.grad(sums[0]))(batch), rtol=0, atol=2 * within)
