#pragma once
// From a request to a result: sampling, consistency, stepping from sample to sample, statistics,
// trajectories.

#include <cstdint>
#include <functional>
#include <stdexcept>

#include "ensembles/backend.hpp"
#include "ensembles/request.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// consistency is "require", and the state of an instance without variations is inconsistent.
struct InconsistentBase : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Called about every half second while stepping, and at the end. `done` of `total` are units: steps of an
/// instance, or output intervals where scheme.step varies. `failed`: instances that have failed so far. What
/// it throws ends the run.
using Progress = std::function<void(std::int64_t done, std::int64_t total, std::int64_t failed)>;

/// Integrates the ensemble of a checked request. Instances that fail are part of the result, whatever
/// on_failure says. wall_seconds is the time inside Backend::advance; steps_per_second counts the good steps
/// of all instances. `progress` may be empty. Throws std::invalid_argument when the request contradicts
/// itself (grid laws, sampling), InconsistentBase among them.
Result run(const Request& request, Backend& backend, const Progress& progress);

}  // namespace livens::ensembles
