"""Every header of kernels/ compiles alone.

usage: headers.py CHECKOUT COMPILER

Those for nvcc and NVRTC alone are left out, and those that stand behind a class that the build makes: what includes them is
compiled by the build.
"""

import pathlib
import re
import subprocess
import sys

LEFT_OUT = ("kernels/math/gpu/", "kernels/backends/cuda/", "kernels/systems/beside_text/")


def mistakes_in(header, root, compiler, flags):
    """The first error of a header, if any."""
    command = [compiler, "-std=c++20", f"-I{root}", "-DLIVENS_ISA=alone", *flags, "-fsyntax-only", "-w", "-x", "c++", "-"]
    done = subprocess.run(command, input=f'#include "{header}"\n', capture_output=True, text=True)
    return [line for line in done.stderr.splitlines() if "error" in line][:1] if done.returncode else []


def first_include(path):
    """What a header includes before all else, which then compiles alone where the header does."""
    found = re.search(r'^#include [<"](.*)[>"]', path.read_text(), re.MULTILINE)
    return found[1] if found else None


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    paths = {str(path.relative_to(root)): path for path in sorted(root.glob("kernels/**/*.hpp"))}
    headers = {name: path for name, path in paths.items() if not name.startswith(LEFT_OUT)}
    headers = headers.keys() - {first_include(path) for path in headers.values()}
    vectors = ["-mavx2", "-mfma"] if b"avx2" in pathlib.Path("/proc/cpuinfo").read_bytes() else []
    wrong = [line for header in sorted(headers) for line in mistakes_in(header, root, compiler, vectors)]
    for line in wrong:
        print(line)
    sys.exit(bool(wrong) or not headers)


if __name__ == "__main__":
    main()
