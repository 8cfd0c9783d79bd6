#!/usr/bin/env bash
# first_day.sh BUILD SOURCE WORK PYTHON: a wheel of the module that the build has, installed into an empty environment, passes
# its tests there and walks a user's first day, with fewer instances. Nothing of the checkout is seen but these two.
set -euo pipefail
build=$1 source=$2 work=$3 python=$4
rm -rf "$work"
mkdir -p "$work"
PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip wheel --quiet --no-deps --no-build-isolation -w "$work" "$source/python" \
  --config-settings=build-dir="$work/build" --config-settings=cmake.source-dir="$source/tests/package/wheel" \
  --config-settings=cmake.define.LIVENS_BUILD="$build" --config-settings=build.targets=all --config-settings=wheel.py-api=
"$python" -m venv "$work/environment"
environment=$work/environment/bin/python
"$environment" -m pip install --quiet --disable-pip-version-check pytest sympy "$(echo "$work"/livens-*.whl)[plot,uq]"
cp "$source/examples/first_day.py" "$source/python/tests/test_package.py" "$source/python/tests/conftest.py" "$work"
cd "$work"
unset PYTHONPATH
export LIVENS_CACHE=$work/cache
"$environment" -m pytest -q -p no:cacheprovider -k "wheel or first_use" test_package.py
"$environment" first_day.py --size 256
grep -q "^headers = ['\"]$work/environment/" cache/*/about.toml
