"""Valid specs drawn at random over all pairs and options that `livens list` and `livens show` know of."""

import json
import subprocess

SPEED_LIMIT = 20_000  # instances times steps of a run: a fraction of a second for most pairs
TRUE_MOTIONS = 70  # instances of a true motion
SLOW_MOTIONS = 9  # the same of double_four_bar: each up to 0.7 s before its first step with reference_dae


class Catalogue:
    """The pairs and systems to draw from."""

    def __init__(self, livens):
        def asked(*words):
            return json.loads(subprocess.run([livens, *words, "--json"], capture_output=True, check=True).stdout)

        listed = asked("list")
        self.pairs = [pair for pair in listed["pairs"] if pair["compiled"]]
        names = [system["name"] for system in listed["systems"] if system["compiled"]]
        self.systems = {name: asked("show", name) for name in names}
        self.loaded = {system["name"] for system in listed["systems"] if system["loaded"]}
        # A scheme of the true motion runs a system, or the build has none.
        self.true_motion = {
            name: [pair["scheme"] for pair in self.pairs if pair["system"] == name and is_accurate(pair["scheme"])]
            for name in self.systems
        }


def is_accurate(scheme):
    return scheme.startswith("reference_")


def true_motions(system):
    return SLOW_MOTIONS if system == "double_four_bar" else TRUE_MOTIONS


def draw(catalogue, chance):
    """A spec as a dictionary of sections. `chance` is a random.Random."""
    pair = chance.choice(catalogue.pairs)
    system = catalogue.systems[pair["system"]]
    steps = chance.choice([1, 2, 7, 40, 100])
    spec = {
        "system": {"name": pair["system"]},
        "scheme": scheme_of(pair, system, steps, chance),
        "scheme.newton": {},
        "initial": {},
        "ensemble": {"seed": chance.randrange(2**40)},
        "vary": [],
        "output": {"trajectories": chance.choice([0, 1, 5, 4000]), "checkpoint_every": chance.choice([0.0, 0.01, 60.0])},
    }
    if not is_accurate(pair["scheme"]):
        if chance.random() < 0.5:
            spec["scheme.newton"] = {"tolerance": chance.choice([0.0, 1e-8, 1e-10]),
                                     "max_iterations": chance.choice([3, 25, 60])}
        spec["scheme"] |= {"retry": chance.randrange(4), "compensated": chance.random() < 0.05}
    if chance.random() < 0.3:
        spec["initial"]["consistency"] = chance.choice(["project", "require"])
    if chance.random() < 0.3:
        factor = chance.uniform(0.5, 1.5)
        spec["initial"]["v"] = [factor * x for x in system["initial"]["v"]]
    add_variations(spec, system, chance)
    add_size(spec, steps, chance)
    add_samples(spec, steps, chance)
    few = spec["ensemble"].get("size", grid_points(spec)) <= true_motions(pair["system"])
    if chance.random() < 0.2 and few and catalogue.true_motion[pair["system"]] and not is_accurate(pair["scheme"]):
        spec["output"]["error_against"] = chance.choice(catalogue.true_motion[pair["system"]])
    return spec


def scheme_of(pair, system, steps, chance):
    scheme = {"name": pair["scheme"], "steps": steps, "step": system["scheme"]["step"] * 10 ** chance.uniform(-1.0, 0.3)}
    if chance.random() < 0.5 and len(pair["forms"]) > 1:
        scheme["form"] = chance.choice(sorted(pair["forms"]))
    if chance.random() < 0.1:
        scheme["energy_balance"] = 10 ** chance.uniform(-8.0, 0.0)
    # Other values than the standard ones may need the full form.
    if scheme.get("form") != "reduced" and "full" in pair["forms"] and chance.random() < 0.4:
        if pair["scheme"] in ("vi_a", "vi_b"):
            scheme["alpha"] = chance.uniform(0.3, 0.7)
        if pair["scheme"] == "vi_b":
            scheme["theta"] = chance.uniform(0.0, 0.5)
    if pair["scheme"] in ("contact_1", "contact_2", "lagrange_dalembert") and chance.random() < 0.3:
        scheme["start"] = chance.choice(["legendre", "naive"])
    return scheme


def add_variations(spec, system, chance):
    targets = {}  # what, and its usual value
    for parameter in system["parameters"]:
        if parameter["default"] is None:
            continue  # follows from others
        values = parameter["default"] if isinstance(parameter["default"], list) else None
        for i, value in enumerate(values or [parameter["default"]]):
            targets[f"system.{parameter['name']}" + (f"[{i}]" if values else "")] = value
    for name in ("q", "v"):
        targets |= {f"initial.{name}[{i}]": value for i, value in enumerate(system["initial"][name])}
    for what in chance.sample(sorted(targets), min(chance.randrange(4), len(targets))):
        spec["vary"].append({"what": what, **law_for(what, targets[what], chance)})
    if chance.random() < 0.2:
        step = spec["scheme"]["step"]
        spec["vary"].append({"what": "scheme.step", "law": "uniform", "low": 0.2 * step, "high": 1.2 * step})


def law_for(what, usual, chance):
    """Around the usual value; one list of values in four has some that no instance can have."""
    size = 0.1 * (abs(usual) or 1.0)
    low, high = usual - size, usual + size
    kind = chance.choice(["uniform", "normal", "lognormal", "linspace", "values", "values"])
    if kind == "uniform":
        return {"law": kind, "low": low, "high": high}
    if kind == "normal":
        return {"law": kind, "mode": "add", "mean": 0.0, "std": 0.3 * size}
    if kind == "lognormal":
        return {"law": kind, "mode": "multiply", "mu": 0.0, "sigma": 0.05}
    if kind == "linspace":
        return {"law": kind, "low": low, "high": high, "count": chance.choice([1, 2, 5])}
    values = [chance.uniform(low, high) for _ in range(chance.choice([1, 3, 4]))]
    if chance.random() < 0.25:
        values += chance.sample([float("nan"), float("inf"), -1.0, 0.0, 1e300], 2)
    return {"law": kind, "values": values}


def grid_points(spec):
    points = 1
    for entry in spec["vary"]:
        points *= len(entry["values"]) if entry["law"] == "values" else entry.get("count", 1)
    return points


def add_size(spec, steps, chance):
    only_grid = spec["vary"] and all(entry["law"] in ("values", "linspace") for entry in spec["vary"])
    size = grid_points(spec) if only_grid else chance.choice([1, 2, 9, 70, 1025, 2100])
    if not only_grid:
        size = min(size, max(SPEED_LIMIT // steps, 1))
        if is_accurate(spec["scheme"]["name"]):
            size = min(size, true_motions(spec["system"]["name"]))
        spec["ensemble"]["size"] = size
    if chance.random() < 0.15:
        spec["ensemble"]["instances"] = sorted(chance.sample(range(size), min(size, chance.choice([1, 3, 40]))))


def add_samples(spec, steps, chance):
    output = spec["output"]
    if any(entry["what"] == "scheme.step" for entry in spec["vary"]):
        output["interval"] = spec["scheme"]["step"] * chance.choice([1.0, 0.7 * steps, steps])
        if output["interval"] > spec["scheme"]["step"] * steps:
            output["interval"] = spec["scheme"]["step"] * steps
    else:
        output["every"] = chance.choice([1, 3, steps])
    if chance.random() < 0.3:
        output["sampling"] = "log"
    if chance.random() < 0.3:
        output["energy_bound"] = 10 ** chance.uniform(-16.0, -4.0)
    if chance.random() < 0.3:
        output["quantiles"] = sorted(chance.uniform(0.01, 0.99) for _ in range(3))


def text_of(spec):
    """TOML."""

    def value(x):
        if isinstance(x, bool):
            return str(x).lower()
        if isinstance(x, list):
            return "[" + ", ".join(value(each) for each in x) + "]"
        return json.dumps(x) if isinstance(x, str) else repr(x)

    def section(head, keys):
        return f"{head}\n" + "".join(f"{key} = {value(x)}\n" for key, x in keys.items()) if keys else ""

    text = "".join(section(f"[{name}]", keys) for name, keys in spec.items() if name != "vary")
    return text + "".join(section("[[ensemble.vary]]", entry) for entry in spec["vary"])
