#!/usr/bin/env bash
# stages.sh ROOT BUILD WORK: the two calls of gpu_check.sh on an imitated GPU, the first also on a device that executes PTX,
# and what they say when something is wrong, late, missing, or when nothing is compared.
set -euo pipefail
root=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
export SIZES=64 PEERS=64 TEXTS=driven_pivot TEXT_PAIRS=driven_pivot/ems
unset OUT STAGE_SECONDS
check="sh $root/scripts/gpu_check.sh"
$check --collect "$work/collected" "$build" imitation

# expect STATUS FOLDER ARGUMENTS...: what comes of it is in FOLDER, beside what was there.
expect() {
  local expected=$1 status=0
  GPU_CHECK_WORK=$work/scratch/$2 $check -o "$work/$2" "${@:3}" || status=$?
  [ $status -eq "$expected" ] || { echo "FAIL gpu_check.sh ${*:3}: exit status $status, not $expected"; exit 1; }
}
# in_report FILE EXPRESSION: of the report r and the verdicts v of its parts.
in_report() {
  python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
v = {part["part"]: part["verdict"] for part in r["parts"]}
words = {"passed", "wrong", "not done in time", "could not run", "nothing compared"}
if not set(v.values()) <= words or r["status"] not in words or not eval("(" + sys.argv[2] + ")"):
    sys.exit(f"FAIL {sys.argv[1]}: not {sys.argv[2]}: {r}")' "$work/$1" "$2"
}
good="--from $work/collected"

# There are no tools for a device here.
expect 77 good $good first
in_report good/first.json 'all(v[name] == "passed" for name in ("devices", "one_pair", "records", "small")) and
  len(r["devices"]) == 2 and r["seconds"] <= 300 and v["time_four_particle_ems"] == "passed" and v["profile_four_particle_ems"] == "could not run"'
in_report good/first.json 'all(row["steps_per_second"] > 0 and row["sample_seconds"] > 0 and row["load_seconds"] >= 0
  for row in r["time_four_particle_ems"]) and r["time_four_particle_ems"]'
# Nothing to compare with: no cuBLAS, no peers.
expect 77 good $good second
in_report good/second.json 'v["taylor"] == v["resumed"] == v["sizes"] == v["all"] == "passed" and
  v["lockstep"] == v["memcheck"] == "could not run" and v["text_driven_pivot"] in ("passed", "could not run")'
# A part again, and the others stay.
expect 77 good $good second:taylor
in_report good/second.json 'len(v) > 3 and v["taylor"] == "passed"'
[ "$(find "$work/good" -type f | wc -l)" -le 8 ]
tar -tzf "$work/good/logs.tar.gz" | grep '^logs/first/small.log$'

# The device code that is taken to a GPU, on a device that executes its PTX. The parts records and small are the tests
# ptx_records and ptx_digests.
if [ -x "$build/ptx_selftest" ]; then
  cp -r "$work/collected" "$work/ptx"
  cp "$build/ptx_selftest" "$work/ptx/programs/cuda_selftest"
  expect 0 on_ptx --from "$work/ptx" first:{devices,one_pair,time_four_particle_ems}
  in_report on_ptx/first.json 'all(v[name] == "passed" for name in ("devices", "one_pair", "time_four_particle_ems")) and
    r["seconds"] <= 300 and r["devices"][0]["name"] == "PTX on a processor"'
fi

# The last digits of digests, but of one run.
cp -r "$work/collected" "$work/tampered"
sed -i 's/....",\?$/0000",/' "$work"/tampered/expected/{small,runs/four_particle}.json
expect 1 wrong --from "$work/tampered" first:small second:{resumed,taylor}
in_report wrong/first.json 'r["status"] == v["small"] == "wrong" and len(v) == 1'
in_report wrong/second.json 'v == {"resumed": "wrong", "taylor": "passed"}'

STAGE_SECONDS=0 expect 124 late $good first
in_report late/first.json 'set(v.values()) == {"not done in time"}'

mkdir -p "$work/empty/programs"
expect 77 missing --from "$work/empty" second
cat >"$work/empty/programs/cuda_selftest" <<'PROGRAM'
#!/bin/sh
exit 3
PROGRAM
chmod +x "$work/empty/programs/cuda_selftest"
expect 3 nothing --from "$work/empty" first:small
in_report nothing/first.json 'r["status"] == "nothing compared"'

# Stopped half-way: what was done is there.
printf '#!/bin/sh\ncase $1 in --records) exec sleep 5 ;; esac\nexit 0\n' >"$work/empty/programs/cuda_selftest"
GPU_CHECK_WORK=$work/scratch/stopped setsid $check -o "$work/stopped" --from "$work/empty" first &
for _ in $(seq 200); do
  grep -q one_pair "$work/stopped/first.json" 2>/dev/null && break
  sleep 0.05
done
kill -KILL -- -$!  # the stage is a process of the same group
wait $! 2>/dev/null || true
in_report stopped/first.json 'r["status"] == "not done in time" and v["one_pair"] == "passed" and "small" not in v'
echo "all as expected"
