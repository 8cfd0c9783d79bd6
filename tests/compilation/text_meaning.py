"""What a text means, read from docs/equations/text.md and nothing else: the third judge of random_mechanisms.py.

A text is parsed by the grammar of section 1 into trees, and a tree is evaluated over any of three kinds of numbers: `Jet`
(value, first and second derivatives by q, v, t), `Difference` (values at two places and the row Dbar of section 4) and `Series`
(Taylor coefficients of a function of the time, for f'(e)). The scalars beneath are those of mpmath, or floats that are
disturbed at every operation, which shows how far rounding may go (`Arithmetic`).
"""

import csv
import random
import re
import tomllib

from mpmath import mp, mpf

D_EPS = 2.0**-52
FUNCTIONS = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "abs", "sign")
TOKEN = re.compile(r"\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|[-+*/^()\[\],'<>]))")


class OutsideDomain(Exception):
    """No number, or a place where a number jumps: nothing is compared there."""


# Arithmetic ------------------------------------------------------------------------------------------------------------


class Arithmetic:
    """Exact to many digits, or floats whose every operation is off by up to twice `noise`, at random."""

    def __init__(self, noise=None, seed=0):
        self.noise, self.random, self.size = noise, random.Random(seed), 0.0
        self.is_exact = noise is None
        self.fp = mp if self.is_exact else mp_fp
        self.near = 1e-14 if self.is_exact else 1e-6

    def number(self, x):
        return mpf(x) if self.is_exact else float(x)

    def disturbed(self, x, absolute=0.0):
        """What an operation gives; `absolute`: the size of what it cancelled."""
        if self.is_exact:
            return x
        by = self.noise * self.random.choice((-1.0, 1.0)) * (1.0 + self.random.random())
        return x + by * (abs(x) + absolute)

    def added(self, sums, key, x):
        """To an entry that may be there; what cancels is off by as much as it was."""
        if key in sums:
            before = sums[key]
            sums[key] = before + x if self.is_exact else self.disturbed(before + x, abs(before) + abs(x))
        else:
            sums[key] = x


class Floats:
    """The functions of floats under mpmath's names."""

    def __getattr__(self, name):
        import math
        return {"ln": math.log}.get(name) or getattr(math, name)


mp_fp = Floats()


def derivatives(name, x, fp):
    """f, f', f'' and how large what f' cancels is."""
    if name == "sin":
        s, c = fp.sin(x), fp.cos(x)
        return s, c, -s, 1
    if name == "cos":
        s, c = fp.sin(x), fp.cos(x)
        return c, -s, -c, 1
    if name == "exp":
        if x > 300:
            raise OutsideDomain
        e = fp.exp(x)
        return e, e, e, 0
    if name == "sqrt":
        if x <= 0:
            raise OutsideDomain
        r = fp.sqrt(x)
        return r, 1 / (2 * r), -1 / (4 * r * x), 0
    if name == "log":
        if x <= 0:
            raise OutsideDomain
        return fp.log(x), 1 / x, -1 / x**2, 0
    if name == "tan":
        y = fp.tan(x)
        return y, 1 + y * y, 2 * y * (1 + y * y), 0
    if name == "tanh":
        y = fp.tanh(x)
        return y, 1 - y * y, -2 * y * (1 - y * y), 1
    if name in ("asin", "acos"):
        if abs(x) > 1 - 1e-9:
            raise OutsideDomain
        root = fp.sqrt((1 - x) * (1 + x))
        sign = 1 if name == "asin" else -1
        return (fp.asin(x) if sign > 0 else fp.acos(x)), sign / root, sign * x / root**3, 0
    if name == "atan":
        square = 1 + x * x
        return fp.atan(x), 1 / square, -2 * x / square**2, 0
    if name in ("sinh", "cosh"):
        if abs(x) > 300:
            raise OutsideDomain
        s, c = fp.sinh(x), fp.cosh(x)
        return (s, c, s, 0) if name == "sinh" else (c, s, c, 0)
    if name == "abs":
        return abs(x), (1 if x > 0 else -1 if x < 0 else 0), 0, 0
    return (1 if x > 0 else -1 if x < 0 else 0), 0, 0, 0  # sign


class Table:
    """Section 1, Tables. Pieces are polynomials from their own knots, found with mpmath's own solution."""

    def __init__(self, entry, folder):
        if "table" in entry:
            with open(folder / entry["table"]) as file:
                rows = [[one.strip() for one in row] for row in csv.reader(file) if any(one.strip() for one in row)]
            columns = [rows[0].index(name) for name in entry["columns"]]
            x, y = ([float(row[c]) for row in rows[1:]] for c in columns)
        else:
            x, y = ([float(one) for one in entry[axis]] for axis in "xy")
        self.x, self.floats = [mpf(one) for one in x], x
        y = [mpf(one) for one in y]
        self.straight = entry.get("between", "cubic") == "linear"
        self.periodic = entry.get("periodic", False)
        self.beyond = entry.get("beyond", "error")
        self.size = float(max(abs(one) for one in y))
        n, h = len(x), [b - a for a, b in zip(self.x, self.x[1:])]
        self.shortest = float(min(h))
        m = [(b - a) / one for a, b, one in zip(y, y[1:], h)]
        matrix, right = mp.matrix(n, n), mp.matrix(n, 1)
        for i in range(n):
            if self.straight or (not self.periodic and i in (0, n - 1)):
                matrix[i, i] = 1
            elif i == n - 1:
                matrix[i, i], matrix[i, 0] = 1, -1
            else:
                before = i - 1 if i > 0 else n - 2
                matrix[i, i] = 2 * (h[before] + h[i])
                matrix[i, before] += h[before]
                matrix[i, i + 1] += h[i]
                right[i] = 6 * (m[i] - m[before])
        s = mp.lu_solve(matrix, right)
        self.pieces = []
        for i in range(n - 1):
            bend, twist = s[i] / 2, (s[i + 1] - s[i]) / (6 * h[i])
            self.pieces.append([y[i], m[i] - h[i] * (bend + twist * h[i]), bend, twist])
        self.of_floats = [[float(c) for c in piece] for piece in self.pieces]

    def at(self, a, exact):
        """Value and derivatives to the third at a, those of the piece to the right."""
        x, pieces = (self.x, self.pieces) if exact else (self.floats, self.of_floats)
        if self.periodic:
            period = x[-1] - x[0]
            a = x[0] + (a - x[0]) % period
        if a < x[0] or a > x[-1]:
            if self.beyond == "error":
                raise OutsideDomain
            is_first = a < x[0]
            value, slope, *_ = self.inside(x[0] if is_first else x[-1], x, pieces)
            if self.beyond == "hold":
                return value, 0, 0, 0
            return value + slope * (a - (x[0] if is_first else x[-1])), slope, 0, 0
        return self.inside(a, x, pieces)

    def inside(self, a, x, pieces):
        i = max(k for k in range(len(pieces)) if k == 0 or a >= x[k])
        s, (c0, c1, c2, c3) = a - x[i], pieces[i]
        return c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2 * c2 + 3 * s * c3), 2 * c2 + 6 * s * c3, 6 * c3

    def is_near_knot(self, a, near):
        """Near one, and not at it: there the third derivatives, or those of a line, are of either side."""
        if self.periodic:
            period = self.floats[-1] - self.floats[0]
            a = self.floats[0] + (float(a) - self.floats[0]) % period
        return any(0 < abs(float(a) - one) < near for one in self.floats)


# Numbers that a tree is evaluated over -----------------------------------------------------------------------------------


class Jet:
    """Value, first and second derivatives; `order` of them that are wanted."""

    __slots__ = ("value", "g", "h")

    def __init__(self, value, g=None, h=None):
        self.value, self.g, self.h = value, g or {}, h or {}


class Jets:
    def __init__(self, arithmetic, order):
        self.a, self.order = arithmetic, order

    def constant(self, x):
        return Jet(self.a.number(x))

    def variable(self, x, i):
        return Jet(self.a.number(x), {i: self.a.number(1)} if self.order else None)

    def linear(self, x, factor, y, by):
        """factor x + by y, factors of -1, 0 and 1."""
        value = self.a.disturbed(factor * x.value + by * y.value)

        def sum_of(a, b):
            result = dict(a) if factor == 1 else {i: -s for i, s in a.items()}
            for i, s in b.items():
                self.a.added(result, i, by * s)
            return result

        return Jet(value, sum_of(x.g, y.g), sum_of(x.h, y.h) if self.order > 1 else None)

    def add(self, x, y):
        return self.linear(x, 1, y, 1)

    def subtract(self, x, y):
        return self.linear(x, 1, y, -1)

    def negate(self, x):
        return Jet(-x.value, {i: -s for i, s in x.g.items()}, {i: -s for i, s in x.h.items()})

    def multiply(self, x, y):
        value = self.a.disturbed(x.value * y.value)
        if not x.g:
            return Jet(value, {i: x.value * s for i, s in y.g.items()}, {i: x.value * s for i, s in y.h.items()})
        if not y.g:
            return Jet(value, {i: y.value * s for i, s in x.g.items()}, {i: y.value * s for i, s in x.h.items()})
        g = {i: y.value * s for i, s in x.g.items()}
        for i, s in y.g.items():
            self.a.added(g, i, x.value * s)
        h = {}
        if self.order > 1:
            h = {i: y.value * s for i, s in x.h.items()}
            for i, s in y.h.items():
                self.a.added(h, i, x.value * s)
            for i, s in x.g.items():
                for j, r in y.g.items():
                    both, product = (i, j) if i <= j else (j, i), s * r
                    self.a.added(h, both, 2 * product if i == j else product)
        return Jet(value, g, h)

    def of_scalar(self, x, value, slope, bend, cancelled=0, value_size=0):
        value, slope = self.a.disturbed(value, value_size), self.a.disturbed(slope, cancelled)
        g = {i: slope * s for i, s in x.g.items()}
        h = {}
        if self.order > 1:
            bend = self.a.disturbed(bend, cancelled)
            h = {i: slope * s for i, s in x.h.items()}
            entries = sorted(x.g.items())
            for k, (i, s) in enumerate(entries):
                for j, r in entries[k:]:
                    self.a.added(h, (i, j), bend * s * r)
        return Jet(value, g, h)

    def divide(self, x, y):
        if y.value == 0 or abs(y.value) < 1e-12:
            raise OutsideDomain
        by = 1 / y.value
        return self.multiply(x, self.of_scalar(y, by, -by * by, 2 * by**3))

    def apply(self, name, x):
        if name in ("abs", "sign") and x.g and abs(x.value) < self.a.near:
            raise OutsideDomain
        value, slope, bend, cancelled = derivatives(name, x.value, self.a.fp)
        return self.of_scalar(x, value, slope, bend, cancelled, 1 if name in ("asin", "acos") else 0)

    def whole_power(self, x, n):
        if x.value == 0 and n < 0:
            raise OutsideDomain
        return self.of_scalar(x, x.value**n, n * x.value**(n - 1) if n else 0,
                              n * (n - 1) * x.value**(n - 2) if n * (n - 1) else 0)

    def number_power(self, x, e):
        """Of a positive base; `e` does not move."""
        e = e.value
        if x.value == 0 and e > 1:
            return Jet(self.a.number(0))
        if x.value <= 0:
            raise OutsideDomain
        value = x.value**e
        return self.of_scalar(x, value, e * value / x.value, e * (e - 1) * value / x.value**2,
                              abs(e * value / x.value) * abs(e) * 8, abs(value * e) * 8)

    def moves(self, x):
        return bool(x.g)

    def angle(self, y, x):
        if (x.value < 0 and abs(y.value) < self.a.near) or x.value**2 + y.value**2 < 1e-9:
            raise OutsideDomain
        square = x.value**2 + y.value**2
        fy, fx = x.value / square, -y.value / square
        value = self.a.disturbed(self.a.fp.atan2(y.value, x.value))
        g = {i: fy * s for i, s in y.g.items()}
        for i, s in x.g.items():
            g[i] = g[i] + fx * s if i in g else fx * s
        if self.order > 1:
            raise AssertionError("atan2 is in nothing that is differentiated twice")
        return Jet(value, g)

    def is_less(self, x, y):
        if abs(x.value - y.value) < self.a.near * (1 + abs(x.value)) and (x.g or y.g):
            raise OutsideDomain
        return x.value < y.value

    def extreme(self, name, x, y):
        return x if self.is_less(x, y) == (name == "min") else y

    def table(self, table, order, x):
        if x.g and table.is_near_knot(x.value, self.a.near):
            raise OutsideDomain
        found = [*table.at(x.value, self.a.is_exact), 0, 0][order:order + 3]
        size = table.size / table.shortest**order
        return self.of_scalar(x, *found, 8 * size / table.shortest, 8 * size)

    def slope_of_function(self, body, x):
        """body: from a Series to a Series; its derivative at x."""
        c = body(x.value)
        return self.of_scalar(x, c[1], 2 * c[2], 6 * c[3], abs(c[1]) + abs(c[2]) + abs(c[3]), abs(c[1]))


class Difference:
    __slots__ = ("a0", "a1", "row")

    def __init__(self, a0, a1, row=None):
        self.a0, self.a1, self.row = a0, a1, row or {}

    @property
    def mean(self):
        return (self.a0 + self.a1) / 2


class Differences:
    """Section 4. A number without a row is the same at both places."""

    def __init__(self, arithmetic):
        self.a = arithmetic

    def constant(self, x):
        x = self.a.number(x)
        return Difference(x, x)

    def made(self, a0, a1, *parts, size=0):
        """Values, and the row from (factor, number)."""
        row = {}
        for factor, part in parts:
            for i, s in part.row.items():
                row[i] = self.a.disturbed(row[i] + factor * s if i in row else factor * s)
        d0 = self.a.disturbed(a0, size)
        return Difference(d0, d0 if not row and a0 == a1 else self.a.disturbed(a1, size), row)

    def add(self, x, y):
        return self.made(x.a0 + y.a0, x.a1 + y.a1, (1, x), (1, y))

    def subtract(self, x, y):
        return self.made(x.a0 - y.a0, x.a1 - y.a1, (1, x), (-1, y))

    def negate(self, x):
        return Difference(-x.a0, -x.a1, {i: -s for i, s in x.row.items()})

    def multiply(self, x, y):
        return self.made(x.a0 * y.a0, x.a1 * y.a1, (y.mean, x), (x.mean, y))

    def divide(self, x, y):
        if min(abs(y.a0), abs(y.a1)) < 1e-12:
            raise OutsideDomain
        by = Difference(1 / y.a0, 1 / y.a1, {i: -s / (y.a0 * y.a1) for i, s in y.row.items()})
        return self.multiply(x, by)

    def of_scalar(self, x, f, size=0, cancelled=0):
        """f(a): value and derivative at a."""
        (f0, slope), (f1, _) = f(x.a0), f(x.a1)
        change = x.a1 - x.a0
        # Where digits cancel the slope in the middle is the quotient, but for change^2.
        is_near = abs(change) < (1e-22 if self.a.is_exact else 1e-5) * (1 + abs(x.a0))
        quotient = slope if change == 0 else f(x.mean)[1] if is_near else (f1 - f0) / change
        return self.made(f0, f1, (self.a.disturbed(quotient, cancelled), x), size=size)

    def apply(self, name, x):
        if name == "abs":
            if min(abs(x.a0), abs(x.a1)) < self.a.near and x.row:
                raise OutsideDomain
            below = abs(x.a0) + abs(x.a1)
            return self.made(abs(x.a0), abs(x.a1), ((x.a0 + x.a1) / below if below else 0, x))
        cancelled = {"tanh": 2 / max(1, abs(x.a1 - x.a0)), "sin": 2, "cos": 2}.get(name, 0)
        return self.of_scalar(x, lambda a: derivatives(name, a, self.a.fp)[:2], 1 if name in ("asin", "acos") else 0,
                              cancelled)

    def whole_power(self, x, n):
        if n < 0:
            return self.divide(self.constant(1), self.whole_power(x, -n))
        factor = sum(x.a1**k * x.a0**(n - 1 - k) for k in range(n))
        return self.made(x.a0**n, x.a1**n, (factor, x))

    def number_power(self, x, e):
        e = e.a0
        if x.a0 < 0 or x.a1 < 0 or (min(x.a0, x.a1) == 0 and e <= 1):
            raise OutsideDomain

        def power(a):
            return (self.a.number(0), self.a.number(0)) if a == 0 else (a**e, e * a**(e - 1))

        return self.of_scalar(x, power, 8 * abs(e) * max(x.a0, x.a1)**e, 8 * e * e * abs(max(x.a0, x.a1)**(e - 1)))

    def moves(self, x):
        return bool(x.row)

    def is_less(self, x, y):
        raise AssertionError("what jumps is in nothing that is differenced")

    def extreme(self, name, x, y):
        half = self.apply("abs", self.subtract(x, y))
        both = self.add(x, y)
        total = self.subtract(both, half) if name == "min" else self.add(both, half)
        return self.multiply(self.constant(0.5), total)

    def table(self, table, order, x):
        size = 8 * table.size / table.shortest**order
        return self.of_scalar(x, lambda a: [*table.at(a, self.a.is_exact), 0][order:order + 2], size,
                              size / table.shortest)

    def slope_of_function(self, body, x):
        def slope(a):
            c = body(a)
            return c[1], 2 * c[2]

        return self.of_scalar(x, slope, abs(slope(x.a0)[0]), abs(slope(x.a0)[1]))


class SeriesNumbers:
    """Taylor coefficients c0 ... c4 of functions of one number, by recurrences."""

    ORDER = 5

    def __init__(self, arithmetic):
        self.a = arithmetic

    def constant(self, x):
        return [self.a.number(x)] + [self.a.number(0)] * (self.ORDER - 1)

    def variable(self, x):
        return [x, self.a.number(1)] + [self.a.number(0)] * (self.ORDER - 2)

    def add(self, x, y):
        return [a + b for a, b in zip(x, y)]

    def subtract(self, x, y):
        return [a - b for a, b in zip(x, y)]

    def negate(self, x):
        return [-a for a in x]

    def multiply(self, x, y):
        return [self.a.disturbed(sum(x[j] * y[k - j] for j in range(k + 1))) for k in range(self.ORDER)]

    def divide(self, x, y):
        if abs(y[0]) < 1e-12:
            raise OutsideDomain
        z = []
        for k in range(self.ORDER):
            z.append((x[k] - sum(y[j] * z[k - j] for j in range(1, k + 1))) / y[0])
        return z

    def integral(self, first, slope, x):
        """What has the value `first` and the derivative `slope` times that of x."""
        rate = self.multiply(slope, [(k + 1) * c for k, c in enumerate(x[1:])] + [self.a.number(0)])
        return [first] + [rate[k] / (k + 1) for k in range(self.ORDER - 1)]

    def fixed_point(self, first, slope_of, x):
        """y' = slope_of(y) x': every turn makes one more coefficient right."""
        y = self.constant(0)
        y[0] = first
        for _ in range(self.ORDER):
            y = self.integral(first, slope_of(y), x)
        return y

    def apply(self, name, x):
        first = derivatives(name, x[0], self.a.fp)[0]
        one = self.constant(1)
        if name == "abs":
            if abs(x[0]) < self.a.near:
                raise OutsideDomain
            return x if x[0] > 0 else self.negate(x)
        if name == "sign":
            return self.constant(first)
        if name == "exp":
            return self.fixed_point(first, lambda y: y, x)
        if name == "sqrt":
            return self.fixed_point(first, lambda y: self.divide(self.constant(0.5), y), x)
        if name == "log":
            return self.integral(first, self.divide(one, x), x)
        if name in ("tan", "tanh"):
            sign = self.add if name == "tan" else self.subtract
            return self.fixed_point(first, lambda y: sign(one, self.multiply(y, y)), x)
        if name == "atan":
            return self.integral(first, self.divide(one, self.add(one, self.multiply(x, x))), x)
        if name in ("asin", "acos"):
            root = self.apply("sqrt", self.subtract(one, self.multiply(x, x)))
            return self.integral(first, self.divide(one if name == "asin" else self.negate(one), root), x)
        # sin, cos, sinh, cosh: both of a pair together
        other = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}[name]
        y, z = self.constant(first), self.constant(derivatives(other, x[0], self.a.fp)[0])
        f0, g0 = y[0], z[0]
        sy, sz = {"sin": (1, -1), "cos": (-1, 1), "sinh": (1, 1), "cosh": (1, 1)}[name]
        for _ in range(self.ORDER):
            y, z = (self.integral(f0, [sy * c for c in z], x), self.integral(g0, [sz * c for c in y], x))
        return y

    def whole_power(self, x, n):
        if n < 0:
            return self.divide(self.constant(1), self.whole_power(x, -n))
        y = self.constant(1)
        for _ in range(n):
            y = self.multiply(y, x)
        return y

    def number_power(self, x, e):
        if x[0] <= 0:
            raise OutsideDomain
        return self.apply("exp", self.multiply(e, self.apply("log", x)))

    def moves(self, x):
        return any(c != 0 for c in x[1:])

    def is_less(self, x, y):
        if abs(x[0] - y[0]) < self.a.near * (1 + abs(x[0])):
            raise OutsideDomain
        return x[0] < y[0]

    def extreme(self, name, x, y):
        return x if self.is_less(x, y) == (name == "min") else y

    def table(self, table, order, x):
        if table.is_near_knot(x[0], self.a.near):
            raise OutsideDomain
        found = [*table.at(x[0], self.a.is_exact), 0, 0, 0, 0, 0][order:order + 5]
        change, factor, power = [self.a.number(0), *x[1:]], 1, self.constant(1)
        y = self.constant(found[0])
        for k in range(1, 5):
            factor *= k
            power = self.multiply(power, change)
            y = [a + self.a.number(found[k]) / factor * b for a, b in zip(y, power)]
        return y

    def angle(self, y, x):
        square = self.add(self.multiply(x, x), self.multiply(y, y))
        if (x[0] < 0 and abs(y[0]) < self.a.near) or square[0] < 1e-9:
            raise OutsideDomain
        first = self.a.fp.atan2(y[0], x[0])
        return self.add(self.integral(first, self.divide(x, square), y),
                        self.negate(self.integral(self.a.number(0), self.divide(y, square), x)))

    def slope_of_function(self, body, x):
        c = body(x[0])
        slopes = [(k + 1) * c[k + 1] for k in range(self.ORDER - 1)]
        change, power = [self.a.number(0), *x[1:]], self.constant(1)
        y = self.constant(slopes[0])
        for k in range(1, self.ORDER - 1):
            power = self.multiply(power, change)
            y = [a + slopes[k] * b for a, b in zip(y, power)]
        return y


# The text ----------------------------------------------------------------------------------------------------------------


class Wrong(Exception):
    """The text is refused."""


class Parser:
    """Trees: ("number", x) and ("written", tree) for one whose parts are numbers, else (operation, arguments...)."""

    def __init__(self, text, scope, arguments=None, indices=None):
        self.text, self.scope = text, scope
        self.arguments, self.indices = arguments or {}, dict(indices or {})
        self.tokens, at = [], 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            if not match:
                raise Wrong(f"{text!r} at {at}")
            kind = "number" if match[1] else "name" if match[2] else "symbol"
            self.tokens.append((kind, match[1] or match[2] or match[3]))
            at = match.end()
        self.tokens.append(("end", ""))
        self.at = 0

    @property
    def now(self):
        return self.tokens[self.at][1]

    def taken(self, *symbols):
        if self.tokens[self.at][0] == "symbol" and self.now in symbols:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def want(self, symbol):
        if not self.taken(symbol):
            raise Wrong(f"{self.text!r}: {symbol} in place of {self.now!r}")

    def whole_text(self):
        tree = self.expression()
        if self.tokens[self.at][0] != "end":
            raise Wrong(f"{self.text!r}: {self.now!r} behind the end")
        return tree

    def expression(self):
        left = self.term()
        while sign := self.taken("+", "-"):
            left = ("add" if sign == "+" else "subtract", left, self.term())
        return left

    def term(self):
        left = self.signed()
        while sign := self.taken("*", "/"):
            left = ("multiply" if sign == "*" else "divide", left, self.signed())
        return left

    def signed(self):
        if self.taken("-"):
            return ("negate", self.signed())
        if self.taken("+"):
            return self.signed()
        return self.power()

    def power(self):
        base = self.component()
        if not self.taken("^"):
            return base
        exponent = self.signed()
        number = number_of(exponent)
        return raised(base, number) if number is not None else raised_by_tree(base, exponent)

    def component(self):
        return self.component_of(self.primary())

    def component_of(self, base):
        if not self.taken("["):
            return base
        index = number_of(self.expression())
        self.want("]")
        if index is None or index != int(index) or index < 0:
            raise Wrong(f"{self.text!r}: index")
        return ("component", base, int(index))

    def whole(self):
        number = number_of(self.expression())
        if number is None or number != int(number):
            raise Wrong(f"{self.text!r}: no whole number")
        return int(number)

    def listed(self, end):
        entries = [self.expression()]
        while self.taken(","):
            entries.append(self.expression())
        self.want(end)
        return entries

    def primary(self):
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return ("number", float(word))
        if kind == "name":
            return self.named(word)
        if word == "(":
            inner = self.expression()
            self.want(")")
            return inner
        if word == "[":
            return ("vector", *self.listed("]"))
        raise Wrong(f"{self.text!r}: {word!r}")

    def named(self, name):
        scope = self.scope
        if name in self.arguments:
            return self.arguments[name]
        if name in self.indices or name in scope.constants:
            return ("number", float(self.indices.get(name, scope.constants.get(name))))
        if name in scope.functions:
            slope = bool(self.taken("'"))
            self.want("(")
            return scope.expanded(name, self.listed(")"), slope)
        if name == "pi":
            return ("pi",)
        if name == "t":
            return ("t",)
        if name in ("sum", "list"):
            return self.repeated(name)
        if name == "where":
            return self.where()
        if name == "p":
            self.want("(")
            coordinate = self.tokens[self.at][1]
            self.at += 1
            tree = ("momentum", coordinate)
            if self.taken("["):
                tree = ("component", tree, self.whole())
                self.want("]")
            self.want(")")
            return tree
        if name in FUNCTIONS or name in ("atan2", "min", "max", "dot", "norm", "cross"):
            self.want("(")
            return (name, *self.listed(")"))
        if name in scope.coordinates:
            if self.taken("'"):
                return ("velocity", name)
            if self.now != "[":
                return ("position", name)
            component = self.component_of(("position", name))
            return ("component", ("velocity", name), component[2]) if self.taken("'") else component
        if name in scope.parameters:
            return ("parameter", name)
        raise Wrong(f"{self.text!r}: {name!r}")

    def repeated(self, kind):
        self.want("(")
        index = self.tokens[self.at][1]
        self.at += 1
        self.want(",")
        first = self.whole()
        self.want(",")
        last = self.whole()
        self.want(",")
        begin, terms = self.at, []
        for i in range(first, last + 1):
            self.at, self.indices[index] = begin, i
            terms.append(self.expression())
        self.indices.pop(index, None)
        if not terms:
            depth = 0
            while depth or self.now != ")":
                depth += (self.now == "(") - (self.now == ")")
                self.at += 1
        self.want(")")
        if kind == "list":
            return ("vector", *terms)
        total = terms[0] if terms else ("number", 0.0)
        for term in terms[1:]:
            total = ("add", total, term)
        return total

    def where(self):
        self.want("(")
        left = self.expression()
        comparison = self.taken("<", "<=", ">", ">=")
        right = self.expression()
        self.want(",")
        first = self.expression()
        self.want(",")
        second = self.expression()
        self.want(")")
        return ("where", comparison, left, right, first, second)


def number_of(tree):
    """The value of what is written with numbers, in double precision; else None."""
    kind, *parts = tree
    if kind == "number":
        return parts[0]
    if kind not in ("add", "subtract", "multiply", "divide", "negate", "whole_power"):
        return None
    if kind == "whole_power":
        base = number_of(parts[0])
        return None if base is None else base**parts[1]
    values = [number_of(part) for part in parts]
    if None in values:
        return None
    a, b = values[0], values[-1]
    if kind == "divide" and b == 0:
        return None
    return {"add": a + b, "subtract": a - b, "multiply": a * b, "negate": -a}.get(kind) if kind != "divide" else a / b


def split(tree):
    """(argument of the roots, the other factors), either None: the base is others * sqrt(argument)."""
    kind, *parts = tree
    if kind == "sqrt":
        return parts[0], None
    if kind == "norm":
        return ("dot", parts[0], parts[0]), None
    if kind == "negate":
        root, others = split(parts[0])
        return (None, tree) if root is None else (root, ("negate", others or ("number", 1.0)))
    if kind in ("multiply", "divide"):
        (ra, ca), (rb, cb) = split(parts[0]), split(parts[1])
        if ra is None and (rb is None or kind == "divide"):
            return None, tree

        def both(a, b):
            if b is None or (a is None and kind == "multiply"):
                return a if b is None else b
            return (kind, a or ("number", 1.0), b)

        return both(ra, rb), both(ca, cb)
    return None, tree


def without_sizes(tree):
    """Absolute values that are factors, as what they are of."""
    kind, *parts = tree
    if kind == "abs":
        return without_sizes(parts[0])
    if kind in ("negate", "multiply"):
        return (kind, *map(without_sizes, parts))
    return ("divide", without_sizes(parts[0]), parts[1]) if kind == "divide" else tree


def raised(base, n):
    """Section 2: a root or an absolute value to a power of at least 2, and then the power itself."""
    if n == int(n) and abs(n) > 64:
        raise Wrong("exponent")
    if n == 1:
        return base
    if n == 0.5:
        return ("sqrt", base)
    if n > 0 and n % 2 == 0:
        base = without_sizes(base)
    root, others = split(base)
    if root is None or n < 2:
        return ("whole_power", base, int(n)) if n == int(n) else ("number_power", base, ("number", n))
    if others is None:
        return raised(root, n / 2)
    square = ("multiply", root, ("multiply", others, others))
    if n % 2 == 0:
        return raised(square, n / 2)
    if n == int(n):
        first = ("multiply", raised(others, 3), raised(root, 1.5))
        return ("multiply", first, raised(square, (n - 3) / 2)) if n > 3 else first
    return ("multiply", raised(others, n), raised(root, n / 2))


def raised_by_tree(base, exponent):
    root, others = split(base)
    if root is None or others is None:
        return ("power", base, exponent)
    return ("multiply", ("power", others, exponent), ("power", ("sqrt", root), exponent))


class Scope:
    """What the names of a text stand for."""

    def __init__(self, toml, folder):
        self.constants = dict(toml.get("constants", {}))
        self.functions = toml.get("functions", {})
        self.coordinates, self.parameters = {}, {}
        self.tables = {name: Table(entry, folder) for name, entry in self.functions.items() if "of" not in entry}
        place = 0
        for name, count in toml["coordinates"].items():
            size = count if isinstance(count, int) else Parser(count, self).whole()
            self.coordinates[name] = (place, size, size > 1 or not isinstance(count, int))
            place += size
        self.d = place
        for name, entry in toml.get("parameters", {}).items():
            default = entry["default"] if isinstance(entry, dict) else entry
            if isinstance(default, str):  # follows from those before it
                default = Parser(default, self).whole_text()
            if isinstance(entry, dict) and "count" in entry:
                default = [default] * Parser(str(entry["count"]), self).whole()
            self.parameters[name] = default

    def expanded(self, name, arguments, slope):
        if name in self.tables:
            return ("table", self.tables[name], int(slope), arguments[0])
        entry = self.functions[name]
        if len(arguments) != len(entry["of"]):
            raise Wrong(f"{name}: arguments")

        def body(trees):
            of = dict(zip(entry["of"], trees))
            texts = entry["is"] if isinstance(entry["is"], list) else [entry["is"]]
            made = [Parser(str(text), self, of).whole_text() for text in texts]
            return ("vector", *made) if isinstance(entry["is"], list) else made[0]

        if not slope:
            return body(arguments)
        inner = body([("argument",)])
        if inner[0] == "vector":
            return ("vector", *(("slope", one, arguments[0]) for one in inner[1:]))
        return ("slope", inner, arguments[0])


class Vector(list):
    """Scalars one after the other; a series is a list, too."""


class Evaluation:
    def __init__(self, numbers, scope, leaves, argument=None):
        self.n, self.scope, self.leaves, self.argument = numbers, scope, leaves, argument

    def each(self, operation, a, b):
        if isinstance(a, Vector) and isinstance(b, Vector):
            return Vector(operation(x, y) for x, y in zip(a, b, strict=True))
        if isinstance(a, Vector):
            return Vector(operation(x, b) for x in a)
        return Vector(operation(a, y) for y in b) if isinstance(b, Vector) else operation(a, b)

    def dot(self, a, b):
        total = None
        for x, y in zip(a, b, strict=True):
            product = self.n.multiply(x, y)
            total = product if total is None else self.n.add(total, product)
        return total

    def of(self, tree):
        kind, *parts = tree
        n = self.n
        if kind == "number":
            return n.constant(parts[0])
        if kind == "pi":
            return n.constant(3.141592653589793)
        if kind == "t":
            return self.leaves["t"]
        if kind in ("position", "velocity", "momentum"):
            place, size, is_vector = self.scope.coordinates[parts[0]]
            values = self.leaves[kind][place:place + size]
            return Vector(values) if is_vector else values[0]
        if kind == "parameter":
            value = self.scope.parameters[parts[0]]
            if isinstance(value, tuple):
                return self.of(value)
            return Vector(n.constant(x) for x in value) if isinstance(value, list) else n.constant(value)
        if kind == "argument":
            return self.argument
        if kind in ("add", "subtract", "multiply", "divide"):
            return self.each(getattr(n, kind), self.of(parts[0]), self.of(parts[1]))
        if kind == "negate":
            a = self.of(parts[0])
            return Vector(n.negate(x) for x in a) if isinstance(a, Vector) else n.negate(a)
        if kind == "whole_power":
            return n.whole_power(self.of(parts[0]), parts[1])
        if kind in ("number_power", "power"):
            base, exponent = self.of(parts[0]), self.of(parts[1])
            if n.moves(exponent):
                return n.apply("exp", n.multiply(exponent, n.apply("log", base)))
            return n.number_power(base, exponent)
        if kind == "component":
            return self.of(parts[0])[parts[1]]
        if kind == "vector":
            return Vector(self.of(part) for part in parts)
        if kind == "dot":
            return self.dot(self.of(parts[0]), self.of(parts[1]))
        if kind == "norm":
            a = self.of(parts[0])
            return n.apply("sqrt", self.dot(a, a))
        if kind == "cross":
            a, b = self.of(parts[0]), self.of(parts[1])

            def minor(i, j):
                return n.subtract(n.multiply(a[i], b[j]), n.multiply(a[j], b[i]))

            return Vector([minor(1, 2), minor(2, 0), minor(0, 1)])
        if kind == "atan2":
            return n.angle(self.of(parts[0]), self.of(parts[1]))
        if kind in ("min", "max"):
            return n.extreme(kind, self.of(parts[0]), self.of(parts[1]))
        if kind == "where":
            comparison, left, right, first, second = parts
            a, b = self.of(left), self.of(right)
            if comparison in (">", "<="):
                a, b = b, a
            holds = n.is_less(a, b) == (len(comparison) == 1)
            return self.of(first if holds else second)
        if kind == "table":
            return n.table(parts[0], parts[1], self.of(parts[2]))
        if kind == "slope":
            series = SeriesNumbers(n.a)

            def body(value):
                return Evaluation(series, self.scope, {}, series.variable(value)).of(parts[0])

            return n.slope_of_function(body, self.of(parts[1]))
        return n.apply(kind, self.of(parts[0]))


class Text:
    """A text with its trees."""

    def __init__(self, path):
        toml = tomllib.loads(path.read_text())
        self.scope = scope = Scope(toml, path.parent)
        self.d = scope.d

        def read(text):
            return Parser(repr(text) if isinstance(text, float) else str(text), scope).whole_text()

        self.kinetic, self.potential = read(toml["kinetic"]), read(toml.get("potential", 0))
        self.rayleigh = read(toml["rayleigh"]) if "rayleigh" in toml else None
        self.alpha = read(toml.get("dissipation_rate", 0))
        self.constraints, self.rates, self.maps = (
            [read(row) for row in toml.get(key, [])] for key in ("constraints", "nonholonomic", "momentum"))
        self.force = self.entries(toml["force"], read) if toml.get("force") else None
        initial = toml.get("initial", {})
        self.start = [self.entries(initial.get(key, {}), read) for key in "qv"]

    def entries(self, given, read):
        """A tree for every coordinate, a vector of them for one that is a vector."""
        all_of = []
        for name, (_, size, is_vector) in self.scope.coordinates.items():
            one = given.get(name)
            if one is None:
                all_of += [("number", 0.0)] * size
            elif isinstance(one, list):
                all_of += [read(entry) for entry in one]
            else:
                tree = read(one)
                all_of += [("component", tree, i) for i in range(size)] if is_vector else [tree]
        return all_of


def flat(rows):
    return [one for row in rows for one in (row if isinstance(row, list) else [row])]


def values_at(text, place, arithmetic):
    """By name, what the program says of a place: a dictionary of lists."""
    d, a = text.d, arithmetic
    first = Jets(a, 1)
    q, v, t = place["q"], place["v"], place["t"]

    def jets(order, *kinds):
        n = Jets(a, order)

        def of(kind, values, begin):
            return [n.variable(x, begin + i) if kind in kinds else n.constant(x) for i, x in enumerate(values)]

        leaves = {"position": of("q", q, 0), "velocity": of("v", v, d),
                  "t": n.variable(t, 2 * d) if "t" in kinds else n.constant(t)}
        return Evaluation(n, text.scope, leaves)

    zero = a.number(0)

    def g(jet, begin):
        return [jet.g.get(begin + i, zero) for i in range(d)]

    def h(jet, i, j):
        return jet.h.get((i, j) if i <= j else (j, i), zero)

    def block(jet, rows, columns):
        return [h(jet, rows + i, columns + j) for i in range(d) for j in range(d)]

    said = {}
    T = jets(2, "q", "v", "t").of(text.kinetic)
    still = Jets(a, 1)
    leaves = {"position": [still.constant(x) for x in q], "velocity": [still.variable(0, i) for i in range(d)],
              "t": still.constant(t)}
    T0 = Evaluation(still, text.scope, leaves).of(text.kinetic)
    V = jets(2, "q", "t").of(text.potential)
    said |= {"T": [T.value], "V": [V.value], "p": g(T, d), "M": block(T, d, d), "a": g(T0, 0), "c": [T0.value],
             "T_q": g(T, 0), "p_q": block(T, d, 0), "V_q": g(V, 0), "V_qq": block(V, 0, 0),
             "L_t": [T.g.get(2 * d, zero) - V.g.get(2 * d, zero)]}
    p_t = [h(T, d + i, 2 * d) for i in range(d)]
    force = [x - y for x, y in zip(said["T_q"], said["V_q"])]
    if text.rayleigh:
        R = jets(2, "v").of(text.rayleigh)
        said |= {"R": [R.value], "R_v": g(R, d), "R_vv": block(R, d, d)}
        force = [x - y for x, y in zip(force, said["R_v"])]
    if text.force:
        F = [jets(1, "q", "v").of(entry) for entry in text.force]
        said |= {"F": [one.value for one in F], "F_q": flat(g(one, 0) for one in F), "F_v": flat(g(one, d) for one in F)}
        force = [x + y for x, y in zip(force, said["F"])]
    alpha = Evaluation(first, text.scope, {}).of(text.alpha).value
    for i in range(d):
        parts = [force[i], -p_t[i], -alpha * said["p"][i], *(-said["p_q"][i * d + j] * v[j] for j in range(d))]
        force[i] = a.disturbed(sum(parts), sum(abs(x) for x in parts))
    matrix, rate = [], []
    if text.constraints:
        rows = flat(jets(2, "q", "t").of(row) for row in text.constraints)
        said |= {"g": [row.value for row in rows], "G": flat(g(row, 0) for row in rows),
                 "g_t": [row.g.get(2 * d, zero) for row in rows]}
        weighted = [zero] * (d * d)
        for row, factor in zip(rows, place["lambda"]):
            weighted = [x + factor * y for x, y in zip(weighted, block(row, 0, 0))]
            matrix.append(g(row, 0))
            parts = [h(row, 2 * d, 2 * d), *(2 * v[i] * h(row, i, 2 * d) for i in range(d)),
                     *(v[i] * h(row, i, j) * v[j] for i in range(d) for j in range(d))]
            rate.append(a.disturbed(sum(parts), sum(abs(x) for x in parts)))
        said["g_qq"] = weighted
    if text.rates:
        rows = flat(jets(1, "q", "v", "t").of(row) for row in text.rates)
        n = Jets(a, 1)
        still = {"position": [n.constant(x) for x in q], "velocity": [n.constant(0) for _ in v], "t": n.constant(t)}
        said |= {"rates": [row.value for row in rows], "A": flat(g(row, d) for row in rows),
                 "b": [row.value for row in flat(Evaluation(n, text.scope, still).of(row) for row in text.rates)]}
        for row in rows:
            matrix.append(g(row, d))
            rate.append(sum((x * y for x, y in zip(g(row, 0), v)), row.g.get(2 * d, zero)))
    if text.maps:
        n = Jets(a, 0)
        leaves = {"position": [n.constant(x) for x in q], "momentum": [n.constant(x) for x in place["p"]]}
        said["J"] = [one.value for one in flat(Evaluation(n, text.scope, leaves).of(row) for row in text.maps)]
    if "q1" in place:
        said |= discrete(text, place, a)
    x, y = said["acceleration"], said["multipliers"] = solved(said["M"], matrix, force, rate, a)
    # Their equations may be solved in any order, and cancel forces and reactions.
    pulls = max(abs(force[i]) + sum(abs(row[i] * z) for row, z in zip(matrix, y)) for i in range(d))
    said["sizes"] = [pulls / min(said["M"][i * d + i] for i in range(d)),
                     pulls / max((abs(entry) for row in matrix for entry in row), default=1)]
    return said


def discrete(text, place, a):
    n, d = Differences(a), text.d

    def moved(x0, x1, i):
        return Difference(a.number(x0), a.number(x1), {i: a.number(1)})

    leaves = {"position": [moved(x0, x1, i) for i, (x0, x1) in enumerate(zip(place["q"], place["q1"]))],
              "velocity": [n.constant(x) for x in place["v"]], "t": moved(place["t"], place["t1"], d)}
    evaluation = Evaluation(n, text.scope, leaves)

    def row(of):
        return [of.row.get(i, a.number(0)) for i in range(d + 1)]

    said = {"Dbar_T": row(evaluation.of(text.kinetic)), "Dbar_V": row(evaluation.of(text.potential))}
    if text.constraints:
        total = [a.number(0)] * (d + 1)
        for one, factor in zip(flat(evaluation.of(tree) for tree in text.constraints), place["lambda"]):
            total = [x + factor * y for x, y in zip(total, row(one))]
        said["Dbar_g"] = total
    return said


def solved(M, J, force, rate, a):
    """(M J^T; J 0)(v'; lambda) = (force; -rate), by elimination with the largest pivots."""
    d, m = len(force), len(J)
    rows = [[*M[i * d:(i + 1) * d], *(J[k][i] for k in range(m)), force[i]] for i in range(d)]
    rows += [[*J[k], *[a.number(0)] * m, -rate[k]] for k in range(m)]
    size = d + m
    for c in range(size):
        best = max(range(c, size), key=lambda r: abs(rows[r][c]))
        rows[c], rows[best] = rows[best], rows[c]
        if abs(rows[c][c]) < 1e-9:
            raise OutsideDomain
        for r in range(c + 1, size):
            factor = rows[r][c] / rows[c][c]
            if factor:
                rows[r] = [a.disturbed(x - factor * y) for x, y in zip(rows[r], rows[c])]
    x = [a.number(0)] * size
    for r in reversed(range(size)):
        x[r] = (rows[r][size] - sum(rows[r][c] * x[c] for c in range(r + 1, size))) / rows[r][r]
    return x[:d], x[d:]
