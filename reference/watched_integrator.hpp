#pragma once

#include <optional>

#include "reference.hpp"

namespace livens::reference {

/// An integrator beside another, which starts at a state displaced by about 1e-8 on the constraint manifold.
class WatchedIntegrator : public Integrator {
 public:
  WatchedIntegrator(const Model& model, const Options& options, const State& initial);

  /// A failure of the other is no failure of this one.
  const Node& advance() override;

  /// Largest growth so far of the distance between the two, in the infinity norm of (q, v); at least 1.
  /// Throws the StepFailure of the other where it has failed.
  double growth() const;

 private:
  std::optional<Integrator> other_;
  std::optional<StepFailure> failure_;  // of the other
  double start_ = 0.0, largest_ = 0.0;  // distances
};

}  // namespace livens::reference
