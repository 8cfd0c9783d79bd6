"""What of a machine livens can use, and what to install for the rest."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from livens import _livens
from livens.ensemble import Ensemble
from livens.errors import LivensError
from livens.schemes import Scheme
from livens.systems import System

# Optional packages: what each is for, and the extra of livens that brings it.
_packages = (("matplotlib", "pictures and films", "plot"), ("PIL", "films as .gif", "plot"),
             ("tqdm", "progress", "progress"), ("scipy", "laws, rare events, fits", "uq"), ("SALib", "Sobol indices", "uq"),
             ("distributed", "runs on a cluster of Dask", "cluster"), ("mpi4py", "runs on MPI from Python", None),
             ("sympy", "systems from expressions", None), ("jax", "livens.jax", None))


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: str
    """``"ok"``, ``"no"`` (something to do without), ``"bad"`` (something that runs need)."""
    found: str
    advice: str = ""


@dataclass(frozen=True)
class Checks:
    """All of them; a screen as text, a table in a notebook."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether everything that runs need is there."""
        return all(check.state != "bad" for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def __str__(self) -> str:
        marks = {"ok": "ok ", "no": " - ", "bad": "BAD"}
        lines = []
        for check in self.checks:
            lines.append(f"{marks[check.state]} {check.name:<13} {check.found}")
            if check.advice:
                lines.append(f"{'':<17} -> {check.advice}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from livens._html import html_table

        return html_table("livens.doctor", ("", "", "found", "what to do"),
                          [(check.state, check.name, check.found, check.advice) for check in self.checks])


def doctor(compile: bool = False) -> Checks:
    """Looks at what there is for livens on this machine, and says what to install: ``print(lv.doctor())``.

    With ``compile`` it compiles a system of its own, once, as a first use does; that takes some seconds. The same from
    a shell: ``python -m livens.doctor --compile``, which has exit status 1 where a run would fail.
    """
    return Checks((_package(), _processor(), _compiler(), *([_first_use()] if compile else []), _cache(), _gpu(), _nvrtc(),
                   _mpi(), *_optional()))


def _package() -> Check:
    return Check("livens", "ok", f"{_livens.version} in {Path(__file__).parent}, Python {platform.python_version()}")


def _processor() -> Check:
    """By a run of one instance, which says what it took."""
    try:
        run = Ensemble(System("unit_circle"), Scheme("", {"steps": 1}), size=1).run("cpu")
    except LivensError as problem:
        return Check("processor", "bad", f"a run fails: {str(problem).splitlines()[0]}", "bash scripts/test.sh in a checkout, "
                     "or a report")
    known = _flags()
    best = "avx512" if {"avx512f", "avx512dq", "avx512vl"} <= known else "avx2" if {"avx2", "fma"} <= known else "plain"
    device = run.attributes["device"]
    advice = "" if best in device or not known else f"it has {best}, which this build was not made for: LIVENS_ISA"
    return Check("processor", "ok", device, advice)


def _flags() -> set[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return set(next((line.split(":")[1].split() for line in lines if line.startswith("flags")), []))


def _found(program: str) -> str | None:
    """Of PATH those entries count that begin with /, as for livens itself."""
    path = os.pathsep.join(part for part in os.environ.get("PATH", "").split(os.pathsep) if part.startswith("/"))
    return shutil.which(program, path=path)


def _version(command: list[str]) -> str | None:
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (done.stdout or done.stderr).splitlines()
    return lines[0] if done.returncode == 0 and lines else None


def _compiler() -> Check:
    """As livens looks for one: CXX, g++, clang++, ziglang."""
    name = "compiler"
    if chosen := os.environ.get("CXX"):
        command = shlex.split(chosen)
        path = _found(command[0]) if command else None
        version = _version([path, *command[1:]]) if path else None
        return Check(name, "ok", f"CXX: {version}") if version else Check(
            name, "bad", f"CXX is '{chosen}', which is no compiler that can be called", "unset CXX, or g++ or clang++ in it")
    for program in ("g++", "clang++"):
        if (path := _found(program)) and (version := _version([path])):
            return Check(name, "ok", f"{path}: {version}")
    if (python := _found("python3")) and (version := _version([python, "-I", "-m", "ziglang", "c++"])):
        return Check(name, "ok", f"ziglang of {python}: {version}")
    return Check(name, "no", "none: systems as text and what this build is without need one on first use",
                 "apt install g++, or pip install ziglang")


def _first_use() -> Check:
    text = 'name = "doctor"\nkinetic = "1/2*x\'^2"\ncoordinates = { x = 1 }\n'
    try:
        Ensemble(System.from_text(text), Scheme("livens", {"step": 0.1, "end": 0.1}), size=1).run("cpu")
    except LivensError as problem:
        return Check("first use", "bad", str(problem).splitlines()[0])
    return Check("first use", "ok", "a system as text compiles and runs")


def _cache() -> Check:
    variable = os.environ.get("LIVENS_CACHE")
    if variable and not variable.startswith("/"):
        return Check("cache", "bad", f"LIVENS_CACHE is '{variable}'", "a path that begins with /")
    above = os.environ.get("XDG_CACHE_HOME", "")
    home = os.environ.get("HOME", "")
    folder = Path(variable) if variable else (Path(above) / "livens" if above.startswith("/") else
                                              Path(home) / ".cache" / "livens" if home.startswith("/") else None)
    if folder is None:
        return Check("cache", "bad", "no place for what is compiled on first use", "LIVENS_CACHE, a directory")
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if folder.exists() and folder.stat().st_uid != os.getuid():
        return Check("cache", "bad", f"{folder} belongs to another user, and is refused", "LIVENS_CACHE, a directory of yours")
    if folder.exists() and folder.stat().st_mode & 0o022:
        return Check("cache", "bad", f"{folder} may be written by others, and is refused", f"chmod go-w {folder}")
    if not os.access(there, os.W_OK):
        return Check("cache", "no", f"{folder} cannot be written: only what is in it runs", "LIVENS_CACHE, a directory of yours")
    objects = list(folder.glob("*/*.so")) if folder.exists() else []
    size = sum(one.stat().st_size for one in objects) / 1e6
    return Check("cache", "ok", f"{folder}: {len(objects)} objects, {size:.1f} MB, {shutil.disk_usage(there).free / 1e9:.0f} GB "
                 "free")


def _opens(library: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(library)
    except OSError:
        return None


def _gpu() -> Check:
    if _livens.cuda_usable():
        smi = _found("nvidia-smi")
        try:
            named = subprocess.run([smi, "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                                   timeout=30).stdout if smi else ""
        except (OSError, subprocess.TimeoutExpired):
            named = ""
        return Check("GPU", "ok", ", ".join(named.split("\n")).strip(", ") or "usable")
    if _opens("libcuda.so.1") is None:
        return Check("GPU", "no", "none: no driver of NVIDIA (libcuda.so.1); runs take the processor")
    return Check("GPU", "no", "there is a driver, and no GPU that this build can use", "nvidia-smi shows the GPU and its driver; "
                 "a build with nvcc (LIVENS_CUDA=ON) has the backend")


def _nvrtc() -> Check:
    """Compiles for a GPU on first use; looked for as livens does."""
    name, chosen = "NVRTC", os.environ.get("LIVENS_NVRTC")
    toolkits = [home for home in (os.environ.get("CUDA_HOME", ""), os.environ.get("CUDA_PATH", ""), "/usr/local/cuda")
                if home.startswith("/")]
    libraries = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
    places = [chosen] if chosen is not None else [
        *libraries, *(f"{home}/{folder}/{library}" for home in toolkits for folder in ("lib64", "lib") for library in libraries)]
    for place in filter(None, places):
        if (library := _opens(place)) is not None and hasattr(library, "nvrtcVersion"):
            major, minor = ctypes.c_int(), ctypes.c_int()
            library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
            return Check(name, "ok", f"{major.value}.{minor.value} ({place})")
    if nvcc := _found("nvcc") or next((f"{home}/bin/nvcc" for home in toolkits if Path(home, "bin/nvcc").exists()), None):
        return Check(name, "ok", f"none, but {nvcc}, which takes its place")
    needed = _opens("libcuda.so.1") is not None
    wheel = next((str(path) for path in Path(sys.prefix).glob("lib/python*/site-packages/nvidia/**/libnvrtc.so.*")), None)
    advice = f"LIVENS_NVRTC={wheel}" if wheel else "pip install nvidia-cuda-nvrtc-cu12, and its libnvrtc.so.12 as LIVENS_NVRTC"
    return Check(name, "no", "none: nothing is compiled for a GPU on first use", advice if needed else "")


def _mpi() -> Check:
    program, launcher = _found("livens"), _found("mpirun") or _found("srun")
    found = ", ".join([f"launcher {launcher}" if launcher else "no mpirun", f"program {program}" if program else "no program "
                       "livens on PATH"])
    return Check("MPI", "ok" if launcher and program else "no", found, "" if launcher and program else
                 "mpirun livens run shares a run: a build with LIVENS_MPI; executors need no MPI")


def _optional() -> Iterator[Check]:
    for module, use, extra in _packages:
        if importlib.util.find_spec(module) is None:
            package = {"PIL": "pillow", "distributed": "dask[distributed]"}.get(module, module)
            yield Check(module, "no", f"not installed: {use}", f"pip install '{package}'" + (
                f", or 'livens[{extra}]'" if extra else ""))
    present = [f"{module} {_release(module)}" for module, _, _ in _packages if importlib.util.find_spec(module)]
    yield Check("packages", "ok", ", ".join(present) or "none of the optional ones")


def _release(module: str) -> str:
    try:
        return importlib.metadata.version({"PIL": "pillow"}.get(module, module))
    except importlib.metadata.PackageNotFoundError:
        return "?"


__all__ = ["Check", "Checks", "doctor"]
