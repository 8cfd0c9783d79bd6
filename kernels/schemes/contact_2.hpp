#pragma once
// Herglotz contact integrator of second order with nonholonomic constraints, "C2": herglotz-nonholonomic
// (3.4) with the midpoint kinetic energy, trapezoidal potential and alpha (z + z')/2; equations/herglotz.md,
// sections 2 and 3. One-step form: the carried momentum is P = h D2 L_d(q_{j-1}, q_j)/(1 + alpha h/2), P_0 =
// p_0 (discrete Legendre transform), so that kappa D2 L_d becomes (1 - alpha h/2) P/h and the step may
// change.
//   (a) -m Dq/h^2 - DV(q0)/2 + (1 - alpha h/2) P/h = A(q0)^T lambda
//   (b) A(q_m) Dq/h + b(q_m) = 0
//   (c) P' = [m Dq/h - h DV(q1)/2]/(1 + alpha h/2)
//   (d) z' = [(1 - alpha h/2) z + h (T(Dq/h) - (V(q0) + V(q1))/2)]/(1 + alpha h/2)
// Without A(q0)^T lambda (a) gives a free increment; the system solves (b) along A(q0)^T in closed form.
//   (e) W' = W + (1 + alpha h/2) (h lambda b(q0) + mu' b(q1) - mu b(q0))
//   (f) v = M^-1 (P - A(q)^T mu)  with  A(q) v + b(q) = 0: velocity at a node, p = M v
// The impulse h A^T lambda of a node acts half before and half after it; mu is the half before, so that (e),
// the work of the affine part of the constraint, is the trapezoidal rule.

#include "kernels/schemes/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct Contact2Description {
  static constexpr SchemeInfo info = {"contact_2", "Herglotz contact integrator, second order",
                                      "herglotz-nonholonomic, (3.3)-(3.4), appendix A",
                                      "nonholonomic constraints A(q) v + b(q) = 0 and a contact Lagrangian",
                                      2};
};

template <ContactSystem System_>
class Contact2 {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = Contact2<typename System::template Over<Other>>;
  static constexpr int d = System::coordinates;
  using Position = Vec<Scalar, d>;
  static constexpr int unknowns = 0;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false;
  static const SchemeInfo& info() { return Contact2Description::info; }

  struct Carried {
    Position q, momentum;  ///< P
    Scalar lambda, z;
  };

  LIVENS_HD Contact2(const System& system, const Scalar& h, const Settings&)
      : system_(system),
        h_(h),
        per_h_(Scalar(1.0) / h),
        before_(fnma(Scalar(0.5) * h, system.dissipation_rate(), Scalar(1.0))),
        after_(fma(Scalar(0.5) * h, system.dissipation_rate(), Scalar(1.0))),
        per_after_(Scalar(1.0) / after_) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    return {n.q, n.p, Scalar(0.0), Scalar(0.0)};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Position free_velocity = system_.inertia.solve(carried.momentum);
    const Position v = fnma(correction(carried), system_.constraint_row(carried.q), free_velocity);
    return {carried.q, system_.inertia.times(v), v};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried) const {
    return measure_node(system_, node(carried));
  }
  LIVENS_HD Scalar action(const Carried& carried) const { return carried.z; }
  LIVENS_HD Multipliers<Scalar, 1> multipliers(const Carried&, const Carried& after) const {
    return {{{after.lambda}}, not_a_number_vector<Scalar, 1>()};
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Scalar half = Scalar(0.5);
    const Position DV0 = system_.gradient(now.q);
    const Position impulse = fnma(half * h_, DV0, before_ * now.momentum);
    const Position free_increment = h_ * system_.inertia.solve(impulse);      // (a)
    const auto solved = system_.constrained_step(now.q, free_increment, h_);  // (b)
    const Position v = per_h_ * solved.increment;
    next.q = now.q + solved.increment;
    const Position Mv = system_.inertia.times(v);
    const Scalar T = half * dot(v, Mv);
    next.momentum = per_after_ * fnma(half * h_, system_.gradient(next.q), Mv);  // (c)
    const Scalar V_mean = half * (system_.potential(now.q) + system_.potential(next.q));
    next.z = per_after_ * fma(h_, T - V_mean, before_ * now.z);  // (d)
    next.lambda = solved.multiplier * system_.inertia.mass * per_h_ * per_h_;
    const Mask<Scalar> failed = active & !(solved.solvable & finite(solved.multiplier));
    const Scalar status = select(failed, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    const Scalar dissipated = h_ * Scalar(2.0) * system_.dissipation_rate() * T;
    const Scalar work = after_ * (h_ * next.lambda * system_.constraint_offset(now.q) + half_step_work(next) -
                                  half_step_work(now));  // (e)
    return {{status, Scalar(0.0)}, dissipated, work};
  }

 private:
  /// mu/m of (f).
  LIVENS_HD Scalar correction(const Carried& carried) const {
    const Position A = system_.constraint_row(carried.q);
    const Position free_velocity = system_.inertia.solve(carried.momentum);
    return (dot(A, free_velocity) + system_.constraint_offset(carried.q)) / dot(A, A);
  }
  /// mu b(q) of (e).
  LIVENS_HD Scalar half_step_work(const Carried& carried) const {
    return system_.inertia.mass * correction(carried) * system_.constraint_offset(carried.q);
  }

  const System& system_;
  Scalar h_, per_h_, before_, after_, per_after_;
};

}  // namespace livens::inline LIVENS_ISA
