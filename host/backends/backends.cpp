#include "host/backends/backends.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/backends/cpu_backend.hpp"
#include "host/backends/ranks.hpp"
#include "host/backends/taylor_backend.hpp"
#include "host/compilation/called_program.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_options.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#if defined(LIVENS_WITH_CHECKS)
#include "host/backends/reference_backend.hpp"
#endif
#if defined(LIVENS_WITH_SUNDIALS)
#include "host/backends/true_motion_backend.hpp"
#endif
#if defined(LIVENS_WITH_CUDA)
#include "host/backends/cuda_backend.hpp"
#include "host/backends/shared_backend.hpp"
#include "host/backends/taylor_cuda_backend.hpp"
#include "host/compilation/compiled_cuda.hpp"
#endif

namespace livens::host {
namespace {

std::unique_ptr<ensembles::Backend> make_reference([[maybe_unused]] const PairKernels& pair,
                                                   [[maybe_unused]] const ensembles::StopAsked& stop) {
#if defined(LIVENS_WITH_CHECKS)
  return std::make_unique<ReferenceBackend>(pair, stop);
#else
  refuse({.key = "--backend reference"}, "built without the Eigen reference (LIVENS_CHECKS)", "auto or cpu");
#endif
}

#if defined(LIVENS_WITH_CUDA)
/// The GPUs that a run takes, or none and why. Without a choice it is one of them, for the ranks of a machine
/// in turn.
std::vector<CudaDevice> devices_of(const std::optional<DeviceChoice>& choice, std::string& problem) {
  const auto present = cuda_devices(problem);
  if (present.empty()) return {};
  if (choice) return chosen(*choice, present);
  return {present[static_cast<std::size_t>(local_rank()) % present.size()]};
}
#endif

/// The series on the GPUs, or null and why not.
std::unique_ptr<ensembles::Backend> make_taylor_cuda(
    [[maybe_unused]] const PairKernels& pair, [[maybe_unused]] const std::vector<bool>& zeros,
    [[maybe_unused]] double tolerance, [[maybe_unused]] int threads,
    [[maybe_unused]] const std::optional<DeviceChoice>& choice,
    [[maybe_unused]] const ensembles::StopAsked& stop, std::string& problem) {
#if defined(LIVENS_WITH_CUDA)
  const std::vector<CudaDevice> devices = devices_of(choice, problem);
  if (devices.empty()) return nullptr;
  // Each has threads for what the host does with its instances.
  const int each = std::max(1, threads / static_cast<int>(devices.size()));
  std::vector<std::unique_ptr<ensembles::Backend>> members;
  for (const CudaDevice& device : devices)
    members.push_back(std::make_unique<TaylorCudaBackend>(pair, *text_of_equations(*pair.system->info), zeros,
                                                          tolerance, device, each, stop));
  return std::make_unique<SharedBackend>(std::move(members));
#else
  problem = "built without CUDA";
  return nullptr;
#endif
}

/// On a processor where no GPU is asked for.
std::unique_ptr<ensembles::Backend> make_taylor(const PairKernels& pair, const ensembles::Request& request,
                                                const std::string& backend, int threads,
                                                const std::optional<DeviceChoice>& devices,
                                                const ensembles::StopAsked& stop) {
  if (request.consistency == Consistency::keep && pair.system->info->constraints > 0)
    refuse({.key = "taylor"}, "keeps every state on its constraints",
           "initial.consistency = \"project\" or \"require\"");
  if (backend == "reference")
    refuse({.key = "--backend reference"}, "taylor runs on the cpu and on GPUs", "auto, cpu or cuda");
  const double tolerance = request.settings.value<taylor_tolerance>();
  if (backend == "cuda" || devices) {
    std::string problem;
    if (auto cuda = make_taylor_cuda(pair, zeros_of(request), tolerance, threads, devices, stop, problem))
      return cuda;
    if (devices) refuse({.key = "--devices"}, problem, "a run without it");
    refuse({.key = "--backend cuda"}, problem, "auto or cpu");
  }
  CompileSeries compile;
  if (text_of(*pair.system->info))
    compile = [info = pair.system->info](const std::string& plan) -> const taylor::FixedSeries& {
      return compiled_series(*info, plan);
    };
  return std::make_unique<TaylorBackend>(pair, *text_of_equations(*pair.system->info), zeros_of(request),
                                         tolerance, threads, stop, compile);
}

std::unique_ptr<ensembles::Backend> make_true_motion(const PairKernels& pair,
                                                     const ensembles::Request& request,
                                                     const std::string& backend, int threads,
                                                     const std::optional<DeviceChoice>& devices,
                                                     const ensembles::StopAsked& stop) {
  if (is_taylor(pair)) return make_taylor(pair, request, backend, threads, devices, stop);
  if (devices) refuse({.key = "--devices"}, fmt::format("{} runs on the cpu", pair.scheme->name));
  if (backend != "auto" && backend != "cpu") {
    refuse({.key = "--backend " + backend}, fmt::format("{} runs on the cpu", pair.scheme->name),
           "auto or cpu");
  }
#if defined(LIVENS_WITH_SUNDIALS)
  return std::make_unique<TrueMotionBackend>(pair, threads, stop);
#else
  return nullptr;  // no such pair is listed
#endif
}

/// The backend of the GPUs, or null and why there is none.
std::unique_ptr<ensembles::Backend> make_cuda([[maybe_unused]] const PairKernels& pair,
                                              [[maybe_unused]] Precision precision,
                                              [[maybe_unused]] int threads,
                                              [[maybe_unused]] const std::optional<DeviceChoice>& choice,
                                              std::string& problem) {
#if defined(LIVENS_WITH_CUDA)
  const Observing* const observing = observing_of(*pair.system->info);
  if (observing && !(observing->additions.stops.empty() && observing->additions.events.empty())) {
    problem = "expressions in output.stop and output.event are evaluated on the processor";
    return nullptr;
  }
  if (has_impacts(*pair.system->info)) {
    problem = "impacts are met on the processor, one instance at a time";
    return nullptr;
  }
  if (!built_in_cuda(pair, precision) && !is_compiled_on_first_use(pair)) {
    problem = fmt::format("{} on {} was not compiled for CUDA in this program", pair.scheme->name,
                          pair.system->info->name);
    return nullptr;
  }
  const std::vector<CudaDevice> used = devices_of(choice, problem);
  if (used.empty()) return nullptr;
  const PairKernels& on_processor = compiled(pair, precision);
  std::vector<std::unique_ptr<ensembles::Backend>> members;
  try {
    for (const CudaDevice& device : used)
      members.push_back(std::make_unique<CudaBackend>(on_processor, compiled_for(device, pair, precision),
                                                      device, members.empty() ? threads : 1));
  } catch (const RequestError& error) {  // nothing that compiles for it
    problem = error.what();
    return nullptr;
  }
  return std::make_unique<SharedBackend>(std::move(members));
#else
  problem = "built without CUDA";
  return nullptr;
#endif
}

}  // namespace

std::unique_ptr<ensembles::Backend> make_backend(const ensembles::Request& request,
                                                 const std::string& backend, int threads,
                                                 const std::optional<DeviceChoice>& devices,
                                                 const ensembles::StopAsked& stop,
                                                 const std::function<void(const std::string&)>& compiling) {
  const Announcing announcing(compiling);
  if (devices && backend != "auto" && backend != "cuda")
    refuse({.key = "--devices"}, backend + " runs on the processor", "--backend cuda");
  const CallsEnd calls_end(stop);  // what is compiled on first use
  const PairChoice choice = choose_pair(catalogue_of(request), request);
  if (!choice.pair) refuse({.key = "--backend " + backend}, choice.problem, choice.expected);
  if (threads <= 0) threads = available_threads();
  if (is_true_motion(*choice.pair))
    return make_true_motion(with_compiled_system(*choice.pair), request, backend, threads, devices, stop);
  if (backend == "reference") {
    if (request.settings.compensated)
      refuse({.key = "--backend reference"}, "has no compensated updates", "scheme.compensated = false");
    if (request.settings.precision != Precision::full)
      refuse({.key = "--backend reference"}, "is in double precision", "scheme.precision = \"double\"");
    return make_reference(with_compiled_system(*choice.pair), stop);
  }
  std::string problem;
  if (backend != "cpu") {
    if (auto cuda = make_cuda(*choice.pair, request.settings.precision, threads, devices, problem))
      return cuda;
    if (devices) refuse({.key = "--devices"}, problem, "a run without it");
    if (backend == "cuda") refuse({.key = "--backend cuda"}, problem, "auto or cpu");
  }
  return std::make_unique<CpuBackend>(compiled(*choice.pair, request.settings.precision), instruction_set(),
                                      threads, stop, compiling);
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
