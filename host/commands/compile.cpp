// livens compile: has what a spec needs in the cache before it runs.

#include <fmt/format.h>

#include "host/backends/taylor_backend.hpp"
#include "host/commands/commands.hpp"
#include "host/compilation/called_program.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/page.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/printable.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/terminal/interrupt.hpp"
#include "kernels/backends/cuda/cuda_device.hpp"

namespace livens::host {

namespace {

int architecture_of(const CompilationTarget& target) {
  if (target.architecture) return *target.architecture;
  std::string problem = "built without CUDA";
#if defined(LIVENS_WITH_CUDA)
  if (const auto devices = cuda_devices(problem); !devices.empty())
    return 10 * devices.front().major + devices.front().minor;
#endif
  refuse({.key = "--backend cuda"}, problem,
         "--architecture with the compute capability to compile for, e.g. 90");
}

}  // namespace

int compile_spec(const std::string& path, const Overrides& overrides, const CompilationTarget& target) {
  const bool for_cuda = target.backend == "cuda";
  if (target.architecture && !for_cuda) refuse({.key = "--architecture"}, "", "--backend cuda with it");
  const int architecture = for_cuda ? architecture_of(target) : 0;
  const Spec spec = read_spec(path, registered(), overrides, {&hdf5_inputs(), {}});
  const InterruptGuard guard;
  const std::function<bool()> interrupted = InterruptGuard::requested;
  const CallsEnd calls_end(interrupted);
  const PairKernels& pair = *choose_pair(catalogue_of(spec.request), spec.request).pair;
  const Precision precision = spec.request.settings.precision;
  if (for_cuda && has_impacts(*pair.system->info))
    refuse({.key = "--backend cuda"}, "impacts are met on the processor, one instance at a time",
           "--backend cpu");
  if (for_cuda && is_true_motion(pair) && !is_taylor(pair))
    refuse({.key = "--backend cuda"}, fmt::format("{} runs on the cpu", pair.scheme->name), "--backend cpu");
  std::vector<Compilation> all = compile_ahead(pair, precision);
  if (is_taylor(pair)) {
    const SystemInfo& system = *pair.system->info;
    const std::string plan = plan_to_write_out(system, *text_of_equations(system), zeros_of(spec.request));
    if (!plan.empty()) all.push_back(compile_series_ahead(system, plan));
  }
  if (for_cuda && !is_taylor(pair))  // whose kernel is part of the program
    for (Compilation& done : compile_ahead_for_cuda(pair, precision, architecture))
      all.push_back(std::move(done));
  for (const Compilation& done : all) {
    const std::string how = done.built_in        ? "part of this program"
                            : done.seconds > 0.0 ? fmt::format("compiled in {:.1f} s", done.seconds)
                                                 : "in the cache already";
    fmt::print("{}\n", wrapped(fmt::format("{}: {}", how, printable(done.unit.description())), 2));
  }
  return exit_done;
}

}  // namespace livens::host
