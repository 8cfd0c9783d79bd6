"""Tracked C++ is laid out as clang-format 14 does it; other versions do it otherwise. Without that one: skipped.

usage: layout.py CHECKOUT
"""

import shutil
import subprocess
import sys


def main(checkout):
    def printed(*command):
        return subprocess.run(command, cwd=checkout, capture_output=True, check=True).stdout

    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if program is None or b"version 14." not in printed(program, "--version"):
        print("skipped: there is no clang-format 14; expected Debian's clang-format-14")
        return 77
    files = printed("git", "ls-files", "*.cpp", "*.hpp", "*.cu", "*.cuh").decode().split()
    together = b"".join(open(f"{checkout}/{file}", "rb").read() for file in files)
    wrong = []
    if printed(program, *files) != together:
        wrong = [file for file in files if printed(program, file) != open(f"{checkout}/{file}", "rb").read()]
    for file in wrong:
        print(f"clang-format -i {file}")
    print(f"{len(files)} files, {len(wrong)} laid out otherwise")
    return 1 if wrong or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
