"""Three readings of the same texts: text_judges.py PROGRAM [SEED [COUNT]]

Draws texts with every operation and function over scalars and vectors, and compares value and first derivatives of the
graph that is compiled, of the trees of the reference (both from the program text_values) and of Python's own arithmetic: the
text is read by Python's parser, whose precedence is that of texts, and evaluated with dual numbers of mpmath in 40 digits.

Then powers whose base vanishes, at places where it does: wherever value, first and second derivatives by the coordinates have
a limit, from two sides, it is what both have there.
"""

import ast
import random
import re
import subprocess
import sys

try:
    from mpmath import mp, mpf
except ImportError:
    sys.exit(77)

mp.dps = 40
D = 27


class Dual:
    """A value and its derivatives by q, v and p."""

    def __init__(self, value, slope=None):
        self.value, self.slope = mpf(value), slope or {}

    def along(self, value, factor):
        return Dual(value, {i: factor * s for i, s in self.slope.items()})

    def __neg__(self):
        return self.along(-self.value, mpf(-1))

    def __add__(self, other):
        slope = dict(self.slope)
        for i, s in other.slope.items():
            slope[i] = slope.get(i, mpf(0)) + s
        return Dual(self.value + other.value, slope)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        return self.along(self.value * other.value, other.value) + other.along(mpf(0), self.value)

    def __truediv__(self, other):
        return self * other.along(1 / other.value, -1 / other.value**2)


FUNCTIONS = {
    "sqrt": lambda a: (mp.sqrt(a), 1 / (2 * mp.sqrt(a))), "sin": lambda a: (mp.sin(a), mp.cos(a)),
    "cos": lambda a: (mp.cos(a), -mp.sin(a)), "tan": lambda a: (mp.tan(a), 1 + mp.tan(a)**2),
    "exp": lambda a: (mp.exp(a), mp.exp(a)), "log": lambda a: (mp.log(a), 1 / a),
    "tanh": lambda a: (mp.tanh(a), 1 - mp.tanh(a)**2), "abs": lambda a: (abs(a), mp.sign(a)),
    "asin": lambda a: (mp.asin(a), 1 / mp.sqrt(1 - a**2)), "acos": lambda a: (mp.acos(a), -1 / mp.sqrt(1 - a**2)),
    "atan": lambda a: (mp.atan(a), 1 / (1 + a**2)), "sinh": lambda a: (mp.sinh(a), mp.cosh(a)),
    "cosh": lambda a: (mp.cosh(a), mp.sinh(a)), "sign": lambda a: (mp.sign(a), mpf(0))}
NEAR_A_JUMP = mpf(10)**-9


class OutsideDomain(Exception):
    """A root of a negative number, and the like."""


def apply(name, a):
    if (name == "sqrt" and a.value < 0) or (name == "log" and a.value <= 0):
        raise OutsideDomain
    if name in ("asin", "acos") and abs(a.value) > 1 - NEAR_A_JUMP:
        raise OutsideDomain
    if (name == "sign" and abs(a.value) < NEAR_A_JUMP) or (name in ("sinh", "cosh") and abs(a.value) > 300):
        raise OutsideDomain
    return a.along(*FUNCTIONS[name](a.value))


def raised(a, e, is_number):
    """Section 1 of text.md: a number as it is written is an exponent of its own; others go by exp and log."""
    if not is_number:
        return apply("exp", e * apply("log", a))
    if e.value == int(e.value):
        n = int(e.value)
        return a.along(a.value**n, n * a.value**(n - 1) if n else mpf(0))
    if a.value < 0 or (a.value == 0 and e.value < 1):
        raise OutsideDomain
    return a.along(a.value**e.value, e.value * a.value**(e.value - 1))


def is_less(a, b):
    if abs(a.value - b.value) < NEAR_A_JUMP * (1 + abs(a.value)):
        raise OutsideDomain
    return a.value < b.value


def angle(y, x):
    if x.value < 0 and abs(y.value) < NEAR_A_JUMP or x.value**2 + y.value**2 < NEAR_A_JUMP:
        raise OutsideDomain
    square = x.value**2 + y.value**2
    return y.along(mp.atan2(y.value, x.value), x.value / square) + x.along(mpf(0), -y.value / square)


class Table:
    """A function by points: cubic between them unless `straight`; beyond them the line on, or the value at the end."""

    def __init__(self, x, y, straight=False, hold=False, periodic=False):
        self.x, self.y = [mpf(one) for one in x], [mpf(one) for one in y]
        self.hold, self.periodic = hold, periodic
        n = len(x)
        matrix, right = mp.matrix(n, n), mp.matrix(n, 1)
        h = [b - a for a, b in zip(self.x, self.x[1:])]
        m = [(b - a) / one for a, b, one in zip(self.y, self.y[1:], h)]
        for i in range(n):
            matrix[i, i] = 1
            if straight or (not periodic and i in (0, n - 1)):
                continue
            if i == n - 1:
                matrix[i, 0] = -1
                continue
            before = i - 1 if i > 0 else n - 2
            matrix[i, i] = 2 * (h[before] + h[i])
            matrix[i, before] += h[before]
            matrix[i, i + 1] += h[i]
            right[i] = 6 * (m[i] - m[before])
        self.curvature = mp.lu_solve(matrix, right)

    def inside(self, a):
        i = max(k for k in range(len(self.x) - 1) if k == 0 or a >= self.x[k])
        h, s = self.x[i + 1] - self.x[i], a - self.x[i]
        bend, twist = self.curvature[i] / 2, (self.curvature[i + 1] - self.curvature[i]) / (6 * h)
        first = (self.y[i + 1] - self.y[i]) / h - h * (bend + twist * h)
        return [self.y[i] + s * (first + s * (bend + s * twist)), first + s * (2 * bend + 3 * s * twist),
                2 * bend + 6 * s * twist]

    def at(self, a):
        """Value, slope, curvature."""
        if any(abs(a - x) < NEAR_A_JUMP for x in self.x):
            raise OutsideDomain
        if self.periodic:
            return self.inside(self.x[0] + (a - self.x[0]) % (self.x[-1] - self.x[0]))
        if self.x[0] < a < self.x[-1]:
            return self.inside(a)
        end = self.x[0] if a < self.x[0] else self.x[-1]
        value, slope, _ = self.inside(end)
        return [value, mpf(0), mpf(0)] if self.hold else [value + slope * (a - end), slope, mpf(0)]


# Those of text_values.cpp, and the derivative of `swing` as it is written out by hand.
TABLES = {"bend": Table([-2, -0.5, 1, 1.25, 4], [1, -1, 2, 0.5, 3]),
          "edge": Table([-2, -0.5, 1, 4], [1, -1, 2, 0.5], straight=True, hold=True),
          "gait": Table([0, 0.75, 1, 2.5], [0.5, -1, 2, 0.5], periodic=True)}
TEXTS = {"hill": (["s", "q0"], "q0*exp(-s^2) + u[0]*s"),
         "swing": (["t"], "[k*sin(t) + tanh(t)^3, t^2*gait(t), c[1]*bend(cos(t))]"),
         "swing_prime": (["t"], "[k*cos(t) + 3*tanh(t)^2*(1 - tanh(t)^2), 2*t*gait(t) + t^2*gait'(t), -c[1]*bend'(cos(t))*sin(t)]"),
         "both": (["u"], "hill(u, k) - swing(u)[1]")}


class Evaluation:
    def __init__(self, names, velocities, momenta, constants, arguments=None):
        self.all = (names, velocities, momenta)
        self.names = names if arguments is None else {**names, **arguments}
        self.velocities, self.momenta, self.constants = velocities, momenta, constants

    def of(self, text):
        tree = ast.parse(text.replace("^", "**").replace("'", "_prime"), mode="eval")
        return self.walk(tree.body)

    def is_number(self, node):
        return all(not isinstance(one, ast.Call) and (not isinstance(one, ast.Name) or one.id in self.constants)
                   for one in ast.walk(node))

    def walk(self, node):
        if isinstance(node, ast.Constant):
            return Dual(repr(node.value))
        if isinstance(node, ast.Name):
            if node.id in self.constants:
                return Dual(self.constants[node.id])
            if node.id == "pi":
                return Dual(mp.pi)
            known = self.velocities if node.id.endswith("_prime") else self.names
            return known[node.id.removesuffix("_prime")]
        if isinstance(node, ast.Subscript):
            return self.walk(node.value)[int(self.walk(node.slice).value)]
        if isinstance(node, ast.UnaryOp):
            a = self.walk(node.operand)
            sign = (lambda x: -x) if isinstance(node.op, ast.USub) else (lambda x: x)
            return [sign(x) for x in a] if isinstance(a, list) else sign(a)
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.List):
            return [self.walk(one) for one in node.elts]
        return self.call(node)

    def binary(self, node):
        a, b = self.walk(node.left), self.walk(node.right)
        if isinstance(node.op, ast.Pow):
            return raised(a, b, self.is_number(node.right))
        if isinstance(node.op, ast.Div) and (b.value == 0 or abs(b.value) < mpf(10)**-30):
            raise OutsideDomain
        operation = {ast.Add: Dual.__add__, ast.Sub: Dual.__sub__, ast.Mult: Dual.__mul__,
                     ast.Div: Dual.__truediv__}[type(node.op)]
        if not isinstance(a, list) and not isinstance(b, list):
            return operation(a, b)
        size = len(a if isinstance(a, list) else b)
        return [operation(x, y) for x, y in zip(a if isinstance(a, list) else [a] * size,
                                                b if isinstance(b, list) else [b] * size)]

    def call(self, node):
        name, arguments = node.func.id, node.args
        if name in ("sum", "list"):
            index, first, last = arguments[0].id, *(int(self.walk(one).value) for one in arguments[1:3])
            terms = []
            for i in range(first, last + 1):
                inner = Evaluation(self.names, self.velocities, self.momenta, {**self.constants, index: i})
                terms.append(inner.walk(arguments[3]))
            if name == "list":
                return terms
            total = terms[0] if terms else Dual(0)
            for term in terms[1:]:
                total = [x + y for x, y in zip(total, term)] if isinstance(total, list) else total + term
            return total
        if name == "p":
            node = arguments[0]
            return self.momenta[node.id] if isinstance(node, ast.Name) else \
                self.momenta[node.value.id][int(self.walk(node.slice).value)]
        if name == "where":
            compared = arguments[0]
            left, right = self.walk(compared.left), self.walk(compared.comparators[0])
            is_chosen = is_less(left, right) == isinstance(compared.ops[0], (ast.Lt, ast.LtE))
            return self.walk(arguments[1 if is_chosen else 2])
        a = [self.walk(one) for one in arguments]
        if name in TEXTS:
            names, text = TEXTS[name]
            return Evaluation(*self.all, {"n": 2}, dict(zip(names, a))).of(text)
        if name.removesuffix("_prime") in TABLES:
            value, slope, curvature = TABLES[name.removesuffix("_prime")].at(a[0].value)
            return a[0].along(slope, curvature) if name.endswith("_prime") else a[0].along(value, slope)
        if name in ("min", "max"):
            return a[0] if is_less(*a) == (name == "min") else a[1]
        if name == "atan2":
            return angle(*a)
        if name in FUNCTIONS:
            return apply(name, a[0])
        if name == "cross":
            x, y = a
            return [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
        total = Dual(0)
        for x, y in zip(a[0], a[-1]):
            total = total + x * y
        return apply("sqrt", total) if name == "norm" else total


def coordinates():
    """Of text_values.cpp."""
    q = [(7 + 5 * i % 11) / 8 for i in range(9)]
    q[1] = -0.625
    return q


def place(q=None):
    """Of text_values.cpp, or with other coordinates."""
    q = coordinates() if q is None else q
    v = [(3 + 7 * i % 13) / 8 for i in range(9)]
    p = [(2 + 3 * i % 7) / 4 for i in range(9)]
    v[2] = -1.125

    def named(values, first):
        numbers = [Dual(x, {first + i: mpf(1)}) for i, x in enumerate(values)]
        return {"q0": numbers[0], "q1": numbers[1], "q2": numbers[2], "u": numbers[3:6], "w": numbers[6:9]}

    names = {**named(q, 0), "k": Dual(1.75), "c": [Dual(0.375), Dual(2.5)]}
    return Evaluation(names, named(v, 9), named(p, 18), {"n": 2})


class Draw:
    """Texts at random, with brackets only where the grammar wants them, and some more."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def bracketed(self, text, strength, wanted):
        return f"({text})" if strength < wanted or self.random.random() < 0.1 else text

    # Strength: 0 a sum, 1 a product, 2 a sign, 3 a power, 4 an item.
    def scalar(self, depth, index=None):
        """A text and its strength; `index`: that of the sum or list around it."""
        choose = self.random.choice
        if depth <= 0:
            return choose(["q0", "q1", "q2", "k", "u[0]", "w[1]", "c[1]", "u[n]", "w[n - 1]", "q0'", "u'[2]", "p(q0)",
                           "p(u)[1]", "2", "0.5", "3e-1", ".25", "n", "pi",
                           *([f"u[{index}]", f"w[2 - {index}]", index] if index else [])]), 4
        kind = self.random.randrange(24)
        inner = lambda strength: self.bracketed(*self.scalar(depth - 1 - self.random.randrange(2), index), strength)
        vector = lambda: self.bracketed(*self.vector(depth - 1, index), 0)
        if kind < 3:
            return f"{inner(0)} {choose('+-')} {inner(1)}", 0
        if kind < 6:
            return f"{inner(1)}{choose('**/')}{inner(2)}", 1
        if kind == 6:
            return f"-{inner(2)}", 2
        if kind < 11:
            exponent = choose(["2", "2", "2", "3", "4", "-1", "-2", "0", "1", "2.5", "(5/2)", "(3/2)", "0.5", "n", "(n - 1)",
                               "-0.5", "k", "(1/3)", "1.7", "2^2", "(4/2)", "7", "c[1]"])
            return f"{inner(4)}^{exponent}", 3
        if kind < 14:
            return f"{choose([*FUNCTIONS])}({inner(0)})", 4
        if kind < 16:
            return f"norm({vector()})", 4
        if kind < 18:
            first = self.vector(depth - 1, index)
            return f"dot({first[0]}, {self.vector(depth - 1, index, self.size)[0]})", 4
        if kind == 18:
            new = f"i{depth}"
            return f"sum({new}, {choose('01')}, {choose(['n', '1', '0', 'n - 1'])}, {self.scalar(depth - 1, new)[0]})", 4
        if kind == 20:
            return f"{choose(['min', 'max', 'atan2', 'hill'])}({inner(0)}, {inner(0)})", 4
        if kind == 21:
            return f"where({inner(0)} {choose(['<', '<=', '>', '>='])} {inner(0)}, {inner(0)}, {inner(0)})", 4
        if kind == 22:
            names = ["both", "bend", "edge", "gait", "bend'", "edge'", "gait'"]
            return f"{choose(names)}({inner(0)})", 4
        text, strength = self.vector(depth - 1, index)
        return f"{self.bracketed(text, strength, 4)}[{self.random.randrange(self.size)}]", 4

    def vector(self, depth, index=None, size=3):
        self.size = size
        choose = self.random.choice
        if depth <= 0:
            return choose(["u", "w", "u'", "w'", "p(u)", "w"]), 4
        kind = self.random.randrange(9)
        inner = lambda strength: self.bracketed(*self.vector(depth - 1, index), strength)
        if kind < 2:
            return f"{inner(0)} {choose('+-')} {inner(1)}", 0
        if kind == 2:
            factor = self.bracketed(*self.scalar(depth - 1, index), 1)
            return f"{factor}*{inner(2)}", 1
        if kind == 3:
            return f"{inner(1)}/{self.bracketed(*self.scalar(depth - 1, index), 2)}", 1
        if kind == 4:
            return f"-{inner(2)}", 2
        if kind == 5:
            return f"cross({inner(0)}, {inner(0)})", 4
        if kind == 6:
            return f"[{', '.join(self.scalar(depth - 1, index)[0] for _ in range(3))}]", 4
        if kind == 7:
            name = choose(["swing", "swing'"])
            return f"{name}({self.scalar(depth - 1, index)[0]})", 4
        new = f"j{depth}"
        return f"list({new}, 0, n, {self.scalar(depth - 1, new)[0]})", 4


def numbers(value):
    return [value.value, *(value.slope.get(i, mpf(0)) for i in range(D))]


# Bases that are 0 where u is, or q0, and what vanishes with them.
VANISHING = ["norm(u)", "norm(u)/k", "k*norm(u)", "-norm(u)/c[1]", "-(k*norm(u))", "norm(u)*norm(w)", "norm(u)/norm(w)", "norm(u)*q2",
             "q0*norm(u)", "norm(u)/(1 + q2^2)", "norm(u)^3*k", "(norm(u)/k)^3", "(norm(u)/k)^2*c[1]", "sqrt(q0^2)", "sqrt(q0^2)/k",
             "sqrt(q0^2 + u[0]^2)*q2", "q0*w[0]", "q0*q2/k", "dot(u, u)*k",
             "norm(u)*sqrt(q0^2)", "2*norm(u)*norm(cross(u, w))", "norm(u)/k*w[1]/c[0]", "q0*abs(q0)"]
EXPONENTS = ["2", "3", "4", "5", "6", "7", "2.5", "(5/2)", "3.5", "4.5", "c[1]", "(2*k)", "3.3"]
NEAR, STEP, SLACK = mpf(10)**-16, mpf(10)**-24, mpf(10)**-3


def limits(text, q):
    """Value, first and second derivatives by q, each where it is the same near q in two directions, else None."""
    with mp.workdps(70):
        found = []
        for direction in ([1, 1, 1, 1, 1, 1, 1, 1, 1], [0.5, 0.75, 1, 1.5, 0.25, 0.5, 1, 1, 1.25]):
            near = [mpf(x) + NEAR * y for x, y in zip(q, direction)]

            def slopes(j, step):
                value = place([x + (step if i == j else 0) for i, x in enumerate(near)]).of(text)
                return numbers(value)[1:10]

            exact = numbers(place(near).of(text))[:10]
            for j in range(9):
                exact += [(a - b) / (2 * STEP) for a, b in zip(slopes(j, STEP), slopes(j, -STEP))]
            found.append(exact)
        return [a if abs(a - b) < SLACK and abs(a) < 1e6 else None for a, b in zip(*found)]


def vanishing_powers(program):
    """How many of the powers are not what they should be at 0."""
    at = coordinates()
    at[0], at[3:6] = 0.0, [0.0, 0.0, 0.0]
    texts = [f"({base})^{exponent}" for base in VANISHING for exponent in EXPONENTS]
    texts = [text for text in texts if not (text.startswith("(-") and not text[-1].isdigit()) and not
             (text.startswith("(-") and "." in text.rpartition("^")[2])]
    texts += [f"k*({base})^3/c[0] + q2*({base})^{exponent}" for base in VANISHING[:3] for exponent in ("2", "2.5", "4")]
    lines = subprocess.run([program], input="".join(f"{text} @ {' '.join(map(repr, at))}\n" for text in texts),
                           capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = known = 0
    for text, line in zip(texts, lines, strict=True):
        expected = limits(text, at)
        for name, said in zip(("graph", "reference"), line.split("|")):
            if "refused" in said:
                print(f"{text}\n  the {name} {said.strip()}")
                wrong += 1
                continue
            ours = [float(x) for x in said.split()]
            ours = ours[:10] + ours[1 + D:]
            off = [i for i, x in enumerate(expected) if x is not None and not abs(ours[i] - x) <= 2 * SLACK]
            known += sum(x is not None for x in expected)
            if off:
                what = "value" if off[0] == 0 else f"derivative {off[0]}"
                print(f"{text} at u = 0, q0 = 0\n  the {name} has the {what} {ours[off[0]]!r}, the limit is {float(expected[off[0]])!r}")
                wrong += 1
    print(f"{len(texts)} powers of what vanishes, {known} limits: {wrong} disagreements")
    return wrong


def main():
    program = sys.argv[1]
    seed, count = (int(one) for one in (sys.argv[2:4] + ["1", "300"][len(sys.argv) - 2:])[:2])
    draw, texts = Draw(seed), []
    judge, judged = place(), []
    while len(texts) < count:
        text = draw.scalar(draw.random.randrange(1, 6))[0]
        try:
            value = judge.of(text)
        except (OutsideDomain, ZeroDivisionError, OverflowError):
            continue
        if not isinstance(value.value, mpf) or not 1e-6 < abs(value.value) < 1e6 or len(text) > 5000:
            continue
        with mp.workprec(53):
            rounded = numbers(place().of(text))
        texts.append(text)
        judged.append((numbers(value), rounded))
    lines = subprocess.run([program], input="\n".join(texts) + "\n", capture_output=True, text=True, check=True).stdout
    wrong = 0
    for text, (exact, rounded), line in zip(texts, judged, lines.splitlines(), strict=True):
        # A wrong reading is off in the first digits. What rounding makes of the value or a derivative is seen by the same
        # evaluation in the precision of doubles; the order of operations is another, hence the factor.
        size = max(1, *(abs(x) for x in exact))
        bounds = [1e-9 * size + 1000 * abs(x - r) for x, r in zip(exact, rounded)]
        for name, said in zip(("graph", "reference"), line.split("|")):
            if "too large" in said:
                continue
            if "refused" in said:
                print(f"{text}\n  the {name} {said.strip()}")
                wrong += 1
                continue
            ours = [float(x) for x in said.split()]
            off = [i for i in range(D + 1) if not abs(ours[i] - exact[i]) <= bounds[i]]
            if off:
                what = "value" if off[0] == 0 else f"derivative {off[0] - 1}"
                print(f"{text}\n  the {name} has the {what} {ours[off[0]]!r}, Python {float(exact[off[0]])!r}")
                wrong += 1
    print(f"{count} texts with seed {seed}: {wrong} disagreements")
    wrong += vanishing_powers(program)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
