#pragma once
// One instance of a model on its way from node to node, which an Integrator holds: a system of formulas has
// one way, an assembly of parts another.

#include <limits>

#include "scheme.hpp"

namespace livens::reference {

class Run : public Trajectory {
 public:
  /// As Integrator::condition.
  virtual double condition() const = 0;
};

/// In a node, for what the scheme or the system does not have.
inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

class AssembledSystem;

/// At node 0, of a scheme that runs the system.
std::unique_ptr<Run> begin(const System& system, const Scheme& scheme, const Options& options,
                           const State& initial);
std::unique_ptr<Run> begin(const AssembledSystem& system, const Scheme& scheme, const Options& options,
                           const State& initial);

}  // namespace livens::reference
