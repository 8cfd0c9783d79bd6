#!/usr/bin/python3
"""SymPy judges the derivatives that livens makes of a text: the first and second ones of V, T and g, and M, C, A and
F, as the generated C++ computes them at random states, against SymPy's of the same text.

Usage: sympy_judge.py GENERATED_VALUES EXAMPLES_DIRECTORY
GENERATED_VALUES prints a line of JSON for every state. Status 77 without SymPy.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

try:
    import sympy
except ImportError:
    print("skipped: no SymPy (Debian: python3-sympy)")
    sys.exit(77)

DIGITS = 30
# Values of at most a thousand operations, each off by 2^-53 of what it adds up. Coordinates and parameters are of the
# order of one, so that what sums cancel is at most some ten times the largest entry, or one where that is smaller.
ROUND_OFF = 1e4 * 2.0**-53


class Text:
    """The symbols of a text, and its expressions as SymPy's."""

    def __init__(self, path):
        self.toml = tomllib.loads(path.read_text())
        self.names = dict(self.toml.get("constants", {}))
        self.q, self.v, self.parameters = [], [], []
        self.t = self.names["t"] = sympy.Symbol("t")
        self.names["pi"] = sympy.pi
        for name, count in self.toml["coordinates"].items():
            entries = self.declare(name, count, self.q)
            velocities = self.declare("rate_of_" + name, count, self.v)
            assert len(entries) == len(velocities)
        for name, parameter in self.toml["parameters"].items():
            parameter = parameter if isinstance(parameter, dict) else {"default": parameter}
            default = parameter["default"]
            self.declare(name, parameter.get("count", str(len(default)) if isinstance(default, list) else 1),
                         self.parameters)

    def declare(self, name, count, symbols):
        """A scalar for a number 1, else a list."""
        size = count if isinstance(count, int) else int(self.read(count))
        made = [sympy.Symbol(f"{name}_{i}", real=True) for i in range(size)]
        symbols += made
        self.names[name] = made[0] if count == 1 else made
        return made

    def read(self, text):
        # Python has no v' and no ^ for powers; the rest of the grammar is its own.
        python = re.sub(r"([A-Za-z]\w*)'", r"rate_of_\1", str(text)).replace("^", "**")
        return self.value(ast.parse("(" + python + ")", mode="eval").body, self.names)

    def rows(self, key):
        rows = []
        for text in self.toml.get(key, []):
            value = self.read(text)
            rows += value if isinstance(value, list) else [value]
        return rows

    def value(self, node, names):
        def value(part):
            return self.value(part, names)

        if isinstance(node, ast.Constant):
            return sympy.Rational(repr(node.value))
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.UnaryOp):
            of = value(node.operand)
            return [-entry for entry in of] if isinstance(of, list) else -of
        if isinstance(node, ast.Subscript):
            return value(node.value)[int(value(node.slice))]
        if isinstance(node, ast.Call):
            return self.call(node.func.id, node.args, names)
        return self.binary(node.op, value(node.left), value(node.right))

    @staticmethod
    def binary(op, a, b):
        scalar = {ast.Add: lambda x, y: x + y, ast.Sub: lambda x, y: x - y, ast.Mult: lambda x, y: x * y,
                  ast.Div: lambda x, y: x / y, ast.Pow: lambda x, y: x**y}[type(op)]
        if isinstance(a, list) and isinstance(b, list):
            return [scalar(x, y) for x, y in zip(a, b, strict=True)]
        if isinstance(a, list):
            return [scalar(x, b) for x in a]
        return [scalar(a, y) for y in b] if isinstance(b, list) else scalar(a, b)

    def call(self, function, arguments, names):
        if function in ("sum", "list"):
            index, first, last, body = arguments
            limits = range(int(self.value(first, names)), int(self.value(last, names)) + 1)
            values = [self.value(body, names | {index.id: i}) for i in limits]
            return values if function == "list" else sum(values)
        values = [self.value(argument, names) for argument in arguments]
        if function == "dot":
            return sum(x * y for x, y in zip(*values, strict=True))
        if function == "norm":
            return sympy.sqrt(sum(x**2 for x in values[0]))
        if function == "cross":
            return list(sympy.Matrix(values[0]).cross(sympy.Matrix(values[1])))
        return {"abs": sympy.Abs}.get(function, getattr(sympy, function, None))(*values)


def expected(text):
    """Lists of expressions by the names of GENERATED_VALUES."""
    q, v = text.q, text.v
    T, V, R = (text.read(text.toml.get(key, 0)) for key in ("kinetic", "potential", "rayleigh"))
    g, rates = text.rows("constraints"), text.rows("nonholonomic")
    force = []
    for name in text.toml["coordinates"]:
        given = text.toml.get("force", {}).get(name, 0)
        given = given if isinstance(given, list) else [given] * (
            len(text.names[name]) if isinstance(text.names[name], list) else 1)
        force += [text.read(entry) for entry in given]

    def gradient(f, x):
        return [sympy.diff(f, entry) for entry in x]

    def jacobian(rows, x):
        return [entry for row in rows for entry in gradient(row, x)]

    momentum = gradient(T, v)
    return {
        "potential": [V],
        "gradient": gradient(V, q),
        "hessian": jacobian(gradient(V, q), q),
        "momentum": momentum,
        "kinetic_gradient": gradient(T, q),
        "kinetic_hessian": jacobian(gradient(T, q), q),
        "inertia_slope": jacobian(momentum, q),
        "constraints": g,
        "constraint_jacobian": jacobian(g, q),
        "curvature": jacobian(jacobian(g, q), q),
        "constraint_matrix": jacobian(rates, v),
        "damping": jacobian(gradient(R, v), v),
        "load": force,
    }


def main(program, directory):
    texts, compared = {}, 0
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        state = json.loads(line)
        name = state["system"]
        if name not in texts:
            text = Text(Path(directory) / f"{name}.toml")
            symbols = text.q + text.v + text.parameters + [text.t]
            texts[name] = {key: sympy.lambdify(symbols, values, modules="mpmath", cse=True)
                           for key, values in expected(text).items()}
        numbers = state["q"] + state["v"] + state["parameters"] + [state["t"]]
        for key, values in state["values"].items():
            judged = [float(x) for x in texts[name][key](*map(exact, numbers))]
            size = max([abs(x) for x in judged], default=0.0) + 1.0
            for i, (computed, judgement) in enumerate(zip(values, judged, strict=True)):
                compared += 1
                if not abs(computed - judgement) <= ROUND_OFF * size:
                    raise SystemExit(f"{name}: {key}[{i}] is {computed!r}, by SymPy {judgement!r}")
    print(f"{compared} values of {len(texts)} systems agree")


def exact(number):
    import mpmath

    mpmath.mp.dps = DIGITS
    return mpmath.mpf(number)


if __name__ == "__main__":
    main(*sys.argv[1:])
