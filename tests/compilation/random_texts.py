"""Random mechanisms over the whole language of docs/equations/text.md, each well posed near its own start: T is a sum of
squares with positive factors, R convex, rows are what an expression is less its value at the start.

Every draw follows from its seed. `Mechanism(seed).write(folder)` leaves the text, and the files of its tables.
"""

import random
import re

# Names that something may take for its own: of C++, of Python, of the schemes, of the generated code, of functions but for
# a letter.
NAMES = ["x", "y", "z", "r", "s", "e", "q", "v", "a", "b", "c", "d", "h", "u", "w", "f", "g", "j", "n", "T", "V", "R", "F",
         "G", "M", "J", "L", "q0", "q1", "v0", "t0", "t1", "p0", "double", "int", "class", "this", "new", "and", "or", "not",
         "lambda", "for", "return", "template", "std", "Scalar", "literal", "pi2", "sin_", "sinh2", "abss", "Min", "normal",
         "dots", "minimum", "tt", "pp", "e1", "E2", "x_", "x__y", "time", "initial", "kinetic", "force", "mass", "is", "None",
         "angle_of_the_first_arm_of_the_long_and_slender_machine_in_hall_3", "rate_of_x", "x_prime", "livens", "main", "NAN"]
BETWEEN = ["cubic", "cubic", "linear"]


class Mechanism:
    """`least` and `most`: how many coordinates. `is_for_runs`: nothing that
    has a kink but in the dissipation."""

    def __init__(self, seed, kind="any", least=1, most=6, is_for_runs=False):
        self.random = random.Random(seed)
        self.seed, self.is_for_runs = seed, is_for_runs
        self.names = self.random.sample(NAMES, len(NAMES))
        self.files, self.functions, self.tables, self.of_time = {}, {}, [], []
        self.calls, self.indices, self.own = {}, 0, set()
        self.declare(self.random.randint(least, most))
        self.parameters_of_text()
        self.functions_of_text()
        self.kind = kind if kind != "any" else self.random.choice(["constant", "constant", "moving", "moving", "rows"])
        self.make()

    # Names and values

    def chance(self, of):
        return self.random.random() < of

    def choose(self, *of):
        return self.random.choice(of)

    def number(self, low=0.2, high=2.0):
        x = self.random.uniform(low, high)
        return self.choose(f"{x:.3g}", f"{x:.2f}", f"{x:.5e}", repr(round(x, 6)), f"{round(10 * x)}/10")

    def declare(self, d):
        self.coordinates, self.constants, self.q0 = [], {}, []
        while len(self.q0) < d:
            left = d - len(self.q0)
            size = min(left, self.choose(1, 1, 1, 2, 3))
            is_vector = size > 1 or self.chance(0.1)
            written = str(size)
            if is_vector and (size == 1 or self.chance(0.2)):
                if not self.constants:
                    self.constants[self.names.pop()] = 2
                written = f'"{size - 2} + {next(iter(self.constants))}"' if size >= 2 else f'"{next(iter(self.constants))} - 1"'
            name = self.names.pop()
            self.coordinates.append((name, size, is_vector, written))
            self.q0 += [round(self.random.uniform(-0.8, 0.8), 3) for _ in range(size)]
        if self.chance(0.05):
            self.q0[0] = 0.0
        self.scalars = []  # texts of all entries
        for name, size, is_vector, _ in self.coordinates:
            self.scalars += [f"{name}[{i}]" for i in range(size)] if is_vector else [name]
        self.rates = [one.replace("[", "'[") if "[" in one and self.chance(0.8) else one + "'" for one in self.scalars]
        self.momenta = [self.choose(f"p({one})", f"p({one.split('[')[0]})[{one.split('[')[1]}") if "[" in one else f"p({one})"
                        for one in self.scalars]
        self.vectors = [(name, size) for name, size, is_vector, _ in self.coordinates if is_vector]

    def parameters_of_text(self):
        self.parameters, self.values = {}, []  # texts by name; expressions of scalars
        for _ in range(self.choose(0, 1, 2, 3, 5, 8)):
            name = self.names.pop()
            x = round(self.random.uniform(0.3, 1.8), 4)
            kind = self.random.randrange(5)
            if kind == 0 and self.constants:
                n = next(iter(self.constants))
                self.parameters[name] = f'{{ default = {x}, count = "{n}", unit = "kg" }}'
                self.values += [f"{name}[0]", f"{name}[{n} - 1]"]
            elif kind == 1:
                self.parameters[name] = f"[{x}, {x + 0.5}, {round(1.7 * x, 4)}]"
                self.values += [f"{name}[{i}]" for i in range(3)]
            elif kind == 2:
                self.parameters[name] = f'{{ default = [{x}], meaning = "a \\"length\\"" }}'
                self.values.append(f"{name}[0]")
            elif kind == 3:
                self.parameters[name] = f'{{ default = {x}, domain = "positive", unit = "m/s" }}'
                self.values.append(name)
            else:
                self.parameters[name] = str(x)
                self.values.append(name)
        self.following()

    def following(self):
        """Defaults that follow from parameters before them; by chances of their own, so that all else stays as it was."""
        chances, before, self.follow = random.Random(f"{self.seed} follows"), [], set()
        for name, written in self.parameters.items():
            own = [one for one in self.values if one.split("[")[0] == name]
            if before and own == [name] and chances.random() < 0.5:
                old, low = chances.choice(before), round(chances.uniform(0.2, 0.8), 3)
                text = f'"sqrt({low} + {old}^2/2){chances.choice(["", " + sin(pi/9)/20"])}"'
                is_table = written.startswith("{")
                self.follow.add(name)
                self.parameters[name] = re.sub(r"default = [\d.]+", f"default = {text}", written) if is_table else text
            before += own

    def of_t(self, depth):
        body = self.smooth(["t"], depth)
        return body if self.has(body, "t") else f"{body} + sin(t)"

    def functions_of_text(self):
        for _ in range(self.choose(0, 0, 1, 1, 2)):
            self.table()
        for _ in range(self.choose(0, 1, 1, 2)):
            name = self.names.pop()
            self.own.add(name)
            if self.chance(0.3):
                middle = round(self.random.uniform(-1, 1), 2)
                self.functions[name] = f'{{ of = ["t"], is = ["{self.of_t(2)}", {middle}, "{self.of_t(1)}"] }}'
                self.of_time.append((name, 3))
            else:
                self.functions[name] = f'{{ of = ["t"], is = "{self.of_t(2)}" }}'
                self.of_time.append((name, 1))
        for _ in range(self.choose(0, 1, 1, 2)):
            name = self.names.pop()
            self.own.add(name)
            # An argument hides a coordinate, or the time.
            first = self.choose("t", self.coordinates[0][0], self.choose("x1", "arg", "k0"))
            arguments = [first] + (["second_one"] if self.chance(0.5) else [])
            others = [one for one in self.scalars if one.split("[")[0] not in arguments]
            body = self.smooth(arguments + others[:1], 3)
            for argument in arguments:
                if not self.has(body, argument):
                    body += f" + {self.number()}*sin({argument})"
            listed = ", ".join(f'"{argument}"' for argument in arguments)
            self.functions[name] = f'{{ of = [{listed}], is = "{body}" }}'
            self.calls[name] = len(arguments)

    @staticmethod
    def has(text, name):
        return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None

    def table(self):
        name, n = self.names.pop(), self.random.randint(2, 7)
        is_periodic = n > 2 and self.chance(0.35)
        between = self.random.choice(BETWEEN)
        beyond = self.choose("hold", "linear", "error")
        is_wide = beyond == "error" and not is_periodic
        steps = [self.random.uniform(0.3, 1.2) for _ in range(n - 1)]
        x = [-6.0 if is_wide else round(self.random.uniform(-1.2, 0.2), 2)]
        for one in steps:
            x.append(round(x[-1] + one * (12.0 / sum(steps) if is_wide else 1.0), 3))
        y = [round(self.random.uniform(-1, 1), 3) for _ in range(n)]
        if is_periodic:
            y[-1] = y[0]
        words = []
        if between == "linear" or self.chance(0.5):
            words.append(f'between = "{between}"')
        if is_periodic:
            words.append("periodic = true")
        elif beyond != "error" or self.chance(0.5):
            words.append(f'beyond = "{beyond}"')
        if self.chance(0.4):
            file = f"table_{self.seed}_{len(self.files)}.csv"
            self.files[file] = "y, unused ,t\n" + "".join(f"{b}, 0,{a} \n" for a, b in zip(x, y)) + "\n"
            words = [f'table = "{file}"', 'columns = ["t", "y"]', *words]
        else:
            words = [f"x = {x}", f"y = {y}", *words]
        self.functions[name] = "{ " + ", ".join(words) + " }"
        smooth = between == "cubic" and (is_periodic or beyond != "hold")
        self.tables.append((name, smooth, x))

    # Expressions: bounded and smooth where q and t are of the order of 1

    def smooth(self, leaves, depth, jumps=False):
        """A scalar of these leaves, with parameters. `jumps`: what has no place in T, V and g may be there."""
        deeper = lambda: self.smooth(leaves, depth - 1 - self.random.randrange(2), jumps)
        if depth <= 0:
            of_parameters = self.values or ["pi/4"]
            return self.choose(self.choose(*leaves), self.choose(*leaves), self.choose(*leaves),
                               f"{self.number()}*{self.choose(*leaves)}", f"{self.choose(*of_parameters)}*{self.choose(*leaves)}",
                               self.number(), self.choose(*of_parameters))
        kind = self.random.randrange(34 if jumps else 29)
        if self.is_for_runs and kind in (20, 21):
            kind = 8
        a = deeper()
        inside = f"({a})"
        if kind < 3:
            return f"{a} {self.choose('+', '-')} {self.bracketed(deeper())}"
        if kind < 6:
            return f"{inside}*{self.bracketed(deeper())}"
        if kind == 6:
            return f"{inside}/(2 + ({deeper()})^2)"
        if kind == 7:
            return f"-{self.bracketed(a)}"
        if kind == 8:
            return f"{self.choose('sin', 'cos')}({a})"
        if kind == 9:
            return f"tanh({a})"
        if kind == 10:
            return f"atan({a})"
        if kind == 11:
            return f"exp({self.choose('tanh', 'sin', 'cos' if self.is_for_runs else '-abs')}({a}))"
        if kind == 12:
            return f"log({self.choose('1.5 + sin', '1 + cosh', '2 + tanh')}({a}))"
        if kind == 13:
            return f"{self.choose('asin', 'acos')}({self.choose('0.8*sin', '0.7*tanh')}({a}))"
        if kind == 14:
            return f"{self.choose('sinh', 'cosh')}({self.choose('tanh', 'sin')}({a}))"
        if kind == 15:
            return f"tan(0.6*sin({a}))"
        if kind == 16:
            return f"sqrt({self.number()} + {inside}^2)"
        if kind == 17:
            return f"{inside}^{self.choose('2', '2', '3', '2^2', '(4/2)', '1', '0')}"
        if kind == 18:
            return f"(1.3 + {inside}^2)^{self.choose('-1', '-2', '0.5', '1.5', '(3/2)', '-1.5', '2.7', '(1/3)', '-0.3')}"
        if kind == 19:
            k = self.choose(*self.values) if self.values else "(1/7)"
            return f"(1.1 + tanh({a})^2)^{self.choose(k, k, f'({self.bracketed(deeper())}/9)', '(-' + k + ')')}"
        if kind == 20:
            return f"{self.choose('min', 'max')}({a}, {deeper()})"
        if kind == 21:
            return f"abs({a})"
        if kind == 22:
            return self.of_vectors(leaves, depth)
        if kind == 23:
            power = self.choose("2", "3", "4", "5", "2.5", "(3/2)", "1", "6")
            size = 10 if power in ("4", "5", "6") else 1
            return f"norm([{a}, {deeper()}, {self.number()}])^{power}/{size}"
        if kind == 24:
            c = self.choose("-", "2*", f"({deeper()})*", "0.5*")
            power = self.choose("2", "3", "4", "5", "2.5")
            sign = "(0.3*(1.2 + tanh(" + deeper() + "))*" if "." in power else f"(0.4*{c}"
            return f"{sign}sqrt(1 + {inside}^2))^{power}"
        if kind == 25:
            i = self.choose("i", "k9", "m0")
            self.indices += 1
            if self.has(a, i) or i in self.taken() | set(leaves):
                i = f"i_{self.indices}"
            return self.choose(f"sum({i}, 1, 3, sin({i}*{self.bracketed(a)})/{i}^2)",
                               f"list({i}, 0, 2, cos({i} + {self.bracketed(a)}))[{self.choose('0', '1', '2')}]",
                               f"sum({i}, 2, 1, {a}) + tanh({self.choose(*leaves)})",
                               f"sum({i}, -1, 1, {i}*atan({i}*{self.bracketed(a)}))")
        if kind == 26 and self.calls:
            name = self.choose(*self.calls)
            return f"{name}({', '.join([f'tanh({a})', deeper()][:self.calls[name]])})"
        if kind == 27 and self.tables:
            name, is_smooth, _ = self.choose(*self.tables)
            slope = "'" if (jumps or is_smooth) and self.chance(0.3) else ""
            return f"{name}{slope}(2*sin({a}))"
        if kind == 28 and self.of_time:
            name, size = self.choose(*self.of_time)
            slope = "'" if jumps and self.chance(0.5) else ""
            argument = self.choose(a, "t") if "t" in leaves else a
            return f"{name}{slope}({argument})" + (f"[{self.random.randrange(3)}]" if size > 1 else "")
        if kind == 29:
            return f"where({a} {self.choose('<', '<=', '>', '>=')} {deeper()}, {deeper()}, {deeper()})"
        if kind == 30:
            return f"sign({a})"
        if kind == 31:
            return f"atan2({a}, {deeper()})"
        if kind == 32:
            return f"where({a} < {self.number()}, [{deeper()}, 2], [0, {deeper()}])[{self.choose('0', '1')}]"
        if kind == 33:
            return f"where({a} > 0, log({inside}), log(1 - {inside}))"
        return f"sin({a})"

    def taken(self):
        coordinates = {name for name, *_ in self.coordinates}
        return coordinates | set(self.parameters) | set(self.constants) | set(self.functions) | self.own

    def bracketed(self, text):
        return f"({text})"

    def of_vectors(self, leaves, depth):
        known = [(name, size) for name, size in self.vectors if any(one.startswith(name + "[") for one in leaves)]
        if not known:
            return f"dot([{self.choose(*leaves)}, {self.number()}], [{self.smooth(leaves, depth - 1)}, {self.choose(*leaves)}])"
        name, size = self.choose(*known)
        other = self.choose(f"{self.number()}*{name}", f"{name}/{self.number()}", f"-{name}",
                            "[" + ", ".join(self.smooth(leaves, depth - 2) for _ in range(size)) + "]", f"({name} + {name}*2)")
        kind = self.random.randrange(5)
        if kind == 0 and size == 3:
            return f"cross({name}, {other})[{self.random.randrange(3)}]"
        if kind == 1:
            return f"norm({name} - [{', '.join(self.number(1.5, 2.5) for _ in range(size))}])"
        if kind == 2:
            return f"({name} - {other})[{self.random.randrange(size)}]"
        return f"dot({name}, {other})"

    def positive(self, leaves):
        """A factor that is."""
        a = self.smooth(leaves, 2)
        return self.choose(f"(1 + 0.3*sin({a}))", f"(1 + 0.2*({a})^2)", f"exp(0.4*tanh({a}))", f"(2 - cos({a}))",
                           f"sqrt(1.2 + tanh({a}))")

    # Parts of a mechanism

    def make(self):
        d, q = len(self.scalars), self.scalars
        qt = [*q, "t"] if self.chance(0.8) else q
        self.T = self.squares(qt if self.kind == "moving" else None)
        if self.kind == "moving" and self.chance(0.7) or self.chance(0.4):
            self.T += f" + 0.3*({self.smooth(qt, 3)})*{self.choose(*self.rates)}"
        # A power that nothing in the motion shares has a series of its own, whose radius nobody looks at.
        shared = lambda: f"*{self.choose(*q)}" if self.is_for_runs else ""
        if self.chance(0.3):
            self.T += f" - 0.2*({self.smooth(qt, 2)}){shared()}"
        self.V = " + ".join(f"{self.number()}*({self.smooth(qt, 3)}){shared()}" for _ in range(self.choose(1, 2, 3)))
        self.V += " + " + " + ".join(f"1/2*{self.number()}*{one}^2" for one in q)
        if self.chance(0.15):
            self.V = None
        self.R = self.dissipation(qt) if self.chance(0.6) else None
        self.F = {}
        for name, size, is_vector, _ in self.coordinates:
            if self.chance(0.4):
                of = [*qt, *self.rates]
                entries = [self.smooth(of, 3, jumps=not self.is_for_runs) for _ in range(size)]
                if is_vector:
                    self.F[name] = self.choose("[" + ", ".join(f'"{one}"' for one in entries) + "]",
                                               f'"{self.number()}*[{", ".join(entries)}]"')
                else:
                    self.F[name] = f'"{entries[0]}"'
        self.g, self.rows, self.J = [], [], []
        most = d - 1
        if self.kind == "rows" and d > 1:
            count = self.random.randint(1, max(1, most - 1))
            for k in range(count):
                # In the coordinate k mostly: rows are independent.
                others = [f"0.4*({self.smooth(qt, 2)})*{one}" for one in self.rates[count:] if self.chance(0.7)]
                row = " + ".join([f"{self.positive(qt)}*{self.rates[k]}", *others])
                self.rows.append(row + (f" + 0.3*({self.smooth(qt, 2)})" if self.chance(0.5) else ""))
            most -= count
        for k in range(self.random.randint(0, min(3, most)) if most > 0 and self.chance(0.6) else 0):
            self.g.append(self.row_of_positions(qt, d - 1 - k))
        for _ in range(self.choose(0, 0, 1, 2)):
            i = self.random.randrange(d)
            self.J.append(f"{self.smooth(q, 2)} + {self.momenta[i]}*({self.smooth(q, 1)}) - {self.choose(*self.momenta)}/3")
        self.alpha = self.choose(*self.values, "0.3") if self.rows and self.chance(0.4) else None
        self.T, self.V, self.R = self.spaced(self.T), self.spaced(self.V), self.spaced(self.R)
        self.g, self.rows = [self.spaced(row) for row in self.g], [self.spaced(row) for row in self.rows]

    def spaced(self, text):
        """Blanks mean nothing, nor do signs of which there are two, a plus, and parentheses."""
        if text is None or self.chance(0.7):
            return text
        tokens = re.findall(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|<=|>=|\S", text)
        text = "".join(token + self.choose("", "", " ", "  ", "\t") for token in tokens)
        return self.choose(text, text, f"({text})", f"+{text}", f"--({text})", f"1*({text})", f"({text})/1", f"({text})^1")

    def squares(self, of):
        """1/2 v.M v: every velocity has its own square, and some are coupled. `of`: what M depends on."""
        terms = []
        factor = lambda: self.positive(of) if of and self.chance(0.6) else self.number(0.5, 2.0)
        for name, size, is_vector, _ in self.coordinates:
            m = f"{self.choose(*self.values)}*{factor()}" if self.values and self.chance(0.4) else factor()
            if not is_vector:
                terms.append(self.choose(f"1/2*{m}*{name}'^2", f"{m}*{name}'*{name}'/2", f"0.5*({m})*{name}'^2"))
            else:
                terms.append(self.choose(f"1/2*{m}*dot({name}', {name}')", f"{m}*norm({name}')^2/2",
                                         " + ".join(f"1/2*{factor()}*{name}'[{i}]^2" for i in range(size)),
                                         f"sum(component_{len(terms)}, 0, {size - 1}, 1/2*{m}*{name}'[component_{len(terms)}]^2)"))
        for _ in range(self.choose(0, 0, 1, 2)):
            a, b = self.choose(*self.rates), self.choose(*self.rates)
            c = f"({self.smooth(of, 2)})" if of and self.chance(0.7) else self.number()
            terms.append(f"0.1*({a} {self.choose('+', '-')} {c}*{b})^2")
        return " + ".join(terms)

    def dissipation(self, qt):
        terms = []
        for _ in range(self.choose(1, 2, 3)):
            v = self.choose(*self.rates)
            if self.chance(0.3):
                v = f"({v} {self.choose('+', '-')} {self.number()}*{self.choose(*self.rates)})"
            c = self.choose(self.number(0.05, 0.5), *(f"0.2*{one}" for one in self.values),
                            f"0.2*{self.positive(qt)}" if qt else "0.1")
            wind = f"({v} - 0.5*({self.smooth(qt, 1)}))"
            terms.append(self.choose(
                f"1/2*{c}*{v}^2", f"1/2*{c}*{v}^2", f"{c}*sqrt(1 + {v}^2)", f"{c}*log(cosh({v}/{self.number(0.3, 1)}))",
                f"{c}*abs({v})^3", f"{c}*abs({v})^1.5", f"1/2*{c}*max({v}, 0)^2", f"{c}*{wind}^2/2", f"1/4*{c}*{v}^4",
                f"{c}*exp(0.5*{v})", f"{c}*cosh({v})", f"{c}*sqrt(0.01 + {wind}^2)", f"{c}*abs({wind})^(5/2)"))
        if self.vectors and self.chance(0.5):
            name, size = self.choose(*self.vectors)
            c = self.number(0.05, 0.3)
            terms.append(self.choose(f"1/3*{c}*norm({name}')^3", f"1/2*{c}*norm({name}')^2", f"{c}*dot({name}, {name}')^2",
                                     f"{c}*norm({name}')^1.5", f"{c}*sqrt(0.1 + dot({name}', {name}'))"))
        return " + ".join(terms)

    def row_of_positions(self, qt, k):
        """Holds at the start when its own value there, which whoever writes the text knows, is taken from it."""
        one = self.scalars[k]
        others = [leaf for leaf in qt if leaf != one] or ["t"]
        return f"{one}*(2 + 0.3*sin({self.smooth(others, 2)})) + 0.4*({self.smooth(qt, 2)})"

    # The text

    def text(self, offsets=None):
        """`offsets`: what the rows of positions are at the start."""
        offsets = offsets or [0.0] * len(self.g)
        lines = [f'name = "random_{self.seed}"', f'kinetic = "{self.T}"']
        if self.V is not None:
            lines.append(f'potential = "{self.V}"')
        if self.R:
            lines.append(f'rayleigh = "{self.R}"')
        if self.g:
            lines.append("constraints = [" + ", ".join(f'"{row} - ({x!r})"' for row, x in zip(self.g, offsets)) + "]")
        if self.rows:
            lines.append("nonholonomic = [" + ", ".join(f'"{row}"' for row in self.rows) + "]")
        if self.J:
            lines.append("momentum = [" + ", ".join(f'"{row}"' for row in self.J) + "]")
        if self.alpha:
            lines.append(f'dissipation_rate = "{self.alpha}"')
        sections = [("constants", {k: str(v) for k, v in self.constants.items()}), ("functions", self.functions),
                    ("coordinates", {name: written for name, _, _, written in self.coordinates}),
                    ("parameters", self.parameters), ("force", self.F)]
        body = "\n".join(lines) + "\n" + "".join(
            f"[{title}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for title, entries in sections if entries)
        return body + self.start()

    def start(self):
        lines, place = ["[initial]"], 0
        for key in "qv":
            entries, place = [], 0
            for name, size, is_vector, _ in self.coordinates:
                if key == "q":
                    values = [repr(x) for x in self.q0[place:place + size]]
                else:
                    values = [repr(round(self.random.uniform(-1, 1), 3)) for _ in range(size)]
                place += size
                entries.append(f"{name} = [{', '.join(values)}]" if is_vector else f"{name} = {values[0]}")
            lines.append(f"{key} = {{ {', '.join(entries)} }}")
        return "\n".join(lines) + "\n"

    @staticmethod
    def calls_of(text, name):
        return re.search(rf"(?<![\w.]){re.escape(name)}\s*'?\s*\(", text) is not None

    def unused(self):
        """Functions that nothing calls, by the text itself."""
        rest = [self.T, self.V or "", self.R or "", *self.g, *self.rows, *self.J, *self.F.values()]
        reached, left = set(), [one for one in rest]
        while left:
            text = left.pop()
            for name, entry in self.functions.items():
                if name not in reached and self.calls_of(text, name):
                    reached.add(name)
                    left.append(entry)
        return set(self.functions) - reached

    def drop_unused(self):
        for name in self.unused():
            self.functions.pop(name)

    def write(self, folder, offsets=None):
        self.drop_unused()
        for file, text in self.files.items():
            (folder / file).write_text(text)
        path = folder / f"random_{self.seed}.toml"
        state = self.random.getstate()
        path.write_text(self.text(offsets))
        self.random.setstate(state)
        return path
