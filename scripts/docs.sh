#!/usr/bin/env bash
# Builds the documentation site into build/docs/html: docs/ as it stands, the reference from the tables of the program and
# the docstrings of the package, a page of each certified problem, the notebooks executed; a warning is an error. Needs a
# build with the package for Python: scripts/test.sh makes one. LIVENS_PACKAGE names its folder where that is not
# build/release/python.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_missing python3-venv
export PYTHONPATH=${LIVENS_PACKAGE:-$PWD/build/release/python}
python=build/docs/environment/bin/python
[ -x "$python" ] || /usr/bin/python3 -m venv build/docs/environment
"$python" - > build/docs/environment/requirements.txt <<'EOF'
import tomllib
with open("python/pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
print(*project["dependencies"], *project["optional-dependencies"]["test"], sep="\n")
EOF
"$python" -m pip install --quiet --disable-pip-version-check \
  -r build/docs/environment/requirements.txt -r docs/site/requirements.txt

rm -rf build/docs/source
cp -r docs build/docs/source
"$python" docs/site/reference_pages.py build/docs/source
"$python" docs/site/thumbnails.py build/docs/source
"$python" docs/site/problem_pages.py build/docs/source
"$python" scripts/work_precision.py --pictures build/docs/source
"$python" -m sphinx -W --keep-going -q -b html -c docs/site build/docs/source build/docs/html
"$python" docs/site/search_check.py build/docs/html
echo "build/docs/html/index.html"
