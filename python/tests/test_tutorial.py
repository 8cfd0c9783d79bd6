"""The blocks of docs/python.md and of the tutorials, one after the other."""

import os
import re
import subprocess
from pathlib import Path

import matplotlib
import pytest

DOCUMENTS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="tests without the checkout")


def run_blocks(document, folder, kinds, program=None, without=()):
    """Those of these kinds, in the folder: Python with the names of the blocks before, commands with ``livens``, and a
    TOML block that a name in `backticks` stands before is put into that file. Lines that begin with one of ``without``
    are left out. Returns how many blocks there were."""
    if program is not None:
        (folder / "livens").symlink_to(os.path.abspath(program))
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    text, end, names, count = document.read_text(), 0, {}, 0
    for number, block in enumerate(re.finditer(r"^```(\w+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)):
        kind, code = block.groups()
        files = re.findall(r"`(\w+\.toml)`", text[end:block.start()])
        end = block.end()
        if kind not in kinds:
            continue
        count += 1
        if kind.startswith("py"):
            exec(compile(code, f"{document.name}, block {number}", "exec"), names)
        elif kind == "sh":
            code = "".join(line for line in code.splitlines(keepends=True) if not line.startswith(tuple(without)))
            subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=folder, env=environment, check=True)
        elif files:
            (folder / files[-1]).write_text(code)
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


@pytest.mark.parametrize("name", ["first_ensemble", "design", "compare_schemes", "cluster", "gpu"])
def test_every_block_of_a_tutorial_runs(name, folder, program):
    assert run_blocks(DOCUMENTS / "tutorials" / f"{name}.md", folder, ["python", "sh", "toml"], program) >= 2


def test_the_tutorials_are_all_here():
    assert len(list((DOCUMENTS / "tutorials").glob("*.md"))) == 5
