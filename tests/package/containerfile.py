"""The Containerfile against the checkout, for machines that cannot build it: its instructions are known, its commands
are those of a shell, what it copies is there, and its build options and lists of packages are declared.

usage: containerfile.py CHECKOUT
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

INSTRUCTIONS = ("ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "RUN", "USER", "WORKDIR")


def instructions(text):
    """Pairs (instruction, rest), comments left out and continued lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        if line.strip():
            yield line.split(maxsplit=1)


def options_of(root):
    """The cache variables LIVENS_... that some CMake file declares."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "*CMakeLists.txt", "*.cmake"], capture_output=True,
                            text=True, check=True).stdout.split()
    text = "".join((root / path).read_text() for path in listed)
    return set(re.findall(r"(?:option|livens_choice)\((LIVENS_\w+)", text)) | set(re.findall(r"set\((LIVENS_\w+)[^()]*CACHE", text))


def problems_of(root):
    stages, arguments, options = set(), set(), options_of(root)
    packages = set(re.findall(r"^(\w+)=", (root / "scripts" / "packages.sh").read_text(), re.MULTILINE))
    ignored = (root / ".containerignore").read_text().split()
    for name, rest in instructions((root / "Containerfile").read_text()):
        if name not in INSTRUCTIONS:
            yield f"{name}: no instruction; expected one of {', '.join(INSTRUCTIONS)}"
        if not stages and name not in ("ARG", "FROM"):
            yield f"{name} before FROM"
        arguments |= set(re.findall(r"^(\w+)", rest)) if name == "ARG" else set()
        for used in re.findall(r"\$\{(\w+)\}", rest):
            if used not in arguments:
                yield f"{name}: ${{{used}}} is no ARG"
        if name == "FROM":
            stages.add(rest.split(" AS ")[-1])
        elif name == "RUN":
            shell = subprocess.run(["sh", "-n", "-c", rest], capture_output=True, text=True)
            if shell.returncode:
                yield f"RUN: {shell.stderr.strip()}"
            yield from (f"RUN: CMake has no {one}" for one in re.findall(r"-D(LIVENS_\w+)=", rest) if one not in options)
            yield from (f"RUN: packages.sh has no ${one}" for one in re.findall(r"\$(\w+)", rest) if one not in packages)
        elif name == "COPY" and (stage := re.match(r"--from=(\w+)", rest)):
            if stage[1] not in stages:
                yield f"COPY: no stage {stage[1]}"
        elif name == "COPY":
            for source in rest.split()[:-1]:
                if not (root / source).exists() or any(fnmatch.fnmatch(source.strip("/"), one) for one in ignored):
                    yield f"COPY: no {source}"
        elif name in ("ENTRYPOINT", "CMD") and not re.fullmatch(r'\["[^"]*"(, "[^"]*")*\]', rest):
            yield f"{name}: {rest}; expected a list of strings"


def main(checkout):
    root = pathlib.Path(checkout)
    problems = list(problems_of(root))
    for problem in problems:
        print(f"Containerfile: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
