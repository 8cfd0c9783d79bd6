"""The recipes as conda-forge and Spack read them, by hand: the one for conda is rendered by rattler-build for every CPython,
the one for Spack is held to the style of Spack's packages, and what it depends on has to be among these.

usage: check.py SPACK_PACKAGES    a clone of https://github.com/spack/spack-packages
needs: pip install py-rattler-build ruff
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import rattler_build

HERE = Path(__file__).parent


def conda():
    recipe = rattler_build.Stage0Recipe.from_file(HERE / "conda" / "recipe.yaml")
    pythons = ["3.10.*", "3.11.*", "3.12.*", "3.13.*"]
    variants = rattler_build.VariantConfig({"python": pythons, "c_compiler": ["gcc"], "cxx_compiler": ["gxx"],
                                            "c_stdlib": ["sysroot"]})
    linux = rattler_build.RenderConfig(platform=rattler_build.PlatformConfig(target_platform="linux-64"))
    rendered = recipe.render(variants, linux)
    assert len(rendered) == len(pythons), rendered
    print(f"conda: {len(rendered)} variants")


def spack(packages):
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(HERE / "spack" / "package.py", scratch)
        shutil.copy(packages / "pyproject.toml", scratch)
        for command in (["check", "--no-fix"], ["format", "--diff"]):
            subprocess.run([sys.executable, "-m", "ruff", *command, "package.py"], cwd=scratch, check=True)
    known = packages / "repos" / "spack_repo" / "builtin" / "packages"
    virtual = set(re.findall(r'provides\("([\w-]+)', "".join(file.read_text() for file in known.glob("*/package.py"))))
    needed = re.findall(r'depends_on\("([\w-]+)', (HERE / "spack" / "package.py").read_text())
    missing = [name for name in needed if name not in virtual and not (known / name.replace("-", "_")).is_dir()]
    assert len(needed) > 10 and not missing, missing
    print(f"Spack: {len(needed)} packages that it has")


if __name__ == "__main__":
    conda()
    spack(Path(sys.argv[1]))
