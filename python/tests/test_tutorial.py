"""The blocks of the documents, one after the other. With -s it prints the processor's time of each, that of the compiler among it:

    python -m pytest -s -k recipes python/tests/test_tutorial.py
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

import livens as lv

DOCUMENTS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="tests without the checkout")


def run_blocks(document, folder, kinds, program=None, without=(), instead={}):
    """Those of these kinds, in the folder: Python with the names of the blocks before, commands with ``livens`` and
    ``python``, and a TOML block that a name in `backticks` stands before is put into that file. Lines that begin with one of
    ``without`` are left out, and for the keys of ``instead`` its values are taken. Returns how many blocks there were."""
    if program is not None:
        (folder / "livens").symlink_to(os.path.abspath(program))
    (folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (folder / "python").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    text, end, names, count = document.read_text(), 0, {}, 0
    for number, block in enumerate(re.finditer(r"^```(\w+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)):
        kind, code = block.groups()
        files = re.findall(r"`(\w+\.toml)`", text[end:block.start()])
        end = block.end()
        if kind not in kinds:
            continue
        count += 1
        for there, here in instead.items():
            code = code.replace(there, here)
        begin = sum(os.times()[:4])
        if kind.startswith("py"):
            exec(compile(code, f"{document.name}, block {number}", "exec"), names)
        elif kind == "sh":
            code = "".join(line for line in code.splitlines(keepends=True) if not line.startswith(tuple(without)))
            subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=folder, env=environment, check=True)
        elif files:
            (folder / files[-1]).write_text(code)
        if kind != "toml":
            heading = re.findall(r"^#+ (.*)$", text[:block.start()], re.MULTILINE)[-1]
            print(f"{sum(os.times()[:4]) - begin:6.1f} s  {document.name}: {heading}")
    return count


@pytest.fixture
def folder(tmp_path, monkeypatch):
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_block_of_the_package_runs(folder, capsys):
    assert run_blocks(DOCUMENTS / "python.md", folder, ["python"]) > 8
    assert "system.dampin damping" in capsys.readouterr().out
    assert (folder / "motion.gif").is_file() and (folder / "study.h5").is_file()


def test_ones_own_system_runs(folder, program):
    """Without what compiles every scheme in every form, which takes minutes and has tests of its own."""
    minutes = ["livens check", "livens verify"]
    assert run_blocks(DOCUMENTS / "own_system.md", folder, ["sh", "toml"], program, without=minutes) > 4


@pytest.mark.parametrize("name", ["recipes", "coming_from"])
def test_every_block_of_the_recipes_runs(name, folder):
    pytest.importorskip("SALib")
    assert run_blocks(DOCUMENTS / f"{name}.md", folder, ["python"]) >= 4


def test_every_block_of_the_first_page_runs(folder):
    """With fewer instances, on what the demo leaves."""
    lv.run(DOCUMENTS.parent / "studies" / "four_particle.toml", file="four_particle.h5")
    assert run_blocks(DOCUMENTS.parent / "README.md", folder, ["python"], instead={"100_000": "1000"}) == 2


def test_every_block_of_the_problems_runs(folder, program):
    """Without those that make certificates, which takes minutes and has tests of its own."""
    assert run_blocks(DOCUMENTS / "problems" / "README.md", folder, ["python", "sh"], program, without=["livens certify"]) == 2
    assert (folder / "andrews_squeezer.json").is_file()


def test_the_commands_of_the_package_run(folder):
    """Without what installs, and figures, which have tests of their own."""
    without = ["pip install", "python -m livens.gallery -o", "python -m livens.gallery livens-", "python -m livens.gallery --specs"]
    assert run_blocks(DOCUMENTS / "python.md", folder, ["sh"], without=without) == 2


def test_the_recipes_say_how_long_they_take():
    """A row of the table for every heading that has a block, and for no other."""
    text = (DOCUMENTS / "recipes.md").read_text()
    recipes = [part.splitlines()[0] for part in text.split("\n## ")[1:] if "```python" in part]
    assert re.findall(r"^\| (.*) \| [\d.]+ s \|$", text, re.MULTILINE) == recipes


@pytest.mark.parametrize("name", ["first_ensemble", "design", "compare_schemes", "cluster", "gpu"])
def test_every_block_of_a_tutorial_runs(name, folder, program):
    assert run_blocks(DOCUMENTS / "tutorials" / f"{name}.md", folder, ["python", "sh", "toml"], program) >= 2


def test_the_tutorials_are_all_here():
    assert len(list((DOCUMENTS / "tutorials").glob("*.md"))) == 5
