"""Every system has a drawing, and what is rigid stays so."""

import base64
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

import livens as lv
from livens.drawings import drawings


def moved(system, steps=50):
    """The points of a drawing over a run, shape (K, n, 3), and its links."""
    run = lv.Ensemble(lv.System(system), lv.Scheme(lv.System(system).description()["schemes"][0], {"steps": steps}),
                      every=1, trajectories=1).run()
    assert run.failed == 0
    return drawings[system](run.trajectories.q.values[0])


def lengths(points, links):
    first, second = np.array(links).T
    return np.linalg.norm(points[:, first] - points[:, second], axis=-1)


@pytest.mark.parametrize("system", [name for name in lv.systems.__all__ if name not in ("System", "text")])
def test_every_system_has_one(system):
    points, links = moved(system, 2)
    assert points.ndim == 3 and points.shape[0] == 3 and points.shape[2] == 3 and np.isfinite(points).all()
    assert all(0 <= end < points.shape[1] for link in links for end in link)


def test_the_bars_of_the_linkage_keep_their_length_and_meet():
    points, links = moved("double_four_bar")
    np.testing.assert_allclose(lengths(points, links), 1.0, rtol=0, atol=1e-9)  # Newton's method ends at 1e-10
    for one, other in ((1, 6), (3, 7), (3, 8), (5, 9)):  # P4, P5, P5', P6
        np.testing.assert_allclose(points[:, one], points[:, other], rtol=0, atol=1e-9)
    np.testing.assert_allclose(points[:, [0, 2, 4], 1], 0.0, rtol=0, atol=1e-9)  # on the ground


def test_the_swing_hangs_on_two_points_and_its_rods_are_rigid():
    points, links = moved("three_bar_swing")
    assert np.ptp(points[:, 6], axis=0)[1] > 0  # midspan, where the load is
    np.testing.assert_allclose(points[:, 0], np.broadcast_to([0.0, 0.0, 0.0], (len(points), 3)), rtol=0, atol=1e-14)
    np.testing.assert_allclose(points[:, -1], np.broadcast_to([0.0, 1.08, 0.0], (len(points), 3)), rtol=0, atol=1e-14)
    rods = lengths(points, links)[:, [0, -1]]
    np.testing.assert_allclose(rods, np.broadcast_to(0.36 * np.sqrt([1.0, 2.0]), rods.shape), rtol=0, atol=1e-14)


def test_the_disk_touches_the_ground_and_rolls():
    points, links = moved("rolling_disk")
    centre, rim = points[:, :1], points[:, 1:]
    np.testing.assert_allclose(np.linalg.norm(rim - centre, axis=-1), 0.5, rtol=0, atol=1e-12)
    # The least height of a rim of 24 points: at most half a division from the lowest one.
    assert -1e-12 < rim[..., 2].min() and rim[..., 2].min(axis=1).max() <= 0.5 * (1 - np.cos(np.pi / 24)) + 1e-12
    # A point of the rim that touches the ground stands still: near it a cycloid has moved by less than half of what
    # the centre has, in steps of 36 degrees.
    step = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    lowest = rim[:-1, :, 2].argmin(axis=1)
    assert np.all(step[np.arange(len(step)), 1 + lowest] < 0.5 * step[:, 0])


def drawn_by(path_or_text, overrides="", **parameters):
    """The drawing of a text, from the spec that a run of it would have."""
    from livens.text_drawings import drawing_of_text

    system = lv.System.from_text(path_or_text, **parameters)
    spec = lv.Ensemble(system, lv.schemes.ems(step=0.1, end=1.0)).to_toml()
    return drawing_of_text(SimpleNamespace(attributes={"spec": spec, "overrides": overrides}))


LINKAGE = """
name = "linkage"
[bodies.crank]
planar = true
mass = 1
inertia = "length^2/12"
[bodies.rod]
planar = true
mass = 2
inertia = 0.5
[joints.motor]
kind = "revolute"
between = ["ground", "crank"]
at = [[0, 0], ["-length/2", 0]]
[joints.pin]
kind = "revolute"
between = ["crank", "rod"]
at = [["length/2", 0], [-0.5, 0]]
[joints.leg]
kind = "distance"
between = ["ground", "rod"]
at = [[3, 1], [0.5, 0]]
length = 1
[parameters]
length = 2.0
"""


def test_bodies_and_joints_are_drawn_where_they_are():
    """A crank upright from the origin, a rod to the right of its end, and a leg from there to the ground."""
    draw = drawn_by(LINKAGE)
    up, right = [0, 1, -1, 0], [1, 0, 0, 1]
    points, links = draw(np.array([[0, 1, *up, 0.5, 2, *right]], dtype=float))
    place = {name: points[0, k] for k, name in enumerate(draw.names)}
    np.testing.assert_allclose(place["motor of crank"], [0, 0, 0])
    np.testing.assert_allclose(place["pin of crank"], [0, 2, 0])
    np.testing.assert_allclose(place["pin of rod"], [0, 2, 0])
    np.testing.assert_allclose(place["leg of rod"], [1, 2, 0])
    np.testing.assert_allclose(place["leg of ground"], [3, 1, 0])
    assert {frozenset((draw.names[a], draw.names[b])) for a, b in links} == {
        frozenset(pair) for pair in (("motor of crank", "pin of crank"), ("pin of rod", "leg of rod"),
                                     ("leg of ground", "leg of rod"))}
    for longer in (drawn_by(LINKAGE, length=4.0), drawn_by(LINKAGE, "--set 'system.length=4'", length=3.0)):
        points, _ = longer(np.array([[0, 2, *up, 0.5, 4, *right]], dtype=float))
        np.testing.assert_allclose(points[0, :2], [[0, 0, 0], [0, 4, 0]])


DRAWING = """
[drawing]
points = { load = "rod.x + rod.d1", target = ["t", "length*sin(pi/2)"] }
links = [["load", "target"]]
bodies = ["rod"]
"""


def test_a_text_says_what_it_looks_like():
    """Its own points, of vectors and of the time, beside the joints of the bodies it names; one place is a vector parameter."""
    text = (LINKAGE + "grip = [-0.5, 0.0]\n" + DRAWING).replace("[-0.5, 0]]", '"grip"]')
    draw = drawn_by(text)
    points, links = draw(np.array([[0, 1, 0, 1, -1, 0, 0.5, 2, 1, 0, 0, 1]] * 2, dtype=float), [0.0, 3.0])
    place = {name: points[:, k] for k, name in enumerate(draw.names)}
    assert set(place) == {"pin of rod", "leg of rod", "leg of ground", "load", "target"}
    np.testing.assert_array_equal(place["pin of rod"], [[0, 2, 0]] * 2)
    np.testing.assert_array_equal(place["load"], [[1.5, 2, 0]] * 2)
    np.testing.assert_array_equal(place["target"], [[0, 2, 0], [3, 2, 0]])
    assert {frozenset((draw.names[a], draw.names[b])) for a, b in links} == {
        frozenset(pair) for pair in (("pin of rod", "leg of rod"), ("leg of ground", "leg of rod"), ("load", "target"))}
    with pytest.raises(lv.SpecError, match="'pin of rod' is a point of a body as well"):
        drawn_by(text.replace("load =", '"pin of rod" =').replace('"load"', '"pin of rod"'))


def test_a_body_alone_is_its_axes():
    draw = drawn_by('name = "free"\n[bodies.box]\nmass = 2\ninertia = "J"\n[parameters]\nJ = [1.5, 2.0, 2.5]\n')
    q = np.array([[1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1]], dtype=float)
    points, links = draw(q)
    np.testing.assert_allclose(points[0], [1, 2, 3] + np.concatenate([np.zeros((1, 3)), np.eye(3)]))
    assert list(links) == [(0, 1), (0, 2), (0, 3)]


def test_ones_own_drawing(well):
    """Points by expressions, with the parameters that were drawn for the instance."""
    draw = lv.drawing(well.system.replace(k=2.0), {"foot": ["x", 0], "top": ["x + k*sin(pi/2)", "-y^2", "z"]})
    points, links = draw(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_allclose(points[0], [[1, 0, 0], [3, -4, 3]])
    assert list(links) == [(0, 1)]
    run = well.replace(vary={"system.k": lv.Values([1.0, 5.0]), "initial.x": lv.Values([1.0])}, trajectories=2).run()
    page = lv.view(run, "all", draw=draw)
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.html)[1])
    found = np.frombuffer(base64.b64decode(data["points"]), "<f4").reshape(2, -1, 2, 3)
    np.testing.assert_array_equal(found[:, 0, 1, 0], 1 + run.instances["system.k"].values)


def test_what_follows_from_a_parameter_is_drawn():
    """In every instance from its own, and it is observed as it is."""
    system = lv.System.from_text("""
name = "two"
kinetic = "1/2*mass*x'^2 + 1/2*light*y'^2"
potential = "x^2 + y^2"
coordinates = { x = 1, y = 1 }
parameters = { mass = 2.0, light = { default = "mass/4", domain = "positive" } }
initial = { q = { x = 1 } }
""")
    light = next(one for one in system.description()["parameters"] if one["name"] == "light")
    assert light["default"] is None and light["derived"] == "mass/4"
    draw = lv.drawing(system, {"a": [0, 0], "b": ["light", "x"]})
    assert draw(np.array([[3.0, 4.0]]))[0][0, 1, 0] == 0.5
    study = lv.Ensemble(system, lv.schemes.ems(step=0.01, steps=4), size=2, trajectories=2,
                     vary={"system.mass": lv.Values([4.0, 8.0])}, observe=[{"name": "seen", "expression": "light", "unit": "kg"}])
    run = study.run()
    np.testing.assert_array_equal(run.trajectories["seen"].values, [[1.0] * 2, [2.0] * 2])
    data = json.loads(re.search(r'id="data">(.*?)</script>', lv.view(run, "all", draw=draw).html)[1])
    found = np.frombuffer(base64.b64decode(data["points"]), "<f4").reshape(2, -1, 2, 3)
    np.testing.assert_array_equal(found[:, 0, 1, 0], [1.0, 2.0])


def test_parameters_are_those_of_the_run(well):
    """Of the run's own spec, or taken over from another result; not of the system that the drawing was made of."""
    def drawn(run):
        data = json.loads(re.search(r'id="data">(.*?)</script>', lv.view(run, draw=draw).html)[1])
        return set(np.frombuffer(base64.b64decode(data["points"]), "<f4").reshape(-1, 2, 3)[:, 1, 0])

    draw = lv.drawing(well.system.replace(b=7.0), {"foot": [0, 0], "top": ["k + 10*b", 0]})
    run = well.replace(system=well.system.replace(k=3.0), trajectories=1, every=1).run()
    assert drawn(run) == {3.0}
    assert drawn(well.replace(initial=run.final, trajectories=1, every=1).run()) == {3.0}
    run.attributes["overrides"] = "--set 'system.b=0.5'"
    assert drawn(run) == {8.0}


@pytest.mark.parametrize("points, links, match", [
    ({"one": ["x", "nothing"]}, None, "points.one\\[1\\]: unknown name 'nothing'"), ({"one": ["x"]}, None, "two, or three"),
    ({"one": "x"}, None, "is a scalar"), ({"one": ["x if y else z", 0]}, None, "points.one"),
    ({"one": ["x[0]", 0]}, None, "points.one"), ({"one": ["x +", 0]}, None, "points.one"), ({}, None, "expected points"),
    ({"one": ["x'", 0]}, None, "velocities have no place"),
    ({"one": ["open('a')", 0]}, None, "points.one"), ({"one": ["x", "y"]}, [("one", "two")], "no point 'two'")])
def test_what_cannot_be_drawn(well, points, links, match):
    with pytest.raises(lv.SpecError, match=match) as wrong:
        lv.drawing(well.system, points, links)
    assert wrong.value.line is None and (not points or wrong.value.key.startswith(("points", "links")))


def test_a_drawing_of_a_built_in_system_is_of_entries_of_q():
    draw = lv.drawing(lv.systems.unit_circle(), {"middle": [0, 0], "bob": ["q[0]", "q[1]"]})
    np.testing.assert_array_equal(draw(np.array([[3.0, 4.0]]))[0][0], [[0, 0, 0], [3, 4, 0]])
