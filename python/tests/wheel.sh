#!/usr/bin/env bash
# python/tests/wheel.sh WHEEL [PYTHON...]: the wheel, installed into an empty virtual environment of each Python (default:
# that of Debian), passes its tests there without the checkout. python/wheel.sh builds one.
set -euo pipefail
wheel=$(realpath "$1")
shift
tests=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$tests" "$scratch/tests"
cd "$scratch"
for python in "${@:-/usr/bin/python3}"; do
  "$python" -m venv --clear venv
  venv/bin/python -m pip install --quiet --disable-pip-version-check "$wheel[test]"
  LIVENS_CACHE="$scratch/cache" venv/bin/python -m pytest -q -p no:cacheprovider tests
done
