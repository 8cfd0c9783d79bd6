# The second call, 440 s: whole runs, texts, sizes, the same steps by others, sanitizers, a profile.
stage_seconds=${STAGE_SECONDS:-440}
begin_stage
. "$here/pairs_that_matter.sh"
scratch=$work/scratch
rm -rf "$scratch"
mkdir -p "$scratch"
part taylor 40 sh "$here/run.sh" whole "$programs" "$expected/runs/taylor_foucault_pendulum.toml" \
  "$expected/runs/taylor_foucault_pendulum.json" "$scratch"
part resumed 40 sh "$here/run.sh" resumed "$programs" "$expected/runs/four_particle.toml" \
  "$expected/runs/four_particle.json" "$scratch"
for text in ${TEXTS:-four_particle driven_pivot unit_circle}; do
  part "text_$text" 120 sh "$here/text.sh" "$programs" "$from/text/${text}_study.toml" "$scratch"
done
part sizes 90 "$programs/cuda_selftest" --time "$logs/sizes.jsonl" --sizes "${SIZES:-4194304,16384,1024}" --seconds 0.1 \
  --only "four_particle ems "
part all 90 "$programs/cuda_selftest" --time "$logs/all.jsonl" --sizes "${SIZES:-262144}" --seconds 0.1
part texts 150 sh "$here/text_times.sh" "$programs" "$from/text" "$scratch" "${SIZES:-262144}" "$logs/texts.jsonl"
[ -z "${FORMS:-}" ] || part forms 90 "$FORMS/programs/cuda_selftest" --time "$logs/forms.jsonl" \
  --sizes "${SIZES:-262144}" --seconds 0.1
part lockstep 60 env LD_LIBRARY_PATH="$(toolkit_libraries)" "$programs/lockstep" "$logs/lockstep.jsonl"
part peers 190 python3 "$here/../../bench/peers/gpu.py" "$programs/livens" -o "$logs/peers.jsonl" -n "${PEERS:-262144}"
part memcheck 45 sh "$here/sanitizer.sh" memcheck "$programs/cuda_selftest" --small --expected "$expected/small.json" \
  --only unit_circle
part racecheck 45 sh "$here/sanitizer.sh" racecheck "$programs/cuda_selftest" --records
rm -rf "$scratch"
