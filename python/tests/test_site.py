"""The reference of the documentation site, which docs/site/reference_pages.py makes of the program's tables."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import livens as lv

DOCUMENTS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="tests without the checkout")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(DOCUMENTS / "equations", folder / "equations")
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
    assert names == {"sobol_indices", "escape_map", "energy_statistics", "plane_jumps", "calibration", "until_when"}
    for page in (DOCUMENTS / "notebooks").glob("*.md"):
        assert page.read_text().count("assert ") >= 1, f"{page.name} finds nothing"
