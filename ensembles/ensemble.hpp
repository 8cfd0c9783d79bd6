#pragma once
// From a request to a result: sampling, consistency, stepping from sample to sample, statistics,
// trajectories.

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/journal.hpp"
#include "ensembles/request.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// consistency is "require", and the state of an instance without variations is inconsistent.
struct InconsistentBase : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Called about every half second while stepping, and at the end of a chunk. `done` of `total` count
/// instances times beats: steps, or output intervals where scheme.step varies. `failed`: instances that have
/// failed so far. What it throws ends the run, after a Standing was handed over if one was wanted.
using Progress = std::function<void(std::int64_t done, std::int64_t total, std::int64_t failed)>;

/// Integrates the instances of `range`, at most `chunk` of them at a time, and hands everything over to the
/// journal; from a Standing on, if there is one. Instances that fail are part of the result, whatever
/// on_failure says. Returns the seconds inside Backend::advance. `progress` may be empty. Throws
/// std::invalid_argument when the request contradicts itself (grid laws, sampling), InconsistentBase among
/// them, or the Standing is not of this run.
double integrate(const Request& request, Backend& backend, Range range, std::int64_t chunk, Journal& journal,
                 const std::optional<Standing>& from, const Progress& progress);

/// Told of a part as it is handed over.
using SampleWatch = std::function<void(const SamplePart&)>;

/// The same for a whole ensemble, in memory. steps_per_second counts the good steps of all instances.
Result run(const Request& request, Backend& backend, const Progress& progress, const SampleWatch& watch = {});

}  // namespace livens::ensembles
