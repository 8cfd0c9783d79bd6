#pragma once
// The nearest consistent state of an assembly. M has no inverse, so the metric is the identity.
//   (a) u - u^ + G(u)^T mu = 0,  g(u) = 0
//       P(u)^T takes mu away; without the curvature of g the update is x + P y,
//       G x = g,  P^T P y = P^T (u - u^ - x)
//   (b) v = P y,  P^T P y = P^T v^
// An update of (a) leaves of the error a part as large as u - u^, over directors of length one: a state that
// is a tenth off takes some 15.

#include "kernels/systems/assembly/onto_constraints.hpp"
#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// P(u) and P^T P.
template <class System>
class TangentSpace {
 public:
  using Position = typename System::Position;
  using Nulls = AssemblyNullSpace<System>;

  LIVENS_HD TangentSpace(const System& system, const Position& u) : unit_(system), nulls_(unit_), u_(u) {
    for (int body = 0; body < System::bodies; ++body) unit_.own_mass[body] = {{1.0, 1.0, 1.0, 1.0}};
    for (auto& section : unit_.section) section = {};
    const auto none = zero_vector<double, Nulls::unknowns>();
    nulls_.columns_at(u, none, P_);
    nulls_.matrix(P_, u, u, P_, u, none, 0.0, square_);
  }
  /// P (P^T P)^-1 P^T f.
  LIVENS_HD Position part(const Position& f) const {
    auto factors = square_;
    auto y = nulls_.project(P_, u_, f);
    solve_unpivoted(factors, y);
    return nulls_.along(P_, u_, y);
  }

 private:
  System unit_;  ///< the same bodies and joints, all vectors of mass one
  Nulls nulls_;
  const Position& u_;
  typename Nulls::Columns P_;
  typename Nulls::Matrix square_;
};

/// (a); false where it does not converge.
template <AssembledSystem System>
LIVENS_HD_COLD bool project_position(const System& system, Vec<double, System::coordinates>& u) {
  constexpr int iterations = 50;
  constexpr double rounding = 16.0 * 0x1p-52;
  const auto given = u;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const auto g = system.constraints_at(u);
    if (iteration == 0 && norm_inf(g) == 0.0) return true;
    const auto x = onto_constraints(system, u, g);
    const auto update = x + TangentSpace<System>(system, u).part((u - given) - x);
    u = u - update;
    const double change = norm_inf(update);
    if (!finite(change)) return false;
    if (change <= rounding * norm_inf(u)) return true;
  }
  return false;
}
/// (b).
template <AssembledSystem System>
LIVENS_HD_COLD bool project_velocity(const System& system, const Vec<double, System::coordinates>& u,
                                     Vec<double, System::coordinates>& v) {
  v = TangentSpace<System>(system, u).part(v);
  return true;
}

}  // namespace livens::inline LIVENS_ISA
