"""gamma-convergence-constrained, sections 3 and 4: variational integrators with constraints converge."""

from livens.gallery.gamma_convergence_constrained.discrete_lagrangians import grids, quadratures
from livens.gallery.gamma_convergence_constrained.double_spherical_pendulum import figure_3, figure_4, table_1
from livens.gallery.gamma_convergence_constrained.three_bar_swing import (
    figure_5, figure_6, figure_7, figure_8, table_2)
from livens.gallery.gamma_convergence_constrained.unit_circle import action, figure_1

__all__ = ["action", "figure_1", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "figure_8", "grids", "quadratures",
           "table_1", "table_2"]
