"""Random texts, and three judges of what follows from each: the graph that is compiled, the trees of the reference with its
own derivatives (both by mechanism_values), and text_meaning.py, which knows docs/equations/text.md alone.

    random_mechanisms.py PROGRAM DIRECTORY [COUNT [SEED [RUNS]]]

Compared are T, V, R, F, p, M, a, c, g, G, A, b, momentum maps, discrete gradients and what Newton's matrices are made of at two
places, near ones and far ones, and at the start the acceleration and the multipliers, there by Taylor's series too. The bound is
that of round-off: the judge's own evaluation is repeated with every operation disturbed at random, and what that makes of a
result is what roundings may, by the ratio of their sizes and a factor for operations that the programs do in another order.
"""

import random
import subprocess
import sys
from pathlib import Path

try:
    from mpmath import mp, mpf
except ImportError:
    sys.exit(77)
import random_texts
import text_meaning as meaning
from text_meaning import Arithmetic, OutsideDomain

mp.dps = 40
NOISE = 1e-7
TRIALS = 3
# The programs do some ten operations where the judge does one (a spline, a power by repeated products, a quotient by its
# closed form), in both of them; three samples of random signs see a third of the worst at least but once in 1e3.
FACTOR = 100.0
# Of a generator that draws as this one does: a^0.5 beside a root, in a power; |a| that is a factor, squared.
TAUGHT_US = {20261228: "^0.5)*sqrt(", 20267332: "((abs(x__y))*(1.44*tt))^2"}


class Program:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = []
        for line in self.process.stdout:
            if line == "end\n":
                return answer
            answer.append(line.rstrip("\n"))
        raise SystemExit(f"the program ended with {self.process.wait()}")


def said_by(lines):
    """By name: the numbers of either program."""
    found = {}
    for line in lines:
        name, _, rest = line.partition(" ")
        found[name] = [[float(x) for x in part.split()] for part in rest.split("|")]
    return found


def judged(text, place):
    """Exact values, and bounds."""
    exact = meaning.values_at(text, place, Arithmetic())
    plain = meaning.values_at(text, place, Arithmetic(0.0))
    bounds = {name: [0.0] * len(values) for name, values in exact.items()}
    for trial in range(TRIALS):
        disturbed = meaning.values_at(text, place, Arithmetic(NOISE, trial))
        for name, values in disturbed.items():
            bounds[name] = [max(b, abs(x - y)) for b, x, y in zip(bounds[name], values, plain[name])]
    factor = FACTOR * meaning.D_EPS
    for name, values in exact.items():
        # A result whose parts are of the size of 1 may be off by as much as they.
        largest = float(max((abs(x) for x in values), default=0))
        if any(b > 0.01 * (1 + largest) for b in bounds[name]):
            raise OutsideDomain  # too steep for what is disturbed to say anything
        bounds[name] = [factor * (b / NOISE + largest) + 1e-300 for b in bounds[name]]
    for name, size in zip(("acceleration", "multipliers"), exact["sizes"]):
        bounds[name] = [bound + factor * float(size) for bound in bounds[name]]
    return exact, bounds


# Orders, of schemes for a constant M without rows of velocities, for any other M, and for these rows.
OF_CONSTANT_MASS = {"ems": 2, "livens": 2, "rattle": 2, "ggl_mp": 2, "vi_a": 2, "del_multiplier": 2, "vi_b": 1, "ggl_vi": 1}
OF_ROWS = {"contact_1": 1, "contact_2": 2, "lagrange_dalembert": 1}


class Comparison:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.compared = self.wrong = self.refused = self.skipped = self.obstacles = 0
        self.worst = {}

    def complain(self, path, what):
        self.wrong += 1
        print(f"{path}\n  {what}", flush=True)

    def compare(self, path, name, program, ours, exact, bounds):
        if len(ours) != len(exact):
            return self.complain(path, f"{program}: {name} has {len(ours)} entries, not {len(exact)}")
        for i, (x, y, bound) in enumerate(zip(ours, exact, bounds)):
            self.compared += 1
            off = abs(float(mpf(x) - y)) if x == x else float("inf")
            if not off <= bound:
                return self.complain(path, f"{program}: {name}[{i}] is {x!r}, and should be {float(y)!r} within {bound:.1e}")
            self.worst[name] = max(self.worst.get(name, 0.0), off / bound)
        return None

    def run(self, seed):
        mechanism = random_texts.Mechanism(seed)
        path = self.written(mechanism)
        if not path:
            self.skipped += 1
            return
        text = meaning.Text(path)
        answer = self.program.ask(f"text {path}")
        if answer[0].startswith("refused"):
            self.refused += 1
            print(f"{path}\n  " + "\n  ".join(answer), flush=True)
            return
        d, m, rows, is_constant, is_constant_by_reference = map(int, answer[0].split()[1:])
        if is_constant != is_constant_by_reference:
            self.complain(path, "constant mass by one program alone")
        a = Arithmetic()
        start = said_by(answer[1:])
        for name, trees in zip(("q0", "v0"), text.start):
            n = meaning.Jets(a, 0)
            exact = [meaning.Evaluation(n, text.scope, {}).of(tree).value for tree in trees]
            for program, ours in zip(("graph", "reference"), start[name]):
                self.compare(path, name, program, ours, exact, [float(abs(x)) * 1e-14 + 1e-300 for x in exact])
        draw = random.Random(seed)
        masses = []
        for far in (True, False):
            for _ in range(8):
                place = self.place(mechanism, text, m, rows, far, draw)
                try:
                    exact, bounds = judged(text, place)
                    break
                except (OutsideDomain, ZeroDivisionError, OverflowError, ValueError):
                    continue
            else:
                self.skipped += 1
                continue
            masses.append(exact["M"])
            line = " ".join(repr(x) for key in ("q", "q1", "v", "p", "lambda") for x in place[key])
            said = said_by(self.program.ask(f"at {line} {place['t']!r} {place['t1']!r}"))
            for name in set(said) | set(exact):
                if name in ("acceleration", "multipliers", "sizes"):
                    continue
                if name not in said or name not in exact:
                    self.complain(path, f"{name} is known to one side alone")
                    continue
                for program, ours in zip(("graph", "reference"), said[name]):
                    self.compare(path, f"{name}", program, ours, exact[name], bounds[name])
        if is_constant and len(masses) == 2 and any(abs(x - y) > 1e-25 for x, y in zip(*masses)):
            self.complain(path, "M is not constant")
        self.motion(path, text, m)

    def place(self, mechanism, text, m, rows, far, draw):
        q = [x + draw.uniform(-0.3, 0.3) for x in mechanism.q0]
        size = 0.7 if far else 10.0**draw.uniform(-9, -3)
        t = draw.uniform(0, 2)
        knots = [x for _, _, of in mechanism.tables for x in of if x >= 0]
        if knots and draw.random() < 0.5:
            t = draw.choice(knots)
        return {"q": q, "q1": [x if draw.random() < 0.1 else x + draw.uniform(-size, size) for x in q],
                "v": [draw.uniform(-1.5, 1.5) for _ in q], "p": [draw.uniform(-1.5, 1.5) for _ in q],
                "lambda": [draw.uniform(-1.5, 1.5) for _ in range(m - rows)], "t": t,
                "t1": t if draw.random() < 0.1 else t + size * draw.random()}

    def motion(self, path, text, m):
        answer = self.program.ask("motion")
        if answer[0].startswith(("obstacle", "failed: its text has")):
            self.obstacles += 1
            return
        if answer[0].startswith(("refused", "failed")):
            self.complain(path, answer[0])
            return
        said = said_by(answer)
        place = {"q": said["q"][0], "v": said["v"][0], "t": 0.0, "lambda": [0.0] * m, "p": [0.0] * text.d}
        try:
            exact, bounds = judged(text, place)
        except (OutsideDomain, ZeroDivisionError, OverflowError, ValueError):
            self.skipped += 1
            return
        for name in ("acceleration", "multipliers"):
            for program, ours in zip(("taylor", "reference"), said[name]):
                self.compare(path, name, program, ours, exact[name], bounds[name])


    def runs(self, seed):
        """The text's motion in time: Taylor's series beside SUNDIALS, and the reference's schemes beside both."""
        mechanism = random_texts.Mechanism(seed, most=4, is_for_runs=True)
        path = self.written(mechanism)
        answer = path and self.program.ask(f"text {path}")
        if not path or answer[0].startswith("refused"):
            return
        d, m, rows, is_constant, _ = map(int, answer[0].split()[1:])
        end = 0.2
        answer = self.program.ask(f"true {end}")
        if answer[0].startswith("failed: its text has"):
            answer = self.program.ask(f"judge {end}")
        if answer[0].startswith(("obstacle", "failed", "refused")):
            self.obstacles += 1
            return
        said = said_by(answer)
        true = {name: said[name][-1] for name in ("q", "v", "energies")}
        size = 1 + max(abs(x) for values in true.values() for x in values)
        kinks = any(word in path.read_text() for word in ("abs(", "max(", "norm(", "linear"))
        if len(said["q"]) > 1 and not kinks:
            # CVODE's error over a short motion: tests/taylor/judge_test.cpp.
            for name in true:
                for program, values in zip(("taylor",), said[name]):
                    self.compare(path, f"true {name}", program, values, true[name], [1e-8 * size] * len(values))
        schemes = OF_CONSTANT_MASS if is_constant and not rows else {"livens": 2}
        if rows:
            schemes = OF_ROWS | ({} if mechanism.alpha else {"livens": 2})
        for scheme, order in random.Random(seed).sample(sorted(schemes.items()), min(2, len(schemes))):
            self.scheme(path, scheme, order, end, true["q"], kinks)

    def scheme(self, path, scheme, order, end, true, kinks):
        errors = []
        for steps in (20, 40):
            answer = self.program.ask(f"steps {scheme} {end / steps} {steps}")
            if answer[0].startswith(("failed", "refused")):
                if "diverged" not in answer[0]:
                    self.complain(path, f"{scheme}: {answer[0]}")
                self.obstacles += 1
                return
            said = said_by(answer)
            errors.append(max(abs(x - y) for x, y in zip(said["q"][0], true)))
            if scheme in ("ems", "livens"):
                first, last, lost, work = said["energies"][0]
                # docs/contract.md, section 6: of every step 8 eps of the terms, and what rounding q is worth.
                (terms,), (moment,) = said["terms"][0], said["moment"][0]
                bound = 8 * meaning.D_EPS * steps * (terms + moment * steps / end)
                self.compare(path, "balance", scheme, [last - first + lost - work], [mpf(0)], [bound])
            if scheme not in ("vi_a", "vi_b") or not said["violation"][0][0]:
                self.compare(path, "g", scheme, said["violation"][0], [mpf(0)], [1e-11])
        if kinks or errors[0] < 1e-7:
            return
        # Of a motion that may be anything; the slope of a scheme that is of another order is near that.
        if mp.log(errors[0] / max(errors[1], 1e-10), 2) < order - 0.6:
            self.complain(path, f"{scheme}: errors {errors} do not fall with the order {order}")

    def written(self, mechanism):
        """The text, whose rows of positions hold at its start; None where it has no value there."""
        path = mechanism.write(self.folder)
        if not mechanism.g:
            return path
        d = len(mechanism.q0)
        place = {"q": mechanism.q0, "v": [0.0] * d, "t": 0.0, "lambda": [0.0] * 9, "p": [0.0] * d}
        try:
            return mechanism.write(self.folder, meaning.values_at(meaning.Text(path), place, Arithmetic(0.0))["g"])
        except OutsideDomain:
            return None


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    count, seed, runs = (int(one) for one in (sys.argv[3:] + ["200", "1", "40"][len(sys.argv) - 3:])[:3])
    folder.mkdir(parents=True, exist_ok=True)
    comparison = Comparison(Program(program), folder)
    for one in (*TAUGHT_US, *range(seed, seed + count)):
        comparison.run(one)
    for one, what in TAUGHT_US.items():
        text = (folder / f"random_{one}.toml").read_text().replace(" ", "").replace("\t", "")
        if what not in text:
            comparison.complain(one, f"is another text now, without {what}")
    for one in range(seed, seed + runs):
        comparison.runs(one)
    c = comparison
    print(f"{count} texts and {runs} motions, {c.compared} numbers: {c.wrong} disagreements; {c.refused} refused, "
          f"{c.skipped} places without numbers, {c.obstacles} motions that do not begin or go on")
    worst = sorted(c.worst.items(), key=lambda entry: -entry[1])[:6]
    print("largest parts of the bounds:", ", ".join(f"{name} {part:.2f}" for name, part in worst))
    # Too few numbers are no test.
    return 1 if c.wrong or c.refused > count / 20 or c.compared < 200 * count else 0


if __name__ == "__main__":
    sys.exit(main())
