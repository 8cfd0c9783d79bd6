"""The spec of an ensemble as a frozen dataclass, which is TOML and comes from TOML."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

import tomli_w

from livens import _livens
from livens._toml import frozen, plain
from livens.errors import Mistake, SpecError
from livens.laws import Law, Table, Vary, law_from_entry
from livens.schemes import Scheme
from livens.systems import System

if TYPE_CHECKING:
    from livens.run import Final, Run

_of_ensemble = ("size", "seed", "design", "on_failure", "max_failed_fraction", "instances")
_of_output = ("observe", "extremes", "every", "interval", "sampling", "trajectories", "quantiles", "energy_bound",
              "error_against", "checkpoint_every", "stop")


@dataclass(frozen=True)
class Ensemble:
    """A study: a system, a scheme, and what varies from instance to instance.

    The fields are the keys of a spec (contract, section 2), with their meanings and defaults; None is not given.
    Times are in seconds, everything else in SI units. Nothing is checked before ``check()`` or ``run()``.
    """

    system: System
    scheme: Scheme = Scheme("")
    """Without a name: that of the system."""
    initial: Union[Mapping[str, Any], Final, None] = None
    """``{"q": ..., "v": ...}``, shape (d,) each, or ``"p"``, and ``"consistency"``; or ``run.final`` of another run:
    instance i starts where instance i ended. Default: the system's own."""
    vary: Vary = field(default_factory=dict)
    """A law for each quantity that varies, in the order of their draws; or a Table."""
    observe: Sequence[Union[str, Mapping[str, str]]] = ()
    """Names, or ``{"name": ..., "expression": ..., "unit": ...}``."""
    size: int | None = None
    seed: int | None = None
    interval: float | None = None
    """Time between samples, s; a multiple of the step where that does not vary."""
    every: int | None = None
    """The same in steps."""
    trajectories: int | None = None
    """The first so many instances are kept in full."""
    table: Table | None = None
    """A design of one's own beside the laws."""
    design: Literal["random", "sobol"] | None = None
    on_failure: Literal["continue", "error"] | None = None
    max_failed_fraction: float | None = None
    instances: Sequence[int] | None = None
    sampling: Literal["linear", "log"] | None = None
    quantiles: Sequence[float] | None = None
    """Levels, between 0 and 1."""
    extremes: bool | None = None
    energy_bound: float | None = None
    error_against: Literal["reference_ode", "reference_dae", "taylor"] | None = None
    checkpoint_every: float | None = None
    stop: Sequence[Mapping[str, str]] | None = None
    """Conditions that end an instance: ``{"when": "q[1]"}``."""
    tangent: Mapping[str, Any] | None = None
    """Exact derivatives of the final states: ``{"of": ["initial.v[1]", "system.mass[0]"]}``, or ``{"of": "state"}``; and
    ``{"lyapunov": {"count": 2, "every": 10}}`` for exponents. ``run.tangent`` has them."""
    further: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the spec that have no field here, by their dotted names, as in ``{"output.joint": [...]}``."""

    def __post_init__(self) -> None:
        laws: dict[str, Law] = {}
        table = self.table
        parts: Any = [self.vary] if isinstance(self.vary, (Mapping, Table)) else self.vary
        for part in parts:
            if isinstance(part, Table):
                if table is not None:
                    raise SpecError(Mistake("is given twice", "ensemble.table", "one table"))
                table = part
                continue
            for what, law in part.items():
                if not isinstance(law, Law):
                    raise SpecError(Mistake(f"{what}: {law!r} is no law", "ensemble.vary", "one like livens.Normal(0, 1)"))
                _add_law(laws, what, law)
        settled: dict[str, Any] = {"vary": laws, "table": table, "further": frozen(self.further)}
        for name in ("initial", "tangent"):
            if isinstance(getattr(self, name), Mapping):
                settled[name] = frozen(getattr(self, name)) or None
        for name in ("observe", "instances", "quantiles", "stop"):
            if getattr(self, name) is not None:
                settled[name] = frozen(list(getattr(self, name)))
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    # As TOML.

    def to_toml(self) -> str:
        """The spec. A table in memory is named in it, and not part of it."""
        return tomli_w.dumps(plain(self._to_dict()))

    def _to_dict(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"system": self.system.to_table(), "scheme": self.scheme.to_table()}
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
        for key, value in self.further.items():
            *sections, last = key.split(".")
            table = spec
            for section in sections:
                table = table.setdefault(section, {})
            if table.get(last) is not None:
                raise SpecError(Mistake("is given as a field, too", key, "it once"))
            table[last] = value
        return {name: section for name, section in plain(spec).items() if section != {}}

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
            overwrite: bool = False, threads: int = 0) -> Run:
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
            Of the processor; 0: all.

        Raises
        ------
        SpecError, DeviceError, ResultError
        InstancesFailed
            More instances failed than the study allows; its ``run`` is what this would have returned.
        KeyboardInterrupt
            Within 3 s of Ctrl-C. With ``file`` the same call goes on from there.
        """
        from livens.integration import integrate

        return integrate(self._study(), device=device, file=file, progress=progress, resume=resume,
                         overwrite=overwrite, threads=threads, in_file=self.error_against is not None)

    def _repr_html_(self) -> str:
        from livens._html import html_text

        return html_text(f"Ensemble of {self.system.name}", self.to_toml())


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

