// The forms of more than 32 unknowns against the batched sparse QR of cuSOLVER, as lockstep.cu does it with
// cuBLAS. A program of its own, so that a machine without one of the libraries lacks one table.
//
//   sparse_lockstep [--check | FILE]

#define LIVENS_ISA cuda
#include "bench/lockstep/comparison.cuh"
#include "bench/lockstep/cusolver_batch.cuh"
#include "kernels/systems/double_four_bar.hpp"
#include "kernels/systems/heavy_top.hpp"

namespace livens {
namespace {

template <class System>
using QrOf = CusolverBatch<typename Ems<System>::Problem::Pattern>;

}  // namespace
}  // namespace livens

int main(int argc, char** argv) {
  using namespace livens;
  return run_comparison(argc, argv, [](const CudaDevice& device, std::FILE* out, Compared& compared) {
    // The factors of one instance take tens of kilobytes.
    compare_steps<Ems<HeavyTop<double>>, QrOf<HeavyTop<double>>>(device, 16384, out, compared);
    compare_steps<Ems<DoubleFourBar<double>>, QrOf<DoubleFourBar<double>>>(device, 16384, out, compared);
  });
}
