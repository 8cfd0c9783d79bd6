#include "host/backends.hpp"

#include "host/cpu_backend.hpp"
#include "host/errors.hpp"
#include "host/registry.hpp"
#if defined(LIVENS_WITH_CHECKS)
#include "host/reference_backend.hpp"
#endif
#if defined(LIVENS_WITH_CUDA)
#include "host/cuda_backend.hpp"
#endif

namespace livens::host {
namespace {

std::unique_ptr<ensembles::Backend> make_reference([[maybe_unused]] const PairKernels& pair) {
#if defined(LIVENS_WITH_CHECKS)
  return std::make_unique<ReferenceBackend>(pair);
#else
  throw RequestError(
      "--backend reference: built without the Eigen reference (LIVENS_CHECKS); expected auto or cpu");
#endif
}

/// The GPU's backend, or null and why there is none.
std::unique_ptr<ensembles::Backend> make_cuda([[maybe_unused]] const PairKernels& pair,
                                              [[maybe_unused]] int threads, std::string& problem) {
#if defined(LIVENS_WITH_CUDA)
  if (!cuda_pair(pair)) {
    problem = std::string(pair.scheme->name) + " on " + pair.system->info->name +
              " was not compiled for CUDA in this program";
    return nullptr;
  }
  const auto devices = cuda_devices(problem);
  if (devices.empty()) return nullptr;
  return std::make_unique<CudaBackend>(pair, devices.front(), threads);
#else
  problem = "built without CUDA";
  return nullptr;
#endif
}

}  // namespace

std::unique_ptr<ensembles::Backend> make_backend(const ensembles::Request& request,
                                                 const std::string& backend, int threads) {
  const PairChoice choice = choose_pair(registered(), request);
  if (!choice.pair) throw RequestError("--backend " + backend + ": " + choice.problem);
  if (backend == "reference") {
    if (request.settings.compensated)
      throw RequestError(
          "--backend reference: has no compensated updates; expected scheme.compensated = false");
    return make_reference(*choice.pair);
  }
  if (threads <= 0) threads = available_threads();
  std::string problem;
  if (backend != "cpu") {
    if (auto cuda = make_cuda(*choice.pair, threads, problem)) return cuda;
    if (backend == "cuda") throw RequestError("--backend cuda: " + problem + "; expected auto or cpu");
  }
  return std::make_unique<CpuBackend>(*choice.pair, instruction_set(), threads);
}

bool cuda_usable() {
#if defined(LIVENS_WITH_CUDA)
  std::string problem;
  return !cuda_devices(problem).empty();
#else
  return false;
#endif
}

}  // namespace livens::host
