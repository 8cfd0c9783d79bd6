"""Sphinx: the documents of docs/ as a site. scripts/docs.sh builds it, and says what is where."""

import re

import livens

project = "livens"
author = "the livens developers"
copyright = author
version = release = livens.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
autodoc_default_options = {"members": True, "member-order": "bysource"}
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_maximum_signature_line_length = 100
html_theme = "furo"
html_title = f"livens {version}"
exclude_patterns = ["site", "measurements", "gallery"]
highlight_language = "text"
suppress_warnings = [
    "misc.highlighting_failure",  # the contract's TOML has [ ... ] for any array
    "ref.python",  # several classes have a `name`
]
myst_heading_anchors = 4  # contract.md#4-the-result-file, as elsewhere
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300  # s; a notebook is made to take a minute
nb_execution_show_tb = True

_upwards = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+)[^)\s]*\)")
_to_folder = re.compile(r"\[([^\]]*)\]\([a-z_/]+\)")


def _without_links_out(app, page, source):
    """A link that leaves docs/, to the code, or leads to a folder has nothing to lead to here, and is text."""
    depth = page.count("/")
    inside = _upwards.sub(lambda link: link[1] if link[2].count("../") > depth else link[0], source[0])
    source[0] = _to_folder.sub(r"\1", inside)


def _without_a_type(app, what, name, thing, options, lines):
    """Napoleon takes what stands before a colon in the first line of an attribute's text for its type."""
    if what in ("attribute", "property"):
        lines.insert(0, "")


def _with_defaults_that_can_be_read(app, what, name, thing, options, signature, returned):
    return (signature.replace("<factory>", "{}"), returned) if signature else None


def setup(app):
    app.connect("source-read", _without_links_out)
    app.connect("autodoc-process-docstring", _without_a_type, priority=400)
    app.connect("autodoc-process-signature", _with_defaults_that_can_be_read)
    return {"parallel_read_safe": True}
