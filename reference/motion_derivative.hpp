#pragma once
// The derivative of a whole motion by one number: central differences of motions displaced by less and less, extrapolated to
// no displacement (C. J. F. Ridders, Accurate computation of F'(x) and F'(x) F''(x), Advances in Engineering Software 4 (1982)).

#include <functional>
#include <vector>

#include "reference.hpp"

namespace livens::reference {

class MotionDerivative {
 public:
  /// What is known after so many steps, of which there are never less than before; NaN where the motion fails.
  using Motion = std::function<VectorXd(long steps)>;

  /// `displaced` begins the motion with the number moved by so much, at most by `largest`.
  MotionDerivative(const std::function<Motion(double)>& displaced, double largest);

  /// After so many steps, every entry with the least of the estimated errors.
  VectorXd at(long steps);

 private:
  struct Pair {
    double by;
    Motion there, back;
  };
  std::vector<Pair> pairs_;
};

/// Where to begin with a displacement along a direction of (q, p, v): q and v are moved by a thirty-second of their
/// largest entries at most.
double largest_displacement(const Node& node, const VectorXd& direction);

}  // namespace livens::reference
