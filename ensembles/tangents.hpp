#pragma once
// Derivatives at the samples, and what the laws of the draws become along the motion, to first order:
// Phi B B^T Phi^T (docs/equations/tangents.md, section 4).

#include "ensembles/observables.hpp"
#include "ensembles/request.hpp"

namespace livens::ensembles {

/// tangent.covariance is asked for.
bool has_covariance(const Request& request);

/// That of 2 d entries, q before p, without values. `of`: what they are of.
Quantity covariance_of(const std::string& name, const std::string& of, const SystemInfo& system);

/// That of one instance, a row of 2 d numbers after the other, from the derivatives of q and p, a row an entry.
void propagate_covariance(const Tangent& tangent, int coordinates, const double* by_q, const double* by_p,
                          double* covariance);

/// What there is at the samples, in the order of their names: the derivatives that a record has at every node, and
/// the covariance that those of q and p make. Without values.
struct FollowedTangents {
  int column;  ///< of the record, the first; -1 of the covariance
  Quantity quantity;
};
std::vector<FollowedTangents> followed_tangents(const SystemInfo& system, const Request& request);

}  // namespace livens::ensembles
