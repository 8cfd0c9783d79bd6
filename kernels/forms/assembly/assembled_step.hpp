#pragma once
// The common part of the discrete Euler-Lagrange schemes for an assembly of bodies, beams and joints, with
// the midpoint rule. gamma-convergence-constrained (14)-(18); docs/equations/assembly.md, section 4. With
// Du = u1 - u0, u_m = u0 + Du/2, the load F in the middle of the step, and the momentum c to the left of a
// node, c_0 = M v_0:
//   (a) b = c - M Du/h - h/2 DV(u_m) + h/2 F,  in the first step without F if that is asked for
//   (b) c' = M Du/h - h/2 DV(u_m) + h/2 F
//   (c) b + s G(u0)^T lambda = 0,  s = h, in the first step h/2
//   (d) a root is accepted if no director turns by 60 degrees or more: d_i(u1).d_i(u0) > 1/2
//   (e) v = P (P^T M P)^-1 P^T c: M is singular, so that c tells a velocity together with the constraints
//   (f) the energy reported is that of the step which led to a node, 1/2 Du.M Du/h^2 + V(u_m); at node 0 that
//       of its v and q

#include "kernels/schemes/look_ahead.hpp"
#include "kernels/schemes/mean_load.hpp"
#include "kernels/systems/assembly/null_space.hpp"

namespace livens::inline LIVENS_ISA {

template <AssembledSystem System_>
class AssembledStep {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  using Position = typename System::Position;
  using Nulls = AssemblyNullSpace<System>;
  using Columns = typename Nulls::Columns;
  static constexpr int d = System::coordinates, m = System::constraints;
  static constexpr bool damped = false, compensated = false;

  struct Carried : LoadClock<System> {
    Position q, c;
    Position velocity;  ///< Du/h of the step that led here; v at node 0
    Scalar length;      ///< h of that step, negative in some stages of a composed one; 0 at node 0
  };

  LIVENS_HD AssembledStep(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), nulls_(system), h_(h), per_h_(Scalar(1.0) / h), settings_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.c = n.p;
    r.velocity = n.v;
    r.length = Scalar(0.0);
    r.LoadClock<System>::start();
    return r;
  }
  LIVENS_HD const Position& position(const Carried& carried) const { return carried.q; }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, carried.c, node_velocity(carried)};
  }
  LIVENS_HD_COLD Measured<Scalar, System::momentum_maps> measure(const Carried& carried,
                                                                 Measuring what) const {
    Measured<Scalar, System::momentum_maps> r{};
    const Position& v = carried.velocity;
    const Position middle = fma(Scalar(-0.5) * carried.length, v, carried.q);
    const Scalar half = Scalar(0.5), p_v = dot(v, system_.inertia_of(middle).times(v));
    r.energy = fma(half, p_v, system_.potential(middle));  // (f)
    r.total_energy = r.energy;
    r.kinetic = half * p_v;
    if (what == Measuring::energies) return r;
    r.constraint = norm_inf(system_.constraints_at(carried.q));
    r.velocity_constraint = norm_inf(system_.constraint_rates(carried.q, node_velocity(carried)));
    r.momentum = system_.momentum_map(carried.q, carried.c);
    return r;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  /// lambda of (c).
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    const Middle at = middle_of(before.q, h_ * after.velocity);
    const Scalar s = select(left_start(before), h_, Scalar(0.5) * h_);
    const Position b = pushed(before) - (at.momentum + at.force);
    return {(Scalar(-1.0) / s) * normal_multiplier(system_, before.q, b), not_a_number_vector<Scalar, m>()};
  }

  /// The middle of a step by Du: M Du/h, h/2 DV(u_m).
  struct Middle {
    Position place, momentum, force;
  };
  /// To the next node; returns the work of the load.
  LIVENS_HD Scalar arrive(const Carried& now, const Position& Du, const Middle& at, Carried& next) const {
    const Position push = impulse(now);
    next = now;
    next.LoadClock<System>::advance(h_);
    next.q = now.q + Du;
    next.c = (at.momentum - at.force) + push;  // (b)
    next.velocity = per_h_ * Du;
    next.length = h_;
    return (Scalar(2.0) * per_h_) * dot(push, Du);
  }

 protected:
  LIVENS_HD Middle middle_of(const Position& u0, const Position& Du) const {
    Middle at;
    at.place = fma(Scalar(0.5), Du, u0);
    at.momentum = system_.inertia_of(at.place).times(per_h_ * Du);
    at.force = (Scalar(0.5) * h_) * system_.gradient(at.place);
    return at;
  }
  /// False at node 0.
  static LIVENS_HD Mask<Scalar> left_start(const Carried& at_node) {
    return abs(at_node.length) > Scalar(0.0);
  }
  /// c + h/2 F of (a).
  LIVENS_HD Position pushed(const Carried& at_node) const {
    const Scalar share = select(left_start(at_node), Scalar(1.0), system_.load_in_start);
    return fma(share, impulse(at_node), at_node.c);
  }
  /// h/2 F.
  LIVENS_HD Position impulse(const Carried& at_node) const {
    const Scalar half = Scalar(0.5) * h_;
    return half * system_.load(at_node.time + half);
  }
  /// P(u).
  LIVENS_HD Columns null_space_at(const Position& u) const {
    Columns P;
    nulls_.columns_at(u, zero_vector<Scalar, Nulls::unknowns>(), P);
    return P;
  }
  /// P(u)^T M P(u).
  LIVENS_HD void tangent_mass(const Position& u, const Columns& P, typename Nulls::Matrix& A) const {
    nulls_.matrix(P, u, u, P, u, zero_vector<Scalar, Nulls::unknowns>(), Scalar(0.0), A);
  }
  /// One over its diagonal where the assembly was put together, 1/(kg or kg m^2): the scale of unknowns.
  LIVENS_HD_COLD typename Nulls::Reduced per_mass() const {
    typename Nulls::Matrix mass;
    tangent_mass(system_.assembled, null_space_at(system_.assembled), mass);
    typename Nulls::Reduced r;
    for (int j = 0; j < Nulls::unknowns; ++j) r[j] = Scalar(1.0) / mass.at(j, j);
    return r;
  }

  /// (d).
  LIVENS_HD Mask<Scalar> keeps_directors(const Position& u0, const Position& Du) const {
    Mask<Scalar> kept(true);
    for (int body = 0; body < System::bodies; ++body)
      for (int i = 0; i < 3; ++i) {
        const Vec3<Scalar> before = vector_at(u0, 12 * body + 3 + 3 * i);
        kept = kept & (dot(before, before + vector_at(Du, 12 * body + 3 + 3 * i)) > Scalar(0.5));
      }
    return kept;
  }

  const System& system_;
  Nulls nulls_;
  Scalar h_, per_h_;
  const Settings& settings_;

 private:
  /// (e); at node 0 as it was given.
  LIVENS_HD_COLD Position node_velocity(const Carried& carried) const {
    const Columns P = null_space_at(carried.q);
    typename Nulls::Matrix A;
    tangent_mass(carried.q, P, A);
    auto nu = nulls_.project(P, carried.q, carried.c);
    solve_unpivoted(A, nu);
    return select<Scalar>(left_start(carried), nulls_.along(P, carried.q, nu), carried.velocity);
  }
};

}  // namespace livens::inline LIVENS_ISA
