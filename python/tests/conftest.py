"""What tests share: small studies, and the program to compare with."""

import os
import shutil

import pytest

import livens as lv


@pytest.fixture
def study():
    """32 instances of the four particles, of which two have a trajectory; samples every 0.5 s up to 2 s."""
    return lv.Ensemble(
        lv.systems.four_particle(damping=[0.03, 0.03]),
        lv.schemes.ems(step=0.05, end=2.0, tolerance=0),
        vary={"initial.p[10:12]": lv.Normal(0, 0.1, mode="add"), "system.damping": lv.Uniform(0, 0.05, shared=True)},
        observe=["energy", "q[9]"], size=32, seed=1, interval=0.5, trajectories=2)


@pytest.fixture
def circle():
    """The cheapest system: a point on a circle."""
    return lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.1, end=1.0),
                       vary={"initial.v[1]": lv.Normal(0, 0.1, mode="add")}, size=16, every=1)


@pytest.fixture
def well():
    """Three free coordinates, in x a spring k, a quartic one b and a damper c, all 0: nothing moves, or on a line."""
    system = lv.System.from_text("""
        name      = "well"
        kinetic   = "1/2*(x'^2 + y'^2 + z'^2)"
        potential = "1/2*k*x^2 + 1/4*b*x^4"
        rayleigh  = "1/2*c*x'^2"
        coordinates = { x = 1, y = 1, z = 1 }
        parameters = { k = 0, b = 0, c = 0 }
        """)
    return lv.Ensemble(system, lv.schemes.livens(step=0.1, end=1.0))


@pytest.fixture
def long_study():
    """Takes far longer than a test waits."""
    return lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.001, end=1e6), size=2048, every=10**8,
                       checkpoint_every=1.0)


@pytest.fixture(scope="session")
def program():
    """The command line."""
    path = os.environ.get("LIVENS_PROGRAM") or shutil.which("livens")
    if path is None:
        pytest.skip("no program livens in LIVENS_PROGRAM or PATH")
    return path
