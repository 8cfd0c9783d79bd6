#!/usr/bin/env bash
#SBATCH --job-name=livens
#SBATCH --output=livens-%A-%a.log
#SBATCH --signal=B:TERM@120
# One shard of a spec for every task of a job array, each with the checkpoint of its last attempt:
#   sbatch --array=0-6 slurm_array.sh SPEC.toml [options of livens run]
#   livens merge NAME.*-of-7.h5 -o NAME.h5        once all have ended
# Two minutes before its time is up a task writes a checkpoint and asks to be queued again. LIVENS names the program where
# it is not on the PATH.
set -uo pipefail
"${LIVENS:-livens}" run "$@" --resume --progress none &
run=$!
trap 'kill -TERM "$run"' TERM
wait "$run"
status=$?
# A trapped signal ends the first wait; the program is still writing its checkpoint then.
if [ "$status" -gt 128 ] && kill -0 "$run" 2>/dev/null; then
  wait "$run"
  status=$?
fi
if [ "$status" -eq 130 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}_${SLURM_ARRAY_TASK_ID:-0}"
fi
exit "$status"
