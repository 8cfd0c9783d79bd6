# The machine itself, the programs that start on it, and the tools that may look at the device. Two minutes.
begin_stage
part machine 30 sh "$here/machine.sh"
part devices 60 "$programs/cuda_selftest" --devices
[ ! -f "$logs/devices.log" ] || grep '^{' "$logs/devices.log" >"$logs/devices.jsonl"
part comparison 60 "$programs/cuda_selftest" --small --expected "$expected/small.json" --only ", default"
part livens 30 "$programs/livens" list
part sanitizer 60 sh "$here/sanitizer.sh" memcheck "$programs/cuda_selftest" --records
part counters 60 sh "$here/ncu.sh" "$programs/cuda_selftest" --metrics sm__cycles_active.avg
