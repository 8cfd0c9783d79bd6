#pragma once
// Gradients of sums over the nodes of every instance's motion, backwards (docs/equations/tangents.md, section 7): of a
// spec whose [tangent] names what they are taken of, and none of which is carried along.

#include "host/backends/gradients.hpp"
#include "host/library/prepared.hpp"

namespace livens::host {

/// The K names that gradients are taken of, and those of the values that are counted as `sampled`.
struct AdjointNames {
  std::vector<std::string> of, sampled;
};
/// Throws RequestError, as the constructor of Adjoint does.
AdjointNames adjoint_names(const Ensemble& ensemble);

class Adjoint : public Prepared {
 public:
  /// Throws RequestError where there is no adjoint: of impacts, stops and events, exponents, a basis of the state.
  explicit Adjoint(const Ensemble& ensemble);

  /// As host::gradients(), of the instances with these values, as run() takes them. Throws RequestError, and Interrupted
  /// where `cancelled` says so.
  std::vector<double> gradients(std::vector<std::vector<double>> columns, const CountedNodes& counted,
                                const std::function<bool()>& cancelled);
};

}  // namespace livens::host
