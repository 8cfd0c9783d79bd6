#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the demo's job and all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_missing $build_packages $test_packages
. scripts/python_environment.sh
cmake --preset release -DLIVENS_PYTHON=ON -DPython_EXECUTABLE="$environment_python"
cmake --build --preset release
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build/release/livens run studies/four_particle.toml -o "$scratch/four_particle.h5"
ctest --preset release -j "$(($(nproc) + 1))"  # some wait for more than they compute
