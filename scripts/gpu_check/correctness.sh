# The device against what processors have computed: states and records of every pair, backends, whole runs.
begin_stage
if [ -f "$expected/large.json" ]; then
  part digests 240 "$programs/cuda_selftest" --expected "$expected/large.json"
else
  part digests 240 "$programs/cuda_selftest" --small --expected "$expected/small.json"
fi
part backends 60 "$programs/cuda_selftest" --records

scratch=$work/scratch
rm -rf "$scratch"
mkdir -p "$scratch"
for spec in "$expected"/runs/*.toml; do
  [ -f "$spec" ] || continue
  run=$(basename "$spec" .toml)
  for how in whole resumed; do
    part "run_${run}_$how" 60 sh "$here/run.sh" $how "$programs" "$spec" "${spec%.toml}.json" "$scratch"
  done
  [ -n "${first:-}" ] || first=$spec
done
if [ -n "${first:-}" ]; then
  part little_memory 60 sh "$here/run.sh" little_memory "$programs" "$first" none "$scratch"
else
  part runs 1 sh -c 'echo "no run was collected"; exit 3'
fi
rm -rf "$scratch"
