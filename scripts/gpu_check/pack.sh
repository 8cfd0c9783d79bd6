#!/bin/sh
# The part of gpu_check.sh that needs no GPU; called by it with --collect DIR or --pack FILE, [BUILD [KIND [SYSTEM]]].
# DIR/programs; DIR/lib, where they look for libraries: those they need beside the C library's; DIR/expected: digests of
# states and of whole runs, so that no processor has to integrate anything beside the GPU.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${3:-$root/build/gpu} kind=${4:-cuda} only=${5:-}

take() {  # NAME OF_THE_BUILD
  if [ ! -x "$build/$2" ]; then
    echo "gpu_check: there is no $2 in $build; its part of the check will not run"
    return
  fi
  cp "$build/$2" "$dir/programs/$1"
  strip "$dir/programs/$1"
}

# All but the C library itself, which belongs to the machine, as does the driver.
take_libraries() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' |
    while read -r library; do cp -L "$library" "$dir/lib/"; done
}

collect() {
  dir=$1
  for tool in digests ${kind}_selftest dataset_digests; do
    [ -x "$build/$tool" ] || { echo "gpu_check: $build/$tool is not there; build it first" >&2; exit 2; }
  done
  rm -rf "$dir/programs" "$dir/lib" "$dir/expected"
  mkdir -p "$dir/programs" "$dir/lib" "$dir/expected/runs"
  take cuda_selftest ${kind}_selftest
  take livens ${kind}_livens
  take dataset_digests dataset_digests
  [ $kind != cuda ] || for program in lockstep sparse_lockstep; do take $program $program; done
  for program in ${kind}_livens dataset_digests; do
    [ ! -x "$build/$program" ] || take_libraries "$build/$program"
  done
  # Libraries of Open MPI look for theirs at one place alone, unless the loader is told another.
  if [ -x "$dir/programs/livens" ]; then
    mv "$dir/programs/livens" "$dir/programs/livens.program"
    printf '%s\n' '#!/bin/sh' 'here=$(cd "$(dirname "$0")" && pwd)' \
      'LD_LIBRARY_PATH=$here/../lib exec "$here/livens.program" "$@"' >"$dir/programs/livens"
    chmod +x "$dir/programs/livens"
  fi
  cp "$root/tests/digests.json" "$dir/expected/small.json"
  # An imitated GPU is a processor: the short runs are enough for it.
  [ $kind != cuda ] || "$build/digests" --write-large "$dir/expected/large.json" ${only:+"$only"}
  [ -x "$build/${kind}_livens" ] || return 0
  for spec in "$root"/tests/cuda/runs/*.toml; do
    run=$(basename "$spec" .toml)
    system=$(sed -n '/^\[system\]/,/^\[scheme\]/s/^name = "\(.*\)"/\1/p' "$spec")
    "$build/${kind}_livens" list | grep -w "$system" >/dev/null || continue
    "$build/${kind}_livens" run "$spec" --quiet --backend cpu -o "$dir/expected/runs/$run.h5"
    "$build/dataset_digests" --write "$dir/expected/runs/$run.h5" "$dir/expected/runs/$run.json"
    rm "$dir/expected/runs/$run.h5"
    cp "$spec" "$dir/expected/runs/"
  done
}

sources() {
  mkdir -p "$1/tests" "$1/scripts" "$1/bench" "$1/include"
  cp -r "$root/kernels" "$root/cmake" "$1/"
  cp -r "$root/bench/lockstep" "$1/bench/"
  cp -r "$root/tests/cuda" "$root/tests/digests" "$root/tests/digests.json" "$1/tests/"
  cp -r "$root/scripts/gpu_check" "$root/scripts/gpu_check.sh" "$1/scripts/"
  # The random numbers are a library of headers.
  random=$(echo '#include <Random123/philox.h>' | c++ -M -x c++ - | tr ' ' '\n' | grep -m 1 'Random123/philox.h$')
  cp -r "$(dirname "$random")" "$1/include/"
  git -C "$root" describe --always --dirty --abbrev=40 >"$1/COMMIT"
}

case $1 in
  --collect) collect "$2" ;;
  --pack)
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir "$tree/livens"
    collect "$tree/livens"
    sources "$tree/livens"
    tar -C "$tree" -cf - livens | gzip -6 >"$2"
    echo "$2: $(wc -c <"$2") bytes"
    ;;
esac
