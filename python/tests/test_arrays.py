"""Arrays in memory are taken as they are, or refused: the rules of the files that a table may be in."""

import numpy as np
import pytest

import livens as lv

ROWS = 4
NUMBERS = np.arange(1.0, 1 + ROWS)


@pytest.fixture
def four():
    """Four instances at least; nothing varies yet."""
    return lv.Ensemble(lv.systems.four_particle(), lv.schemes.ems(step=0.05, steps=2), every=1)


def drawn(study, columns):
    instances = study.replace(vary=lv.Table(columns)).run().instances
    return {str(name): instances[name].values for name in instances.data_vars if "." in str(name)}


@pytest.mark.parametrize("column", [
    NUMBERS, NUMBERS.tolist(), NUMBERS[:, None], NUMBERS.astype(np.float32), NUMBERS.astype(np.float16),
    NUMBERS.astype(np.int8), NUMBERS.astype(np.uint64), NUMBERS.astype(">f8"), NUMBERS.astype(">i4"),
    np.repeat(NUMBERS, 3)[::3], np.asfortranarray(NUMBERS[:, None]), np.ma.masked_array(NUMBERS, mask=False),
    NUMBERS[::-1][::-1],
], ids=lambda column: f"{type(column).__name__}-{getattr(column, 'dtype', '')}-{np.shape(column)}")
def test_a_column_is_for_the_entry_that_it_names(four, column):
    assert {name: list(values) for name, values in drawn(four, {"initial.v[10]": column}).items()} == {
        "initial.v[10]": NUMBERS.tolist()}


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("what, first", [("initial.v", 0), ("initial.v[*]", 0), ("initial.v[3:6]", 3)])
def test_rows_are_for_the_entries_of_a_quantity(four, what, first, order):
    width = 3 if first else 12
    array = np.array(np.arange(ROWS * width).reshape(ROWS, width) * 0.01, order=order)
    expected = {f"initial.v[{first + k}]": array[:, k] for k in range(width)}
    values = drawn(four, {what: array})
    assert list(values) == sorted(expected, key=list(values).index)
    for name, column in expected.items():
        np.testing.assert_array_equal(values[name], column)
    columns = lv.Table({what: array}).columns
    assert list(columns) == list(expected)


@pytest.mark.parametrize("what, array, said", [
    ("initial.v[10]", np.ones((ROWS, 2)), "has 2 numbers a row, for 1 entries"),
    ("initial.v", np.ones((ROWS, 3)), "has 3 numbers a row, for 12 entries"),
    ("initial.v", np.ones((ROWS, 13)), "has 13 numbers a row, for 12 entries"),
    ("initial.v", NUMBERS, "has 1 numbers a row, for 12 entries"),
    ("initial.v[3:6]", np.ones((ROWS, 2)), "has 2 numbers a row, for 3 entries"),
    ("initial.v[a:b]", np.ones((ROWS, 2)), "unknown quantity"),
    ("initial.v[12]", NUMBERS, "out of range"),
    ("initial.v[10]", np.ones((0,)), "has no rows"),
])
def test_what_does_not_fit_is_refused(four, what, array, said):
    with pytest.raises(lv.SpecError, match=said):
        four.replace(vary=lv.Table({what: array})).check()


@pytest.mark.parametrize("array, said", [
    (np.array(1.0), "shape"),
    (np.ones((ROWS, 2, 2)), "shape"),
    (np.ones((ROWS, 0)), "shape"),
    (np.ma.masked_array(NUMBERS, mask=[0, 1, 0, 0]), "masked"),
    ([1.0, np.ma.masked, 2.0, 3.0], "masked"),
    ([np.ma.masked_array([one], mask=one > 2) for one in NUMBERS], "masked"),
    (NUMBERS + 0j, "complex128"),
    (NUMBERS > 2, "bool"),
    ([True, False], "bool"),
    (NUMBERS.astype("datetime64[s]"), "datetime64"),
    (NUMBERS.astype("timedelta64[s]"), "timedelta64"),
    (NUMBERS.astype(object), "object"),
    ([1.0, None, 2.0, 3.0], "object"),
    (NUMBERS.astype(str), "<U"),
    (["1.0", "2.0"], "<U"),
    (NUMBERS.astype(np.longdouble), "float128"),
    (np.array([2**53 + 1]), "beyond 2\\^53"),
    (np.array([-(2**53) - 1]), "beyond 2\\^53"),
    (np.array([2**64 - 1], dtype=np.uint64), "beyond 2\\^53"),
    ([2**70], "object"),
    ([[1.0], [1.0, 2.0]], "is no array"),
    (np.zeros(ROWS, dtype=[("a", float)]), "values of type"),
])
def test_what_no_double_holds_is_refused(array, said):
    with pytest.raises(lv.SpecError, match=said) as wrong:
        lv.Table({"initial.v[10]": array})
    assert "initial.v[10]" in str(wrong.value)
    with pytest.raises(lv.SpecError):
        lv.Values(array)


def test_columns_are_of_as_many_rows_and_each_once(four):
    with pytest.raises(lv.SpecError, match="has 3 rows; expected 4, as 'initial.v.10.' has"):
        lv.Table({"initial.v[10]": NUMBERS, "initial.v[11]": NUMBERS[:3]})
    for second in ("initial.v[3]", "initial.v[0:4]", "initial.v[*]"):
        array = np.ones((ROWS, {"initial.v[3]": 1, "initial.v[0:4]": 4}.get(second, 12)))
        with pytest.raises(lv.SpecError, match="varied twice|sets entries"):
            four.replace(vary=lv.Table({"initial.v": np.ones((ROWS, 12)), second: array})).check()
    with pytest.raises(lv.SpecError, match="sets entries|varied twice"):
        four.replace(vary=[{"initial.v[*]": lv.Normal(0, 1)}, lv.Table({"initial.v[3]": NUMBERS})]).check()
    with pytest.raises(lv.SpecError, match="expected a name"):
        lv.Table({3: NUMBERS})
    with pytest.raises(lv.SpecError, match="has no rows"):
        four.replace(vary=lv.Table({})).check()
    with pytest.raises(lv.SpecError, match="5 instances, but 'table.csv' has rows for 4"):
        four.replace(vary=lv.Table({"initial.v[10]": NUMBERS}), size=5).check()


def test_nan_and_infinity_fail_their_instance_and_no_other(four):
    run = four.replace(vary=lv.Table({"initial.v[10]": [0.1, np.nan, np.inf, 0.2]})).run()
    assert list(run.instances.status.values) == [0, 3, 3, 0]


def test_columns_of_pandas_and_xarray(four):
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    frame = pandas.DataFrame({"initial.v[10]": NUMBERS, "initial.v[11]": -NUMBERS}, index=[7, 3, 1, 2])
    values = drawn(four, frame)
    assert list(values["initial.v[10]"]) == NUMBERS.tolist() and list(values["initial.v[11]"]) == (-NUMBERS).tolist()
    labelled = xarray.DataArray(NUMBERS, dims="instance")
    assert list(drawn(four, {"initial.v[10]": labelled})["initial.v[10]"]) == NUMBERS.tolist()
    frame.columns = ["initial.v[10]", "initial.v[10]"]
    with pytest.raises(lv.SpecError, match="no other column"):
        lv.Table(frame)
    for column in (pandas.Series(["a", "b"]), pandas.Series([True, False]), pandas.Series(pandas.to_datetime(["2020"]))):
        with pytest.raises(lv.SpecError, match="values of type"):
            lv.Table({"initial.v[10]": column})


def test_a_table_is_that_of_its_file(four, tmp_path):
    array = np.linspace(0.9, 1.1, 4 * ROWS).reshape(ROWS, 4)
    (tmp_path / "table.csv").write_text(",".join(f"system.mass[{k}]" for k in range(4)) + "\n"
                                        + "\n".join(",".join(map(repr, row)) for row in array.tolist()) + "\n")
    memory = four.replace(vary=lv.Table({"system.mass": array})).run()
    file = four.replace(vary=lv.Table(tmp_path / "table.csv")).run()
    np.testing.assert_array_equal(memory.final.q, file.final.q)
    assert memory.attributes["spec"].split("sha256")[1] == file.attributes["spec"].split("sha256")[1]


def test_parameters_and_initial_states_have_the_same_rules():
    for array in (np.ma.masked_array([1.0] * 4, mask=[0, 1, 0, 0]), np.ones(4) + 1j, np.array([True] * 4)):
        with pytest.raises(lv.SpecError):
            lv.systems.four_particle(mass=array)
    # Of nanoseconds NumPy itself makes whole numbers.
    for entry in (np.timedelta64(5, "ns"), np.datetime64(5, "ns"), np.longdouble(1), np.complex64(1)):
        with pytest.raises(lv.SpecError):
            lv.systems.four_particle(mass=[1.0, 1.0, 1.0, entry])


def test_nothing_is_given_twice(circle):
    law = lv.Normal(0, 0.1)
    with pytest.raises(lv.SpecError, match="varied twice"):
        circle.replace(vary=[{"initial.v[1]": law}, {"initial.v[1]": lv.Normal(0, 0.2)}])
    table = lv.Table({"initial.v[0]": NUMBERS})
    with pytest.raises(lv.SpecError, match="given twice"):
        circle.replace(vary=[table, lv.Table({"initial.v[1]": NUMBERS})])
    entry = '[[ensemble.vary]]\nwhat = "initial.v[1]"\nlaw = "normal"\nmean = 0.0\nstd = 0.5\n'
    twice = '[system]\nname = "unit_circle"\n[ensemble]\nsize = 3\n' + entry + entry.replace("0.5", "0.25")
    with pytest.raises(lv.SpecError, match=r"spec:\d+: ensemble.vary\[1\].what: 'initial.v\[1\]' is varied twice"):
        lv.Ensemble.from_toml(twice)
    with pytest.raises(lv.SpecError, match="ensemble.size: is given as a field"):
        circle.replace(further={"ensemble.size": 3}).to_toml()


def test_random_laws_want_a_size(circle):
    with pytest.raises(lv.SpecError, match="expected the number of instances") as wrong:
        circle.replace(size=None).check()
    assert wrong.value.key == "ensemble.size"
    circle.replace(size=None, vary={}).check()
    circle.replace(size=None, vary=lv.Table({"initial.v[1]": NUMBERS})).check()


def test_an_end_between_two_steps_is_said(circle):
    with pytest.warns(UserWarning, match="no multiple of scheme.step = 0.3 s; the run ends at 0.9 s"):
        run = circle.replace(scheme=lv.schemes.ems(step=0.3, end=1.0)).run()
    assert float(run.statistics.time[-1]) == pytest.approx(0.9)


@pytest.mark.parametrize("threads", [-1, 1.0, "010", True, 2**40, None])
def test_threads_are_a_whole_number(circle, threads):
    with pytest.raises(lv.SpecError, match="threads"):
        circle.run(threads=threads)


@pytest.mark.parametrize("device", [True, 0.5, [0.5], ["0"], -1, "cuda:²", "cuda:-1", "cuda:0x1"])
def test_devices_are_whole_numbers(circle, device):
    with pytest.raises(lv.SpecError, match="device"):
        circle.run(device=device)
