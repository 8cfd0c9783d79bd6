// livens run: spec in, result file out.

#include <fmt/format.h>

#include "ensembles/ensemble.hpp"
#include "host/backends.hpp"
#include "host/commands.hpp"
#include "host/errors.hpp"
#include "host/interrupt.hpp"
#include "host/position_error.hpp"
#include "host/registry.hpp"
#include "host/summary.hpp"
#include "host/version.hpp"

namespace livens::host {
namespace {

ensembles::Result integrate(const RunOptions& options, const Spec& spec, ensembles::Backend& backend) {
  const ensembles::Progress shown = make_progress(options.quiet ? ProgressStyle::none : options.progress);
  const auto progress = [&shown](std::int64_t done, std::int64_t total, std::int64_t failed) {
    if (shown) shown(done, total, failed);
    InterruptGuard::check();
  };
  return run_ensemble(spec, backend, progress);
}

int judge_failures(const ensembles::Request& request, std::int64_t failed) {
  const double fraction = static_cast<double>(failed) / static_cast<double>(request.size);
  if (request.on_failure == ensembles::OnFailure::error && failed > 0) {
    tell(fmt::format("livens: {} of {} instances failed, and ensemble.on_failure is \"error\"\n", failed,
                     request.size));
    return exit_instances_failed;
  }
  if (fraction > request.max_failed_fraction) {
    tell(fmt::format("livens: {} of {} instances failed, more than ensemble.max_failed_fraction = {}\n",
                     failed, request.size, request.max_failed_fraction));
    return exit_instances_failed;
  }
  return exit_done;
}

}  // namespace

int run(const RunOptions& options) {
  const Spec spec = read_spec(options.spec, registered(), options.overrides);
  const auto backend = make_backend(spec.request, options.backend, options.threads);
  if (spec.checkpoint_every > 0.0) {
    tell(
        fmt::format("livens: {}: output.checkpoint_every: this version writes no checkpoints; an interrupted "
                    "run starts anew\n",
                    options.spec));
  }
  refuse_overwriting(options.spec, spec.output);
  // Now rather than after hours of stepping.
  check_writable(spec.output);
  // While the result is being written a first interrupt has come too late.
  const InterruptGuard guard;
  ensembles::Result result = integrate(options, spec, *backend);
  if (!spec.error_against.empty()) {
    const Spec motion = true_motion(spec);
    const auto accurate = make_backend(motion.request, "cpu", options.threads);
    add_position_error(integrate(options, motion, *accurate), result);
  }
  const Provenance provenance = {version,         spec.request.system, spec.request.scheme,
                                 backend->form(), spec.text,           spec.overrides};
  write_result(spec.output, result, backend->system(), provenance);
  if (!options.quiet) {
    fmt::print("{}{}written to {}\n", headline(result, provenance), summary(result), spec.output);
  }
  return judge_failures(spec.request, failures(result));
}

}  // namespace livens::host
