"""The package as it is installed."""

import inspect
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import livens as lv


def test_it_has_type_hints():
    assert files("livens").joinpath("py.typed").is_file() and files("livens").joinpath("systems.pyi").is_file()
    for function in (lv.Ensemble.run, lv.run, lv.open, lv.compare, lv.plot.fan, lv.animate):
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(one.annotation is not inspect.Parameter.empty or name == "self"
                   for name, one in signature.parameters.items())


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
