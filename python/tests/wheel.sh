#!/usr/bin/env bash
# python/tests/wheel.sh WHEEL: the wheel, installed into an empty virtual environment, passes its tests there without the
# checkout. python/wheel.sh builds one.
set -euo pipefail
wheel=$(realpath "$1")
tests=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
/usr/bin/python3 -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel[test]"
cp -r "$tests" "$scratch/tests"
cd "$scratch"
LIVENS_CACHE="$scratch/cache" venv/bin/python -m pytest -q -p no:cacheprovider tests
