#!/bin/bash
# Small changes cost small changes: applies every patch of this folder, one at a time, to a copy of the last commit,
# counts the files that it touches beside tests/, then builds and tests it. Fails where a patch no longer applies,
# touches more files than it says, or does not pass.
#
#   tests/exercises/run.sh [--count] [NAME.patch ...]     --count: neither builds nor tests
#
# A patch begins with these lines, the last three once or more:
#   # at most N files beside tests
#   # configure -DLIVENS_SYSTEMS=NAME      further options of the dev build
#   # build TARGET ...
#   # run COMMAND ...                      in the build folder
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$here" rev-parse --show-toplevel)

build=yes
if [ "${1:-}" = --count ]; then build=no; shift; fi
patches=("$@")
[ ${#patches[@]} -gt 0 ] || patches=("$here"/*.patch)

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

lines_of() { sed -n "s/^# $2 //p" "$1"; }  # what follows a word in the head of a patch

try() {
  local patch=$1 name most touched
  name=$(basename "$patch" .patch)
  most=$(sed -n 's/^# at most \([0-9]*\) files\{0,1\} beside tests$/\1/p' "$patch")
  [ -n "$most" ] || { echo "$name: does not say '# at most N files beside tests'" >&2; return 1; }
  touched=$(cd "$copy" && git apply --numstat "$patch" | cut -f3 | grep -vc '^tests/' || true)
  echo "$name: $touched files beside tests, at most $most"
  [ "$touched" -le "$most" ] || return 1
  (cd "$copy" && git apply "$patch") || return 1
  [ $build = yes ] || return 0
  # One folder for all patches: what a patch does not touch is not compiled again.
  local options
  mapfile -t options < <(lines_of "$patch" configure | xargs -n1)
  cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
    -DLIVENS_ISA=native -DLIVENS_CUDA=OFF \
    -DLIVENS_LOWER_PRECISION=OFF -DLIVENS_FAST_BUILD=ON "${options[@]}" > "$copy/log" || { cat "$copy/log" >&2; return 1; }
  # shellcheck disable=SC2046  # targets are words
  ninja -C "$copy/build" $(lines_of "$patch" build) > "$copy/log" || { tail -n 40 "$copy/log" >&2; return 1; }
  lines_of "$patch" run | while read -r command; do
    (cd "$copy/build" && bash -c "$command") > "$copy/log" 2>&1 || { tail -n 40 "$copy/log" >&2; return 1; }
    echo "$name: $command passed"
  done
}

git -C "$root" archive HEAD | tar -x -C "$copy"
failed=0
for patch in "${patches[@]}"; do
  patch=$(realpath "$patch")
  try "$patch" || { echo "$(basename "$patch"): failed" >&2; failed=1; }
  (cd "$copy" && git apply --reverse "$patch" 2> /dev/null) || true  # where it was applied at all
done
exit $failed
