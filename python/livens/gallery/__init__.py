"""Every figure and table of the five papers, drawn from ensembles: ``python -m livens.gallery``.

``figures.toml`` lists all of them, with what a build needs to draw them. A figure is a function in the module of its
paper: it yields its studies, draws their runs, and compares numbers of the paper with those of the runs. ``--specs DIR``
writes the studies as specs that the command line takes; a build does so in its ``studies/papers``.
"""

from livens.gallery.figures import Drawn, Entry, Finding, entries
from livens.gallery.pages import draw, write_specs

__all__ = ["Drawn", "Entry", "Finding", "draw", "entries", "write_specs"]
