#!/bin/sh
# The part of gpu_check.sh that needs no GPU; called by it with --collect DIR or --pack FILE, [BUILD [KIND]]. DIR is
# laid out like an installation, so that livens finds its headers:
#   programs, stripped and without PTX; lib, where they look for libraries: those they need beside the C library's;
#   include/livens, for what is compiled on first use; expected: digests of states and of whole runs, so that no processor
#   has to integrate anything beside the GPU; text: a system as text
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${3:-$root/build/release} kind=${4:-cuda}
selftest=${kind}_selftest livens=${kind}_livens

take() {  # NAME OF_THE_BUILD
  if [ ! -x "$build/$2" ]; then
    echo "gpu_check: there is no $2 in $build; its part of the check will not run"
    return
  fi
  cp "$build/$2" "$dir/programs/$1"
  strip "$dir/programs/$1"
  python3 "$root/scripts/gpu_check/without_ptx.py" "$dir/programs/$1"
}

# All but the C library itself, which belongs to the machine, as does the driver.
take_libraries() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' |
    while read -r library; do cp -L "$library" "$dir/lib/"; done
}

# What a run has to come to, kept in the build: any of its programs computes the same, and the one with wide registers, where
# it is built, is the fastest.
expected_of() {  # SPEC
  runner=$build/livens
  [ -x "$runner" ] || runner=$build/$livens
  kept=$build/gpu_expected/$(basename "$1" .toml)
  if [ -z "$(find "$kept.json" -newer "$runner" -newer "$1" 2>/dev/null)" ]; then
    mkdir -p "$build/gpu_expected"
    "$runner" run "$1" --quiet --force --backend cpu -o "$kept.$$.h5"
    "$build/dataset_digests" --write "$kept.$$.h5" "$kept.$$.json"
    rm "$kept.$$.h5"
    mv "$kept.$$.json" "$kept.json"
  fi
  cp "$kept.json" "$1" "$dir/expected/runs/"
}

collect() {
  dir=$1
  for tool in $selftest $livens dataset_digests; do
    [ -x "$build/$tool" ] || { echo "gpu_check: $build/$tool is not there; build it first" >&2; exit 2; }
  done
  for folder in programs lib include expected text; do rm -rf "${dir:?}/$folder"; done
  mkdir -p "$dir/programs" "$dir/lib" "$dir/include/livens/expressions" "$dir/expected/runs" "$dir/text"
  take cuda_selftest $selftest
  take livens.program $livens
  take dataset_digests dataset_digests
  [ $kind != cuda ] || take lockstep lockstep
  for program in $livens dataset_digests; do take_libraries "$build/$program"; done
  # Libraries of Open MPI look for theirs at one place alone, unless the loader is told another.
  printf '%s\n' '#!/bin/sh' 'here=$(cd "$(dirname "$0")" && pwd)' \
    'LD_LIBRARY_PATH=$here/../lib exec "$here/livens.program" "$@"' >"$dir/programs/livens"
  chmod +x "$dir/programs/livens"
  cp -r "$root/kernels" "$root/taylor" "$dir/include/livens/"
  cp "$root/expressions/operation.hpp" "$dir/include/livens/expressions/"
  cp "$root/tests/digests.json" "$dir/expected/small.json"
  cp "$root"/examples/systems/*.toml "$root"/tests/cuda/texts/*.toml "$dir/text/"
  for spec in "$root"/tests/cuda/runs/*.toml; do
    system=$(sed -n '/^\[system\]/,/^\[scheme\]/s/^name = "\(.*\)"/\1/p' "$spec")
    "$build/$livens" list | grep -w "$system" >/dev/null || continue
    expected_of "$spec"
  done
}

case $1 in
  --collect) collect "$2" ;;
  --pack)
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/livens/scripts" "$tree/livens/bench"
    collect "$tree/livens"
    cp -r "$root/scripts/gpu_check" "$root/scripts/gpu_check.sh" "$tree/livens/scripts/"
    cp -r "$root/bench/peers" "$tree/livens/bench/"
    git -C "$root" describe --always --dirty --abbrev=40 >"$tree/livens/COMMIT"
    tar -C "$tree" -cf - livens | gzip -6 >"$2"
    echo "$2: $(wc -c <"$2") bytes"
    ;;
esac
