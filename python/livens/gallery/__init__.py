"""Every figure and table of the five papers, drawn from ensembles: ``python -m livens.gallery``.

``figures.toml`` lists all of them, with what a build needs to draw them. A figure is a function in the module of its
paper: it yields its studies, draws their runs, and compares numbers of ours with those of the paper, of its authors' code,
of a closed form, theory or another program: a finding names which. ``claims.toml`` lists every figure, table and printed number
of the papers, and what judges it. ``--specs DIR`` writes the studies as specs that the command line takes; a build does so
in its ``studies/papers``.
"""

from livens.gallery.claims import Claim, claims, unjudged
from livens.gallery.figures import Drawn, Entry, entries
from livens.gallery.findings import Between, Finding, Source
from livens.gallery.pages import draw, stored, write_pages, write_specs

__all__ = ["Between", "Claim", "Drawn", "Entry", "Finding", "Source", "claims", "draw", "entries", "stored", "unjudged",
           "write_pages", "write_specs"]
