"""The reference of the documentation site, which docs/site/reference_pages.py makes of the program's tables."""

import ast
import dataclasses
import inspect
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import livens as lv
from livens import _tables

DOCUMENTS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="tests without the checkout")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(DOCUMENTS / "equations", folder / "equations")
    shutil.copy(DOCUMENTS / "contract.md", folder)
    subprocess.run([sys.executable, DOCUMENTS / "site" / "reference_pages.py", folder], check=True)
    return folder


def test_a_page_a_system_with_picture_equations_parameters(pages):
    names = set(lv.systems.__all__) - {"System", "text"}
    assert {page.stem for page in (pages / "systems").glob("*.md")} == names | {"index"}
    for name in names:
        text = (pages / "systems" / f"{name}.md").read_text()
        assert f"({name}.svg)" in text and (pages / "systems" / f"{name}.svg").is_file()
        for target in re.search(r"^\* equations: (.*)$", text, re.MULTILINE)[1].split("](")[1:]:
            assert (pages / "systems" / target.split("#")[0].rstrip(")")).resolve().is_file()
        for parameter in lv.System(name).description()["parameters"]:
            assert f"| `{parameter['name']}` |" in text


def test_a_page_a_scheme_with_what_it_keeps_and_when_to_choose_it(pages):
    names = set(lv.schemes.__all__) - {"Scheme"}
    assert {page.stem for page in (pages / "schemes").glob("*.md")} == names | {"index"}
    choice = (DOCUMENTS / "tutorials" / "compare_schemes.md").read_text().split("## When to choose which")[1]
    for name in names:
        text = (pages / "schemes" / f"{name}.md").read_text()
        assert "compare_schemes.md#when-to-choose-which" in text and f"`{name}`" in choice
        kept = text.split("## What it keeps")[1]
        assert re.search(r"^\| \[`\w+`\].*\d\.\de[+-]\d\d \|", kept, re.MULTILINE), name


def test_every_key_and_status_has_a_heading(pages):
    """Where the search finds it first; docs.sh looks into the index of the search itself."""
    keys, statuses = ((pages / f"{name}.md").read_text() for name in ("keys", "statuses"))
    for key in ("scheme.step", "scheme.newton.tolerance", "initial.consistency", "ensemble.vary.law", "output.joint.bins",
                "tangent.covariance"):
        assert f"\n## `{key}`\n" in keys, key
    known = set(re.findall(r"^## `(.*)`$", keys, re.MULTILINE))
    for field in set(lv.Ensemble.__dataclass_fields__) - {"system", "scheme", "initial", "vary", "table", "tangent", "further",
                                                          "interval"}:  # sections, and beside output.every
        assert known & {f"ensemble.{field}", f"output.{field}", f"output.{field}.when"}, field
    for name in _tables.statuses:
        assert f"\n## `{name}`\n\nStatus {_tables.statuses.index(name)}: " in statuses, name


def public():
    """Every public name with what it is, but for systems, schemes and problems, which have pages of their own."""
    named = {f"livens.{name}": getattr(lv, name) for name in lv.__all__ if not inspect.ismodule(getattr(lv, name))}
    for module in (lv.plot, lv.jax, lv.torch):
        named |= {f"{module.__name__}.{name}": getattr(module, name) for name in module.__all__}
    return {**named, "livens.systems.text": lv.systems.text, "livens.problems.Problem": lv.problems.Problem,
            "livens.problems.Values": lv.problems.Values}


def test_the_page_of_names_has_all_of_them_once():
    documented = re.findall(r"^\.\. auto\w+:: (\S+)$", (DOCUMENTS / "api.md").read_text(), re.MULTILINE)
    assert sorted(one if one.startswith("livens.") else f"livens.{one}" for one in documented) == sorted(public())


def functions(name, one):
    """A function, or the methods of a class that are its own, each with the text that a reader of it has."""
    if not inspect.isclass(one):
        return [(name, one, inspect.getdoc(one))]
    own = [(f"{name}.{key}", getattr(one, key), f"{inspect.getdoc(getattr(one, key))}\n{inspect.getdoc(one)}")
           for key in vars(one) if not key.startswith("_")
           and (inspect.isfunction(getattr(one, key)) or inspect.ismethod(getattr(one, key)))]
    return [*own, (name, one, inspect.getdoc(one))] if one is lv.Table else own  # others are made by functions, or of fields


def fields_without_a_word(one):
    """Of a dataclass: neither a docstring behind them nor their name in that of the class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(one))).body[0].body
    for field, behind in zip(body, body[1:] + body[:1]):
        if isinstance(field, ast.AnnAssign) and "ClassVar" not in ast.unparse(field.annotation):
            said = isinstance(behind, ast.Expr) or f"``{field.target.id}``" in inspect.getdoc(one)
            yield from [] if said else [field.target.id]


def test_docstrings_say_what_goes_in_and_out():
    """Every parameter and field by its name; shapes where arrays are; and what a function raises that refuses something."""
    lacking = []
    for name, one in public().items():
        for path, function, said in functions(name, one):
            signature = inspect.signature(function)
            lacking += [f"{path}: {parameter}" for parameter in signature.parameters
                        if parameter != "self" and not re.search(rf"\b{parameter}\b", said)]
            if any(kind in str(signature.return_annotation) for kind in ("ndarray", "Dataset", "DataArray")):
                lacking += [] if re.search("[Ss]hape|axes|axis", said) else [f"{path}: its shape"]
            if inspect.isfunction(function) and "raise SpecError" in inspect.getsource(function):
                lacking += [] if "Raises" in said else [f"{path}: what it raises"]
        if dataclasses.is_dataclass(one):
            lacking += [f"{name}.{field}" for field in fields_without_a_word(one)]
    assert not lacking


def test_every_page_of_the_documents_is_in_the_index():
    """Sphinx refuses one that is not; here it is said sooner."""
    index = (DOCUMENTS / "index.md").read_text()
    for page in DOCUMENTS.rglob("*.md"):
        name = page.relative_to(DOCUMENTS).with_suffix("")
        if name.parts[0] not in ("site", "measurements", "index"):
            assert f"\n{name}\n" in index or f"\n{name.parts[0]}/*\n" in index, page


def test_the_citation_is_complete():
    citation = (DOCUMENTS.parent / "CITATION.cff").read_text()
    for key in ("cff-version", "message", "title", "authors", "version", "license", "type"):
        assert re.search(rf"^{key}:", citation, re.MULTILINE), key


def test_the_notebooks_are_all_here():
    names = {page.stem for page in (DOCUMENTS / "notebooks").glob("*.md")}
    assert names == {"sobol_indices", "escape_map", "energy_statistics", "plane_jumps", "calibration", "until_when",
                     "optimal_drive", "lyapunov_map", "sampling"}
    for page in (DOCUMENTS / "notebooks").glob("*.md"):
        assert page.read_text().count("assert ") >= 1, f"{page.name} finds nothing"
