"""Results are xarray, as in the result file, and without a copy."""

import gc
import os
import stat
import subprocess

import h5py
import numpy as np
import pytest
import xarray as xr

import livens as lv


def datasets(path):
    """Every dataset of a result file by its path, as bytes; no labels of axes without labels."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not item.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension"):
            found[name] = item.asstr()[()].tolist() if item.dtype.kind == "O" else item[()].tobytes()

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def test_the_same_bits_as_the_command_line(study, program, tmp_path):
    (tmp_path / "study.toml").write_text(study.to_toml())
    subprocess.run([program, "run", "study.toml", "-o", "program.h5", "--quiet"], cwd=tmp_path, check=True)
    study.run(file=tmp_path / "file.h5")
    study.run().save(tmp_path / "memory.h5")
    lv.run(tmp_path / "study.toml", file=tmp_path / "spec.h5", threads=1)
    expected = datasets(tmp_path / "program.h5")
    assert len(expected) > 50
    for name in ("file.h5", "memory.h5", "spec.h5"):
        assert datasets(tmp_path / name) == expected


def test_memory_and_file_are_the_same_datasets(study, tmp_path):
    memory, file = study.run(), study.run(file=tmp_path / "study.h5")
    assert memory.path is None and file.path == str(tmp_path / "study.h5")
    assert list(memory.statistics) == list(file.statistics)
    pairs = [(memory.instances, file.instances), (memory.trajectories, file.trajectories)]
    pairs += [(memory.statistics[name], file.statistics[name]) for name in memory.statistics]
    for a, b in pairs:
        xr.testing.assert_equal(a, b)
        for name in a.variables:
            assert a[name].dims == b[name].dims
            assert set(a[name].attrs) == set(b[name].attrs), name
            for key, value in a[name].attrs.items():
                np.testing.assert_array_equal(value, b[name].attrs[key], err_msg=f"{name}: {key}")


def test_units_dims_labels(study):
    run = study.run()
    assert run.instances.final_q.sizes == {"instance": 32, "coordinate": 12}
    assert run.instances.max_energy_error.attrs["units"] == "J"
    assert run.instances["system.damping"].dims == ("instance", "damping_entry")
    assert run.instances["initial.p[10:12]"].sizes == {"instance": 32, "p[10:12]_entry": 2}
    assert run.instances.status.attrs["flag_meanings"].split()[0] == "ok"
    assert run.statistics.energy.quantiles.sel(level=0.95).dims == ("time",)
    assert run.statistics.energy.sel(level=0.95).quantiles.equals(run.statistics["energy"].quantiles.sel(level=0.95))
    assert run.statistics.energy["mean"].attrs["units"] == "J"
    assert run.trajectories.q.sel(time=0.9, method="nearest").time == 1.0
    assert run.trajectories.q.dims == ("trajectory", "time", "coordinate")
    assert list(run.trajectories.instance.values) == [0, 1]
    with pytest.raises(lv.SpecError) as wrong:
        run.statistics["enrgy"]
    assert wrong.value.suggestion == "energy"


def test_arrays_are_not_copied(circle):
    run = circle.run()
    one, other = (dict((name, values) for name, _, _, values in run._result.arrays()) for _ in range(2))
    q = run.instances.final_q.values
    assert np.shares_memory(q, one["/instances/final_q"]) and np.shares_memory(q, other["/instances/final_q"])
    assert not q.flags.owndata
    kept = q.copy()
    del run, one, other
    gc.collect()
    assert np.array_equal(q, kept)  # a share of the numbers is held


def test_final_states_by_dlpack(circle):
    run = circle.run()
    taken = np.from_dlpack(run.final.q)
    assert np.shares_memory(taken, run.instances.final_q.values) and taken.shape == (16, 2)
    assert run.final.p.shape == run.final.v.shape == (16, 2)


def test_what_was_computed_is_not_changed(circle, tmp_path):
    """Neither what a run in memory saves, nor the file of another one."""
    memory, file = circle.run(), circle.run(file=tmp_path / "run.h5")
    kept = memory.final.q.copy()
    for array in (memory.final.q, memory.instances.max_energy_error.values, memory.statistics["energy_error"]["mean"].values):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
    file.instances.final_q.values[...] = 0.0
    for run in (memory, file):
        run.save(tmp_path / "saved.h5", overwrite=True)
        assert np.array_equal(lv.open(tmp_path / "saved.h5").final.q, kept)


def test_a_run_goes_on_from_another(study, tmp_path):
    for first in (study.run(), study.run(file=tmp_path / "first.h5")):
        design = lv.Table({"system.mass": np.linspace(0.9, 1.1, 32)[:, None] * [1, 1, 1, 1]})
        again = study.replace(vary=design, initial=first.final, size=None).run()
        assert again.instances.sizes["instance"] == 32
        np.testing.assert_allclose(again.instances.initial_q, first.final.q, rtol=0, atol=1e-12)
        assert list(again.instances["system.mass[2]"].values) == list(design.columns["system.mass[2]"])
        toml = study.replace(initial=first.final).to_toml()
        assert lv.Ensemble.from_toml(toml).run().instances.sizes["instance"] == 32


def test_a_table_in_memory_is_that_of_a_file(circle, tmp_path):
    values = np.random.default_rng(1).normal(size=8)
    np.savez(tmp_path / "design.npz", **{"initial.v[1]": values})
    memory = circle.replace(vary=lv.Table({"initial.v[1]": values}), size=None).run()
    file = circle.replace(vary=lv.Table(tmp_path / "design.npz"), size=None).run()
    assert memory.instances.equals(file.instances)


def test_a_file_is_opened_lazily(study, tmp_path):
    study.run(file=tmp_path / "study.h5")
    run = lv.open(tmp_path / "study.h5")
    assert run.attributes["system"] == "four_particle" and "trajectories" not in vars(run)
    assert not run.trajectories.q.variable._in_memory
    assert run.failed == 0 and "32 of 32 instances ok" in run.summary()
    run.close()


def test_what_is_no_result(tmp_path):
    (tmp_path / "text.h5").write_text("no HDF5")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file.create_group("statistics")
    for name in ("text.h5", "other.h5", "missing.h5"):
        with pytest.raises(lv.ResultError, match=name):
            lv.open(tmp_path / name)


def test_a_file_that_stands_there_is_kept(circle, tmp_path):
    circle.run(file=tmp_path / "a.h5")
    before = os.stat(tmp_path / "a.h5")[stat.ST_MTIME]
    with pytest.raises(lv.SpecError, match="a.h5"):
        circle.run(file=tmp_path / "a.h5")
    assert os.stat(tmp_path / "a.h5")[stat.ST_MTIME] == before
    circle.run(file=tmp_path / "a.h5", overwrite=True)


def test_what_notebooks_show(study, tmp_path):
    run = study.run(file=tmp_path / "study.h5")
    assert "32 ok" in run._repr_html_() and "study.h5" in repr(run)
    assert "four_particle" in study._repr_html_() and "N s/m" in study.system._repr_html_()
    assert "energy_error" in run.statistics._repr_html_()
