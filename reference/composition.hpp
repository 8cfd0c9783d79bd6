#pragma once
// Symmetric composition of a scheme that is its own adjoint: a step h as stages of the lengths g_s h. Written
// apart from kernels/, from the same papers: Suzuki, Phys. Lett. A 146 (1990) 319 for order 4; Kahan and Li,
// Math. Comp. 66 (1997) 1089 for orders 6 (9 stages) and 8 (17 stages).

#include <string>

#include "scheme.hpp"

namespace livens::reference {

class Composition {
 public:
  /// Of order 4, 6 or 8; std::invalid_argument for any other.
  explicit Composition(int order);

  /// From node n to n+1. lambda and gamma are sum g_s lambda_s, sum g_s gamma_s. A scheme whose momentum at a
  /// node needs the step after it (del_*) has here, at every stage, the tangential part of the momentum left
  /// of it, and begins the next stage with that. Throws NewtonFailure.
  Point step(const Scheme& scheme, const System& system, const Options& options, const Point& node) const;

 private:
  std::vector<double> lengths_;
};

/// g_1, ..., g_S of order 4, 6 or 8; 1 alone for 0, the scheme's own. std::invalid_argument for any other.
std::vector<double> stage_lengths(int order);

/// g_1, ..., g_S as they are printed, to 26 digits and more; for the test of the order conditions.
std::vector<std::string> printed_lengths(int order);

}  // namespace livens::reference
