"""Names of a text's own: in studies, as labels, from SymPy, with units."""

import inspect

import livens as lv
import numpy as np
import pytest
import xarray as xr
from livens.latex import latex_of

text = """name = "three"
kinetic = "1/2*heavy*dot(u', u') + x'^2 + 3/2*dot(w', w')"
potential = "1/2*dot(u, u) + x^2*w[0]^2 + u[1]^4 + x^4"
[coordinates]
u = { size = 2, unit = "m" }
x = { size = 1, unit = "rad" }
w = "1"
[parameters]
heavy = { default = 2.0, domain = "positive", meaning = "mass of the first" }
[initial]
q = { u = [1, "heavy"], x = 3, w = [4] }
v = { x = 0.5 }
"""
names = ["u[0]", "u[1]", "x", "w[0]"]
swing = """name = "swing"
potential = "9.81*bar.x[1]"
bodies.bar = { mass = 1, inertia = "1/12", planar = true }
joints.hinge = { kind = "revolute", between = ["ground", "bar"], at = [[0, 0], [-0.5, 0]] }
initial.bar.x = [0.5, 0]
"""


@pytest.fixture(scope="module")
def three():
    return lv.Ensemble(lv.System.from_text(text), lv.schemes.ems(step=0.05, end=0.2), size=2, every=1)


def test_labels_are_names(three, tmp_path):
    run = three.run(file=tmp_path / "a.h5")
    for one in (run, three.run(), lv.open(tmp_path / "a.h5")):
        assert one.instances.coordinate.values.tolist() == names
        assert one.instances.final_q.sel(coordinate="x").equals(one.instances.final_q.isel(coordinate=2))
        assert one.trajectories.coordinate.values.tolist() == names
    opened = xr.open_dataset(tmp_path / "a.h5", group="instances", engine="h5netcdf")
    assert opened.coordinate.values.tolist() == names
    assert lv.open(tmp_path / "a.h5").attributes["coordinate_names"] == " ".join(names)


def test_built_in_systems_have_numbers(circle):
    assert circle.run().instances.coordinate.values.tolist() == [0, 1]


def test_units_are_those_of_the_coordinates(three):
    run = three.replace(observe=["x", "u'[0]", "p(x)", "p(u)[1]", "q[0]", "w[0]"],
                        vary={"initial.u[1]": lv.Normal(0, 0.1, mode="add"), "initial.w": lv.Uniform(1, 2)}).run()
    units = {name: run.instances[name].attrs["unit"] for name in run.instances if name.startswith(("final_", "initial."))}
    assert units["final_x"] == "rad" and units["final_u'[0]"] == "m/s" and units["final_p(x)"] == "J s/rad"
    assert units["final_p(u)[1]"] == "J s/m" and units["final_q[0]"] == "m" and units["final_w[0]"] == "SI"
    assert units["initial.u[1]"] == "m" and units["initial.w"] == "SI" and units["final_q"] == "SI"
    assert run.statistics["x"]["mean"].attrs["unit"] == "rad" and run.trajectories["u'[0]"].attrs["unit"] == "m/s"


def test_units_count_among_those_that_agree(tmp_path):
    spring = """name = "spring"
kinetic = "1/2*m*x'^2"
potential = "1/2*k*x^2"
coordinates.x = { size = 1, unit = "UNIT" }
parameters = { m = { default = 1, unit = "kg" }, k = { default = 1, unit = "N/m" } }
"""
    program_says = []
    for unit in ("m", "rad"):
        _, _, warnings = lv._livens.text_system(spring.replace("UNIT", unit), "spring.toml")
        program_says.append(warnings)
    assert program_says[0] == [] and "units do not agree" in program_says[1][0]


def test_the_order_of_coordinates_survives_toml(three):
    """Tables stand behind what is none in what tomli_w writes."""
    again = lv.Ensemble.from_toml(three.to_toml())
    assert again == three and again.system.coordinates() == names
    mixed = lv.System.from_expressions("two", kinetic="1/2*a'^2 + 1/2*b'^2", coordinates={"a": {"size": 1, "unit": "m"}, "b": 1})
    assert mixed.coordinates() == ["a", "b"]


def test_rows_are_named_by_what_they_are_of(tmp_path):
    study = lv.Ensemble(lv.System.from_text(swing), lv.schemes.ems(step=0.01, end=0.05), every=1)
    for run in (study.run(), study.run(file=tmp_path / "a.h5")):
        assert run.multipliers.constraint.values.tolist() == ["bar[0]", "bar[1]", "bar[2]", "hinge[0]", "hinge[1]"]
        assert run.multipliers.sel(constraint="hinge[1]").shape == (1, 6)
        assert run.instances.coordinate.values.tolist()[:3] == ["bar.x[0]", "bar.x[1]", "bar.d1[0]"]
    assert study.system.coordinates()[0] == "bar.x[0]"


def test_initial_states_by_name(three):
    named = three.replace(initial={"x": 1.5, "u'": [0.25, 0.5], "w[0]": -1.0}).run().instances
    assert named.initial_q[0].values.tolist() == [1, 2, 1.5, -1] and named.initial_v[0].values.tolist() == [.25, .5, .5, 0]
    heavier = three.replace(initial={"x": 1.5}, vary={"system.heavy": lv.Values([2.0, 3.0])}).run().instances
    assert heavier.initial_q.sel(coordinate="u[1]").values.tolist() == [2, 3]  # what is not named stays the system's own
    pushed = three.replace(initial={"p(u)[1]": 3.0}).run().instances
    assert pushed.initial_v[0].values.tolist() == [0, 1.5, 0.5, 0]


@pytest.mark.parametrize("initial, said", [
    ({"y": 1.0}, "unknown key 'y'"), ({"u": 1.0}, "array of numbers"), ({"u[2]": 1.0}, "out of range"),
    ({"u": [1.0, 2.0, 3.0]}, "has 3 values"), ({"x": 1.0, "q": [1, 2, 3, 4]}, "initial.q is given"),
    ({"u": [1.0, 2.0], "u[1]": 1.0}, "given twice"), ({"x'": 1.0, "p(u)[0]": 1.0}, "initial.v is given too"),
    ({"x": float("inf")}, "not finite"),
])
def test_initial_states_that_cannot_be(three, initial, said):
    with pytest.raises(lv.SpecError, match=said.replace("(", r"\(")):
        three.replace(initial=initial).check()


def test_initial_states_of_a_text(three):
    q, v = three.system.replace(heavy=5.0).initial_state()
    assert q.tolist() == [1, 5, 3, 4] and v.tolist() == [0, 0, 0.5, 0]
    wide = lv.systems.unit_circle(radius=2.0).initial_state()
    assert np.hypot(*wide[0]) == pytest.approx(2.0)


def test_a_text_as_a_function():
    make = lv.systems.text(text)
    assert list(inspect.signature(make).parameters) == ["heavy"] and make(heavy=3.0) == lv.System.from_text(text, heavy=3.0)
    assert "mass of the first; default 2.0" in inspect.getdoc(make)
    with pytest.raises(lv.SpecError, match="did you mean 'heavy'"):
        make(heavi=3.0)
    assert "text" in dir(lv.systems) and "inspect" not in dir(lv.systems)


def test_a_parameter_of_the_name_values():
    system = lv.System.from_text('name = "v"\nkinetic = "1/2*values*x\'^2"\ncoordinates.x = 1\nparameters.values = 1.0\n')
    assert system.replace(values=3.0).parameters == {"values": 3.0} == system.replace({"values": 3.0}).parameters


def test_equations_as_latex(three):
    shown = three.system.latex()
    assert r"V &= \frac{1}{2}\, \left(u \cdot u\right) + x^{2}\, {{w}_{0}}^{2}" in shown and r"\dot{x}^{2}" in shown
    signs = latex_of({"potential": "2*-x - -y + x*-2^2 - x*y^-1"})
    assert signs.splitlines()[1] == (r"V &= 2\, \left(-x\right) - \left(-y\right) + x\, \left(-2^{2}\right) - x\, y^{-1}")
    sums = latex_of({"potential": "dot(w - u, u) + cross(-u, w)[0] + sum(i, 0, n, a + b) + dot(f(u - w), u)"})
    for bracketed in (r"\left(\left(w - u\right) \cdot u\right)", r"\left(\left(-u\right) \times w\right)",
                      r"\sum_{i=0}^{n} \left(a + b\right)"):
        assert bracketed in sums, sums
    assert shown.replace("&", "&amp;") in three.system._repr_html_() and lv.systems.unit_circle().latex() == ""


# SymPy.

sympy = pytest.importorskip("sympy")
from sympy.physics.mechanics import dynamicsymbols  # noqa: E402

t = dynamicsymbols._t
x, y = dynamicsymbols("x y")
m, k, length = sympy.symbols("m k length", positive=True)


@pytest.fixture(scope="module")
def pendulum():
    """On a spring, and the same as a text by hand."""
    return lv.System.from_lagrangian(
        m * (x.diff(t)**2 + y.diff(t)**2) / 2 - m * 9.81 * y - k * (x**2 + y**2) / 2, [x, y], forces={x: sympy.sin(t)},
        dissipation=x.diff(t)**2 / 10, values={m: 2.0, k: 3.0, x: 0.5, y.diff(t): 0.25}, name="bob")


def test_a_lagrangian_is_the_text_that_says_the_same(pendulum):
    by_hand = lv.System.from_text("""name = "bob"
kinetic = "1/2*m*(x'^2 + y'^2)"
potential = "m*9.81*y + 1/2*k*(x^2 + y^2)"
rayleigh = "x'^2/10"
force = { x = "sin(t)" }
coordinates = { x = 1, y = 1 }
parameters = { m = 2.0, k = 3.0 }
initial = { q = { x = 0.5 }, v = { y = 0.25 } }
""")
    runs = [lv.Ensemble(system, lv.schemes.livens(step=0.01, end=0.5)).run() for system in (pendulum, by_hand)]
    # 50 steps, each of Newton's method to round-off of states of size one.
    assert abs(runs[0].final.q - runs[1].final.q).max() < 50 * 64 * 2.0**-52
    assert pendulum.text["parameters"]["m"]["domain"] == "positive"


def test_terms_without_velocities_are_the_potential():
    one = lv.System.from_lagrangian(m * (x.diff(t)**2 - k * x**2) / 2, [x],
                                    values={m: {"default": 1.0, "unit": "kg"}, k: 2.0})
    assert one.text["potential"] == "k*m*x^2/2"
    assert {"unit": "kg", "default": 1.0, "domain": "positive"}.items() <= one.text["parameters"]["m"].items()


def test_constraints_of_a_lagrangian():
    one = lv.System.from_lagrangian(m * (x.diff(t)**2 + y.diff(t)**2) / 2 - m * y, [x, y],
                                    constraints=[(x**2 + y**2 - length**2) / 2], values={m: 1, length: 2, x: 2})
    assert one.description()["m"] == 1


@pytest.mark.parametrize("make, said", [
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2, [x]), "no value of m"),
    (lambda: lv.System.from_lagrangian(m * x, [x], values={m: 1}), "has no velocities"),
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2 + y, [x], values={m: 1}), "y is no coordinate"),
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2, [x], values={m: 1, k: 2}), "k is nothing of the system"),
    (lambda: lv.System.from_lagrangian("m", [x]), "no expression"),
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2 - k * x**2 - sympy.Symbol("k") * x, [x], values={m: 1, k: 1}),
     r"two have the name k, Symbol\('k'\) and Symbol\('k', positive=True\)"),
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2 - k * x**2, [x], values={m: 1, k: 1, sympy.Symbol("k"): 7}),
     "two have the name k"),
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2, [x], forces={x: sympy.Symbol("x")}, values={m: 1}),
     "two have the name x"),
    (lambda: lv.System.from_lagrangian(m * x.diff(t)**2 - k * x, [x], values={m: 1, k: 1, "k": 7}), "values: has a name twice"),
    (lambda: lv.System.from_expressions("one", kinetic="x'^2", potential=k * sympy.Symbol("k"), coordinates={"x": 1},
                                        parameters={k: 1}), "potential: two have the name k"),
])
def test_what_is_no_lagrangian(make, said):
    with pytest.raises(lv.SpecError, match=said):
        make()


def test_symbols_are_names(pendulum):
    by_symbols = lv.Ensemble(
        pendulum, lv.schemes.livens(step=0.01), vary={x: lv.Normal(0, 0.1, mode="add"), k: lv.Uniform(1, 2)},
        initial={x: 0.25, y.diff(t): 1}, observe=[x, y.diff(t), sympy.Function("p")(y), {"name": "r", "expression": x**2}],
        stop=[{"when": y + 1}], tangent={"of": [m, x.diff(t)]})
    by_names = lv.Ensemble(
        pendulum, lv.schemes.livens(step=0.01), initial={"x": 0.25, "y'": 1},
        vary={"initial.x": lv.Normal(0, 0.1, mode="add"), "system.k": lv.Uniform(1, 2)},
        observe=["x", "y'", "p(y)", {"name": "r", "expression": "x^2"}], stop=[{"when": "y + 1"}],
        tangent={"of": ["system.m", "initial.x'"]})
    assert by_symbols == by_names and pendulum.replace({m: 5.0}) == pendulum.replace(m=5.0)
    with pytest.raises(lv.SpecError, match="is no name"):
        by_names.replace(vary={x + y: lv.Normal(0, 1)})
