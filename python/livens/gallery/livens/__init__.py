"""Figures of livens' own: what ensembles show that no single run does."""

from livens.gallery.livens.damping import damping_quantiles, time_to_fall
from livens.gallery.livens.distributions import distribution
from livens.gallery.livens.foucault_pendulum import closer_scheme, plane_jumps
from livens.gallery.livens.roofline import roofline
from livens.gallery.livens.round_off import energy_drift

__all__ = ["closer_scheme", "damping_quantiles", "distribution", "energy_drift", "plane_jumps", "roofline", "time_to_fall"]
