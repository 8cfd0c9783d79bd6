#!/bin/sh
# run.sh HOW PROGRAMS SPEC DIGESTS SCRATCH: livens run on the device.
#   whole    in many chunks: the datasets are those of the digests
#   resumed  killed after a checkpoint, and taken up again: the same datasets
set -u
how=$1 livens=$2/livens programs=$2 spec=$3 digests=$4 scratch=$5
result=$scratch/$(basename "$spec" .toml).h5
log=$scratch/log
rm -rf "$result" "$result.checkpoint"
[ -x "$livens" ] || { echo "there is no livens in $programs"; exit 77; }

# A status of livens that has nothing to do with what is computed.
give_up_without_device() {
  if grep -q -e 'no NVIDIA driver' -e 'no device' -e 'built without CUDA' "$log"; then
    echo "could not run: $(tail -n 1 "$log")"
    exit 77
  fi
}
set -- run "$spec" --quiet --backend cuda -o "$result"

case $how in
  whole) "$livens" "$@" --memory 1e-3 >"$log" 2>&1 ;;
  resumed)
    "$livens" "$@" --memory 1e-3 >"$log" 2>&1 &
    process=$!
    # As soon as there is something to go on from; a quiet run that says something has failed.
    while [ ! -e "$result.checkpoint/standing" ] && [ ! -e "$result" ] && [ ! -s "$log" ]; do sleep 0.01; done
    kill -KILL $process 2>/dev/null
    wait $process 2>/dev/null
    give_up_without_device
    if [ ! -e "$result.checkpoint/standing" ]; then
      echo "could not run: the run was over before it could be killed"
      exit 77
    fi
    "$livens" "$@" --memory 1e-3 --resume >"$log" 2>&1
    ;;
esac
status=$?
cat "$log"
if [ $status -ne 0 ]; then
  give_up_without_device
  echo "FAIL livens run ended with $status"
  exit 1
fi
"$programs/dataset_digests" "$result" "$digests"
