"""Systems made of expressions: texts of section 6 of the contract, or SymPy's."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Union

from livens._toml import plain
from livens.errors import Mistake, SpecError


_expected = "a text, a number or an expression of SymPy"


def text_of(expression: Any) -> Union[str, int, float]:
    """An expression as the text of a system has it.

    In SymPy a coordinate is a symbol, or a function of the time, of its name, and its velocity the derivative of that
    function: ``x = Function("x")(t)`` and ``x.diff(t)``, as ``sympy.physics.mechanics.dynamicsymbols`` makes them; its
    momentum is ``Function("p")(x)``. Derivatives of expressions are taken. Raises SpecError, with the part of the
    expression that is to blame, for what a text cannot say.
    """
    if isinstance(expression, bool):
        raise SpecError(Mistake(f"{expression} is no expression", expected=_expected))
    if isinstance(expression, (str, int, float)):
        return expression
    import sympy

    try:
        expression = sympy.sympify(expression, strict=True)
    except sympy.SympifyError:
        raise SpecError(Mistake(f"{expression!r} is no expression", expected=_expected)) from None
    return _SymPy(expression).text()


class _SymPy:
    """An expression of SymPy on its way to a text."""

    name = re.compile(r"[A-Za-z][A-Za-z0-9_]*'?(\[\d+\])?")

    def __init__(self, expression: Any):
        import sympy
        from sympy.physics.mechanics import dynamicsymbols

        self.sympy = sympy
        self.times = {sympy.Symbol("t"), dynamicsymbols._t}
        self.expression = expression

    def text(self) -> str:
        expression = self._without_derivatives_of_expressions(self.expression)
        symbols = {one.name for one in expression.atoms(self.sympy.Symbol)}
        words: dict[Any, Any] = {}
        self._check(expression, symbols, words)
        _refuse_namesakes([self.expression])
        return _printer().doprint(expression.xreplace(words)).replace("**", "^")

    def _refuse(self, part: Any, problem: str, expected: str | None = None) -> SpecError:
        try:
            return SpecError(Mistake(f"{part}: {problem}", expected=expected))
        except Exception:  # what SymPy itself cannot print
            return SpecError(Mistake(f"{type(part).__name__}: {problem}", expected=expected))

    def _is_time(self, symbol: Any) -> bool:
        return any(symbol.name == time.name for time in self.times) if symbol.is_Symbol else False

    def _is_of_time(self, part: Any) -> bool:
        return len(part.args) == 1 and self._is_time(part.args[0])

    def _without_derivatives_of_expressions(self, expression: Any) -> Any:
        """Those that are left are of functions of the time."""
        from sympy.core.function import AppliedUndef

        while True:
            taken = {}
            for one in expression.atoms(self.sympy.Derivative):
                if not all(count.is_Integer for _, count in one.variable_count):
                    raise self._refuse(one, "how often it is taken is no whole number", "x.diff(t) of a coordinate")
                if isinstance(one.expr, AppliedUndef):
                    continue
                if any(map(self._is_time, one.variables)) and not any(
                        map(self._is_time, one.expr.free_symbols)):
                    raise self._refuse(one, "does not depend on the time", "coordinates as functions of it")
                taken[one] = one.doit(deep=False)
                if taken[one] == one:
                    raise self._refuse(one, "a derivative that SymPy does not take", "x.diff(t) of a coordinate")
            if not taken:
                return expression
            expression = expression.xreplace(taken)

    def _check(self, part: Any, symbols: set[str], words: dict[Any, Any]) -> None:
        """Notes what stands for a part that is printed under another name; refuses what a text cannot say."""
        from sympy.core.function import AppliedUndef

        sympy = self.sympy
        if isinstance(part, sympy.Derivative):
            words[part] = self._velocity(part, symbols)
        elif isinstance(part, AppliedUndef):
            words[part] = self._coordinate(part, symbols)
        elif isinstance(part, sympy.Indexed):
            if not isinstance(part.base, sympy.IndexedBase):
                raise self._refuse(part, "no entry of a vector", "sympy.IndexedBase('u')[0]")
            self._check(part.base.label, symbols, words)
            if len(part.indices) != 1 or not part.indices[0].is_Integer or part.indices[0] < 0:
                raise self._refuse(part, "another index", "one whole number, as in u[0]")
        elif type(part) is sympy.Symbol:
            if part in self.times:
                words[part] = sympy.Symbol("t")
            elif not self.name.fullmatch(part.name):
                raise self._refuse(part, "is no name of a text", "a letter, then letters, digits and underscores")
            elif part.name == "pi":
                raise self._refuse(part, "a symbol of this name is read as the number", "another, or sympy.pi")
        elif isinstance(part, (sympy.Rational, sympy.Float)):
            if not math.isfinite(float(part)) or (float(part) == 0.0) != bool(part == 0):
                raise self._refuse(part, "beyond the numbers of a double")
            if part.is_Rational and max(abs(part.p), part.q) > 2**53:  # one rounding, not one of each
                words[part] = sympy.Float(float(part), 17)
        elif isinstance(part, sympy.NumberSymbol):
            if type(part) is sympy.NumberSymbol:
                raise self._refuse(part, "no number by itself", "one of SymPy's constants, as sympy.E")
            if part is not sympy.pi:
                words[part] = sympy.Float(float(part.evalf(30)), 17)
        elif type(part) in (sympy.Add, sympy.Mul, sympy.Pow, sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos,
                            sympy.atan, sympy.atan2, sympy.exp, sympy.log, sympy.sinh, sympy.cosh, sympy.tanh, sympy.Abs,
                            sympy.sign, sympy.Min, sympy.Max):
            for argument in part.args:
                self._check(argument, symbols, words)
        else:
            raise self._refuse(part, f"a text has no {type(part).__name__}", "numbers, names, + - * / **, sqrt, sin, "
                                     "cos, tan, asin, acos, atan, atan2, exp, log, sinh, cosh, tanh, Abs, sign, Min, Max")

    def _velocity(self, part: Any, symbols: set[str]) -> Any:
        if not self._is_of_time(part.expr) or not all(map(self._is_time, part.variables)):
            raise self._refuse(part, "no velocity", "the derivative of a function of the time t by t")
        if len(part.variables) > 1:
            raise self._refuse(part, "an acceleration, or higher; a text has coordinates and velocities, as in x.diff(t)")
        return self.sympy.Symbol(f"{self._coordinate(part.expr, symbols).name}'")

    def _coordinate(self, part: Any, symbols: set[str]) -> Any:
        name = str(part.func)
        if name == "p" and len(part.args) == 1 and not self._is_of_time(part):
            words: dict[Any, Any] = {}
            self._check(part.args[0], symbols, words)
            of = words.get(part.args[0], part.args[0])
            if of.is_Symbol or isinstance(of, self.sympy.Indexed):
                return self.sympy.Symbol(f"p({of})")
        if not self._is_of_time(part):
            raise self._refuse(part, "no function of a text", "a coordinate as a function of the time t alone")
        if not self.name.fullmatch(name) or name == "pi":
            raise self._refuse(part, "is no name of a coordinate", "a letter, then letters, digits and underscores")
        if name in symbols:
            raise self._refuse(part, f"there is a symbol {name} as well", "one of them, or another name")
        return self.sympy.Symbol(name)


def _refuse_namesakes(expressions: Sequence[Any]) -> None:
    """Raises SpecError where SymPy tells two of one name apart, by what is assumed of them; a text would have them as one."""
    import sympy
    from sympy.core.function import AppliedUndef

    known: dict[str, Any] = {}
    for one in expressions:
        for part in sorted(one.atoms(sympy.Symbol, AppliedUndef), key=sympy.srepr):
            name = part.name if part.is_Symbol else str(part.func)
            of_time = [getattr(argument, "name", None) for argument in part.args] == ["t"]
            if name == "t" or not (part.is_Symbol or of_time):  # the time, however it is made; momenta, as p(x)
                continue
            if known.setdefault(name, part) != part:
                raise SpecError(Mistake(f"two have the name {name}, {sympy.srepr(known[name])} and {sympy.srepr(part)}",
                                        expected="one of them, or another name"))


def _printer() -> Any:
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):
        """Numbers to the last bit, and the names of section 6."""

        def _print_Float(self, number: Any) -> str:
            return repr(float(number))

        def _print_Abs(self, call: Any) -> str:
            return f"abs({self._print(call.args[0])})"

        def _print_Min(self, call: Any) -> str:
            return self._of_two("min", call.args)

        def _print_Max(self, call: Any) -> str:
            return self._of_two("max", call.args)

        def _of_two(self, name: str, arguments: Sequence[Any]) -> str:
            text = self._print(arguments[0])
            for argument in arguments[1:]:
                text = f"{name}({text}, {self._print(argument)})"
            return text

    return Printer()


def _number(value: Any, name: str) -> Any:
    """What a parameter may be in TOML; SymPy has much that looks like a number and is none."""
    try:
        return plain(value)
    except SpecError as problem:
        raise SpecError(*(replace(mistake, key=f"parameters.{name}") for mistake in problem.mistakes)) from None


def tables_of(name: str, *, kinetic: Any, coordinates: Union[Sequence[Any], Mapping[str, int]],
              parameters: Mapping[Any, Any] = {}, initial_q: Mapping[Any, Any] | None = None,
              initial_v: Mapping[Any, Any] | None = None, **expressions: Any) -> dict[str, Any]:
    """The tables of a system as text. Coordinates and parameters are names, symbols or functions of the time."""

    def written(value: Any, key: str) -> Any:
        if isinstance(value, Mapping):
            return {str(text_of(one)): written(entry, f"{key}.{one}") for one, entry in value.items()}
        if isinstance(value, (list, tuple)):
            return [written(entry, f"{key}[{place}]") for place, entry in enumerate(value)]
        try:
            return text_of(value)
        except SpecError as problem:
            raise SpecError(*(replace(mistake, key=key) for mistake in problem.mistakes)) from None

    functions = expressions.pop("functions", None)
    text: dict[str, Any] = {"name": name, "kinetic": written(kinetic, "kinetic"),
                            **{key: written(value, key) for key, value in expressions.items()}}
    if functions:
        text["functions"] = {one: {**plain(dict(parts)), **({"is": written(parts["is"], f"functions.{one}")}
                                                           if "is" in parts else {})}
                             for one, parts in functions.items()}
    sizes: dict[str, Any] = {str(text_of(one)): coordinates[one] if isinstance(coordinates, Mapping) else 1
                             for one in coordinates}
    if any(isinstance(size, Mapping) for size in sizes.values()):  # TOML has tables behind what is none, and order counts
        sizes = {one: size if isinstance(size, Mapping) else {"size": size} for one, size in sizes.items()}
    text["coordinates"] = sizes
    text["parameters"] = {str(text_of(key)): _number(value, str(key)) for key, value in parameters.items()}
    text["initial"] = {"q": written(initial_q or {}, "initial_q"), "v": written(initial_v or {}, "initial_v")}
    return text


def name_of(key: Any) -> str:
    """The name that a key stands for: a text, or SymPy's symbol, coordinate, velocity or momentum. Raises SpecError."""
    if isinstance(key, str):
        return key
    name = str(text_of(key))
    if not _of_one.fullmatch(name):
        raise SpecError(Mistake(f"{key} is no name", expected="a text, a symbol, a coordinate or its velocity"))
    return name


_of_one = re.compile(r"[A-Za-z][A-Za-z0-9_]*'?(\[\d+\])?|p\([A-Za-z][A-Za-z0-9_]*(\[\d+\])?\)")


def tables_of_lagrangian(name: str, lagrangian: Any, coordinates: Sequence[Any], *, constraints: Sequence[Any] = (),
                         forces: Mapping[Any, Any] | None = None, dissipation: Any = None,
                         values: Mapping[Any, Any] | None = None) -> dict[str, Any]:
    """The tables of the system with this L(q, v, t), an expression of SymPy.

    Terms without velocities are the potential, with the other sign; all others are the kinetic energy, as they stand.
    ``values`` has the defaults of the parameters and the initial values of coordinates and velocities.
    """
    import sympy
    from sympy.core.function import AppliedUndef
    from sympy.utilities.iterables import iterable

    try:
        lagrangian = sympy.sympify(lagrangian, strict=True)
    except sympy.SympifyError:
        raise SpecError(Mistake(f"{lagrangian!r} is no expression", "lagrangian", "one of SymPy")) from None
    for key, given_as, fits, expected in (
            ("coordinates", coordinates, iterable(coordinates), "a list, [x]"),
            ("constraints", constraints, iterable(constraints), "a list, [g]"),
            ("forces", forces, isinstance(forces or {}, Mapping), "by the coordinates, {x: F}"),
            ("values", values, isinstance(values or {}, Mapping), "by their names, {m: 1.0}")):
        if not fits:
            raise SpecError(Mistake(f"is a {type(given_as).__name__}", key, expected))
    names = {name_of(one): one for one in coordinates}
    lagrangian = _SymPy(lagrangian)._without_derivatives_of_expressions(lagrangian)

    def at_rest(term: Any) -> Any:
        return term.xreplace({one: sympy.S.Zero for one in term.atoms(sympy.Derivative)})

    kinetic, potential = [], []
    for term in sympy.Add.make_args(lagrangian):
        parts = [term] if not term.has(sympy.Derivative) or at_rest(term) == 0 else sympy.Add.make_args(term.expand())
        for part in parts:
            (kinetic if part.has(sympy.Derivative) else potential).append(part)
    if not kinetic:
        raise SpecError(Mistake("has no velocities", "lagrangian", "a kinetic energy, of x.diff(t) of the coordinates"))
    given = {name_of(key): value for key, value in (values or {}).items()}
    initial_q = {one: value for one, value in given.items() if one in names}
    initial_v = {one[:-1]: value for one, value in given.items() if one.endswith("'") and one[:-1] in names}
    parameters = {one: value for one, value in given.items() if one not in names and not one.endswith("'")}
    of_all = [lagrangian, *constraints, *(forces or {}).values(), *([] if dissipation is None else [dissipation])]
    named = [*of_all, *coordinates, *(forces or {}), *(values or {})]
    _refuse_namesakes([sympy.sympify(one) for one in named if not isinstance(one, str)])  # a text has names alone
    if len(given) < len(values or {}):
        raise SpecError(Mistake("has a name twice", "values", "each once, as a text or as a symbol"))
    symbols = {name_of(symbol): symbol for one in of_all for symbol in sympy.sympify(one).free_symbols}
    free = set(symbols) - {"t"} - set(names)
    functions = {name_of(one) for one in lagrangian.atoms(AppliedUndef)} - set(names)
    if functions:
        raise SpecError(Mistake(f"{', '.join(sorted(functions))} is no coordinate", "coordinates",
                                "all functions of the time in L"))
    if missing := sorted(free - set(parameters)):
        raise SpecError(Mistake(f"no value of {', '.join(missing)}", "values",
                                f"the default of every parameter, as in values={{{missing[0]}: 1.0}}"))
    if idle := sorted(set(given) - set(initial_q) - {f"{one}'" for one in initial_v} - free):
        raise SpecError(Mistake(f"{', '.join(idle)} is nothing of the system", "values",
                                "parameters, coordinates and their velocities"))
    for one, value in parameters.items():
        if symbols[one].is_nonnegative:
            said = value if isinstance(value, Mapping) else {"default": value}
            parameters[one] = {"domain": "positive" if symbols[one].is_positive else "non_negative", **said}
    parts: dict[str, Any] = {"kinetic": sympy.Add(*kinetic, evaluate=False)}
    if potential:
        parts["potential"] = -sympy.Add(*potential)
    if constraints:
        parts["constraints"] = list(constraints)
    if forces:
        parts["force"] = dict(forces)
    if dissipation is not None:
        parts["rayleigh"] = dissipation
    return tables_of(name, coordinates=list(coordinates), parameters=parameters, initial_q=initial_q,
                     initial_v=initial_v, **parts)
