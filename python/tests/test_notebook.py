"""What a notebook shows, in a kernel of Jupyter."""

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

STUDY = """
import livens as lv
study = lv.Ensemble(lv.systems.unit_circle(), lv.schemes.ems(step=0.1, end=1.0),
                    vary={"initial.v[1]": lv.Normal(0, 0.1, mode="add")}, size=16, every=1)
"""


def execute(*cells):
    """The notebook of these cells, executed."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (STUDY, *cells)])
    return nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()


@pytest.mark.parametrize("value, part", [
    ("study", "Ensemble of unit_circle"), ("study.system", "radius"), ("study.run()", "16 ok"),
    ("study.run().statistics", "energy_error"), ("lv.compare(study, step=[0.1, 0.05])", "step"),
])
def test_a_value_is_a_table(value, part):
    output, = execute(value).cells[-1].outputs
    assert part in output.data["text/html"] and "text/plain" in output.data


def widgets(*cells):
    """The states of the widgets that a notebook of these cells ends with, by the kind of the widget."""
    pytest.importorskip("ipywidgets")
    done = execute(*cells)
    assert any("application/vnd.jupyter.widget-view+json" in output.data for output in done.cells[-1].outputs)
    states = done.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"].values()
    return {state["model_name"]: state["state"] for state in states}


def test_a_bar_of_tqdm():
    pytest.importorskip("tqdm")
    bar = widgets("run = study.run(progress='tqdm')")["FloatProgressModel"]
    assert bar["value"] == bar["max"] == 160 and bar["bar_style"] == "success"


def test_a_bar_of_rich():
    pytest.importorskip("rich")
    output, = widgets("run = study.run(progress='rich')")["OutputModel"]["outputs"]
    assert "100%" in output["data"]["text/plain"]
