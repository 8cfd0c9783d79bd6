"""What a gradient by many controls costs, forward and backward: PYTHONPATH=build/release/python python3 bench/adjoint.py
[COUNT ...]. A cart with a pendulum, and a force on it that is a polygon of COUNT corners, which are the controls."""

import sys
import time

import numpy as np

import livens as lv
from livens.gradients import Final

steps, step = 1000, 0.002
most = 32  # directions that are carried: compiling more of them takes minutes


def study(count):
    """With so many controls."""
    beat = steps * step / (count - 1)
    cart = lv.System.from_text(f"""
        name        = "driven_{count}"
        kinetic     = "1/2*cart*s'^2 + 1/2*bob*((s' + x')^2 + y'^2)"
        potential   = "bob*gravity*y"
        constraints = ["(x^2 + y^2 - rod^2)/2"]
        coordinates = {{ s = 1, x = 1, y = 1 }}
        parameters  = {{ cart = 2.0, bob = 1.0, gravity = 9.81, rod = 1.0, beat = {beat}, push = {[1.0] * count} }}
        [force]
        s = "sum(i, 0, {count - 1}, push[i]*max(0, 1 - abs(t/beat - i)))"
        [initial]
        q = {{ x = "0.6*rod", y = "-0.8*rod" }}
        """)
    return lv.Ensemble(cart, lv.schemes.livens(step=step, steps=steps))


def seconds(function):
    """The least processor time of five, after one that compiles."""
    function()
    times = []
    for _ in range(5):
        begin = time.process_time()
        function()
        times.append(time.process_time() - begin)
    return min(times)


def main():
    print(f"{'controls':>8} {'run':>9} {'forward':>9} {'reverse':>9}   ms of {steps} steps")
    for count in [int(word) for word in sys.argv[1:]] or [4, 16, 100]:
        backward = Final(study(count), ["system.push"], ["q", "v"], mode="reverse")
        x, above = backward.x0[None], np.ones(backward.shape)
        run, reverse = seconds(lambda: backward.values_at(x)), seconds(lambda: backward.gradients_at(x, above))
        carried = float("nan")
        if count <= most:
            forward = Final(study(count), ["system.push"], ["q", "v"])
            carried = seconds(lambda ahead=forward: ahead.of(x))
        print(f"{count:8} {1e3 * run:9.2f} {1e3 * carried:9.2f} {1e3 * reverse:9.2f}", flush=True)


if __name__ == "__main__":
    main()
