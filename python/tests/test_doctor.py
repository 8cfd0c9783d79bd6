"""What the doctor says of this machine, and of ones that lack something."""

import os
import subprocess
import sys

import pytest

import livens as lv


def test_on_this_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("LIVENS_CACHE", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    found = lv.doctor()
    assert found.ok and str(tmp_path) in found["cache"].found and "threads" in found["processor"].found
    assert found["livens"].found.startswith(lv.__version__)
    assert len(str(found).splitlines()) <= 24 + 9 and "<table>" in found._repr_html_()


def test_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "relative:/nonexistent")
    monkeypatch.delenv("CXX", raising=False)
    lacking = lv.doctor()["compiler"]
    assert lacking.state == "no" and "ziglang" in lacking.advice
    monkeypatch.setenv("CXX", "/nonexistent/c++")
    monkeypatch.setenv("LIVENS_CACHE", "relative")
    found = lv.doctor()
    assert not found.ok and found["compiler"].state == found["cache"].state == "bad"
    theirs = tmp_path / "cache"
    theirs.mkdir(mode=0o777)
    os.chmod(theirs, 0o777)
    monkeypatch.setenv("LIVENS_CACHE", str(theirs))
    assert "others" in lv.doctor()["cache"].found
    with pytest.raises(lv.LivensError, match="others|write"):
        lv.Ensemble(lv.System.from_text('name = "one"\nkinetic = "1/2*x\'^2"\ncoordinates = { x = 1 }\n'),
                    lv.schemes.livens(step=0.1, end=0.1)).run()


def test_packages_that_are_not_there(monkeypatch):
    import importlib.util

    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "SALib" else there(name))
    lacking = lv.doctor()["SALib"]
    assert lacking.state == "no" and "livens[uq]" in lacking.advice


def test_lines_of_a_terminal(monkeypatch, tmp_path):
    """A word that is longer, as a path may be, stands alone."""
    monkeypatch.setenv("CXX", "/nonexistent/c++ " + "with many words " * 10)
    monkeypatch.setenv("LIVENS_CACHE", str(tmp_path / ("long" * 30)))
    lines = str(lv.doctor()).splitlines()
    assert all(len(line) <= 80 or len(line[18:].split()) == 1 for line in lines), lines
    assert sum(line.count("with many words") for line in lines) >= 8


def test_the_command(tmp_path):
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "livens.doctor"]
    whole = subprocess.run(command, capture_output=True, text=True)
    assert whole.returncode == 0 and whole.stderr == "" and whole.stdout.startswith("ok  livens")
    wrong = subprocess.run([*command, "--compile"], capture_output=True, text=True,
                           env={**os.environ, "LIVENS_CACHE": "relative"})
    assert wrong.returncode == 1 and "BAD first use" in wrong.stdout
