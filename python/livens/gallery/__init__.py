"""Every figure and table of the five papers, drawn from ensembles: ``python -m livens.gallery``.

``figures.toml`` lists all of them, with what a build needs to draw them. A figure is a function in the module of its
paper: it runs its study, draws, and compares numbers of the paper with those of the run.
"""

from livens.gallery.figures import Drawn, Entry, Finding, entries
from livens.gallery.pages import draw

__all__ = ["Drawn", "Entry", "Finding", "draw", "entries"]
