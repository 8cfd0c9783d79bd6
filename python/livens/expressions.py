"""Systems made of expressions: texts of section 6 of the contract, or SymPy's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union


def text_of(expression: Any) -> Union[str, int, float]:
    """An expression as the text of a system has it.

    In SymPy a coordinate is a symbol, or a function of the time, of its name, and its velocity the derivative of that
    function: ``x = Function("x")(t)`` and ``x.diff(t)``, as ``sympy.physics.mechanics.dynamicsymbols`` makes them.
    """
    if isinstance(expression, (str, int, float)):
        return expression
    import sympy
    from sympy.core.function import AppliedUndef
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):
        """Numbers to the last bit, and the names of section 6."""

        def _print_Float(self, number: Any) -> str:
            return repr(float(number))

        def _print_Abs(self, call: Any) -> str:
            return f"abs({self._print(call.args[0])})"

    expression = sympy.sympify(expression)
    velocities = {one: sympy.Symbol(f"{one.expr.func}'") for one in expression.atoms(sympy.Derivative)}
    expression = expression.xreplace(velocities)
    coordinates = {one: sympy.Symbol(str(one.func)) for one in expression.atoms(AppliedUndef)}
    return Printer().doprint(expression.xreplace(coordinates)).replace("**", "^")


def tables_of(name: str, *, kinetic: Any, coordinates: Union[Sequence[Any], Mapping[str, int]],
              parameters: Mapping[Any, Any], initial_q: Mapping[Any, Any] | None = None,
              initial_v: Mapping[Any, Any] | None = None, **expressions: Any) -> dict[str, Any]:
    """The tables of a system as text. Coordinates and parameters are names, symbols or functions of the time."""

    def written(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(text_of(key)): written(entry) for key, entry in value.items()}
        return [text_of(entry) for entry in value] if isinstance(value, (list, tuple)) else text_of(value)

    text: dict[str, Any] = {"name": name, "kinetic": text_of(kinetic),
                            **{key: written(value) for key, value in expressions.items()}}
    text["coordinates"] = dict(coordinates) if isinstance(coordinates, Mapping) else {
        str(text_of(one)): 1 for one in coordinates}
    text["parameters"] = {str(text_of(key)): value for key, value in parameters.items()}
    text["initial"] = {"q": written(initial_q or {}), "v": written(initial_v or {})}
    return text
