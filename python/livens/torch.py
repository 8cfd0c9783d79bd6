"""The motion of a study, at its end or at some times, as a function of PyTorch, with exact derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

from livens.ensemble import Ensemble
from livens.errors import Mistake, SpecError
from livens.gradients import final_of_one


def function(study: Ensemble, of: Sequence[str], outputs: Union[str, Sequence[str]],
             times: Sequence[float] | None = None) -> Callable[[Any], Any]:
    """A function of PyTorch from x, shape (..., K), to outputs, shape (..., M), or of T times (..., T, M).

    As ``livens.jax.function``, which says what x, outputs and times are. Leading axes of x are a batch, as
    ``torch.func.vmap`` makes one: one run with an instance a row. For ``backward``, ``torch.autograd.grad``,
    ``torch.func.grad``, ``jacrev`` and ``jacfwd``. There is no second derivative: asking for one raises RuntimeError, forward
    it is NaN. x is a tensor of float64; the motion runs on the processor, and what comes of it is on x's device.

    Raises SpecError where torch is not there, and of a wrong study, name or x.
    """
    try:
        import torch
    except ImportError as missing:
        raise SpecError(Mistake(f"{missing}", "livens.torch", "pip install torch")) from missing

    final = final_of_one(study, of, outputs, times)
    k, axes = len(final.names), len(final.shape)

    class Motion(torch.autograd.Function):
        """Outputs and their Jacobian, in one run."""

        @staticmethod
        def forward(x: Any) -> Any:
            return tuple(torch.from_numpy(part).to(x.device) for part in final.at(x.detach().cpu().numpy()))

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(output[1])
            ctx.save_for_forward(output[1])

        @staticmethod
        def backward(ctx: Any, above: Any, above_jacobian: Any) -> Any:
            if above_jacobian is not None:
                raise RuntimeError("livens.torch: a motion has no second derivative")
            if above is None:
                return None
            return (above.unsqueeze(-1) * ctx.saved_tensors[0]).sum(dim=tuple(range(-1 - axes, -1)))

        @staticmethod
        def jvp(ctx: Any, along: Any) -> Any:
            jacobian = ctx.saved_tensors[0]
            for _ in range(axes - 1):
                along = along.unsqueeze(-2)
            # What the Jacobian does along x nobody knows: a second derivative forward has to show it.
            return (jacobian @ along.unsqueeze(-1)).squeeze(-1), torch.full_like(jacobian, torch.nan)

        @staticmethod
        def vmap(info: Any, in_dims: Any, x: Any) -> Any:
            return Motion.apply(x.movedim(in_dims[0], 0)), (0, 0)

    def outputs_of(x: Any) -> Any:
        """Outputs at x."""
        if not isinstance(x, torch.Tensor) or x.dtype != torch.float64 or x.shape[-1:] != (k,):
            raise SpecError(Mistake(f"{type(x).__name__} of {getattr(x, 'dtype', None)}, shape "
                                    f"{tuple(getattr(x, 'shape', ()))}", "x",
                                    f"a tensor of float64, shape (..., {k}): {', '.join(final.names)}"))
        return Motion.apply(x)[0]

    for attribute in ("names", "outputs", "x0"):
        setattr(outputs_of, attribute, getattr(final, attribute))
    return outputs_of


__all__ = ["function"]


def __dir__() -> list[str]:
    return __all__
