#pragma once
// Gradients of sums over the nodes of every instance's motion, backwards (docs/equations/tangents.md, section 7): of a
// spec whose [tangent] names what they are taken of, and none of which is carried along.

#include "host/library/prepared.hpp"
#include "kernels/description/adjoint.hpp"

namespace livens::host {

/// The K names that gradients are taken of, and those of the values that are counted as `sampled`.
struct AdjointNames {
  std::vector<std::string> of, sampled;
};
/// Throws RequestError, as the constructor of Adjoint does.
AdjointNames adjoint_names(const Ensemble& ensemble);

/// What a sum counts of the nodes of N instances; units as Counted has them.
struct CountedNodes {
  std::vector<std::int64_t> units;       ///< T, ascending; empty: the last node alone
  std::vector<double> q, p, v, sampled;  ///< N,T and a width each; empty: not counted
  std::int64_t kept_every = 0;           ///< as Counted has it
};

class Adjoint : public Prepared {
 public:
  /// Throws RequestError where there is no adjoint: of impacts, stops and events, exponents, a basis of the state.
  explicit Adjoint(const Ensemble& ensemble);

  /// N,K: of the sums of the instances whose values these are, as run() takes them; not numbers where one does not come
  /// to the last of the nodes with status ok. The same bits whatever the threads and whatever is kept. Throws
  /// RequestError, and Interrupted where `cancelled` says so.
  std::vector<double> gradients(std::vector<std::vector<double>> columns, const CountedNodes& counted,
                                const std::function<bool()>& cancelled);

 private:
  const PairKernels* pair_;
};

}  // namespace livens::host
