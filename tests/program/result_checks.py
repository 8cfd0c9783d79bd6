"""A result agrees with itself: numbers that are there twice are equal, statistics are those of the instances, and draws
are what the contract says they are."""

import h5py
import numpy as np

STATUS = {"ok": 0, "not_finite": 3, "inconsistent_initial": 5, "invalid_parameter": 6}
MEASURED = ("initial_energy", "energy_scale", "max_energy_error", "rms_energy_error", "max_constraint",
            "max_velocity_constraint", "max_momentum_error")
RESOLUTION = 1 / 128  # of a quantile, relative
LARGEST_SQUARED = np.sqrt(np.finfo(float).max)  # what is larger, of masses of 1e300, has no square, and no rms


class Wrong(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Wrong(what)


def same(a, b):
    """To the bit, but that any NaN is one."""
    return np.array_equal(a, b, equal_nan=True)


def check(path, spec, loaded):
    """`loaded`: the system has given forces, as `livens list` says."""
    with h5py.File(path) as file:
        instances = {name: item[()] for name, item in file["instances"].items() if isinstance(item, h5py.Dataset)}
        parameters = {name: item[()] for name, item in file["instances/parameters"].items()} if (
            "parameters" in file["instances"]) else {}
        trajectories = {name: item[()] for name, item in file["trajectories"].items()} if "trajectories" in file else {}
        statistics = {name: {key: item[()] for key, item in group.items()}
                      for name, group in file["statistics"].items() if isinstance(group, h5py.Group)}
        time, ok = file["statistics/time"][()], file["statistics/ok"][()]
        steps = file.attrs["steps"]
        levels = {name: file[f"statistics/{name}/quantiles"].attrs["levels"] for name in statistics}
    status = instances["status"]
    check_statuses(instances, status)
    check_steps(instances, status, steps, spec)
    check_draws(parameters, instances, spec)
    expect(np.all(np.diff(time) > 0) and time[0] == 0.0, "times ascend from 0")
    expect(np.all(np.diff(ok) <= 0) and ok[-1] == np.sum(status == 0), "instances ok at the samples")
    for name, numbers in statistics.items():
        check_moments(name, numbers, ok, levels[name])
    check_extremes(statistics, instances, status)
    if trajectories and len(trajectories["instance"]):
        check_trajectories(trajectories, instances, status, ok, statistics, levels, loaded)
    return status


def check_statuses(instances, status):
    expect(np.all(status <= 7), f"statuses of the contract: {np.unique(status)}")
    expect(np.array_equal(instances["failed_step"] == -1, status == 0), "failed_step is -1 where ok")
    for name in ("final_q", "final_v", "final_p"):
        expect(np.all(np.isfinite(instances[name][status == 0])), f"{name} of what is ok")
    unstarted = np.isnan(instances["initial_energy"])
    expect(np.all(instances["failed_step"][unstarted] == 0), "an instance that could not start failed at step 0")
    squared = instances["max_energy_error"] < LARGEST_SQUARED
    for name in MEASURED:
        if name in instances:
            expect(np.all(np.isnan(instances[name][unstarted])), f"{name} of an instance that could not start")
            counts = status == 0 if name != "rms_energy_error" else (status == 0) & squared
            expect(np.all(np.isfinite(instances[name][counts])), f"{name} of what is ok")
    for name in ("q", "v"):
        expect(same(instances[f"final_{name}"][unstarted], instances[f"initial_{name}"][unstarted]),
               f"final_{name} of an instance that could not start")
    started_bad = ~unstarted & np.isin(status, (STATUS["invalid_parameter"], STATUS["inconsistent_initial"]))
    expect(not np.any(started_bad), "an instance with an initial value that is wrong has not started")
    expect(np.all(instances["max_energy_error"][squared] >= instances["rms_energy_error"][squared] * (1 - 1e-12)),
           "the largest error is at least the rms")


def check_steps(instances, status, steps, spec):
    good = instances["failed_step"].astype(float)
    if "interval" in spec["output"]:
        expect(steps >= np.sum(good[status != 0]), "steps at least those before the failures")
    else:
        good[status == 0] = spec["scheme"]["steps"]
        expect(steps == np.sum(good), f"steps {steps} for {np.sum(good)}")


def philox(counter, key):
    """Philox 4x32-10 (Random123) of counters of four words, by columns."""
    words, mask = [np.asarray(word, dtype=np.uint64) for word in counter], np.uint64(0xFFFFFFFF)
    low, high = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [(b >> np.uint64(32)) ^ words[1] ^ np.uint64(low), b & mask,
                 (a >> np.uint64(32)) ^ words[3] ^ np.uint64(high), a & mask]
        low, high = (low + 0x9E3779B9) & 0xFFFFFFFF, (high + 0xBB67AE85) & 0xFFFFFFFF
    return words


def check_draws(parameters, instances, spec):
    """Uniform laws and lists, to the bit; the others go through functions of the C library here."""
    numbers = instances["number"] if "number" in instances else np.arange(len(instances["status"]))
    numbers, stride = numbers.astype(np.uint64), 1
    grid = [entry for entry in spec["vary"] if entry["law"] == "values" or entry["law"] == "linspace"]
    strides = {}
    for entry in reversed(grid):
        strides[entry["what"]] = stride
        stride *= len(entry["values"]) if entry["law"] == "values" else entry["count"]
    for position, entry in enumerate(spec["vary"]):
        value = parameters[entry["what"]]
        if entry["law"] == "values":
            count = np.uint64(len(entry["values"]))
            index = numbers % np.uint64(stride) // np.uint64(strides[entry["what"]]) % count
            expect(same(value, np.array(entry["values"], dtype=float)[index]), f"the values of {entry['what']}")
        if entry["law"] == "uniform" and entry["what"] != "scheme.step":
            zero = np.zeros_like(numbers)
            word = philox([numbers & np.uint64(0xFFFFFFFF), numbers >> np.uint64(32), zero + np.uint64(position), zero],
                          spec["ensemble"]["seed"])
            x = word[0] + (word[1] << np.uint64(32))
            u = ((x >> np.uint64(11)).astype(float) + 0.5) * 2.0**-53
            expect(same(value, entry["low"] + (entry["high"] - entry["low"]) * u), f"the draws of {entry['what']}")


def check_moments(name, numbers, ok, levels):
    mean, std, low, high = (numbers[key] for key in ("mean", "std", "min", "max"))
    some = ok > 0
    counted = numbers["histogram"].sum(axis=1)
    expect(np.all(counted <= ok) and np.all(counted[some & np.isfinite(mean)] > 0), f"{name}: histogram and ok")
    there = counted > 0
    mean, std, low, high, rms = mean[there], std[there], low[there], high[there], numbers["rms"][there]
    size = np.maximum(np.abs(low), np.abs(high))
    slack = 1e-12 * size  # some thousand roundings of terms of that size
    expect(np.all(low <= mean + slack) and np.all(mean <= high + slack), f"{name}: mean between min and max")
    squared = size < LARGEST_SQUARED / np.sqrt(counted[there])
    expect(np.all((std <= (high - low) / 2 + slack)[squared]), f"{name}: std at most half the range")
    expect(np.all((np.abs(rms - np.hypot(mean, std)) <= slack)[squared]), f"{name}: rms")
    quantiles = numbers["quantiles"][there]
    expect(np.all(np.diff(quantiles[:, np.argsort(levels)], axis=1) >= 0), f"{name}: quantiles ascend")
    expect(np.all(quantiles.T >= low - RESOLUTION * size) and np.all(quantiles.T <= high + RESOLUTION * size),
           f"{name}: quantiles between min and max")


def check_extremes(statistics, instances, status):
    """The largest value at a sample is at most the largest of all steps."""
    for name, largest in (("energy_error", "max_energy_error"), ("constraint", "max_constraint"),
                          ("velocity_constraint", "max_velocity_constraint"), ("momentum_error", "max_momentum_error")):
        if name not in statistics or largest not in instances or not np.any(status == 0):
            continue
        last = np.abs([statistics[name][key][-1] for key in ("min", "max")])
        most = instances[largest][status == 0].max()
        expect(np.all(last <= most), f"{name}: {last} at the end is more than {most} over all steps")


def check_trajectories(trajectories, instances, status, ok, statistics, levels, loaded):
    followed = len(trajectories["instance"])
    q, v, status = trajectories["q"], trajectories["v"], status[:followed]
    # A failure is NaN from its sample on, in everything.
    lost = np.isnan(trajectories["energy"])
    expect(np.all(lost[:, :-1] <= lost[:, 1:]), "once lost, lost for good")
    expect(np.array_equal(lost[:, -1], status != 0), "lost at the end where the status is not ok")
    expect(np.array_equal(np.isnan(q).any(axis=2), lost), "q is NaN where the energy is")
    expect(same(q[:, -1][status == 0], instances["final_q"][:followed][status == 0]), "final_q is the last sample")
    expect(same(v[:, -1][status == 0], instances["final_v"][:followed][status == 0]), "final_v is the last sample")
    started = ~lost[:, 0]
    # A reduced form keeps other coordinates: there and back each is rounded a few times, with the largest.
    first, given = q[started, 0], instances["initial_q"][:followed][started]
    rounding = 16 * np.finfo(float).eps * np.abs(given).max(initial=0.0, axis=1, keepdims=True)
    expect(np.all(np.abs(first - given) <= rounding), "initial_q is the first sample")
    if followed < len(instances["status"]):
        return
    # All are followed: their statistics can be made again, but for what damping and loads did.
    dissipated = statistics["dissipated_energy"]
    changed = np.any(dissipated["max"][ok > 0]) or loaded
    if not changed and "z" in trajectories and np.all(np.isnan(trajectories["z"])):
        compare(trajectories["energy"] - instances["initial_energy"][:, None], lost, ok,
                statistics["energy_error"], levels["energy_error"], "energy_error")
    if "momentum" in trajectories:
        momentum = trajectories["momentum"]
        error = np.abs(momentum - momentum[:, :1]).max(axis=2)
        compare(error, lost, ok, statistics["momentum_error"], levels["momentum_error"], "momentum_error")


def compare(values, lost, ok, numbers, levels, name):
    for k in range(values.shape[1]):
        x = values[~lost[:, k], k]
        expect(len(x) == ok[k], f"{name}: {len(x)} ok at sample {k} for {ok[k]}")
        x = np.sort(x[np.isfinite(x)])
        if len(x) == 0:
            continue
        expect(numbers["min"][k] == x[0] and numbers["max"][k] == x[-1], f"{name}: min and max at sample {k}")
        slack = 1e-12 * np.abs(x).max()
        expect(abs(numbers["mean"][k] - x.mean()) <= slack, f"{name}: mean at sample {k}")
        if np.abs(x).max() < LARGEST_SQUARED / np.sqrt(len(x)):
            expect(abs(numbers["std"][k] - x.std()) <= slack, f"{name}: std at sample {k}")
        for level, value in zip(levels, numbers["quantiles"][k]):
            exact = x[max(1, int(np.ceil(level * len(x)))) - 1]
            expect(abs(value - exact) <= RESOLUTION * abs(exact), f"{name}: quantile {level} at sample {k}")
