"""The motion of a study, at its end or at some times, as a function of JAX, with exact derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

from livens.ensemble import Ensemble
from livens.errors import Mistake, SpecError
from livens.gradients import Final, final_of_one


def function(study: Ensemble, of: Sequence[str], outputs: Union[str, Sequence[str]],
             times: Sequence[float] | None = None, mode: str = "forward") -> Callable[[Any], Any]:
    """A function of JAX from x to outputs, for ``jax.grad``, ``jacfwd``, ``jacrev``, ``jit``, ``vmap``.

    In the mode ``"forward"`` a value and its Jacobian are one run; a batch by ``vmap`` is one run with an instance a row.
    The derivative is that of the discrete motion (docs/equations/tangents.md, section 1, and section 7 of ``"reverse"``),
    and there is no second one. Of an x whose motion fails or is stopped value and derivative are NaN.

    Raises SpecError where jax is not there or counts in single precision, and of a wrong study, name or shape of x.
    What a run refuses comes as the error that JAX makes of it.

    Parameters
    ----------
    study
        One motion; nothing in it varies.
    of
        The names of x, shape (K,): parameters and entries of the initial state, as in ``tangent={"of": ...}``. In SI
        units, of the initial state before the projection onto the constraints. A name without an index is all its
        entries: ``names`` of the function has all K, and its ``x0`` is where the study stands.
    outputs
        What the value has at the end, shape (M,), in this order: ``"q"``, ``"v"``, ``"p"``, entries like ``"q[3]"``,
        names of expressions in ``observe``. ``outputs`` of the function has all M.
    times
        In s, whole multiples of the step, up to which the motion then goes: the value is what the outputs are at these T
        times, shape (T, M).
    mode
        ``"forward"``: each step carries K directions. ``"reverse"``: a value is a run without any, and a gradient goes back
        over its steps, at a cost that does not grow with K: for many names and few outputs, controls and an objective. It
        is for ``jax.grad``, ``vjp``, ``jacrev`` with a pass back for each of M, ``jit`` and ``vmap``, not for ``jacfwd``.
        Not of impacts, stops and events.
    """
    try:
        import jax
    except ImportError as missing:
        raise SpecError(Mistake(f"{missing}", "livens.jax", "pip install jax")) from missing
    import jax.numpy as jnp

    final = final_of_one(study, of, outputs, times, mode)
    k = len(final.names)
    of_doubles = _backward(jax, final) if final.reverse else _forward(jax, final)

    def outputs_of(x: Any) -> Any:
        """Outputs at x."""
        if not jax.config.jax_enable_x64:
            raise SpecError(Mistake("jax counts in single precision", "livens.jax",
                                    'jax.config.update("jax_enable_x64", True)'))
        x = jnp.asarray(x, dtype=jnp.float64)
        if x.shape != (k,):
            raise SpecError(Mistake(f"has the shape {x.shape}", "x", f"({k},): {', '.join(final.names)}"))
        return of_doubles(x)

    for attribute in ("names", "outputs", "x0"):
        setattr(outputs_of, attribute, getattr(final, attribute))
    return outputs_of


def _forward(jax: Any, final: Final) -> Any:
    """With its Jacobian, as JAX knows it."""

    def both(x: Any) -> Any:
        shapes = tuple(_doubles(jax, shape) for shape in (final.shape, (*final.shape, len(final.names))))
        return jax.pure_callback(final.at, shapes, x, vmap_method="expand_dims")

    @jax.custom_jvp
    def of_doubles(x: Any) -> Any:
        return both(x)[0]

    @of_doubles.defjvp
    def slope(primals: Any, tangents: Any) -> Any:
        value, jacobian = both(primals[0])
        return value, jacobian @ tangents[0]  # linear, so that jax transposes it

    return of_doubles


def _backward(jax: Any, final: Final) -> Any:
    """With gradients that go back over the motion."""

    @jax.custom_vjp
    def of_doubles(x: Any) -> Any:
        return jax.pure_callback(final.values_at, _doubles(jax, final.shape), x, vmap_method="expand_dims")

    def gradient(x: Any, above: Any) -> Any:
        return (jax.pure_callback(final.gradients_at, _doubles(jax, (len(final.names),)), x, above,
                                  vmap_method="expand_dims"),)

    of_doubles.defvjp(lambda x: (of_doubles(x), x), gradient)
    return of_doubles


def _doubles(jax: Any, shape: tuple[int, ...]) -> Any:
    return jax.ShapeDtypeStruct(shape, jax.numpy.float64)


__all__ = ["function"]


def __dir__() -> list[str]:
    return __all__
