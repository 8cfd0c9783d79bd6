// The two ways to run an ensemble, into memory and into a file; shards are joined.

#include "ensembles/ensemble.hpp"
#include "ensembles/schedule.hpp"
#include "host/backends/backends.hpp"
#include "host/errors.hpp"
#include "host/library/boundary.hpp"
#include "host/library/checked.hpp"
#include "host/library/result_state.hpp"
#include "host/pairs/registry.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/results/summary.hpp"
#include "host/run/failures_allowed.hpp"
#include "host/run/merge_shards.hpp"
#include "host/run/run_on_disk.hpp"
#include "host/version.hpp"

namespace livens {
namespace {

/// With what the callbacks throw kept apart.
RunOptions guarded(RunOptions options) {
  options.progress = host::guarded(std::move(options.progress));
  options.sample = host::guarded(std::move(options.sample));
  options.note = host::guarded(std::move(options.note));
  options.compiling = host::guarded(std::move(options.compiling));
  return options;
}

host::Spec checked(const Ensemble& ensemble) {
  return host::checked(ensemble, host::registered(), &host::hdf5_inputs());
}

std::vector<double> sample_times(const ensembles::Request& request) {
  const ensembles::Schedule schedule = ensembles::make_schedule(request);
  std::vector<double> times;
  for (std::size_t k = 0; k < schedule.samples.size(); ++k) times.push_back(schedule.time(k));
  return times;
}

Result run_in_memory(const host::Spec& spec, const RunOptions& options) {
  if (!spec.error_against.empty())
    refuse({.key = "output.error_against"}, "is compared in runs to a file", "run_to_file()");
  const auto backend = host::make_backend(spec.request, options.backend, options.threads,
                                          host::devices_of(options), options.cancelled, options.compiling);
  if (options.note)
    for (const std::string& warning : host::with_note_of_projection(spec, *backend)) options.note(warning);
  const auto progress = [&](std::int64_t done, std::int64_t total, std::int64_t failed) {
    if (options.progress) options.progress({done, total, failed});
    if (options.cancelled && options.cancelled()) throw host::Interrupted("cancelled");
  };
  ensembles::SampleWatch watch;
  if (options.sample)
    watch = [&, times = sample_times(spec.request)](const ensembles::SamplePart& part) {
      options.sample(host::sample_of(part, times));
    };
  ensembles::Result result = [&] {
    try {
      return host::run_ensemble(spec, *backend, progress, watch);
    } catch (const ensembles::Stopped&) {
      throw host::Interrupted("cancelled");
    }
  }();
  if (options.note)
    for (const std::string& note : host::notes_of_statistics(result)) options.note(note);
  std::string too_many = host::too_many_failed(spec.request, result.failed(), result.size);
  host::Provenance provenance{host::version,   spec.request.system, spec.request.scheme,
                              backend->form(), spec.text,           spec.overrides};
  return host::make_result({std::move(result), std::move(provenance), {}, spec.left_out},
                           host::units_of(backend->system()), std::move(too_many));
}

}  // namespace

Result run(const Ensemble& ensemble, const RunOptions& options) {
  return host::at_boundary([&] { return run_in_memory(checked(ensemble), guarded(options)); });
}

Written run_to_file(const Ensemble& ensemble, const FileOptions& to, const RunOptions& options) {
  return host::at_boundary([&] {
    const RunOptions mine = guarded(options);
    const host::Ranks alone;
    host::RunOnDisk run(checked(ensemble), ensemble.name(), to, mine, alone, {options.cancelled, {}, {}});
    return run.run();
  });
}

std::int64_t instances_of(const Ensemble& ensemble) {
  return host::at_boundary([&] { return checked(ensemble).request.size; });
}

std::string merge(const std::vector<std::string>& parts, const std::string& path) {
  return host::at_boundary([&] { return host::merge_shards(parts, path); });
}

}  // namespace livens
