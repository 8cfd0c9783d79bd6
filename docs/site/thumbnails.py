"""Figures of the gallery for the first page of the site, drawn with few steps.

usage: thumbnails.py DOCS        writes DOCS/gallery, with thumbnails.md, which DOCS/index.md includes
"""

import sys
from pathlib import Path

from livens import gallery

FIGURES = ("ggl-variational-principle/figure-3", "ggl-variational-principle/figure-9", "livens-energy-consistent/figure-6",
           "gamma-convergence-constrained/figure-3", "livens/damping-quantiles", "livens/time-to-fall")

folder = Path(sys.argv[1]) / "gallery"
chosen = [gallery.entries(name)[0] for name in FIGURES]
gallery.draw(chosen, folder, quick=True)
images = [f".. image:: gallery/{one.name}.svg\n   :width: 32%\n   :alt: {one.title}\n   :target: papers.html" for one in chosen]
(folder / "thumbnails.md").write_text("```{eval-rst}\n" + "\n".join(images) + "\n```\n", encoding="utf-8")
