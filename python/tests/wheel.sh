#!/usr/bin/env bash
# python/tests/wheel.sh WHEEL [PYTHON...]: the wheel, installed into an empty virtual environment of each Python (default:
# every CPython from 3.10 on in PATH), passes its tests there without the checkout. python/wheel.sh builds one.
set -euo pipefail
wheel=$(realpath "$1")
shift
tests=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ $# -eq 0 ]; then
  for python in $(compgen -c python3. | grep -E '^python3\.[1-9][0-9]+$' | sort -uV); do
    if "$python" --version >/dev/null 2>&1; then set -- "$@" "$python"; fi
  done
fi
cp -r "$tests" "$scratch/tests"
cd "$scratch"
for python in "$@"; do
  begin=$SECONDS
  "$python" -m venv --clear venv
  venv/bin/python -m pip install --quiet --disable-pip-version-check "$wheel[test]"
  LIVENS_CACHE="$scratch/cache" venv/bin/python -m pytest -q -p no:cacheprovider tests
  echo "$("$python" --version): $((SECONDS - begin)) s"
done
