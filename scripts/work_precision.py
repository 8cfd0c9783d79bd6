"""Work against precision on certified problems, of every scheme and of what one would take instead.

usage: work_precision.py [PROBLEM...]     measures, all problems or these alone, then writes the page
       work_precision.py --page           the page from the table that is there
       work_precision.py --pictures DOCS  the page with a picture of every problem, in DOCS/problems, as the site has it

The table is docs/measurements/work_precision.csv, the page docs/problems/work_precision.md, which says what is measured.
Needs the package livens with SUNDIALS, scipy and matplotlib; compiles what it measures on first use.
"""

import csv
import importlib.metadata
import importlib.util
import io
import math
import platform
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np

import livens as lv
from livens import _tables

CHECKOUT = Path(__file__).parents[1]
TABLE = CHECKOUT / "docs/measurements/work_precision.csv"
PAGE = CHECKOUT / "docs/problems/work_precision.md"
COLUMNS = ("problem", "family", "method", "order", "setting", "error", "steps", "evaluations", "us", "ensemble_us", "status")

PROBLEMS = {  # coarsest number of steps of order 2, and the parameter that is drawn within 1 % in an ensemble
    "henon_heiles": (500, "mu"),
    "outer_solar_system": (250, "gravity"),
    "double_pendulum_angles": (500, "gravity"),
    "double_spherical_pendulum": (100, "gravity"),
    "andrews_squeezer": (250, "mom"),
    "heavy_top": (500, "gravity"),
    "rolling_disk": (25, "gravity"),
    "driven_pivot": (250, "gravity"),
}
SCHEMES = [(name, {}) for name in lv.schemes.__all__ if name not in ("Scheme", "taylor", "reference_ode", "reference_dae")]
SCHEMES.append(("lagrange_dalembert", {"variant": "symmetric"}))
STAGES = {"": 1, "4": 5, "6": 9, "8": 17}  # docs/equations/composition.md
HALVINGS = 7  # numbers of steps
TOLERANCES = {"taylor": (3, 5, 7, 9, 11, 13, 15, 16), "reference_ode": (4, 6, 8, 10, 12), "reference_dae": (4, 6, 8),
              "DOP853": (4, 6, 8, 10, 12, 13), "Radau": (4, 6, 8, 10)}
REFERENCE = ("taylor", "1e-15")  # whose time is 1
SIZE = 64  # instances of an ensemble
LONGEST = 0.25  # s: of a method whose run takes longer, finer settings are left out
ROUNDS = (12, 3)  # of runs of up to SHORT, and of longer ones
SHORT = 0.02  # s
ERRORS = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
FAMILIES = {"steps": "schemes with steps", "taylor": "`taylor`", "CVODE": "CVODE", "IDA": "IDA", "DOP853": "DOP853 (SciPy)",
            "Radau": "Radau (SciPy)"}


# ---- Equations for SciPy: rate(t, y), the start, and q(t, y). They share no line with the texts.

def henon_heiles():
    def rate(t, y):
        x, z, u, w = y
        return u, w, -x - 2 * x * z, -z - x * x + z * z

    return rate, [0, 0.1, math.sqrt(2 * 0.125 - 0.1**2 + 2 / 3 * 0.1**3 - 0.1**2), 0.1], lambda t, y: y[:2]


def outer_solar_system():
    gravity = 2.95912208286e-4
    mass = np.array([1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 1 / 1.3e8])
    start = lv.problems.outer_solar_system().certificate["start"]

    def rate(t, y):
        r = y[:18].reshape(6, 3)
        apart = r[None] - r[:, None]
        cubed = (apart**2).sum(2) ** 1.5
        np.fill_diagonal(cubed, 1.0)
        return np.concatenate([y[18:], (gravity * mass[None, :, None] * apart / cubed[..., None]).sum(1).ravel()])

    return rate, start["q"]["values"][0] + start["v"]["values"][0], lambda t, y: y[:18]


def double_pendulum_angles():
    m, n, k, l, g = 1.0, 0.8, 1.0, 0.7, 9.81

    def rate(t, y):
        a, b, u, w = y
        s, c = math.sin(a - b), math.cos(a - b)
        p = -n * l * w * w * s - (m + n) * g * math.sin(a)  # (m + n) k a'' + n l c b''
        q = k * u * u * s - g * math.sin(b)  # k c a'' + l b''
        first = (p - n * c * q) / (k * (m + n - n * c * c))
        return u, w, first, (q - k * c * first) / l

    return rate, [1.2, -0.4, 0, 0.5], lambda t, y: y[:2]


def double_spherical_pendulum():
    problem = module("bench/peers/problems.py").PROBLEMS["double_spherical_pendulum"]

    def rate(t, y):
        y = y.tolist()
        return y[6:] + list(problem.acceleration(y[:6], y[6:]))

    return rate, problem.start_q + problem.start_v, lambda t, y: y[:6]


def heavy_top():
    """Euler's equations about the tip, and the directors that turn with it."""
    h, r, g, tilt, precession, spin = 0.1, 0.05, 9.81, math.pi / 3, 10.0, 135.6
    m, arm = 2700 * math.pi * r**2 * h / 3, 3 / 4 * h
    across, axial = m * (3 / 20 * r**2 + 3 / 80 * h**2 + arm**2), m * 3 / 10 * r**2

    def rate(t, y):
        d, (w1, w2, w3) = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([w3 * d[1] - w2 * d[2], w1 * d[2] - w3 * d[0], w2 * d[0] - w1 * d[1],
                               [((across - axial) * w2 * w3 + m * g * arm * d[1, 2]) / across,
                                ((axial - across) * w3 * w1 - m * g * arm * d[0, 2]) / across, 0.0]])

    s, c = math.sin(tilt), math.cos(tilt)
    return (rate, [1, 0, 0, 0, c, s, 0, -s, c, 0, precession * s, spin + precession * c],
            lambda t, y: np.concatenate([arm * y[6:9], y[:9]]))


def rolling_disk():
    by_hand = module("scripts/papers_by_hand.py")
    return (lambda t, y: by_hand.disk_rate(y, 0.0), [0, 0, 0.08726646259971647, 0, 0, math.pi, 0, 0, 0, 2 * math.pi],
            lambda t, y: y[:5])


def driven_pivot():
    """In the angle from the upward vertical."""
    m, g, l, amplitude, omega, drag = 1.0, 9.81, 0.5, 0.05, 90.0, 0.1

    def rate(t, y):
        return y[1], (g - amplitude * omega**2 * math.sin(omega * t)) / l * math.sin(y[0]) - drag / m * y[1]

    def q(t, y):
        return np.array([l * math.sin(y[0]), l * math.cos(y[0]) + amplitude * math.sin(omega * t)])

    return rate, [0.3, 0.0], q


EQUATIONS = {one.__name__: one for one in (henon_heiles, outer_solar_system, double_pendulum_angles,
                                           double_spherical_pendulum, heavy_top, rolling_disk, driven_pivot)}


def module(path):
    spec = importlib.util.spec_from_file_location(Path(path).stem, CHECKOUT / path)
    found = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


# ---- Cells: a method at one setting.

def error_of(problem, q):
    """The largest of the five times, each relative to the largest entry that is certified there."""
    certified = problem.q.values
    return float((np.abs(q - certified).max(1) / np.abs(certified).max(1)).max())


class OfLivens:
    def __init__(self, problem, family, name, setting, options, order=""):
        steps = int(setting) if family == "steps" else 5
        self.problem, self.family, self.order, self.setting = problem, family, order, setting
        self.method = name + (" (symmetric)" if "variant" in options else "")
        chosen = {**options, **({"order": int(order)} if order else {})}
        self.one = lv.Ensemble(problem.system, problem.scheme(name, steps=steps, **chosen), trajectories=1, every=steps // 5)
        what = f"system.{PROBLEMS[problem.name][1]}"
        value = dict((one["name"], one["default"]) for one in problem.system.description()["parameters"])[what[7:]]
        vary = {what: lv.Uniform(0.99 * value, 1.01 * value)}
        self.many = self.one.replace(vary=vary, size=SIZE, seed=1, trajectories=0)
        self.redone = False
        self.steps = steps * STAGES[order] if family == "steps" else ""
        self.times, self.ensemble_times, self.error, self.evaluations, self.status = [], [], "", "", "ok"

    def run(self, study):
        """The run, and bounds from above of the processor's seconds that its stepping takes: the seconds of its stepping, in
        which others may have had the core, and the processor's seconds of all that the call does."""
        before = time.process_time()
        run = study.run("cpu", threads=1)
        return run, min(time.process_time() - before, run.attributes["wall_seconds"])

    def first(self):
        """Its error; seconds that it takes."""
        run, seconds = self.run(self.one)
        if run.failed:
            self.status = _tables.statuses[int(run.instances.status[0])]
            return seconds
        self.error = error_of(self.problem, run.trajectories.q.values[0, 1:])
        self.redone = bool(run.instances.retried_steps[0])
        if self.family != "taylor":  # which says nothing of its steps
            self.evaluations = int(run.instances.newton_iterations[0])
        return seconds

    def timed(self):
        self.times.append(self.run(self.one)[1])
        if self.family in ("steps", "taylor") and not self.redone:  # those redone take their time one after another
            self.ensemble_times.append(self.run(self.many)[1] / SIZE)


class OfSciPy:
    order, ensemble_times, status, steps, redone = "", (), "ok", "", False

    def __init__(self, problem, family, setting):
        self.problem, self.family, self.method, self.setting = problem, family, family, setting
        self.rate, self.start, self.q = EQUATIONS[problem.name]()
        self.times, self.error, self.evaluations = [], "", ""

    def run(self):
        from scipy.integrate import solve_ivp

        tolerance, before = float(self.setting), time.process_time()
        times = self.problem.times
        found = solve_ivp(self.rate, (0.0, times[-1]), self.start, self.family, times, rtol=tolerance, atol=tolerance)
        return found, time.process_time() - before

    def first(self):
        found, seconds = self.run()
        if not found.success:
            self.status = "failed"
            return seconds
        self.error = error_of(self.problem, np.array([self.q(t, y) for t, y in zip(found.t, found.y.T)]))
        self.evaluations = found.nfev
        return seconds

    def timed(self):
        self.times.append(self.run()[1])


def ladders(problem):
    """Cells of each method, from coarse to fine."""
    coarsest = PROBLEMS[problem.name][0]
    for name, options in SCHEMES:
        for order, stages in STAGES.items():
            numbers = [max(5, 5 * round(coarsest * 2**k / stages / 5)) for k in range(HALVINGS)]
            cells = [OfLivens(problem, "steps", name, str(n), options, order) for n in dict.fromkeys(numbers)]
            if runs(cells[0].one):
                yield cells
    for name, family, keys in (("taylor", "taylor", ("relative",)), ("reference_ode", "CVODE", ("relative", "absolute")),
                               ("reference_dae", "IDA", ("relative", "absolute"))):
        cells = [OfLivens(problem, family, name, f"1e-{k}", {f"{key}_tolerance": 10.0**-k for key in keys})
                 for k in TOLERANCES[name]]
        if runs(cells[0].one):
            yield cells
    if problem.name in EQUATIONS:
        for family in ("DOP853", "Radau"):
            yield [OfSciPy(problem, family, f"1e-{k}") for k in TOLERANCES[family]]


def runs(study):
    try:
        study.check()
    except lv.SpecError:
        return False  # the scheme does not take the problem, or not with this order
    return True


def measured(problem):
    """Rows of the table."""
    cells = []
    for ladder in ladders(problem):
        ladder[0].first()  # compiles
        for cell in ladder:
            cells.append(cell)
            # Coarse steps that are redone in parts take longer than finer ones.
            if cell.first() > LONGEST and cell.status == "ok" and not cell.redone:
                break
        print(f"  {cell.method} {cell.order}: {cell.error} at {cell.setting}", flush=True)
    for turn in range(max(ROUNDS)):
        for cell in cells:
            if cell.status == "ok" and (turn < min(ROUNDS) or min(cell.times) < SHORT):
                cell.timed()
    for cell in cells:
        us = [f"{1e6 * min(times):.4g}" if times else "" for times in (cell.times, cell.ensemble_times)]
        yield dict(zip(COLUMNS, (problem.name, cell.family, cell.method, cell.order, cell.setting, str(cell.error),
                                 str(cell.steps), str(cell.evaluations), *us, cell.status)))


# ---- The table, and what is made of it.

def machine():
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0].split()
    commit = subprocess.run(["git", "-C", CHECKOUT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=True).stdout.strip()
    processor = lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.1, end=0.1)).run("cpu", threads=1)
    return (f"livens {lv.__version__} at {commit}, {processor.attributes['device']}, g++ {compiler[-1]}, "
            f"Python {platform.python_version()}, SciPy {importlib.metadata.version('scipy')}")


def read():
    """Where it was measured, and the rows."""
    with TABLE.open(newline="") as file:
        where = file.readline().removeprefix("# ").strip()
        return where, list(csv.DictReader(file))


def measure(names):
    rows = read()[1] if TABLE.is_file() else []
    for name in names:
        print(name, flush=True)
        fresh = list(measured(getattr(lv.problems, name)()))
        rows = [row for row in rows if row["problem"] != name] + fresh
        rows.sort(key=lambda row: list(PROBLEMS).index(row["problem"]))
        with TABLE.open("w", newline="") as file:
            file.write(f"# {machine()}\n")
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


class Results:
    """The rows of a table by problem, as the page and the pictures take them."""

    def __init__(self, rows):
        self.rows = rows
        self.problems = list(dict.fromkeys(row["problem"] for row in rows))

    def unit(self, problem, key):
        """us of the method whose time is 1."""
        return next(float(row[key]) for row in self.rows if row["problem"] == problem
                    and (row["method"], row["setting"]) == REFERENCE)

    def best(self, problem, error, families=tuple(FAMILIES), key="us", keep=lambda row: True):
        """The cheapest setting tried that is as good as the error, or None."""
        good = [row for row in self.rows if row["problem"] == problem and row["family"] in families and row[key]
                and float(row["error"]) <= error and keep(row)]
        return min(good, key=lambda row: float(row[key]), default=None)

    def ratio(self, row, key):
        return float(row[key]) / self.unit(row["problem"], key)


def number(x):
    """To two figures."""
    return f"{x:.2g}" if x < 100 else f"{float(f'{x:.2g}'):.0f}"


def power(error):
    return f"{error:.0e}".replace("e-0", "e-")


def named(row):
    return f"`{row['method']}`" + (f" of order {row['order']}" if row["order"] else "")


def cell(results, row, key):
    if row is None:
        return "-"
    unit = {"steps": " steps", "taylor": "", "CVODE": " iterations", "IDA": " iterations"}.get(row["family"], " evaluations")
    what = {"steps": f"{named(row)}, {row['steps']}", "taylor": row["setting"]}.get(row["family"], row["evaluations"])
    return f"{number(results.ratio(row, key))} ({what}{unit})"


def table(results, problem):
    lines = ["| error at most | " + " | ".join(map(power, ERRORS)) + " |", "| --- |" + " --- |" * len(ERRORS)]
    for key, said, families in (("us", "", FAMILIES), ("ensemble_us", "ensemble: ", ("steps", "taylor"))):
        for family in families:
            cells = [cell(results, results.best(problem, error, (family,), key), key) for error in ERRORS]
            if any(one != "-" for one in cells):
                lines.append(f"| {said}{FAMILIES[family]} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def listed(names):
    names = [f"`{name}`" for name in names]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "none"


def findings(results):
    """Sentences, every number and name of the rows."""
    problems, said = results.problems, []
    for key, what in (("us", "One trajectory"), ("ensemble_us", f"An instance of an ensemble of {SIZE}")):
        parts = []
        for error in ERRORS[::2]:
            first = {}
            for problem in problems:
                row = results.best(problem, error, key=key)
                first.setdefault(FAMILIES[row["family"]] if row else "nothing", []).append(problem)
            most = max(first, key=lambda name: len(first[name]))
            parts.append(f"to {power(error)} {most} on {len(first.pop(most))} of {len(problems)}"
                         + "".join(f", {name} on {listed(where)}" for name, where in first.items()))
        said.append(f"{what} is cheapest by: {'; '.join(parts)}.")
    over, under = [], []
    for problem in problems:
        peer, ours = (results.best(problem, 1e-6, (family,)) for family in ("DOP853", "steps"))
        if peer:
            (under if ours is None or float(peer["us"]) < float(ours["us"]) else over).append(problem)
    said.append("One trajectory to 1e-6 is cheaper by DOP853, with its equations in Python, than by any scheme with steps "
                f"on {listed(under)}, and dearer on {listed(over)}.")
    ratios = {}
    for problem in problems:
        theirs, ours = (results.best(problem, 1e-6, (family,)) for family in ("CVODE", "taylor"))
        if theirs and ours:
            ratios[problem] = float(theirs["us"]) / float(ours["us"])
    low, high = (end(ratios, key=ratios.get) for end in (min, max))
    said.append(f"To 1e-6 CVODE takes {number(ratios[low])} (`{low}`) to {number(ratios[high])} (`{high}`) times as long as "
                "`taylor`.")

    def of_order(two, problem, error, key="us"):
        return results.best(problem, error, ("steps",), key, lambda row: two != bool(row["order"]))

    second, composed = ([problem for problem in problems if of_order(two, problem, 1e-6)] for two in (True, False))
    gains = []
    for problem in problems:
        own, more = (of_order(two, problem, 1e-4, "ensemble_us") for two in (True, False))
        if own and more:
            gains.append(f"{number(float(own['ensemble_us']) / float(more['ensemble_us']))} (`{problem}`)")
    said.append(f"Of the settings tried, steps that are not composed come to 1e-6 on {listed(second)}, composed ones on "
                f"{listed(composed)}; to 1e-4 in an ensemble the former take {', '.join(gains)} times as long.")
    idle = [float(row["us"]) / float(row["ensemble_us"]) for row in results.rows if row["ensemble_us"]]
    low, middle, high = (number(one) for one in np.quantile(idle, (0.05, 0.5, 0.95)))
    said.append(f"One trajectory takes as long as {middle} instances of an ensemble in the median of all settings, and as "
                f"{low} to {high} in nine tenths of them; part of that is the load of the machine, so that ratios within it "
                "of each other are level.")
    return said


def picture(results, problem, file):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "livens", "font.size": 8})
    import matplotlib.pyplot as plt

    rows = [row for row in results.rows if row["problem"] == problem and row["us"]]
    methods = list(dict.fromkeys((row["method"], row["order"]) for row in rows))
    colours = dict(zip(dict.fromkeys(name for name, _ in methods), [*plt.get_cmap("tab20").colors]))
    styles = {"": "-", "4": "--", "6": "-.", "8": ":"}
    figure, axes = plt.subplots(1, 2, figsize=(7.5, 3.2), sharey=True, layout="constrained")
    for ax, key, said in zip(axes, ("us", "ensemble_us"), ("one trajectory", f"an instance of an ensemble of {SIZE}")):
        for name, order in methods:
            points = [(results.ratio(row, key), float(row["error"])) for row in rows
                      if (row["method"], row["order"]) == (name, order) and row[key] and 0 < float(row["error"]) < 1]
            if points:
                ax.loglog(*zip(*points), styles[order], color=colours[name], linewidth=0.9,
                          marker="" if name in lv.schemes.__all__ and name != "taylor" else ".", markersize=3)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:.0e}")
        ax.minorticks_off()
        ax.set_xlabel(f"time of {said}; {REFERENCE[0]} at {REFERENCE[1]}: 1")
    axes[0].set_ylabel("largest error of q")
    handles = [plt.Line2D([], [], color=colour) for colour in colours.values()]
    handles += [plt.Line2D([], [], color="black", linestyle=style) for style in styles.values()]
    figure.legend(handles, [*colours, *(f"order {order}" if order else "its own order" for order in styles)],
                  loc="outside right upper", fontsize="small", frameon=False)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    plt.close(figure)
    file.write_text(re.sub(r"\n\s+", "\n", re.sub(r"<!--.*?-->\s*", "", drawn.getvalue())), encoding="utf-8")


def flowing(text, first="", others=""):
    """Paragraphs in lines of one length."""
    return "\n\n".join(textwrap.fill(" ".join(one.split()), 125, initial_indent=first, subsequent_indent=others,
                                     break_long_words=False, break_on_hyphens=False) for one in text.split("\n\n"))


def page(where, rows, pictured=False):
    results = Results(rows)
    parts = ["# Work and precision", flowing(f"""
Every scheme that takes a problem with {HALVINGS} numbers of steps, at every order that it can be composed to,
`taylor` at {len(TOLERANCES["taylor"])} tolerances, and what one would take instead, on {len(results.problems)} of the
certified problems.
Measured and written by"""), """```sh
PYTHONPATH=build/release/python python3 scripts/work_precision.py          # a quarter of an hour of one core, and compilation
PYTHONPATH=build/release/python python3 scripts/work_precision.py --page   # the page again, from the table
PYTHONPATH=build/release/python python3 scripts/work_precision.py --pictures FOLDER   # with a picture of every problem
```""", flowing(f"""
with {where}. All points are in `docs/measurements/work_precision.csv`.

**Error**: of q at the five times of the certificate, the worst |q - certified| relative to the largest entry there;
the largest of the five. Of livens it is the same, bit for bit, on every machine.

**Time**: the least of {ROUNDS[0]} rounds, of runs of more than {SHORT} s of {ROUNDS[1]}, in which all settings of all
methods take turns, on one thread of a processor that others used, too: so it is given as a ratio to `{REFERENCE[0]}` at
a relative tolerance of {REFERENCE[1]}. Of livens it is that of the stepping, without compilation, start and files. One
trajectory leaves all lanes of its registers but one idle. An ensemble of {SIZE}, which differ by up to 1 % in a parameter,
fills them and is told apart: there 1 is the time of an instance of `{REFERENCE[0]}` in the same ensemble. Settings at
which steps were redone in parts are not in it.

**Work** does not depend on the machine: steps, the stages of a composed step counted one by one, and in the column
`evaluations` the iterations of Newton's method; of the peers what they count themselves. Newton's method has the
tolerances that it has by default. After a run of more than {LONGEST} s a method is not refined further.

The peers run one trajectory. CVODE and IDA are `reference_ode` and `reference_dae`, whose right-hand side is the
reference's, differentiated automatically at every call. SciPy's DOP853 and Radau have equations of their own in
Python, of index 1 or in the fewest coordinates (`scripts/work_precision.py`); their times are mostly Python's, and
their counts say what a compiled right-hand side would leave. Andrews' squeezer has no such equations here. Against
heyoka, JAX, diffrax, numbalsoda and Exudyn, which compile, [performance](../performance.md) measures two other
problems.

What a scheme keeps over long times, for which one takes it, is no matter of this page: see
[schemes side by side](../tutorials/compare_schemes.md).""")]
    parts.append("## What it says\n\n" + "\n".join(flowing(one, "* ", "  ") for one in findings(results)))
    for name in results.problems:
        problem = getattr(lv.problems, name)()
        left = max(problem.q.error / np.abs(problem.q.values).max(1))
        one, many = (number(results.unit(name, key)) for key in ("us", "ensemble_us"))
        parts.append(f"## {name}")
        if pictured:
            parts.append(f"![Error over time of all methods](work_precision/{name}.svg)")
        parts += [flowing(f"""
{problem.title}, to {problem.end:.6g}; the certificate leaves {power(left)} open. 1 is {one} us a trajectory, and
{many} us an instance of an ensemble. The cheapest setting tried:"""), table(results, name)]
    return "\n\n".join(parts) + "\n"


def pictures(folder):
    where, rows = read()
    (folder / "work_precision").mkdir(parents=True, exist_ok=True)
    (folder / PAGE.name).write_text(page(where, rows, pictured=True), encoding="utf-8")
    for problem in Results(rows).problems:
        picture(Results(rows), problem, folder / "work_precision" / f"{problem}.svg")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pictures"]:
        pictures(Path(sys.argv[2]) / "problems")
    else:
        if "--page" not in sys.argv:
            measure(sys.argv[1:] or list(PROBLEMS))
        PAGE.write_text(page(*read()), encoding="utf-8")
