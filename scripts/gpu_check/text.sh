#!/bin/sh
# text.sh PROGRAMS STUDY SCRATCH: a system as text, compiled by NVRTC for the device and by a C++ compiler for the
# processor: the datasets are the same. Exit status 77 where one of the compilers is missing.
set -u
livens=$1/livens digests=$1/dataset_digests study=$2 scratch=$3
[ -x "$livens" ] || { echo "could not run: there is no livens in $1"; exit 77; }
command -v g++ >/dev/null || { echo "could not run: no g++"; exit 77; }
# The compiler is not to take the libraries that livens brings along.
export LIVENS_CACHE="$scratch/cache" CXX="env -u LD_LIBRARY_PATH g++"
for backend in cpu cuda; do
  if ! "$livens" run "$study" --force --backend $backend -o "$scratch/$backend.h5" >"$scratch/log" 2>&1; then
    cat "$scratch/log"
    if grep -q -e 'no NVIDIA driver' -e 'no device' -e 'built without CUDA' -e 'no compiler' "$scratch/log"; then
      echo "could not run: $(tail -n 1 "$scratch/log")"
      exit 77
    fi
    echo "FAIL livens run --backend $backend"
    exit 1
  fi
  cat "$scratch/log"
done
"$digests" --write "$scratch/cpu.h5" "$scratch/text.json" && "$digests" "$scratch/cuda.h5" "$scratch/text.json"
