#include "host/library/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ensembles/ensemble.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/workers.hpp"
#include "host/errors.hpp"
#include "host/library/checked.hpp"
#include "host/pairs/registry.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/run/failures_allowed.hpp"

namespace livens::host {

Prepared::Prepared(const Ensemble& ensemble, bool adjoint)
    : spec_(checked(ensemble, registered(), &hdf5_inputs(), adjoint)),
      cancelled_(std::make_shared<std::function<bool()>>()),
      adjoint_(adjoint) {
  if (!ensemble.table_in_memory())
    refuse({.key = "ensemble.table"}, "missing", "a table in memory, whose values then change");
  if (!spec_.error_against.empty())
    refuse({.key = "output.error_against"}, "is compared in runs to a file", "run_to_file()");
}

ensembles::Backend& Prepared::with(std::vector<std::vector<double>> columns,
                                   const std::function<bool()>& cancelled) {
  ensembles::Request& request = spec_.request;
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  std::size_t next = 0;
  for (ensembles::Variation& one : request.variations) {
    if (one.law != ensembles::Law::table) continue;
    if (next == columns.size() || columns[next].size() != rows || rows == 0)
      refuse({.key = "ensemble.table"}, fmt::format("{} columns of {} rows", columns.size(), rows),
             "as many as the spec was read with, of one length");
    one.rows = std::make_shared<const std::vector<double>>(std::move(columns[next++]));
  }
  if (next != columns.size())
    refuse({.key = "ensemble.table"}, fmt::format("{} columns", columns.size()), fmt::format("{}", next));
  if (!request.taken_over_status.empty() && rows > request.taken_over_status.size())
    refuse({.key = "ensemble.table"}, fmt::format("{} rows", rows),
           fmt::format("at most the {} instances that initial.from has", request.taken_over_status.size()));
  request.size = static_cast<std::int64_t>(rows);
  if (request.trajectories > 0) request.trajectories = request.size;
  // More threads than blocks would only be woken.
  const std::int64_t blocks = adjoint_ ? request.size : ensembles::block_count(request.size);
  const int threads = static_cast<int>(std::min<std::int64_t>(available_threads(), blocks));
  *cancelled_ = cancelled;
  if (!backend_ || threads != threads_) {
    const auto stop = [shared = cancelled_] { return *shared && (*shared)(); };
    backend_ = make_backend(request, adjoint_ ? "cpu" : "auto", threads, {}, stop);
    threads_ = threads;
  }
  return *backend_;
}

ensembles::Result Prepared::run(std::vector<std::vector<double>> columns,
                                const std::function<bool()>& cancelled) {
  ensembles::Backend& backend = with(std::move(columns), cancelled);
  const auto progress = [&](std::int64_t, std::int64_t, std::int64_t) {
    if (cancelled && cancelled()) throw Interrupted("cancelled");
  };
  try {
    return run_ensemble(spec_, backend, progress);
  } catch (const ensembles::Stopped&) {
    throw Interrupted("cancelled");
  }
}

std::string Prepared::too_many(const ensembles::Result& result) const {
  return too_many_failed(spec_.request, result.failed(), result.size);
}

}  // namespace livens::host
