"""Files from anybody: what opens one reads it, or refuses it with an error of livens that names it; nothing outside of it is
read."""

import hashlib
import shutil
import subprocess

import h5py
import numpy as np
import pytest

import livens as lv

SECRET = 12345.0
Q = "instances/final_q"


def seal(path):
    """The check block of a file that h5py has written to, as anybody can make it."""
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    path.write_bytes(content + f"livens result 2\nlength {len(content):020}\nsha256 {digest}\n".encode())


def replaced(file, name, data=None, **how):
    old = file[name]
    attributes, shape, dtype = dict(old.attrs), old.shape, old.dtype
    del file[name]
    new = file.create_dataset(name, data=data, **({"shape": shape, "dtype": dtype} if data is None else {}), **how)
    for key in ("unit", "description"):
        if key in attributes:
            new.attrs[key] = attributes[key]
    return new


def external_storage(file, folder):
    shape = file[Q].shape
    (folder / "secret.bin").write_bytes(np.full(shape, SECRET).tobytes())
    replaced(file, Q, external=[(str(folder / "secret.bin"), 0, h5py.h5f.UNLIMITED)])


def external_link(file, folder):
    del file[Q]
    file[Q] = h5py.ExternalLink(str(folder / "secret.h5"), "secret")


def soft_link(file, folder):
    del file[Q]
    file[Q] = h5py.SoftLink("/instances/initial_q")


def virtual_dataset(file, folder):
    shape = file[Q].shape
    layout = h5py.VirtualLayout(shape=shape, dtype="f8")
    layout[:] = h5py.VirtualSource(str(folder / "secret.h5"), "secret", shape=shape)
    del file[Q]
    file.create_virtual_dataset(Q, layout)


def linked_group(file, folder):
    del file["trajectories"]
    file["trajectories"] = h5py.ExternalLink(str(folder / "secret.h5"), "/")


def another_type(file, folder):
    replaced(file, Q, file[Q][()].astype("f4"))


def another_shape(file, folder):
    replaced(file, Q, file[Q][()][:-1])


def more_axes(file, folder):
    replaced(file, Q, file[Q][()][..., None])


def a_group(file, folder):
    del file[Q]
    file.create_group(Q)


def missing(file, folder):
    del file[Q]


def no_units(file, folder):
    del file["statistics/energy_error/mean"].attrs["unit"]


def spec_of_numbers(file, folder):
    file.attrs["spec"] = 3.0


CRAFTED = {external_storage: Q, external_link: Q, soft_link: Q, virtual_dataset: Q, linked_group: "trajectories",
           another_type: Q, another_shape: Q, more_axes: Q, a_group: Q, missing: Q, no_units: "unit", spec_of_numbers: "spec"}


@pytest.fixture
def result(circle, tmp_path):
    circle.run(file=tmp_path / "good.h5")
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["secret"] = np.full((16, 2), SECRET)
    return tmp_path / "good.h5"


def said_by_info(program, path):
    done = subprocess.run([program, "info", str(path)], capture_output=True, text=True)
    assert done.returncode == 4
    return done.stderr.removeprefix("livens: ").strip()


@pytest.mark.parametrize("craft", CRAFTED, ids=lambda craft: craft.__name__)
def test_a_crafted_file(craft, result, circle, program, tmp_path):
    path = tmp_path / "crafted.h5"
    shutil.copy(result, path)
    with h5py.File(path, "r+") as file:
        craft(file, tmp_path)
    seal(path)
    with pytest.raises(lv.ResultError, match="crafted.h5") as refused:
        lv.open(path)
    assert CRAFTED[craft] in str(refused.value)
    assert " ".join(str(refused.value).split()) == " ".join(said_by_info(program, path).split())
    if CRAFTED[craft] == Q:  # what starts from it
        with pytest.raises(lv.LivensError, match="crafted.h5"):
            circle.replace(initial={"from": str(path)}, vary={}, size=None).run()


def test_the_same_file_sealed_again_is_read(result, tmp_path):
    """So that it is not the seal that is refused above; and what a stranger has added is not looked at."""
    path = tmp_path / "sealed.h5"
    shutil.copy(result, path)
    with h5py.File(path, "r+") as file:
        file["instances/added"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "secret")
        file["instances/parameters"].attrs["note"] = "mine"
    seal(path)
    assert lv.open(path).instances.identical(lv.open(result).instances)


def directory(path):
    path.mkdir()


WRONG = {"empty": lambda path: path.write_bytes(b""), "text": lambda path: path.write_text("no HDF5\n" * 100),
         "directory": directory, "missing": lambda path: None,
         "other": lambda path: h5py.File(path, "w").close()}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_no_result(kind, circle, tmp_path, program):
    path = tmp_path / "wrong.h5"
    WRONG[kind](path)
    with pytest.raises(lv.ResultError, match="wrong.h5") as refused:
        lv.open(path)
    assert " ".join(str(refused.value).split()) == " ".join(said_by_info(program, path).split())
    with pytest.raises(lv.LivensError, match="wrong.h5"):
        circle.replace(initial={"from": str(path)}, vary={}, size=None).run()
    with pytest.raises(lv.LivensError, match="wrong.h5"):
        circle.replace(vary=lv.Table(path), size=None).run()


@pytest.mark.parametrize("length", [8, 100, 0.5, -1])
def test_a_truncated_file(length, result, tmp_path):
    content = result.read_bytes()
    path = tmp_path / "cut.h5"
    path.write_bytes(content[:int(len(content) * length) if length == 0.5 else length])
    with pytest.raises(lv.ResultError, match="cut.h5"):
        lv.open(path)


def test_a_byte_that_was_changed(result):
    content = bytearray(result.read_bytes())
    content[len(content) // 2] ^= 1
    result.write_bytes(content)
    with pytest.raises(lv.ResultError, match="SHA-256"):
        lv.open(result)


def test_a_file_that_changes_while_it_is_open(result, circle):
    run = lv.open(result)
    assert run.instances.sizes["instance"] == 16
    circle.replace(seed=5).run(file=result, overwrite=True)
    with pytest.raises(lv.ResultError, match="good.h5.*written to"):
        run.instances.final_q.values


def test_parts_are_read_as_they_are(study, tmp_path):
    run, memory = study.run(file=tmp_path / "a.h5"), study.run()
    q, whole = run.trajectories.q, memory.trajectories.q.values
    for key in (0, -1, slice(1, 2), slice(None, None, -1), slice(5, 5), [1, 0], (1, slice(3, 0, -2), [4, 2]), (slice(0, 0),),
                (..., 5)):
        np.testing.assert_array_equal(run.trajectories.q.variable[key].values, memory.trajectories.q.variable[key].values)
    assert not q.variable._in_memory
    np.testing.assert_array_equal(q.values, whole)


def test_chosen_instances_keep_their_numbers(circle, tmp_path):
    run = circle.replace(instances=[7, 3, 11]).run(file=tmp_path / "a.h5")
    assert list(run.instances.instance.values) == [7, 3, 11]
    assert lv.open(tmp_path / "a.h5").instances.identical(circle.replace(instances=[7, 3, 11]).run().instances)
