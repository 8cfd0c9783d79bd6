# Other layouts of the same steps that were compiled: each has to have the same bits, and is timed beside the one that
# is taken.
begin_stage
variants=$("$programs/cuda_selftest" --list-variants 2>/dev/null)
for variant in $variants; do
  part "compare_$variant" 60 "$programs/cuda_selftest" --small --expected "$expected/small.json" --variant "$variant"
  part "time_$variant" 60 "$programs/cuda_selftest" --time "$logs/$variant.jsonl" --sizes "${SIZES:-262144,16384}" \
    --variant "$variant"
done
[ -n "$variants" ] || part list 10 "$programs/cuda_selftest" --list-variants
