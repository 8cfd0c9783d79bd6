#!/usr/bin/env bash
# stages.sh ROOT BUILD WORK: the stages of gpu_check.sh on an imitated GPU, and what they say when something is wrong,
# late, missing, or when nothing is compared.
set -euo pipefail
root=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
export GPU_CHECK_WORK=$work/scratch SIZES=64 MANY=1000000
unset OUT STAGE_SECONDS
check="sh $root/scripts/gpu_check.sh"
$check --collect "$work/collected" "$build" imitation

# expect STATUS FOLDER ARGUMENTS...
expect() {
  local expected=$1 status=0
  $check -o "$work/$2" "${@:3}" || status=$?
  [ $status -eq "$expected" ] || { echo "FAIL gpu_check.sh ${*:3}: exit status $status, not $expected"; exit 1; }
}
# in_report FILE EXPRESSION: of the report r and the verdicts v of its parts.
in_report() {
  python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
v = {part["part"]: part["verdict"] for part in r["parts"]}
if not eval("(" + sys.argv[2] + ")"):
    sys.exit(f"FAIL {sys.argv[1]}: not {sys.argv[2]}: {r}")' "$work/$1" "$2"
}
good="--from $work/collected"

# There are no tools for a device here.
expect 77 good $good probe
in_report good/probe.json 'v["devices"] == v["comparison"] == v["livens"] == "passed" and len(r["devices"]) == 2'
expect 0 good $good correctness
in_report good/correctness.json 'r["status"] == "passed" and "little_memory" in v and
  any("resumed" in name for name in v)'
# A part again, and the others stay.
expect 0 good $good correctness:digests
in_report good/correctness.json 'len(v) > 3 and r["status"] == "passed"'

expect 0 good $good variants
in_report good/variants.json 'v["compare_again"] == "passed" and {row["variant"] for row in r["again"]} == {"", "again"}'
# Nothing to compare with: no cuBLAS.
expect 77 good $good timings
in_report good/timings.json 'v["steps"] == "passed" and v["lockstep"] == "could not run" and
  all(row["steps_per_second"] > 0 and row["sample_seconds"] > 0 for row in r["steps"]) and r["steps"]'
[ "$(find "$work/good" -type f | wc -l)" -le 8 ]
tar -tzf "$work/good/logs.tar.gz" | grep '^logs/correctness/digests.log$'

# The last digits of digests, but of one run.
cp -r "$work/collected" "$work/tampered"
sed -i 's/....",\?$/0000",/' "$work"/tampered/expected/{small,runs/four_particle}.json
GPU_CHECK_WORK=$work/tampered_scratch expect 1 wrong --from "$work/tampered" \
  correctness:{digests,run_four_particle_{whole,resumed},run_foucault_pendulum_whole}
in_report wrong/correctness.json 'r["status"] == v["digests"] == "wrong" and len(v) == 4 and
  v["run_four_particle_whole"] == v["run_four_particle_resumed"] == "wrong" and
  v["run_foucault_pendulum_whole"] == "passed"'

STAGE_SECONDS=0 expect 124 late $good correctness
in_report late/correctness.json 'set(v.values()) == {"not done in time"}'

mkdir -p "$work/empty/programs"
expect 77 missing --from "$work/empty" timings
cat >"$work/empty/programs/cuda_selftest" <<'PROGRAM'
#!/bin/sh
exit 3
PROGRAM
chmod +x "$work/empty/programs/cuda_selftest"
expect 3 nothing --from "$work/empty" variants
in_report nothing/variants.json 'r["status"] == "nothing compared"'

# Stopped half-way: what was done is there.
printf '#!/bin/sh\ncase $1 in --records) exec sleep 5 ;; esac\nexit 0\n' >"$work/empty/programs/cuda_selftest"
setsid $check -o "$work/stopped" --from "$work/empty" correctness &
for _ in $(seq 200); do
  grep -q digests "$work/stopped/correctness.json" 2>/dev/null && break
  sleep 0.05
done
kill -KILL -- -$!  # the stage is a process of the same group
wait $! 2>/dev/null || true
in_report stopped/correctness.json 'r["status"] == "not done in time" and v == {"digests": "passed"}'
echo "all as expected"
