"""The blocks of docs/python.md, one after the other."""

import re
from pathlib import Path

import matplotlib
import pytest

TUTORIAL = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not TUTORIAL.is_file(), reason="tests without the checkout")
def test_every_block_runs(tmp_path, monkeypatch, capsys):
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", TUTORIAL.read_text(), re.DOTALL)
    assert len(blocks) > 8
    names: dict = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{TUTORIAL.name}, block {number}", "exec"), names)
    assert "system.dampin damping" in capsys.readouterr().out
    assert (tmp_path / "motion.gif").is_file() and (tmp_path / "study.h5").is_file()
