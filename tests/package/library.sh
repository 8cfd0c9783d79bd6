#!/usr/bin/env bash
# library.sh BUILD EXAMPLE WORK PYTHON: installs the build, builds the programs and the shared module of the example
# against what was installed, and runs them.
set -euo pipefail
build=$1 example=$2 work=$3 python=$4
rm -rf "$work"
cmake --install "$build" --prefix "$work/installed" >/dev/null
cmake -S "$example" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/installed"
cmake --build "$work/build"
cd "$work"

build/spread | tee spread.txt
grep -q 'final_q of 1000 points' spread.txt
[ "$(grep -c 'ok$' spread.txt)" -eq 11 ]  # 100 steps, a sample every 10
installed/bin/livens info spread.h5 >/dev/null

# A program that writes results links HDF5, one that only checks specs does not.
ldd build/spread | grep libhdf5 >/dev/null  # not -q, which may leave before ldd has written everything: a failure
if ldd build/check_spec | grep libhdf5; then
  echo "a program that only checks specs links HDF5" >&2
  exit 1
fi
printf '[system]\nname = "unit_circle"\n[scheme]\nstep = -1.0\n' >bad.toml
build/check_spec bad.toml 2>said.txt && exit 1 || [ $? -eq 2 ]
grep -qF 'bad.toml:4: scheme.step: -1 is out of range' said.txt

# The module from another language.
"$python" - build/libspread_module.so <<'PYTHON'
import ctypes
import sys

module = ctypes.CDLL(sys.argv[1])
q = (ctypes.c_double * 2000)()
assert module.spread(ctypes.c_int64(1000), ctypes.c_double(0.1), q) == 0
assert all(abs(q[2 * i] ** 2 + q[2 * i + 1] ** 2 - 1.0) < 1e-9 for i in range(1000)), "off the circle"
assert len(set(q)) > 1000, "all instances are the same"
PYTHON
