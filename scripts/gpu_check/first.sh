# The first call, 330 s: is it right at all, then the figures that everybody waits for.
stage_seconds=${STAGE_SECONDS:-330}
begin_stage
. "$here/pairs_that_matter.sh"
part machine 15 sh "$here/machine.sh"
part devices 20 "$programs/cuda_selftest" --devices
[ ! -f "$logs/devices.log" ] || grep '^{' "$logs/devices.log" >"$logs/devices.jsonl"
part one_pair 30 "$programs/cuda_selftest" --small --expected "$expected/small.json" --only "unit_circle"
part records 40 "$programs/cuda_selftest" --records
part small 90 "$programs/cuda_selftest" --small --expected "$expected/small.json"
for pair in $pairs_that_matter; do time_pair "$pair" "${SIZES:-262144}" 25; done
for pair in $pairs_that_matter; do profile "$pair" 30; done
