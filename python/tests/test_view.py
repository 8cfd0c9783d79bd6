"""The interactive page: its numbers, that it needs nothing from elsewhere, and in a browser where there is one."""

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import livens as lv
from livens._said import rows_of
from livens.drawings import drawings

# A checkout has it among the packages of its tests, and fails without; an environment of a wheel may have none.
CHECKOUT = (Path(__file__).parents[2] / "docs").is_dir()
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
browser = pytest.mark.skipif(not CHECKOUT and not shutil.which("chromium"), reason="no chromium")


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL)[1])


def numbers(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


def test_the_page_has_the_points_of_the_drawing(study, tmp_path):
    run = study.run()
    page = lv.view(run, "all", tmp_path / "page.html", colour="system.damping[0]")
    assert (tmp_path / "page.html").read_text() == page.html
    data = data_of(page)
    assert data["instances"] == [0, 1] and data["count"] == 4 and not data["flat"]
    np.testing.assert_array_equal(numbers(data["times"], "<f8"), run.trajectories.time)
    points = numbers(data["points"], "<f4").reshape(2, 5, 4, 3)
    for row in range(2):
        drawn, links = drawings["four_particle"](run.trajectories.q.values[row])
        np.testing.assert_array_equal(points[row], drawn.astype("<f4"))
    assert data["links"] == [list(link) for link in links]
    np.testing.assert_array_equal(data["colour"]["values"], run.instances["system.damping"].values[:2, 0])
    assert data["colour"]["label"] == "damping[0] (N s/m)" and "system.damping = " in data["drawn"][1]


def test_a_number_of_an_instance_is_no_place():
    """Of instances 3, 1 and 0, of radii 4, 2 and 1, in which order the run has them."""
    circle = lv.systems.unit_circle()
    run = lv.Ensemble(circle, lv.schemes.ems(step=0.1, end=0.2), vary={"system.radius": lv.Values([1, 2, 3, 4, 5])},
                      instances=[3, 1, 0], every=1, trajectories=3).run()
    draw = lv.drawing(circle, {"middle": [0, 0], "rim": ["radius", 0]})
    for number in (0, 1, 3):
        data = data_of(lv.view(run, [number], colour="system.radius", draw=draw))
        assert data["colour"]["values"] == [number + 1] and data["drawn"] == [f"system.radius = {number + 1} m"]
        assert set(numbers(data["points"], "<f4").reshape(-1, 2, 3)[:, 1, 0]) == {number + 1}
    for number in (2, -1):
        with pytest.raises(lv.SpecError, match=f"instance: {number} has no trajectory"):
            lv.view(run, number)
        with pytest.raises(lv.SpecError, match=f"instance: {number} is not among the instances"):
            rows_of(run, [number])


def test_nothing_is_loaded_from_elsewhere(study):
    html = lv.view(study.run()).html
    assert "default-src 'none'" in html
    assert not re.search(r"https?:|//cdn|\bsrc=|\bhref=|@import|fetch\(|XMLHttpRequest|WebSocket|\bimport\b", html)
    assert "sandbox" in lv.view(study.run())._repr_html_()


def test_a_name_cannot_end_the_element_that_holds_it(study):
    run = study.run()
    run.attributes["system"] = "</script><script>alert(1)</script>"
    html = lv.view(run, draw=drawings["four_particle"]).html
    assert "alert(1)" in html and "<script>alert" not in html


def test_samples_of_a_failure_are_left_out_and_many_are_thinned(circle):
    run = circle.replace(trajectories=2).run()
    run.trajectories = run.trajectories.copy(deep=True)
    run.trajectories.q.values[1, 4:] = np.nan
    data = data_of(lv.view(run, [1], most_frames=6))
    assert data["flat"] and len(numbers(data["times"], "<f8")) == 6
    points = numbers(data["points"], "<f4").reshape(6, 2, 3)
    assert np.isfinite(points[:2]).all() and np.isnan(points[2:, 1]).any()


def test_what_is_refused(circle):
    run = circle.run()
    for options, match in (({"instance": 99}, "99 has no trajectory"), ({"instance": []}, "no instance"),
                           ({"speed": 0}, "speed"), ({"trail_of": [7]}, "trail_of"), ({"colour": "nothing"}, "nothing")):
        with pytest.raises(lv.SpecError, match=match):
            lv.view(run, **options)


HAND = """<script>
const moved = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {clientX: x, clientY: y, pointerId: 1}));
canvas.setPointerCapture = () => {};
const near = [middle[0], middle[1] - reach, middle[2]], before = project(near);
moved("pointerdown", 300, 200); moved("pointermove", 330, 200); moved("pointerup", 330, 200);
const after = project(near), zoom = view.zoom;
canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: -100, cancelable: true}));
document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft"}));
of("instance").value = 1; of("instance").onchange();
document.body.dataset.hand = [after[0] > before[0], view.zoom > zoom, of("time").textContent, of("drawn").textContent !== ""];
</script></body>"""


@browser
def test_a_hand_turns_it(study, tmp_path):
    """What is near follows the pointer, the wheel comes nearer, a key goes a sample back, another instance is chosen."""
    page = lv.view(study.run(), "all").html.replace("</body>", HAND)
    (tmp_path / "page.html").write_text(page)
    seen = subprocess.run([*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}",
                           "--dump-dom", (tmp_path / "page.html").as_uri() + "#3"], capture_output=True, text=True, timeout=120,
                          check=True).stdout
    assert 'data-hand="true,true,1.0 s,true"' in seen


@browser
def test_a_browser_runs_all_of_it(study, tmp_path):
    """Its script ends, draws a sample, and says its time; the picture is not empty."""
    from PIL import Image

    lv.view(study.run(), "all", tmp_path / "page.html", colour="system.damping[0]")
    command = [*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}",
               "--window-size=800,600", "--virtual-time-budget=1000"]
    address = (tmp_path / "page.html").as_uri() + "#3"
    seen = subprocess.run([*command, "--dump-dom", address], capture_output=True, text=True, timeout=120, check=True).stdout
    assert 'data-frames="5"' in seen and ">1.5 s<" in seen and "four particle" in seen
    subprocess.run([*command, f"--screenshot={tmp_path / 'page.png'}", address], capture_output=True, timeout=120, check=True)
    with Image.open(tmp_path / "page.png") as picture:
        colours = np.asarray(picture.convert("RGB")).reshape(-1, 3).astype(int)
    assert len(np.unique(colours, axis=0)) > 100 and np.any(np.ptp(colours, axis=1) > 60)
