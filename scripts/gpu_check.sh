#!/bin/sh
# Fifteen minutes on a machine with a GPU, in two calls: what is compared first, and what is measured. A call leaves
# STAGE.json, and its logs in logs.tar.gz, in the output folder after every part, so that one which is stopped half-way
# leaves what it has. docs/gpu.md says what each part does and how its results are kept.
#
#   scripts/gpu_check.sh [-o OUT] [--from DIR] STAGE...
#       first (330 s), second (440 s); STAGE:PART takes up one part of a stage again
#   scripts/gpu_check.sh --collect DIR [BUILD [KIND]]
#       programs of a build, and what they have to come to, into DIR
#   scripts/gpu_check.sh --pack FILE.tar.gz [BUILD [KIND]]
#       the same as one archive: unpack it there, and run livens/scripts/gpu_check.sh
#
# OUT is by default $OUT, else build/gpu_check; DIR what stands beside scripts/ in an archive, else build/gpu_check;
# BUILD build/release; KIND cuda, or imitation: a GPU made of host memory.
#
# Exit status, the worst of the parts: 0 all was done and nothing is wrong, 1 something is wrong, 124 something was not
# done in time, 77 something could not run, 3 nothing was compared; 2 wrong usage.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
here=$root/scripts/gpu_check
out=${OUT:-$root/build/gpu_check}
from=$root
[ -d "$from/programs" ] || from=$root/build/gpu_check

usage() {
  sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2
  echo "gpu_check: $1" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    -o | --from)
      [ $# -ge 2 ] || usage "$1: a folder is missing behind it"
      if [ "$1" = -o ]; then out=$2; else from=$2; fi
      shift 2
      ;;
    --collect | --pack)
      [ $# -ge 2 ] || usage "$1: a name is missing behind it"
      exec sh "$here/pack.sh" "$@"
      ;;
    -*) usage "no option $1" ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || usage "which stage?"
for word in "$@"; do
  case ${word%%:*} in
    first | second) ;;
    *) usage "no stage $word" ;;
  esac
done

mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
[ ! -d "$from" ] || from=$(cd "$from" && pwd)
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
. "$here/report.sh"
worst=0
for word in "$@"; do
  # A stage changes variables and functions of its own.
  (
    stage=${word%%:*} only_part=${word#"${word%%:*}"}
    only_part=${only_part#:}
    . "$here/$stage.sh"
    end_stage
  )
  worst=$(worse $? "$worst")
done
exit "$worst"
