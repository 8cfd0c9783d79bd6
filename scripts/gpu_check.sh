#!/bin/sh
# Everything worth running on a GPU, on a machine with nothing but nvcc, cmake, a C++ compiler and a driver:
# builds the self-test (CUDA against the CPU, to the bit), runs it, compares with tests/digests.json, runs a small part of
# it under compute-sanitizer, times every pair, compares steps and projections with cuBLAS in lockstep (bench/lockstep),
# looks at three kernels with ncu where that may be, and writes what it found as JSON.
#
#   scripts/gpu_check.sh [RESULT.json]         default: $OUT/gpu_check.json, without OUT build/gpu_check.json
#   scripts/gpu_check.sh --pack FILE.tar.gz    packs what such a machine needs: unpack there, and run this script
#
# BUILD_DIR (default build/gpu_check), CUDA_ARCHITECTURES (default: that of the device), SYSTEMS (default all), JOBS may be
# set. Exit status: 0 all equal, 1 something differed or failed, 2 it could not be built, 77 no device.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
if [ "${1:-}" = --pack ]; then
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  mkdir -p "$tree/livens/tests" "$tree/livens/scripts"
  cp -r "$root/kernels" "$root/cmake" "$tree/livens/"
  mkdir "$tree/livens/bench" && cp -r "$root/bench/lockstep" "$tree/livens/bench/"
  cp -r "$root/tests/cuda" "$root/tests/digests" "$root/tests/digests.json" "$tree/livens/tests/"
  # The random numbers are a library of headers.
  random=$(echo '#include <Random123/philox.h>' | c++ -M -x c++ - | tr ' ' '\n' | grep -m 1 'Random123/philox.h$') || exit 2
  mkdir "$tree/livens/include" && cp -r "$(dirname "$random")" "$tree/livens/include/"
  cp -r "$root/scripts/gpu_check.sh" "$root/scripts/cuda_resources.py" "$root/scripts/cuda_model" "$tree/livens/scripts/"
  git -C "$root" describe --always --dirty --abbrev=40 >"$tree/livens/COMMIT" || exit 2
  tar -C "$tree" -czf "$2" livens || exit 2
  echo "$2: $(wc -c <"$2") bytes"
  exit 0
fi
build=${BUILD_DIR:-$root/build/gpu_check}
result=${1:-${OUT:-$root/build}/gpu_check.json}
mkdir -p "$build" "$(dirname "$result")" || exit 2
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin

# A JSON string of one line of text.
quote() { printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }

commit=$(cat "$root/COMMIT" 2>/dev/null || git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)
# One line a device; the first is the one that is used.
query() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
device=$(query name)
driver=$(query driver_version)
capability=$(query compute_cap | tr -d '.')
compiler=$(nvcc --version 2>/dev/null | grep release | sed 's/.*release //')
host_compiler=$(c++ --version 2>/dev/null | head -n 1)

echo "building in $build"
if ! { cmake -S "$root/tests/cuda" -B "$build" -DCMAKE_BUILD_TYPE=Release \
         -DLIVENS_CUDA_ARCHITECTURES="${CUDA_ARCHITECTURES:-${capability:-90}}" \
         -DLIVENS_SYSTEMS="${SYSTEMS:-all}" &&
       cmake --build "$build" --parallel "${JOBS:-$(nproc)}"; } >"$build/build.log" 2>&1; then
  tail -n 40 "$build/build.log"
  echo "gpu_check: the self-test could not be built, see $build/build.log"
  exit 2
fi

"$build/cuda_selftest" >"$build/selftest.log" 2>&1
selftest=$?
cat "$build/selftest.log"
"$build/cuda_selftest" --small "$root/tests/digests.json" >"$build/digests.log" 2>&1
digests=$?
tail -n 1 "$build/digests.log"

sanitizer="not available"
if [ $selftest -ne 77 ] && command -v compute-sanitizer >/dev/null 2>&1; then
  compute-sanitizer --tool memcheck --error-exitcode 99 "$build/cuda_selftest" --small >"$build/memcheck.log" 2>&1
  case $? in
    0) sanitizer="0 errors" ;;
    99) sanitizer="errors" ;;
    # Where it may not attach to the device (containers, some virtual machines) it says so and stops.
    *) sanitizer="could not run: $(grep -m 1 -i -e error -e 'not supported' "$build/memcheck.log")" ;;
  esac
fi
echo "compute-sanitizer memcheck: $sanitizer"
# Threads meet in shared memory where statistics are made, and where a warp eliminates a matrix.
races="not available"
if [ "$sanitizer" = "0 errors" ]; then
  races=
  for part in --records --small; do
    timeout 90 compute-sanitizer --tool racecheck --error-exitcode 99 "$build/cuda_selftest" $part \
      >"$build/racecheck$part.log" 2>&1
    case $? in
      0) found="0 errors" ;;
      99) found="errors" ;;
      124) found="not done in 90 s" ;;
      *) found="could not run" ;;
    esac
    races="$races${races:+, }$part: $found"
  done
fi
echo "compute-sanitizer racecheck: $races"

timing=null
if [ $selftest -ne 77 ]; then
  "$build/cuda_selftest" --time "$build/timing.json" && timing=$(cat "$build/timing.json")
  [ "$timing" = null ] || printf '%s\n' "$timing"
fi
lockstep=null
lockstep_status=77
if [ $selftest -ne 77 ] && [ -x "$build/lockstep/lockstep" ]; then
  timeout 120 "$build/lockstep/lockstep" "$build/lockstep.json" >"$build/lockstep.log" 2>&1
  lockstep_status=$?
  if [ $lockstep_status -eq 0 ]; then
    lockstep=$(cat "$build/lockstep.json")
  else
    lockstep=$(quote "$(tail -n 1 "$build/lockstep.log")")
  fi
  cat "$build/lockstep.log"
fi

# The kernel that takes the time, by ncu: its metrics, or why there are none.
profile() {
  metrics=sm__throughput.avg.pct_of_peak_sustained_elapsed
  metrics=$metrics,gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed
  metrics=$metrics,sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
  metrics=$metrics,sm__warps_active.avg.pct_of_peak_sustained_active,launch__registers_per_thread
  log=$build/ncu_$1.csv
  if timeout 60 ncu --csv --page raw --metrics "$metrics" --kernel-name advance --launch-skip 1 --launch-count 1 \
      "$build/cuda_selftest" --advance "$1" "$2" >"$log" 2>&1 && grep -q '^"0"' "$log"; then
    # A line of names, one of units, one of values; the five metrics stand last.
    quote "$(awk -F '","' '/^"ID"/ || /^"0"/ { for (i = NF - 4; i <= NF; ++i) printf "%s ", $i }' "$log" | tr -d '"')"
  else
    quote "could not run: $(grep -m 1 -e ERR -e '==ERROR==' -e rror "$log")"
  fi
}
ncu='"not available"'
if [ $selftest -ne 77 ] && command -v ncu >/dev/null 2>&1; then
  ncu=$(printf '{"four_particle": %s,\n  "double_spherical_pendulum": %s,\n  "foucault_pendulum": %s}' \
    "$(profile four_particle ems)" "$(profile double_spherical_pendulum del_nullspace)" \
    "$(profile foucault_pendulum contact_1)")
fi
printf 'ncu: %s\n' "$ncu"

resources=null
if command -v python3 >/dev/null 2>&1; then
  resources=$(python3 "$root/scripts/cuda_resources.py" "$build" --json 2>/dev/null) || resources=null
fi

{
  printf '{"commit": %s,\n "device": %s, "driver": %s,\n' "$(quote "$commit")" "$(quote "$device")" "$(quote "$driver")"
  printf ' "nvcc": %s, "host_compiler": %s,\n' "$(quote "$compiler")" "$(quote "$host_compiler")"
  printf ' "selftest": {"status": %d, "summary": %s, "lines": [' $selftest "$(quote "$(tail -n 1 "$build/selftest.log")")"
  separator=
  while IFS= read -r line; do
    printf '%s\n  %s' "$separator" "$(quote "$line")"
    separator=,
  done <"$build/selftest.log"
  printf ']},\n "digests": {"status": %d, "summary": %s},\n' $digests "$(quote "$(tail -n 1 "$build/digests.log")")"
  printf ' "memcheck": %s, "racecheck": %s,\n' "$(quote "$sanitizer")" "$(quote "$races")"
  printf ' "timing": %s,\n "lockstep": %s,\n "ncu": %s,\n "resources": %s}\n' "$timing" "$lockstep" "$ncu" "$resources"
} >"$result"
echo "written to $result"

[ $selftest -ne 0 ] && exit $selftest
[ $digests -ne 0 ] && exit 1
[ $lockstep_status -eq 1 ] && exit 1
[ "$sanitizer" = errors ] && exit 1
case $races in *": errors"*) exit 1 ;; esac
exit 0
