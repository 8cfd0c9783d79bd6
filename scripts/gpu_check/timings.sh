# Steps a second of every pair and what a sample costs, by the number of instances; the same steps the usual way, in
# lockstep with the batched solvers of cuBLAS and cuSOLVER. SIZES: numbers of instances, in place of 262144,16384,1024.
begin_stage
. "$here/pairs_that_matter.sh"
part steps 240 "$programs/cuda_selftest" --time "$logs/steps.jsonl" --sizes "${SIZES:-262144,16384,1024}"
for pair in $pairs_that_matter; do
  system=${pair%/*} scheme=${pair#*/}
  # Gigabytes; the first form of the pair is that taken by default, the full one may stand behind it.
  part "4M_${system}_$scheme" 30 "$programs/cuda_selftest" --time "$logs/4M_${system}_$scheme.jsonl" --sizes 4194304 \
    --only "$system $scheme "
done
# The libraries of the toolkit, wherever it is. Without one of them a program does not start, and one table is missing.
nvcc=$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")
libraries="env LD_LIBRARY_PATH=${nvcc%/bin/nvcc}/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
for program in lockstep sparse_lockstep; do
  part $program 90 $libraries "$programs/$program" "$logs/$program.jsonl"
done
