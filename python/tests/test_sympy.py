"""What SymPy says is what livens reads, or it is refused by its name."""

import inspect
import math
import random
import re
import warnings

import livens as lv
import pytest
from livens.expressions import tables_of, text_of

sympy = pytest.importorskip("sympy")
mpmath = pytest.importorskip("mpmath")
from sympy.physics.mechanics import dynamicsymbols  # noqa: E402

t = dynamicsymbols._t
x, y = dynamicsymbols("x y")
m = sympy.Symbol("m", positive=True)


def value_of(text, values):
    """By the rules of section 6, which are Python's but for the power, in 40 digits."""
    functions = {"abs": abs, "min": min, "max": max, "pi": mpmath.pi, **{
        name: getattr(mpmath, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp",
                                                 "log", "sinh", "cosh", "tanh", "sign")}}
    code = re.sub(r"(?<![\w.])(\d+\.?\d*(e[+-]?\d+)?)", r"mpf('\1')", str(text)).replace("^", "**").replace("'", "_")
    code = re.sub(r"mpf\(_(.*?)_\)", r"mpf('\1')", code)
    with mpmath.workdps(40):
        return eval(code, {"__builtins__": {}, "mpf": mpmath.mpf, **functions, **values})


@pytest.mark.parametrize("expression, text", [
    (m * x.diff(t)**2 / 2, "m*x'^2/2"),
    (m * sympy.Derivative(x**2, t)**2 / 2, "2*m*x^2*x'^2"),
    (sympy.exp(1) * m * x.diff(t)**2 / 2, f"{math.e!r}*m*x'^2/2"),
    (sympy.GoldenRatio * x, f"{(1 + math.sqrt(5)) / 2!r}*x"),
    (sympy.pi * x, "pi*x"),
    (sympy.Rational(10**400 + 1, 10**400) * x, "1.0*x"),
    (sympy.IndexedBase("u")[0] + x, "u[0] + x"),
    (x * sympy.Function("p")(y), "p(y)*x"),
    (sympy.Derivative(sympy.sin(x) * y, t), "sin(x)*y' + y*cos(x)*x'"),
])
def test_it_is_written_as(expression, text):
    assert value_of_both(text_of(expression), text)


def value_of_both(one, other):
    """Terms may stand in any order; u[0] and p(y) are names here."""
    values = {"m": 1.25, "x": 0.5, "y": -0.75, "x_": 1.5, "y_": 0.875, "u0": 3.0, "py": 2.5}
    flat = [text.replace("u[0]", "u0").replace("p(y)", "py") for text in (one, other)]
    return abs(value_of(flat[0], values) - value_of(flat[1], values)) < 1e-15


@pytest.mark.parametrize("expression, said", [
    (m * x.diff(t, 2)**2 / 2, "acceleration"),
    (sympy.Derivative(x.diff(t)**2, t), "acceleration"),
    (sympy.Derivative(sympy.Symbol("x")**2, t), "does not depend on the time"),
    (sympy.Function("f")(sympy.Symbol("x")), "no function of a text"),
    (sympy.Function("f")(x), "no function of a text"),
    (x + sympy.Symbol("x"), "there is a symbol x as well"),
    (sympy.Symbol("pi") * x, "read as the number"),
    (sympy.Symbol("a b") * x, "is no name"),
    (sympy.Dummy("x"), "Dummy"),
    (sympy.Piecewise((x, x > 0), (y, True)), "Piecewise"),
    (sympy.I * x, "ImaginaryUnit"),
    (sympy.oo * x, "Infinity"),
    (sympy.nan, "NaN"),
    (sympy.Float("1e400"), "beyond the numbers"),
    (sympy.Float("1e-400"), "beyond the numbers"),
    (sympy.Integer(10)**400, "beyond the numbers"),
    (sympy.Matrix([x, y]), "Matrix"),
    (True, "no expression"),
    (object(), "no expression"),
])
def test_it_is_refused(expression, said):
    with pytest.raises(lv.SpecError) as wrong:
        tables_of("one", kinetic=expression, coordinates=["x"], parameters={})
    assert said in str(wrong.value) and wrong.value.key == "kinetic"


def test_numbers_of_sympy_are_values():
    made = tables_of("one", kinetic=m * x.diff(t)**2, coordinates=[x], parameters={
        m: sympy.Rational(1, 2), sympy.Symbol("n"): sympy.Integer(3), sympy.Symbol("k"): [sympy.sqrt(4), sympy.pi]})
    assert made["parameters"] == {"m": 0.5, "n": 3, "k": [2, math.pi]}
    with pytest.raises(lv.SpecError, match="parameters.m: k is no number"):
        tables_of("one", kinetic=m * x.diff(t)**2, coordinates=[x], parameters={m: sympy.Symbol("k")})
    mass = sympy.Symbol("mass", positive=True)
    for nothing in (sympy.oo, sympy.I, 1j, sympy.Symbol("k"), {"default": sympy.Symbol("k")}):
        with pytest.raises(lv.SpecError, match="parameters.mass: .* is no number"):
            lv.System.from_lagrangian(mass * x.diff(t)**2 / 2, [x], values={mass: nothing})
    with pytest.raises(lv.SpecError, match="k is no number"):
        lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.1, end=1.0), size=3,
                    vary={"initial.v[1]": lv.Uniform(sympy.Symbol("k"), 2)}).to_toml()
    y = sympy.Function("y")(t)
    held = lv.System.from_lagrangian((x.diff(t)**2 + y.diff(t)**2) / 2, sympy.Matrix([x, y]), constraints=sympy.Matrix([x - y]))
    assert held == lv.System.from_lagrangian((x.diff(t)**2 + y.diff(t)**2) / 2, [x, y], constraints=(x - y,))
    for key, given in (("coordinates", x), ("constraints", x - 1), ("forces", [1.0]), ("values", [1.0])):
        with pytest.raises(lv.SpecError, match=f"{key}: is a .*expected"):
            lv.System.from_lagrangian(x.diff(t)**2 / 2, **{"coordinates": [x], key: given})
    assert lv.systems.four_particle(damping=[sympy.Rational(1, 4), sympy.Float(0.5)]) == \
        lv.systems.four_particle(damping=[0.25, 0.5])


def instances_of(kind):
    """What the class can be made of, of some arguments."""
    a, b = sympy.Symbol("a", real=True), sympy.Symbol("b", positive=True)
    for arguments in ((), (a,), (b,), (a, b), (b, a), (b, 2), (2, b), (a, b, 2), (a, b, a, b), (a, (b, 1, 3)),
                      (a > b,), (a + b, a), ((a, a > b), (b, True)), (sympy.Rational(1, 3),), (5,), ("a",), (a, a)):
        try:
            made = kind(*arguments)
        except Exception:
            continue
        if isinstance(made, sympy.Basic):
            yield made


def exact_values(expression, values):
    """Rational: of a float SymPy takes no more digits than it has."""
    return {symbol: sympy.Rational(values[symbol.name]) for symbol in expression.free_symbols}


def forms_of(expression):
    """By itself, and as a part of a sum and a product, where SymPy makes any."""
    yield expression
    try:
        yield sympy.sympify(1 + 2 * expression)
    except Exception:
        return


def test_no_class_of_sympy_passes_for_another():
    """Every class that SymPy exports, made of simple arguments: its text has the value that SymPy gives it."""
    warnings.simplefilter("ignore")
    values = {"a": 0.375, "b": 1.625, "t": 0.5}
    read, refused = 0, set()
    for name in dir(sympy):
        kind = getattr(sympy, name)
        if not (inspect.isclass(kind) and issubclass(kind, sympy.Basic)) and not isinstance(kind, sympy.Basic):
            continue
        for expression in instances_of(kind) if inspect.isclass(kind) else [kind]:
            for one in forms_of(expression):
                try:
                    text = text_of(one)
                except lv.SpecError:
                    refused.add(name)
                    continue
                if one.atoms(sympy.Indexed):  # u[0], of which no values are here
                    continue
                exact = one.doit().evalf(40, subs=exact_values(one, values))
                if sympy.im(exact) != 0:  # asin(2), which is no number in a text
                    continue
                with mpmath.workdps(40):
                    off = abs(mpmath.mpmathify(str(exact)) - value_of(text, values))
                    assert off <= 1e-15 * max(1, abs(exact)), (name, one, text)
                read += 1
    assert read > 50 and len(refused) > 100


def test_drawn_expressions_have_the_value_of_sympy():
    """Evaluated and as they were written, with all operations and functions."""
    draw = random.Random(8)
    symbols = sympy.symbols("a b c", positive=True)
    values = dict(zip("abc", (0.375, 1.625, 2.25)))
    leaves = [*symbols, sympy.Integer(-2), sympy.Integer(3), sympy.Rational(-2, 3), sympy.Float(-1.5e-3), sympy.pi, sympy.E]

    def expression(depth):
        if depth == 0:
            return draw.choice(leaves)
        one, other = expression(depth - 1), expression(draw.randrange(depth))
        kind, evaluate = draw.randrange(9), draw.random() < 0.5
        if kind < 2:
            return sympy.Add(one, other, evaluate=evaluate)
        if kind < 4:
            return sympy.Mul(one, other, evaluate=evaluate)
        if kind == 4:
            return sympy.Mul(one, sympy.Pow(other, -1, evaluate=evaluate), evaluate=evaluate)
        if kind == 5:
            exponent = draw.choice([2, 3, -2, sympy.Rational(1, 2), sympy.Rational(-3, 2), sympy.Float(2.5), symbols[0]])
            return sympy.Pow(sympy.Abs(one), exponent, evaluate=evaluate)
        if kind == 6:
            return sympy.Mul(-1, one, evaluate=evaluate)
        if kind == 7:
            return draw.choice([sympy.Min, sympy.Max])(one, other, evaluate=evaluate)
        return draw.choice([sympy.sin, sympy.cos, sympy.tanh, sympy.atan, sympy.Abs])(one, evaluate=evaluate)

    compared = 0
    for _ in range(300):
        one = expression(draw.randrange(1, 6))
        try:
            text = text_of(one)
        except lv.SpecError:
            continue  # infinite, or not real
        exact = one.evalf(40, subs=exact_values(one, values))
        if not exact.is_Float or abs(exact) > 1e6:
            continue
        # The numbers of the text are rounded to doubles; each moves the value by its own part of the sum of magnitudes,
        # which the evaluation with all of them moved by an ulp shows.
        with mpmath.workdps(40):
            moved = value_of(
                re.sub(r"(\d+\.\d+(e-?\d+)?)", lambda number: repr(float(number[0]) * (1 + 2**-50)), text), values)
            ours = value_of(text, values)
            off = abs(ours - mpmath.mpmathify(str(exact)))
            assert off <= abs(moved - ours) + 2**-50 * max(1, abs(ours)), (one, text)
        compared += 1
    assert compared > 200
