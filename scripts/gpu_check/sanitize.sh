# compute-sanitizer on few instances: memory, shared memory where threads meet (statistics, a warp's elimination),
# barriers. A time box each: what has not been looked at when it is over is said.
begin_stage
selftest="$programs/cuda_selftest --small --expected $expected/small.json --only"
for tool in memcheck racecheck synccheck; do
  part ${tool}_backends 40 sh "$here/sanitizer.sh" $tool "$programs/cuda_selftest" --records
done
part memcheck_pairs 120 sh "$here/sanitizer.sh" memcheck $selftest ", default"
part racecheck_pairs 120 sh "$here/sanitizer.sh" racecheck $selftest ", default"
part synccheck_pairs 90 sh "$here/sanitizer.sh" synccheck $selftest ", three iterations"
