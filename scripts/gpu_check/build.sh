# The self-test and the comparison with cuBLAS from the sources, where the packed programs do not run: needs nvcc, cmake
# and a C++ compiler. Their results stand where packed programs would, in DIR/programs. SYSTEMS (default all), JOBS and
# CUDA_ARCHITECTURES (default: that of the device) may be set.
stage_seconds=590
begin_stage
architectures=${CUDA_ARCHITECTURES:-$(query compute_cap | tr -d .)}
part compile 580 sh -c '
  cmake -S "$1/tests/cuda" -B "$2/built" -DCMAKE_BUILD_TYPE=Release -DLIVENS_SYSTEMS="${SYSTEMS:-all}" \
    -DLIVENS_CUDA_ARCHITECTURES="$3" && cmake --build "$2/built" --parallel "${JOBS:-$(nproc)}" || exit 77
  mkdir -p "$4" && cp "$2/built/cuda_selftest" "$4/" || exit 77
  for program in lockstep sparse_lockstep; do
    [ ! -x "$2/built/lockstep/$program" ] || cp "$2/built/lockstep/$program" "$4/"
  done
  "$4/cuda_selftest" --devices' build "$root" "$work" "$architectures" "$programs"
