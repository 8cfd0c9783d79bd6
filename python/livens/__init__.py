"""Ensembles of small constrained mechanical systems, integrated with structure-preserving schemes.

    import livens as lv
    study = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=.05, end=10.),
                        vary={"initial.p[10]": lv.Normal(0, .1, mode="add")}, size=1000)
    run = study.run()
    run.statistics.energy_error.mean

docs/python.md is a tutorial; what a spec may say and what a result holds is in docs/contract.md.
"""

from livens import jax, plot, problems, schemes, systems, torch
from livens._doctor import doctor
from livens._livens import version as __version__
from livens.animation import animate
from livens.comparison import Comparison, compare
from livens.ensemble import Ensemble
from livens.errors import DeviceError, InstancesFailed, LivensError, Mistake, ResultError, SpecError, UnknownName
from livens.gradients import Residuals, lyapunov, residuals
from livens.integration import run
from livens.laws import (Exponential, Law, Linspace, LogNormal, Logspace, Normal, Table, Triangular, TruncatedNormal,
                         Uniform, Values)
from livens.maps import basins, escape
from livens.run import Final, Run, Statistics, open
from livens.schemes import Scheme
from livens.systems import System
from livens.text_drawings import drawing
from livens.uq import multilevel, sobol, subset_simulation
from livens.view import View, view

__all__ = [
    "Comparison", "DeviceError", "Ensemble", "Exponential", "Final", "InstancesFailed", "Law", "Linspace",
    "LivensError", "LogNormal", "Logspace", "Mistake", "Normal", "Residuals", "ResultError", "Run", "Scheme",
    "SpecError", "Statistics", "System", "Table", "Triangular", "TruncatedNormal", "Uniform", "UnknownName", "Values",
    "View", "animate", "basins", "compare", "doctor", "drawing", "escape", "jax", "lyapunov", "multilevel", "open",
    "plot", "problems", "residuals", "run", "schemes", "sobol", "subset_simulation", "systems", "torch", "view",
]


def __dir__() -> list[str]:
    return __all__
