#!/usr/bin/env bash
# A wheel, built and installed into an empty virtual environment, passes its tests there without the checkout.
#   bash python/tests/wheel.sh                          all systems; or, as everywhere, fewer of them:
#   bash python/tests/wheel.sh "--config-settings=cmake.define.LIVENS_SYSTEMS=four_particle;unit_circle"
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
/usr/bin/python3 -m venv "$scratch/venv"
pip="$scratch/venv/bin/python -m pip --quiet --disable-pip-version-check"
$pip wheel --no-deps -w "$scratch" "$@" ./python
$pip install "$(echo "$scratch"/livens-*.whl)[test]"
cp -r python/tests "$scratch/tests"
cd "$scratch"
LIVENS_CACHE="$scratch/cache" venv/bin/python -m pytest -q -p no:cacheprovider tests
