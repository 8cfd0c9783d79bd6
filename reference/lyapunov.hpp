#pragma once
// Lyapunov exponents of the discrete motion, docs/equations/tangents.md, section 4: of differences of motions from one
// orthonormalisation to the next, extrapolated to no displacement.

#include "reference.hpp"

namespace livens::reference {

struct System;

class LyapunovExponents {
 public:
  /// Of as many directions of (q, p, v) as there are columns, at the node where `start` stands; `every` steps from one
  /// orthonormalisation to the next.
  LyapunovExponents(const Model& model, std::unique_ptr<Trajectory> start, Eigen::MatrixXd directions,
                    long every);

  /// Those of the last orthonormalisation in so many steps, of which there are never less than before; NaN before the
  /// first, and from where a displaced motion fails.
  VectorXd at(long steps);

 private:
  void go_on();

  std::shared_ptr<const System> system_;
  std::unique_ptr<Trajectory> motion_;
  Eigen::MatrixXd directions_;
  long every_, done_ = 0;
  double start_;
  VectorXd logarithms_;
};

}  // namespace livens::reference
