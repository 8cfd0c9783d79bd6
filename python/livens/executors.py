"""An ensemble over the workers of an executor: a task a shard, joined into the file that one process would have written.

The workers may be processes of this machine or of others (Dask's ``client.get_executor()``, ``mpi4py.futures``, loky).
Shards, their checkpoints and how far they are go by files in ``FILE.shards/``, a folder that all of them must see.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, wait
from pathlib import Path
from typing import Any, Union

from livens import _livens
from livens._toml import tomllib
from livens.ensemble import Ensemble
from livens.errors import LivensError, Mistake, SpecError
from livens.progress import bar_for
from livens.run import Final, Run, open_in, refuse_overwriting, scratch

_block = 1024  # instances; shards are cut at multiples of it (contract, section 3)
_pause = 0.5  # s between two looks at how far the shards are


def run_on(executor: Executor, study: Ensemble, *, shards: int | None = None,
           device: Union[str, int, Sequence[int]] = "auto", file: Union[str, os.PathLike[str], None] = None,
           progress: Union[bool, str, Callable[..., None]] = False, resume: bool | None = None,
           overwrite: bool = False, threads: int = 0) -> Run:
    """As ``Ensemble.run(executor=...)``."""
    from livens.integration import _device, _whole

    if isinstance(study.initial, Final) and study.initial.in_memory:
        raise SpecError(Mistake("is of a run in memory", "initial", "a run with a file, which all workers see"))
    compiled = study._study()
    compiled.check()
    size = compiled.instances()
    blocks = -(-size // _block)
    count = min(blocks, 64) if shards is None else _whole("shards", shards)
    if not 1 <= count <= blocks:
        raise SpecError(Mistake(f"{count} of {size} instances", "shards",
                                f"1 to {blocks}: they are cut at multiples of {_block}"))
    where = {**_device(device), "threads": _whole("threads", threads) or 1}
    temporary = scratch() if file is None else None
    path = temporary.path / "result.h5" if temporary is not None else Path(os.path.abspath(file or ""))
    if not path.parent.is_dir():
        raise SpecError(Mistake("no such folder", "file", "one that is there", file=os.fspath(path.parent)))
    if not overwrite:
        refuse_overwriting(path)
    folder = path.with_name(f"{path.name}.shards")
    _begin(folder, f"{count} shards of {_fingerprint(study)}", resume)
    parts = [folder / f"{index}-of-{count}.h5" for index in range(count)]
    stop = folder / f"stop-{uuid.uuid4().hex}"  # of this call: what another one has ended stays so
    bar = bar_for(progress)
    tasks: list[Future[list[str]]] = []
    try:
        for index, part in enumerate(parts):
            tasks.append(executor.submit(_shard, study, os.fspath(part), index, count, where, os.fspath(stop)))
        notes = _wait_for(tasks, parts, bar)
    except BaseException:  # a worker's error, Ctrl-C: the shards end, each with its checkpoint
        stop.touch()
        for task in tasks:
            task.cancel()
        wait(tasks, timeout=5)
        raise
    finally:
        bar.close()
    for line in notes:
        warnings.warn(line, stacklevel=3)
    _livens.merge([os.fspath(part) for part in parts], os.fspath(path))
    shutil.rmtree(folder)
    done = open_in(temporary, path)
    done.too_many = compiled.too_many(done.failed, size)
    done.check()
    return done


def _fingerprint(study: Ensemble) -> str:
    """Of what a run is of: the spec, the files that it names and the numbers of a table in memory."""
    spec = study.to_toml()
    sha = hashlib.sha256(f"{_livens.version}\n{spec}".encode())
    for path in sorted(_files_in(tomllib.loads(spec))):
        sha.update(f"\n{path}\n".encode())
        sha.update(hashlib.sha256(Path(path).read_bytes()).digest())
    for name, values in (study.table.arrays if study.table else {}).items():
        sha.update(f"\n{name} {values.shape}\n".encode())
        sha.update(values.tobytes())
    return sha.hexdigest()


def _files_in(value: Any) -> set[str]:
    """Texts in a spec that are paths of files."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*map(_files_in, value))
    return {value} if isinstance(value, str) and len(value) < 4096 and "\n" not in value and os.path.isfile(value) else set()


def _begin(folder: Path, run: str, resume: bool | None) -> None:
    """The folder of the shards, with those of this run alone."""
    label = folder / "run.txt"
    if resume is False and label.exists():
        shutil.rmtree(folder)
    if folder.exists() and (not label.exists() or label.read_text() != run):
        raise SpecError(Mistake("has shards of another run", file=os.fspath(folder),
                                expected="another file, or resume=False, which removes them"))
    folder.mkdir(exist_ok=True)
    label.write_text(run)


def _shard(study: Ensemble, part: str, index: int, count: int, where: dict[str, Any], stop: str) -> list[str]:
    """The task: a shard whose file is there is done, one with a checkpoint goes on from it. What is noted on the way."""
    notes: list[str] = []
    if os.path.exists(part):
        return notes

    def report(done: int, total: int, failed: int) -> None:
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(part), delete=False) as file:
            file.write(f"{done} {total} {failed}")
        os.replace(file.name, f"{part}.progress")  # nobody reads half of it
        if os.path.exists(stop):
            raise LivensError("ended by who has begun it")  # of Dask KeyboardInterrupt would end the worker

    goes_on = os.path.isdir(f"{part}.checkpoint")
    _livens.run_to_file(study._study(), part, goes_on, False, **where, progress=report, note=notes.append, shard=(index, count))
    return notes


def _wait_for(tasks: list[Future[list[str]]], parts: list[Path], bar: Callable[[int, int, int], None]) -> dict[str, None]:
    """Until all are done. What they have noted, each line once."""
    notes: dict[str, None] = {}
    pending = set(tasks)
    while pending:
        ended, pending = wait(pending, timeout=_pause, return_when=FIRST_EXCEPTION)
        for task in ended:
            notes.update(dict.fromkeys(task.result()))
        known = [tuple(map(int, file.read_text().split())) for part in parts
                 if (file := Path(f"{part}.progress")).exists()]
        if known:
            done, total, failed = (sum(column) for column in zip(*known))
            bar(done, total * len(parts) // len(known), failed)  # those that have not begun count as the others
    return notes
