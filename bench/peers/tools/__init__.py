"""A module a tool. Each has

    NAME                 as the table names it
    methods(problem)     the methods it offers for a problem: Method

and imports its package when `methods` is called, so that a tool that is not installed is told and left out.
"""

from dataclasses import dataclass
from typing import Callable

MODULES = ("livens", "heyoka", "jax_schemes", "diffrax_ode", "numbalsoda_ode", "scipy_ode", "exudyn_dae")


@dataclass(frozen=True)
class Method:
    name: str
    settings: tuple  #: from coarse to fine: numbers of steps, or tolerances
    prepare: Callable  #: setting -> advance(q, v) -> (q, v at the end, seconds or None: to be measured around it)
    most: int = 1 << 30  #: trajectories; a tool that takes one at a time from Python is given few
