#!/usr/bin/env bash
# pack.sh ROOT BUILD WORK: the archive for a machine with a GPU is small enough, and its programs run in an empty root,
# where there is nothing but the C library: those of a GPU start and find no device, those of an imitated one pass.
set -euo pipefail
root=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
largest=40000000

loader=/lib64/ld-linux-x86-64.so.2
if [ ! -e $loader ]; then
  echo "skipped: the archive is for x86-64"
  exit 77
fi
empty_root() {  # FOLDER
  mkdir -p "$1/lib64" "$1/lib" "$1/tmp"
  cp -L $loader "$1/lib64/"
  # The libraries that glibc itself consists of.
  local library
  for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2; do
    cp -L "$(ldconfig -p | awk -v name=$library '$1 == name && /x86-64/ {print $NF; exit}')" "$1/lib/"
  done
}

# The folder beside which programs look for libraries; the loader takes it from /proc otherwise, which is not there.
export LD_ORIGIN_PATH=/livens/programs

empty_root "$work/imitation"
sh "$root/scripts/gpu_check.sh" --collect "$work/imitation/livens" "$build" imitation
if ! chroot "$work/imitation" $loader --version >/dev/null; then
  echo "skipped: chroot is not permitted here"
  exit 77
fi
chroot "$work/imitation" /livens/programs/cuda_selftest --small --expected /livens/expected/small.json | tail -n 1
LD_LIBRARY_PATH=/livens/lib chroot "$work/imitation" /livens/programs/livens.program list >/dev/null
# Where livens looks for the headers of what it compiles on first use.
[ -f "$work/imitation/livens/include/livens/kernels/description/plugin.hpp" ]

[ -x "$build/cuda_selftest" ] || exit 0
sh "$root/scripts/gpu_check.sh" --pack "$work/cuda.tar.gz" "$build"
[ "$(wc -c <"$work/cuda.tar.gz")" -le $largest ]
empty_root "$work/cuda"
tar -C "$work/cuda" -xzf "$work/cuda.tar.gz"
status=0
chroot "$work/cuda" /livens/programs/cuda_selftest --small --expected /livens/expected/small.json || status=$?
[ $status -eq 77 ] || [ $status -eq 0 ]
LD_LIBRARY_PATH=/livens/lib chroot "$work/cuda" /livens/programs/livens.program list >/dev/null
