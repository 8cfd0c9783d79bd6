"""Nothing that lies in the working directory is compiled, loaded or run: neither headers, nor a compiler, nor a package
of Python, nor objects; however livens was found, and whatever relative or empty places the environment names.

usage: working_directory.py LIVENS SOURCE_DIRECTORY DIRECTORY
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

TRAP = '#!/bin/sh\ntouch "{mark}"\necho "g++ 99 (Free Software Foundation)"\n'
HEADERS = ["kernels/description/plugin.hpp", "expressions/operation.hpp", "taylor/recurrences.hpp", "vector", "array", "cmath"]


def expect(held, what):
    if not held:
        raise AssertionError(what)


def lay_traps(directory, mark):
    """What a stranger may have packed into an archive: all that livens might take for its own or for a tool."""
    for root in ["include", "include/livens", "../include/livens"]:
        for header in HEADERS:
            path = directory / root / header
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'#error "{path} is compiled"\n')
    for header in HEADERS[3:]:  # where an empty entry of CPATH leads
        (directory / header).write_text(f'#error "{header} is compiled"\n')
    for name in ["g++", "clang++", "python3", "nvcc", "ld", "as", "bin/g++"]:
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(TRAP.format(mark=mark))
        path.chmod(0o755)
    (directory / "ziglang").mkdir()
    for name in ["ziglang/__init__.py", "ziglang/__main__.py", "sitecustomize.py", "usercustomize.py"]:
        (directory / name).write_text(f"open({str(mark)!r}, 'w').close()\nprint('zig 1')\n")


def main(livens, source, directory):
    shutil.rmtree(directory, ignore_errors=True)
    work = Path(directory) / "archive" / "study"
    mark = Path(directory) / "a trap has sprung"
    work.mkdir(parents=True)
    lay_traps(work, mark)
    shutil.copy(Path(source) / "examples/systems/unit_circle.toml", work / "own.toml")
    (work / "spec.toml").write_text('[system]\nfile = "own.toml"\n[scheme]\nname = "ems"\nstep = 0.1\nsteps = 2\n')
    folder, count = os.path.dirname(livens), 0

    def run(expected=0, program="livens", **environment):
        nonlocal count
        count += 1
        own = {k: v for k, v in os.environ.items() if k not in ("CXX", "PYTHONPATH", "CPATH")}
        own |= {"LIVENS_CACHE": f"{directory}/cache{count}", "PATH": f"{folder}:{os.environ['PATH']}"} | environment
        # As a shell does: the name alone, which is looked for in PATH.
        done = subprocess.run([program, "run", "spec.toml", "--force", "-o", "result.h5"], env=own, cwd=work,
                              executable=livens if program == "livens" else None, capture_output=True, text=True)
        expect(done.returncode == expected, f"{environment}: {done.returncode}\n{done.stdout}{done.stderr}")
        expect(not mark.exists(), f"{environment}: something of the working directory was run")
        expect("is compiled" not in done.stderr, done.stderr)
        return done.stderr

    run()
    run(program=os.path.relpath(livens, work))
    # Empty and relative entries come first: each would find the traps.
    run(PATH=f":.:bin:./bin:{folder}:{os.environ['PATH']}")
    run(CPATH=":", CPLUS_INCLUDE_PATH=".", COMPILER_PATH=":.", LD_LIBRARY_PATH=":", TMPDIR="/tmp")
    # No compiler but the one that Python's packages may bring.
    only_python = Path(directory) / "only python"
    only_python.mkdir()
    (only_python / "python3").symlink_to(shutil.which("python3"))
    said = run(expected=2, PATH=f":.:{only_python}", PYTHONPATH=".", CUDA_HOME=".", CUDA_PATH="bin")
    expect("no C++ compiler was found" in said, said)
    # Objects that came with the directory are none of this user's making, whoever owns the files.
    shutil.copytree(f"{directory}/cache1", work / "cache")
    said = run(expected=2, LIVENS_CACHE="cache")
    expect("LIVENS_CACHE is 'cache'; expected a path that begins with /" in said, said)
    print(f"{count} runs, nothing of {work}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3]))
