"""The spec of an ensemble as a frozen dataclass, which is TOML and comes from TOML."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Union

import tomli_w

from livens import _livens, _tables
from livens._toml import Frozen, frozen, plain, tomllib
from livens.errors import Mistake, SpecError
from livens.laws import Law, Table, Vary, law_from_entry
from livens.schemes import Scheme
from livens.systems import System

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from livens.run import Final, Run

_of_ensemble = ("size", "seed", "design", "on_failure", "max_failed_fraction", "instances")
_of_output = ("observe", "extremes", "every", "interval", "sampling", "trajectories", "quantiles", "energy_bound",
              "error_against", "checkpoint_every", "stop", "event", "keep_impacts")


@dataclass(frozen=True)
class Ensemble:
    """A study: a system, a scheme, and what varies from instance to instance.

    The fields are the keys of a spec (contract, section 2), with their meanings and defaults; None is not given.
    Times are in seconds, everything else in SI units. Nothing is checked before ``check()`` or ``run()``.
    """

    system: System
    """What moves."""
    scheme: Scheme = Scheme("")
    """Without a name: that of the system."""
    initial: Union[Mapping[str, Any], Final, None] = None
    """``{"q": ..., "v": ...}``, shape (d,) each, or ``"p"``, and ``"consistency"``; of a system as text also by the names
    of its coordinates, ``{"x": 0.5, "u'[0]": 1.0}``, where what is not named stays the system's own. Or ``run.final`` of
    another run: instance i starts where instance i ended. Default: the system's own."""
    vary: Vary = field(default_factory=dict)
    """A law for each quantity that varies, in the order of their draws; or a Table. A quantity is named as in a spec, or
    by its symbol of SymPy: a coordinate, a velocity, a parameter."""
    observe: Sequence[Union[str, Mapping[str, str]]] = ()
    """Names, or ``{"name": ..., "expression": ..., "unit": ...}``; SymPy's coordinates, velocities and expressions, too."""
    size: int | None = None
    """Instances, N; default: the rows of a table or of a result, else the points of a grid, else 1."""
    seed: int | None = None
    """The same seed is the same ensemble on every machine."""
    interval: float | None = None
    """Time between samples, s; a multiple of the step where that does not vary."""
    every: int | None = None
    """The same in steps."""
    trajectories: int | None = None
    """The first so many instances are kept in full."""
    table: Table | None = None
    """A design of one's own beside the laws."""
    design: Literal["random", "sobol"] | None = None
    """``"sobol"``: the points of Sobol's sequence in place of random draws."""
    on_failure: Literal["continue", "error"] | None = None
    """``"error"``: any instance that fails is one too many."""
    max_failed_fraction: float | None = None
    """Of the instances, 0 to 1: where more fail, ``run()`` raises InstancesFailed."""
    instances: Sequence[int] | None = None
    """Only these numbers of the ensemble, with the values that they have there."""
    sampling: Literal["linear", "log"] | None = None
    """``"log"``: samples at 0 and about 16 a decade of steps."""
    quantiles: Sequence[float] | None = None
    """Levels, between 0 and 1."""
    extremes: bool | None = None
    """Of what is observed the least and the largest value over all steps, too."""
    energy_bound: float | None = None
    """Relative to the energy scale: the time at which an instance first exceeds it is kept. 0: none."""
    error_against: Literal["reference_ode", "reference_dae", "taylor"] | None = None
    """The true motion of every instance is integrated, too, and ``position_error`` is the distance from it."""
    checkpoint_every: float | None = None
    """Of a run to a file, s of wall clock; 0: none."""
    stop: Sequence[Mapping[str, str]] | None = None
    """Conditions that end an instance: ``{"when": "q[1]"}``."""
    event: Sequence[Mapping[str, Any]] | None = None
    """Changes of sign that are counted: ``{"name": "crossings", "when": "q[1]", "direction": "down"}``, with ``keep`` and
    ``state``. ``run.events`` has them."""
    keep_impacts: int | None = None
    """Times that are kept of the impacts on each wall of a text, in ``run.impacts``."""
    tangent: Mapping[str, Any] | None = None
    """Exact derivatives of the final states: ``{"of": ["initial.v[1]", "system.mass[0]"]}``, or ``{"of": "state"}``; and
    ``{"lyapunov": {"count": 2, "every": 10}}`` for exponents. ``run.tangent`` has them."""
    further: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the spec that have no field here, by their dotted names, as in ``{"output.joint": [...]}``."""

    def __post_init__(self) -> None:
        _check_types(self)
        laws: dict[str, Law] = {}
        table = self.table
        parts: Any = [self.vary] if isinstance(self.vary, (Mapping, Table)) else self.vary
        for part in parts:
            if isinstance(part, Table):
                if table is not None:
                    raise SpecError(Mistake("is given twice", "ensemble.table", "one table"))
                table = part
                continue
            for key, law in part.items():
                what = _what(key, self.system)
                if not isinstance(law, Law):
                    raise SpecError(Mistake(f"{what}: {law!r} is no law", "ensemble.vary", "one like livens.Normal(0, 1)"))
                _add_law(laws, what, law)
        settled: dict[str, Any] = {"vary": Frozen(laws), "table": table, "further": frozen(self.further)}
        if isinstance(self.initial, Mapping):
            settled["initial"] = frozen({_name(key): value for key, value in self.initial.items()}) or None
        if self.tangent is not None:
            of = self.tangent.get("of")
            named = {} if of is None or isinstance(of, str) else {"of": [_what(one, self.system) for one in of]}
            settled["tangent"] = frozen({**self.tangent, **named}) or None
        settled["observe"] = frozen([_observed(one) for one in self.observe])
        for name in ("stop", "event"):
            if getattr(self, name) is not None:
                settled[name] = frozen([_with_texts(one, "when") for one in getattr(self, name)])
        for name in ("instances", "quantiles"):
            if getattr(self, name) is not None:
                settled[name] = frozen(list(getattr(self, name)))
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        # Equal studies have equal ones; tables and dictionaries are compared, and have none.
        laws: Any = self.vary
        names = tuple(one if isinstance(one, str) else one.get("name") for one in self.observe)
        return hash((self.system, self.scheme, frozenset(laws.items()), names, self.size, self.seed, self.interval,
                     self.every))

    # As TOML.

    def to_toml(self) -> str:
        """The spec. A table in memory is named in it, and not part of it."""
        text = self.system.text
        return tomli_w.dumps(self._without_text()) + ("" if text is None else "\n" + frozen(text).toml("system", "text"))

    def _without_text(self) -> dict[str, Any]:
        system = {key: value for key, value in self.system.to_table().items() if key != "text"}
        spec: dict[str, Any] = {"system": system, "scheme": self.scheme.to_table()}
        if self.initial is not None:
            spec["initial"] = dict(self.initial) if isinstance(self.initial, Mapping) else {"from": self.initial.path}
        spec["ensemble"] = {key: getattr(self, key) for key in _of_ensemble}
        spec["output"] = {key: getattr(self, key) for key in _of_output if getattr(self, key) != ()}
        if self.tangent is not None:
            spec["tangent"] = dict(self.tangent)
        if self.table is not None:
            spec["ensemble"]["table"] = self.table.to_entry()
        if self.vary:
            laws: Any = self.vary
            spec["ensemble"]["vary"] = [{"what": what, **law.to_entry()} for what, law in laws.items()]
        spec = plain(spec)
        for key, value in self.further.items():
            *sections, last = key.split(".")
            table = spec
            for section in sections:
                table = table.setdefault(section, {})
            if table.get(last) is not None:
                raise SpecError(Mistake("is given as a field, too", key, "it once"))
            table[last] = plain(value)
        return {name: section for name, section in spec.items() if section != {}}

    @classmethod
    def from_toml(cls, spec: Union[str, os.PathLike[str]]) -> Ensemble:
        """Of a spec as text, or of a file that ends in ``.toml``; what the file names is looked for beside it.

        Raises SpecError where it is no TOML; what it says is not checked.
        """
        text, name = read_spec(spec), os.fspath(spec) if is_path(spec) else "spec"
        try:
            return cls._from_dict(tomllib.loads(text), str(Path(spec).parent) if is_path(spec) else "")
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            study_of(text, name).check()  # which says it better
            raise SpecError(Mistake(repr(problem), expected="a spec", file=name)) from problem

    @classmethod
    def _from_dict(cls, read: dict[str, Any], folder: str) -> Ensemble:
        read.pop("files", None)  # what a result keeps of the files of its spec
        sections = {name: dict(read.pop(name, {})) for name in ("system", "scheme", "initial", "ensemble", "output")}
        fields: dict[str, Any] = {"system": System.from_table(sections["system"], folder),
                                  "scheme": Scheme.from_table(sections["scheme"])}
        if "tangent" in read:
            fields["tangent"] = dict(read.pop("tangent"))
        if sections["initial"]:
            fields["initial"] = {key: _beside(folder, value) if key == "from" else value
                                 for key, value in sections["initial"].items()}
        ensemble, output = sections["ensemble"], sections["output"]
        laws: dict[str, Law] = {}
        for entry in ensemble.pop("vary", []):
            _add_law(laws, entry["what"], law_from_entry(entry))
        fields["vary"] = laws
        if (table := ensemble.pop("table", None)) is not None:
            fields["table"] = Table(_beside(folder, table["file"]), group=table.get("group"))
        fields.update({key: ensemble.pop(key) for key in _of_ensemble if key in ensemble})
        fields.update({key: output.pop(key) for key in _of_output if key in output})
        further = {f"ensemble.{key}": value for key, value in ensemble.items()}
        further.update({f"output.{key}": value for key, value in output.items()})
        return cls(**fields, further={**further, **read})

    def replace(self, **fields: Any) -> Ensemble:
        """The same with other fields; ``vary`` takes the place of the laws and of a Table, ``vary={}`` takes both away."""
        if "vary" in fields:
            fields = {"table": None, **fields}
        return dataclasses.replace(self, **fields)

    # What becomes of it.

    def check(self) -> None:
        """Raises the SpecError that a run would begin with."""
        self._study().check()

    def _study(self) -> _livens.Study:
        """As the program gets it."""
        return study_of(self.to_toml(), "ensemble", self.table)

    def run(self, device: Union[str, int, Sequence[int]] = "auto", *, file: Union[str, os.PathLike[str], None] = None,
            progress: Union[bool, str, Callable[..., None]] = False, resume: bool | None = None,
            overwrite: bool = False, threads: int = 0, executor: Executor | None = None,
            shards: int | None = None) -> Run:
        """Integrates the ensemble.

        Parameters
        ----------
        device
            ``"auto"`` (a GPU where there is one), ``"cpu"``, ``"cuda"``, the number of a GPU or several, ``"all"``
            GPUs, or ``"reference"``. It changes no bit of the result.
        file
            The result file. With it the run goes portion by portion, so that an ensemble of any size fits, and leaves a
            checkpoint when it is interrupted. Without it everything is in memory.
        progress
            True shows a bar by tqdm or rich where one is installed, ``"tqdm"`` or ``"rich"`` that one; a function is
            called as ``progress(done, total, failed)``, in instances times steps, about twice a second.
        resume
            Goes on from the checkpoint of an interrupted run. Default: where there is one.
        overwrite
            Replaces a file that is there.
        threads
            Of the processor; 0: all, of a worker of an executor one.
        executor
            A ``concurrent.futures.Executor`` whose workers take a task a shard: a ProcessPoolExecutor, loky's, Dask's
            ``client.get_executor()``, ``mpi4py.futures.MPIPoolExecutor``. The bits are the same. Finished shards and
            checkpoints lie in ``FILE.shards/``, which all workers must see; after an interrupt, or when workers died,
            the same call goes on from there.
        shards
            How many, at most one for 1024 instances. Default: that, up to 64.

        Raises
        ------
        SpecError, DeviceError, ResultError
        InstancesFailed
            More instances failed than the study allows; its ``run`` is what this would have returned.
        KeyboardInterrupt
            Within 3 s of Ctrl-C. With ``file`` the same call goes on from there.
        """
        if executor is not None:
            from livens.executors import run_on

            return run_on(executor, self, shards=shards, device=device, file=file, progress=progress, resume=resume,
                          overwrite=overwrite, threads=threads)
        from livens.integration import integrate

        if shards is not None:
            raise SpecError(Mistake("without an executor", "shards", "executor=... with it"))
        return integrate(self._study(), device=device, file=file, progress=progress, resume=resume,
                         overwrite=overwrite, threads=threads, in_file=self.error_against is not None)

    def _repr_html_(self) -> str:
        from livens._html import html_text

        return html_text(f"Ensemble of {self.system.name}", self.to_toml())


def _refuse(value: Any, key: str, expected: str) -> NoReturn:
    shown = f"'{value}' is a text" if isinstance(value, str) else f"is a {type(value).__name__}"
    raise SpecError(Mistake(shown, key, expected))


def _check_types(study: Ensemble) -> None:
    """What a spec cannot say, in the words of Python. Raises SpecError."""
    if not isinstance(study.system, System):
        known = isinstance(study.system, str) and study.system in _tables.systems
        name = study.system if known else "four_particle"
        _refuse(study.system, "system", f"a livens.System, as livens.systems.{name}()")
    if not isinstance(study.scheme, Scheme):
        name = study.scheme if isinstance(study.scheme, str) and study.scheme in _tables.schemes else "ems"
        _refuse(study.scheme, "scheme", f"a livens.Scheme, as livens.schemes.{name}(step=0.01, end=1.0)")
    if not (isinstance(study.vary, (Mapping, Table)) or isinstance(study.vary, (list, tuple))
            and all(isinstance(part, (Mapping, Table)) for part in study.vary)):
        _refuse(study.vary, "vary", "{'initial.v[0]': livens.Normal(0, 1)}, or a livens.Table, which a DataFrame becomes by "
                                    "livens.Table(frame)")
    if study.table is not None and not isinstance(study.table, Table):
        _refuse(study.table, "table", "a livens.Table")
    if study.initial is not None and not isinstance(study.initial, Mapping) and not hasattr(study.initial, "path"):
        _refuse(study.initial, "initial", "{'q': ..., 'v': ...}, or run.final of another run")
    for name, example in (("observe", '["energy"]'), ("stop", '[{"when": "q[0]"}]'),
                          ("event", '[{"name": "crossings", "when": "q[0]"}]')):
        value = getattr(study, name)
        if value is not None and (isinstance(value, (str, Mapping)) or not isinstance(value, Iterable)):
            _refuse(value, name, f"a list, as in {example}")
    if study.tangent is not None and not isinstance(study.tangent, Mapping):
        _refuse(study.tangent, "tangent", '{"of": [...]}')


def _name(key: Any) -> str:
    from livens.expressions import name_of

    return name_of(key)


def _what(key: Any, system: System) -> str:
    """The name of a quantity in a spec: of SymPy's symbols that of a parameter or of a part of the initial state."""
    if isinstance(key, str):
        return key
    name = _name(key)
    bare = name.partition("[")[0]
    parameters = [one["name"] for one in system.description()["parameters"]]
    return f"system.{name}" if bare in parameters else f"initial.{name}"


def _with_texts(entry: Any, *keys: str) -> Any:
    """With SymPy's expressions as texts."""
    from livens.expressions import text_of

    if not isinstance(entry, Mapping):
        return entry
    return {key: text_of(value) if key in keys else value for key, value in entry.items()}


def _observed(entry: Any) -> Any:
    return _with_texts(entry, "expression") if isinstance(entry, Mapping) else _name(entry)


def study_of(toml: str, name: str, table: Table | None = None) -> _livens.Study:
    """A spec as the program gets it; ``name`` stands for its file in messages."""
    if table is None or table.path is not None:
        return _livens.Study(toml, name, [], "")
    return _livens.Study(toml, name, list(table.arrays.items()), table.name)


def is_path(spec: Union[str, os.PathLike[str]]) -> bool:
    """A path, and not the text of a spec."""
    return isinstance(spec, os.PathLike) or ("\n" not in spec and spec.endswith(".toml"))


def read_spec(spec: Union[str, os.PathLike[str]]) -> str:
    """The text of a spec that is given by its path, or itself. Raises SpecError where a file cannot be read."""
    if not is_path(spec):
        return str(spec)
    try:
        return Path(spec).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise SpecError(Mistake(f"cannot be read: {problem}", file=os.fspath(spec))) from problem


def _add_law(laws: dict[str, Law], what: str, law: Law) -> None:
    if what in laws:
        raise SpecError(Mistake(f"'{what}' is varied twice", "ensemble.vary", "each quantity once"))
    laws[what] = law


def _beside(folder: str, path: str) -> str:
    return str(Path(folder) / path)

