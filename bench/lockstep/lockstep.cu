// Kernels of livens against cuBLAS, on one GPU: the same equations in lockstep, and the projection of every
// system with constraints that is no assembly by another iteration (projection_check.hpp).
//
//   lockstep --check     whether steps and projections are the same, and nothing else
//   lockstep [FILE]      that, then steps per second of both, a JSON object a line
//
// Exit status 1 where something differs, 3 where nothing was compared, 77 without a device.

#define LIVENS_ISA cuda
#include "bench/lockstep/comparison.cuh"
#include "bench/lockstep/cublas_batch.hpp"
#include "bench/lockstep/projection_check.hpp"
#include "kernels/systems/double_spherical_pendulum.hpp"
#include "kernels/systems/four_particle.hpp"
#include "kernels/systems/three_bar_swing.hpp"

namespace livens {
namespace {

/// Inconsistent states of every system with constraints, as the device projects them and as cuBLAS does.
void compare_projections(const CudaDevice& device, std::FILE* out, Compared& compared) {
  CublasSolver solver;
  for (const ConstrainedSystem& system : constrained_systems()) {
    const char* const name = system.info->name;
    const PairKernels& pair = *find(name);
    if (cuda_pair(pair) == nullptr) {
      std::printf("%s: not compiled\n", name);
      continue;
    }
    InconsistentStates states(*pair.system, 1024);
    std::vector<std::uint8_t> status(states.batch().size);
    CudaBackend gpu(pair, device);
    gpu.take(states.batch());
    gpu.make_consistent(states.batch(), Consistency::project, status.data());
    for (const Target target : {Target::q, Target::v})
      gpu.fetch_initial(states.batch(), {target, 0, system.info->coordinates});
    ProjectionDifference r = compare_projection(system, states, solver);
    for (const std::uint8_t of_one : status) r.same = r.same && of_one == static_cast<int>(Status::ok);
    std::printf("%s: largest difference of a projection %.3g in q, bound %.3g; %.3g in v, bound %.3g  %s\n",
                name, r.position, r.position_bound, r.velocity, r.velocity_bound, r.same ? "ok" : "FAIL");
    if (out != nullptr)
      std::fprintf(out,
                   "{\"system\": \"%s\", \"solver\": \"cuBLAS getrfBatched\", \"instances\": %lld, "
                   "\"position_difference\": %.3g, "
                   "\"position_bound\": %.3g, \"velocity_difference\": %.3g, \"velocity_bound\": %.3g}\n",
                   name, static_cast<long long>(states.batch().size), r.position, r.position_bound,
                   r.velocity, r.velocity_bound);
    ++(r.same ? compared.same : compared.different);
  }
}

}  // namespace
}  // namespace livens

int main(int argc, char** argv) {
  using namespace livens;
  return run_comparison(argc, argv, [](const CudaDevice& device, std::FILE* out, Compared& compared) {
    compare_projections(device, out, compared);
    compare_steps<Ems<FourParticle<double>>, CublasBatch>(device, 65536, out, compared);
    compare_steps<Ems<DoubleSphericalPendulum<double>>, CublasBatch>(device, 65536, out, compared);
    // A dense matrix of 62 unknowns takes 30 KB.
    compare_steps<DelNullspaceAssembly<ThreeBarSwing<double>>, CublasBatch>(device, 16384, out, compared);
  });
}
