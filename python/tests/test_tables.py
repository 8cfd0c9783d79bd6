"""Systems and schemes are made of the program's own tables."""

import inspect
import json
import subprocess

import numpy as np
import pytest

import livens as lv

CART = """
name      = "cart_and_bob"
kinetic   = "1/2*cart*s'^2 + 1/2*bob*((s' + x')^2 + y'^2)"
potential = "bob*gravity*y + 1/2*stiffness*(sqrt(x^2 + y^2) - rest)^2"
[coordinates]
s = 1
x = 1
y = 1
[parameters]
cart = 2.0
bob = 1.0
gravity = 9.81
stiffness = 100.0
rest = 1.0
[initial]
q = { s = 0.1, x = "0.9*rest", y = "-rest/2" }
v = { s = 0.5 }
"""


def shown(program, name):
    return json.loads(subprocess.run([program, "show", name, "--json"], check=True, capture_output=True).stdout)


def test_all_that_the_program_lists_is_there(program):
    listed = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True).stdout)
    assert set(lv.systems.__all__) - {"System", "text"} == {one["name"] for one in listed["systems"]}
    assert set(lv.schemes.__all__) - {"Scheme"} == {one["name"] for one in listed["schemes"]}


def test_signature_and_text_of_a_system(program):
    table = shown(program, "four_particle")
    signature = inspect.signature(lv.systems.four_particle)
    assert list(signature.parameters) == [one["name"] for one in table["parameters"]]
    for one in table["parameters"]:
        assert signature.parameters[one["name"]].default == one["default"]
        assert one["meaning"] in lv.systems.four_particle.__doc__ and one["unit"] in lv.systems.four_particle.__doc__
    q, v = lv.systems.four_particle().initial_state()
    assert list(q) == table["initial"]["q"] and list(v) == table["initial"]["v"]


def test_signature_and_text_of_a_scheme(program):
    table = shown(program, "vi_b")
    signature = inspect.signature(lv.schemes.vi_b)
    for option in table["options"]:
        assert signature.parameters[option["name"]].default == option["default"]
        assert option["meaning"] in lv.schemes.vi_b.__doc__
    assert "step" in signature.parameters and "tolerance" in signature.parameters


@pytest.mark.parametrize("call, key, suggestion", [
    (lambda: lv.systems.four_particle(dampin=[1, 1]), "system.dampin", "damping"),
    (lambda: lv.schemes.ems(stp=0.1), "scheme.stp", "step"),
    (lambda: lv.schemes.ems(alpha=0.5), "scheme.alpha", None),
    (lambda: lv.systems.four_partcle, "system.name", "four_particle"),
    (lambda: lv.schemes.ratle, "scheme.name", "rattle"),
])
def test_wrong_names(call, key, suggestion):
    with pytest.raises(lv.SpecError) as wrong:
        call()
    assert wrong.value.key == key
    if suggestion:
        assert wrong.value.suggestion == suggestion and f"'{suggestion}'" in str(wrong.value)


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(lv.systems, "four_partcle")


def test_a_system_as_text(tmp_path):
    cart = lv.System.from_text(CART, stiffness=50.0)
    (tmp_path / "cart.toml").write_text(CART)
    assert lv.System.from_text(tmp_path / "cart.toml", stiffness=50.0) == cart
    study = lv.Ensemble(cart, lv.schemes.livens(step=0.01, steps=3),
                        vary={"system.cart": lv.Uniform(1, 2)}, size=4)
    again = lv.Ensemble.from_toml(study.to_toml())
    assert again == study
    study.check()
    assert cart.replace(cart=3.0).parameters == {"stiffness": 50.0, "cart": 3.0}
    with pytest.raises(lv.SpecError) as wrong:
        cart.replace(crt=3.0)
    assert wrong.value.suggestion == "cart"


def test_a_system_from_sympy_is_that_of_its_text():
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t")
    s, x, y = (sympy.Function(name)(t) for name in "sxy")
    cart, bob, gravity, stiffness, rest = sympy.symbols("cart bob gravity stiffness rest")
    half = sympy.Rational(1, 2)
    made = lv.System.from_expressions(
        "cart_and_bob",
        kinetic=half * cart * s.diff(t)**2 + half * bob * ((s.diff(t) + x.diff(t))**2 + y.diff(t)**2),
        potential=bob * gravity * y + half * stiffness * (sympy.sqrt(x**2 + y**2) - rest)**2,
        coordinates=[s, x, y],
        parameters={cart: 2.0, bob: 1.0, gravity: 9.81, stiffness: 100.0, rest: 1.0},
        initial_q={s: sympy.Float(0.1), x: 0.9 * rest, y: -rest / 2}, initial_v={s: 0.5})
    texts = lv.System.from_expressions(
        "cart_and_bob", kinetic="1/2*cart*s'^2 + 1/2*bob*((s' + x')^2 + y'^2)",
        potential="bob*gravity*y + 1/2*stiffness*(sqrt(x^2 + y^2) - rest)^2", coordinates=["s", "x", "y"],
        parameters={"cart": 2.0, "bob": 1.0, "gravity": 9.81, "stiffness": 100.0, "rest": 1.0},
        initial_q={"s": 0.1, "x": "0.9*rest", "y": "-rest/2"}, initial_v={"s": 0.5})
    assert texts == lv.System.from_text(CART)
    assert made.text["initial"] == {"q": {"s": "0.1", "x": "0.9*rest", "y": "-rest/2"}, "v": {"s": "0.5"}}
    assert made.text["potential"] == "bob*gravity*y + stiffness*(-rest + sqrt(x^2 + y^2))^2/2"
    scheme = lv.schemes.livens(step=0.01, end=0.1)
    a, b = (lv.Ensemble(one, scheme).run().final.q for one in (made, texts))
    # The same function, its terms in another order: some roundings of the size 1 in each of ten steps.
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-13)


def test_a_mistake_in_a_text_names_its_line():
    with pytest.raises(lv.SpecError) as wrong:
        lv.System.from_text(CART.replace("gravity*y", "gravty*y"))
    assert wrong.value.key == "potential" and wrong.value.suggestion == "gravity"
    assert (wrong.value.file, wrong.value.line) == ("system.toml", 4) and "^" in str(wrong.value)


def test_parameters_are_arrays_of_any_library():
    class Tensor:
        def __init__(self, values):
            self.values = np.array(values)

        def __dlpack__(self, **options):
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    assert lv.systems.four_particle(damping=Tensor([0.1, 0.2])) == lv.systems.four_particle(damping=[0.1, 0.2])
    table = lv.Table({"initial.v": Tensor([[0.1, 0.2], [0.3, 0.4]])})
    assert list(table.columns) == ["initial.v[0]", "initial.v[1]"] and table.rows == 2
