"""Runs: a spec goes to the program, and a Run comes back."""

from __future__ import annotations

import operator
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Union

from livens import _livens
from livens.ensemble import Ensemble, is_path, read_spec, study_of
from livens.errors import DeviceError, InstancesFailed, Mistake, SpecError
from livens.progress import bar_for
from livens.run import Run, open_in, refuse_overwriting, run_in_memory, scratch


def run(spec: Union[Ensemble, str, os.PathLike[str]], device: Union[str, int, Sequence[int]] = "auto",
        **options: Any) -> Run:
    """Runs an Ensemble, a spec as TOML, or the file of one, which is taken as it stands, to the letter.

    ``device`` and the options are those of ``Ensemble.run``. Without ``file`` the result is in memory, whatever
    ``output.file`` of the spec says.
    """
    if isinstance(spec, Ensemble):
        return spec.run(device, **options)
    toml = read_spec(spec)
    name = os.fspath(spec) if is_path(spec) else "spec"
    return integrate(study_of(toml, name), device=device, **options, in_file="error_against" in toml)


def integrate(study: _livens.Study, *, device: Union[str, int, Sequence[int]] = "auto",
              file: Union[str, os.PathLike[str], None] = None,
              progress: Union[bool, str, Callable[..., None]] = False, resume: bool | None = None,
              overwrite: bool = False, threads: int = 0, in_file: bool = False) -> Run:
    """As ``Ensemble.run``; ``in_file``: what is asked for is there in runs to a file alone, and so one is made."""
    if file is not None or in_file or progress:
        study.check()  # before anything is drawn or written
    where = {**_device(device), "threads": _whole("threads", threads)}
    bar = bar_for(progress)
    # A note is a warning at the line that has called run().
    told = {"progress": bar, "note": lambda line: warnings.warn(line, stacklevel=4), "compiling": _tell_of_compilation}
    folder = scratch() if file is None and in_file else None
    if folder is not None:
        file = folder.path / "result.h5"
    try:
        if file is None:
            done = run_in_memory(_livens.run(study, **where, **told))
            too_many = done.too_many
        else:
            path = os.fspath(file)
            if resume is None:
                resume = Path(f"{path}.checkpoint").is_dir()
            if not overwrite:
                refuse_overwriting(path)
            path, too_many = _livens.run_to_file(study, path, resume, overwrite, **where, **told)
            done = open_in(folder, path)
    finally:
        bar.close()
    if too_many:
        raise InstancesFailed(too_many, done)
    return done


def _tell_of_compilation(what: str) -> None:
    """Some seconds in which nothing else is to be seen, in a notebook as at a terminal."""
    print(f"livens: compiling {what}, once", file=sys.stderr, flush=True)


def _whole(key: str, value: Any) -> int:
    """0, 1, ... as an int of Python. Raises SpecError for anything else, truths and numbers with a point among it."""
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < 2**31:
        raise SpecError(Mistake(repr(value), key, "a whole number from 0 on"))
    return number


def _device(device: Union[str, int, Sequence[int]]) -> dict[str, Any]:
    """The backend, and the GPUs by their numbers. Raises DeviceError where a GPU is asked for and there is none."""
    chosen: dict[str, Any] = {"backend": "cuda", "devices": [], "all_devices": False}
    if device in ("auto", "cpu", "reference"):
        return {**chosen, "backend": device}
    if not isinstance(device, (str, Sequence)):
        chosen["devices"] = [_whole("device", device)]
    elif device == "all":
        chosen["all_devices"] = True
    elif not isinstance(device, str):
        chosen["devices"] = [_whole("device", number) for number in device]
    elif device.startswith("cuda:") and device[5:].isascii() and device[5:].isdecimal():
        chosen["devices"] = [int(device[5:])]
    elif device not in ("cuda", "gpu"):
        expected = "'auto', 'cpu', 'cuda', 'cuda:0', 'all', 'reference' or numbers of GPUs"
        raise SpecError(Mistake(f"'{device}'", "device", expected))
    if not _livens.cuda_usable():
        raise DeviceError(f"device: {device!r}: this machine, or this build of livens, has no usable GPU")
    return chosen
