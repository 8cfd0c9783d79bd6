"""ggl-variational-principle, section 5: a variational integrator with constraints on both levels."""

from livens.gallery.ggl_variational_principle.double_four_bar import (
    figure_12, figure_13, figure_14, figure_15, figure_16, figure_17, figure_18, figure_19, figure_20, figure_21,
    figure_22, figure_23)
from livens.gallery.ggl_variational_principle.heavy_top import (
    figure_3, figure_4, figure_5, figure_6, figure_7, figure_8, figure_9, figure_10)

__all__ = ["figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "figure_8", "figure_9", "figure_10",
           "figure_12", "figure_13", "figure_14", "figure_15", "figure_16", "figure_17", "figure_18", "figure_19",
           "figure_20", "figure_21", "figure_22", "figure_23"]
