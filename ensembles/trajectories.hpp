#pragma once
// The first R instances of an ensemble in full at the sample times, as far as a batch holds them.

#include <cstdint>
#include <vector>

#include "ensembles/result.hpp"
#include "ensembles/stages.hpp"
#include "ensembles/tangents.hpp"

namespace livens::ensembles {

/// Makes the nodes of the instances followed. A node's multipliers are those of the step that ends there, so
/// the records one step earlier are needed: approach() takes them before the last step to a sample, sample()
/// uses them.
class TrajectoryRecorder {
 public:
  /// Follows the instances 0 .. count-1 of the batch, and the observables beside their state; count is at
  /// most the batch's size.
  TrajectoryRecorder(const SystemInfo& system, std::int64_t count, std::vector<Observable> observables,
                     const Request& request)
      : request_(request),
        d_(system.coordinates),
        m_(system.constraints),
        s_(system.momentum_maps),
        count_(count),
        observables_(std::move(observables)),
        tangents_(followed_tangents(system, request)) {}

  bool empty() const { return count_ == 0; }

  /// Keeps the records of what is followed; every instance stands one step before the next sample.
  void approach(Motion& motion, const Settings& settings);
  /// What approach() has kept: the first of all records, or none at the first sample.
  const std::vector<double>& before() const { return before_; }

  /// The nodes at a sample where the batch stands: K = 1, and `instance` left to the caller. Instances that
  /// have failed are NaN.
  Trajectories sample(Motion& motion) const;

 private:
  std::int64_t tiles() const { return (count_ + tile_size - 1) / tile_size; }
  void fetch(Motion& motion) const { motion.fetch({tiles(), 0, motion.backend().record_width()}); }

  const Request& request_;
  std::int64_t d_, m_, s_, count_;
  std::vector<Observable> observables_;
  std::vector<FollowedTangents> tangents_;
  Settings settings_;  // of approach()
  std::vector<double>
      before_;  // records of the tiles followed, one step before the next sample; empty at the first
};

}  // namespace livens::ensembles
