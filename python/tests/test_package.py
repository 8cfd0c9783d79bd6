"""The package as it is installed."""

import inspect
import os
import subprocess
import sys
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import livens as lv


def test_it_has_type_hints():
    assert files("livens").joinpath("py.typed").is_file() and files("livens").joinpath("systems.pyi").is_file()
    for function in (lv.Ensemble.run, lv.run, lv.open, lv.compare, lv.plot.fan, lv.animate):
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(one.annotation is not inspect.Parameter.empty or name == "self"
                   for name, one in signature.parameters.items())


PROGRAM_OF_A_USER = """
import livens as lv

run = lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.1), size=3).run()
reveal_type(run)
reveal_type(run.final.q)
reveal_type(run.statistics.energy)
lv.Ensemble(lv.systems.four_particle(), 3, size="three").run(file=3)
"""


def test_the_hints_are_those_of_a_checker(tmp_path):
    """What a user gets has its type, and three mistakes are found; of a package in a build tree its own, too."""
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM_OF_A_USER)
    folder = str(files("livens").joinpath(".."))
    installed = "-packages" in folder
    mypy = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--disallow-untyped-defs"]
    done = subprocess.run([*mypy, "program.py"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, **({} if installed else {"MYPYPATH": folder})})
    told = [line for line in done.stdout.splitlines() if line.startswith("program.py") or ": error:" in line]
    for line, part in zip(told, ("livens.run.Run", "numpy.ndarray", "xarray.core.dataset.Dataset", "Argument 2",
                                 'Argument "size"', 'Argument "file"'), strict=True):
        assert part in line


def test_everything_public_says_what_it_is():
    for name in lv.__all__:
        assert inspect.getdoc(getattr(lv, name)), name
    for kind in (lv.Ensemble, lv.Run, lv.Comparison, lv.Final, lv.Statistics, lv.Table):
        for name, member in vars(kind).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{kind.__name__}.{name}"


def test_texts_give_units_and_shapes():
    assert "shape (2,)" in lv.systems.four_particle.__doc__ and "N s/m" in lv.systems.four_particle.__doc__
    assert "(N, d)" in lv.Final.__doc__ and "time" in lv.Run.__doc__ and "s;" in lv.schemes.ems.__doc__


def test_the_version_is_that_of_the_program():
    assert lv.__version__.count(".") == 2
    try:
        assert metadata.version("livens") == lv.__version__
    except metadata.PackageNotFoundError:
        pass  # in a build tree
    citation = Path(__file__).parents[2] / "CITATION.cff"
    if citation.is_file():  # in a checkout
        assert f"\nversion: {lv.__version__}\n" in citation.read_text()


def the_wheel():
    """Of this package, where it was installed from one."""
    try:
        distribution = metadata.distribution("livens")
    except metadata.PackageNotFoundError:
        pytest.skip("a package in a build tree")
    return distribution.read_text("WHEEL")


def test_a_wheel_is_for_linux_and_brings_its_headers():
    """python/wheel.sh makes one for manylinux of what pip builds for this machine."""
    assert "linux" in the_wheel() and "x86_64" in the_wheel()
    for header in ("kernels/newton/newton.hpp", "Random123/philox.h"):
        assert files("livens").joinpath("include", header).is_file()


def test_a_wheel_has_all_instruction_sets(circle):
    """The best that the processor has is the one that runs."""
    the_wheel()
    flags = set(Path("/proc/cpuinfo").read_text().split())
    best = "avx512" if "avx512f" in flags else "avx2" if {"avx2", "fma"} <= flags else "plain"
    assert best in circle.run().attributes["device"]


def test_what_was_not_built_in_is_compiled_on_first_use(circle, tmp_path, monkeypatch):
    """The full form of the circle, which a wheel leaves out: the same motion as that of the reduced one."""
    monkeypatch.setenv("LIVENS_CACHE", str(tmp_path))
    study = circle.replace(scheme=circle.scheme.replace(tolerance=0))
    reduced, full = study.run(), study.replace(scheme=study.scheme.replace(form="full")).run()
    assert (reduced.attributes["form"], full.attributes["form"]) == ("reduced", "full")
    # Ten steps, of which each adds some roundings of the size 1 to both.
    np.testing.assert_allclose(full.final.q, reduced.final.q, rtol=0, atol=1e-13)


def test_the_series_of_a_text_are_compiled_on_first_use(well, tmp_path, monkeypatch):
    """A harmonic oscillator, whose series need headers of their own: x = cos t."""
    monkeypatch.setenv("LIVENS_CACHE", str(tmp_path))
    run = well.replace(system=well.system.replace(k=1.0), initial={"x": 1.0}, scheme=lv.schemes.taylor(step=0.5, end=1.0)).run()
    np.testing.assert_allclose(run.final.q[0], [np.cos(1.0), 0, 0], rtol=0, atol=1e-15)
