#!/bin/sh
# same_run.sh LIVENS DIGESTS FOLDER SPEC OPTIONS...: every dataset of a run on the device that executes PTX is that of
# the processor.
set -eu
livens=$1 digests=$2 folder=$3 spec=$4
shift 4
mkdir -p "$folder"
for backend in cpu cuda; do
  "$livens" run "$spec" --quiet --force --backend $backend -o "$folder/$backend.h5" "$@"
done
"$digests" --write "$folder/cpu.h5" "$folder/cpu.json"
"$digests" "$folder/cuda.h5" "$folder/cpu.json"
