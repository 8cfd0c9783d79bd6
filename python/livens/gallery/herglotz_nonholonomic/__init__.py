"""herglotz-nonholonomic, sections 4.3 and 4.4: contact integrators of nonholonomic systems."""

from livens.gallery.herglotz_nonholonomic.foucault_pendulum import (
    figure_4_3, figure_4_4, figure_4_5, figure_4_6, figure_4_7, steps)
from livens.gallery.herglotz_nonholonomic.rolling_disk import (
    experiment_1, experiment_2, experiment_3, experiment_4, figure_4_8, figure_4_9, figure_4_10, figure_4_11,
    figure_4_12, figure_4_13, figure_4_14, figure_4_15, figure_4_16, figure_4_17, figure_4_18, figure_4_19)

__all__ = ["experiment_1", "experiment_2", "experiment_3", "experiment_4", "figure_4_3", "figure_4_4", "figure_4_5",
           "figure_4_6", "figure_4_7", "figure_4_8", "figure_4_9", "figure_4_10", "figure_4_11", "figure_4_12",
           "figure_4_13", "figure_4_14", "figure_4_15", "figure_4_16", "figure_4_17", "figure_4_18", "figure_4_19",
           "steps"]
