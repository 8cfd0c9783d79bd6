#pragma once
// GGL energy-momentum scheme (EMS), ggl-structure-preserving-integrators (21)-(24); equations/holonomic.md,
// section 3.
//   (a) Dq = h M^-1 p_m + h M^-1 G(q_m)^T gamma
//   (b) Dp = -h DbarV(q0, q1) - h G(q_m)^T lambda - h W(gamma) M^-1 p_m - C Dq
//   (c) g(q1) = 0
//   (d) G(q1) M^-1 p1 = 0,      p_m = (p0 + p1)/2, q_m = (q0 + q1)/2, Dq = q1 - q0, and C the viscous damping
//   (section 10)
// Full form: unknowns y = h M^-1 p_m, q1, Lambda = h^2 lambda, Gamma = h gamma; (b) times h, rows divided by
// the diagonal of M, so that the condition does not depend on h (section 8). p1 = 2 M y/h - p0.

#include "kernels/schemes/saddle_point.hpp"

namespace livens::inline LIVENS_ISA {

struct EmsDescription {
  static constexpr SchemeInfo info = {"ems", "GGL energy-momentum scheme, exact energy and momentum",
                                      "ggl-structure-preserving-integrators, (21)-(24)",
                                      "holonomic constraints and a constant regular mass matrix", 2};
};

/// lambda, gamma of the step n0 -> n1 from (a) and (b), by their components along M^-1 G(q_m)^T.
template <class System, class Scalar, int D>
LIVENS_HD Multipliers<Scalar, System::constraints> ems_multipliers(const System& system, const Scalar& h,
                                                                   const NodeState<Scalar, D>& n0,
                                                                   const NodeState<Scalar, D>& n1) {
  constexpr int m = System::constraints;
  const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h;
  const Vec<Scalar, D> Dq = n1.q - n0.q, v_m = per_h * Dq, p_m = half * (n0.p + n1.p);
  const auto G = system.constraint_jacobian(half * (n0.q + n1.q));
  const Vec<Scalar, D> velocity = system.inertia.solve(p_m);

  const auto project = [&](const Vec<Scalar, D>& rate) {
    DenseMatrix<Scalar, m> S;
    unroll<m>([&](auto k) {
      Vec<Scalar, m> unit = zero_vector<Scalar, m>();
      unit[k] = Scalar(1.0);
      const auto column = times<System>(G, system.inertia.solve(transpose_times<System>(G, unit)));
      for (int i = 0; i < m; ++i) S.at(i, k) = column[i];
    });
    Vec<Scalar, m> multiplier = times<System>(G, rate);
    solve_unpivoted(S, multiplier);
    return multiplier;
  };
  Multipliers<Scalar, m> r;
  r.gamma = project(v_m - velocity);
  const Vec<Scalar, D> force = per_h * (n0.p - n1.p) - system.discrete_gradient(n0.q, n1.q) -
                               viscous_force(system, v_m) -
                               weighted_curvature_times(system, r.gamma, velocity);
  r.lambda = project(system.inertia.solve(force));
  return r;
}

template <HolonomicSystem System_>
class Ems {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = Ems<typename System::template Over<Other>>;
  static constexpr int d = System::coordinates, m = System::constraints;
  using Position = Vec<Scalar, d>;
  using Layout = SaddlePointLayout<System>;
  using Unpacked = SaddlePoint<System>;
  static constexpr int unknowns = Layout::size;
  static constexpr const char* form = "full";
  static constexpr bool damped = true, compensated = false;
  static const SchemeInfo& info() { return EmsDescription::info; }

  struct Carried {
    Position q, p;
    Vec<Scalar, m> lambda, gamma;  ///< of the step that led here
  };

  LIVENS_HD Ems(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), h_(h), settings_(settings) {
    unroll<d>([&](auto i) { row_scale_[i] = Scalar(1.0) / system.inertia.entry(i, i); });
  }

  LIVENS_HD Carried start(const Position& q, const Position& p) const {
    return {q, p, zero_vector<Scalar, m>(), zero_vector<Scalar, m>()};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, carried.p, system_.inertia.solve(carried.p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried) const {
    return measure_node(system_, node(carried));
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda, after.gamma};
  }

  class Problem {
   public:
    static constexpr int unknowns = Ems::unknowns;
    struct Pattern {
      static constexpr int size = Layout::size;
      static constexpr bool nonzero(int row, int column) {
        const Unknown of = Layout::table.kind[row], by = Layout::table.kind[column];
        const int i = Layout::table.number[row], j = Layout::table.number[column];
        const bool mass = System::Inertia::nonzero(i, j);
        switch (of) {
          case Unknown::a:
            if (by == Unknown::a) return mass;
            if (by == Unknown::b) return mass || any_curvature<System>(i, j);
            return by == Unknown::gamma && System::constrains(j, i);
          case Unknown::b:
            if (by == Unknown::a) return mass || any_curvature<System>(i, j);
            if (by == Unknown::b) return System::stiff(i, j) || any_curvature<System>(i, j);
            return System::constrains(j, i);
          case Unknown::lambda:
            return by == Unknown::b && System::constrains(i, j);
          default:
            return (by == Unknown::a || by == Unknown::b) && System::constrains(i, j);
        }
      }
    };
    using Matrix = SparseMatrix<Scalar, Pattern>;

    LIVENS_HD Problem(const Ems& scheme, const Carried& now)
        : scheme_(scheme), now_(now), hv0_(scheme.h_ * scheme.system_.inertia.solve(now.p)) {}

    struct Evaluation {
      Vec<Scalar, Layout::size> residual;
    };

    LIVENS_HD Evaluation evaluate(const Vec<Scalar, Layout::size>& x) const {
      const Unpacked at_x = Unpacked::unpack(x);
      const auto &y = at_x.a, &q1 = at_x.b;
      const auto &Lambda = at_x.lambda, &Gamma = at_x.gamma;
      const System& system = scheme_.system_;
      const Scalar h = scheme_.h_, half = Scalar(0.5), two = Scalar(2.0);
      const Position Dq = q1 - now_.q;
      const auto G_m = system.constraint_jacobian(half * (now_.q + q1));
      const auto G1 = system.constraint_jacobian(q1);

      const Position kinematic = system.inertia.times(Dq - y) - transpose_times<System>(G_m, Gamma);  // (a)
      const Position momentum =
          system.inertia.times(two * (y - hv0_)) + (h * h) * system.discrete_gradient(now_.q, q1) +
          transpose_times<System>(G_m, Lambda) + weighted_curvature_times(system, Gamma, y) +
          h * viscous_force(system, Dq);  // (b)
      Unpacked r;
      for (int i = 0; i < d; ++i) {
        r.a[i] = scheme_.row_scale_[i] * kinematic[i];
        r.b[i] = scheme_.row_scale_[i] * momentum[i];
      }
      r.lambda = system.constraints_at(q1);         // (c)
      r.gamma = times<System>(G1, two * y - hv0_);  // (d) times h
      return {r.pack()};
    }

    LIVENS_HD void jacobian(const Vec<Scalar, Layout::size>& x, const Evaluation&, Matrix& J) const {
      const Unpacked at_x = Unpacked::unpack(x);
      const auto &y = at_x.a, &q1 = at_x.b;
      const auto &Lambda = at_x.lambda, &Gamma = at_x.gamma;
      const System& system = scheme_.system_;
      const Scalar h = scheme_.h_, half = Scalar(0.5), two = Scalar(2.0);
      const auto G_m = system.constraint_jacobian(half * (now_.q + q1));
      const auto G1 = system.constraint_jacobian(q1);
      const auto K = system.discrete_gradient_jacobian(now_.q, q1);
      const Position velocity1 = two * y - hv0_;
      J.clear();
      unroll<d>([&](auto i) {
        constexpr int row_a = Layout::a(i.value), row_b = Layout::b(i.value);
        const Scalar scale = scheme_.row_scale_[i];
        unroll<d>([&](auto j) {
          constexpr int y_j = Layout::a(j.value), q_j = Layout::b(j.value);
          if constexpr (System::Inertia::nonzero(i.value, j.value)) {
            const Scalar entry = scale * system.inertia.entry(i, j);
            J.template at<row_a, y_j>() = -entry;
            J.template at<row_a, q_j>() = entry;
            J.template at<row_b, y_j>() = two * entry;
          }
          if constexpr (System::stiff(i.value, j.value))
            J.template at<row_b, q_j>() = scale * h * fma(h, K(i, j), system.damping(i, j));
          if constexpr (any_curvature<System>(i.value, j.value)) {
            const Scalar of_gamma = scale * weighted_curvature<System, i.value, j.value>(system, Gamma);
            const Scalar of_lambda = scale * weighted_curvature<System, i.value, j.value>(system, Lambda);
            J.template at<row_a, q_j>() = fnma(half, of_gamma, J.template at<row_a, q_j>());
            J.template at<row_b, y_j>() = J.template at<row_b, y_j>() + of_gamma;
            J.template at<row_b, q_j>() = fma(half, of_lambda, J.template at<row_b, q_j>());
          }
        });
      });
      unroll<m>([&](auto k) {
        constexpr int lambda_k = Layout::lambda(k.value), gamma_k = Layout::gamma(k.value);
        const Position A_y = curvature_times<System, k.value>(system, y);
        const Position A_v = curvature_times<System, k.value>(system, velocity1);
        unroll<d>([&](auto i) {
          constexpr int y_i = Layout::a(i.value), q_i = Layout::b(i.value);
          if constexpr (System::constrains(k.value, i.value)) {
            const Scalar entry = scheme_.row_scale_[i] * G_m(k, i);
            J.template at<y_i, gamma_k>() = -entry;
            J.template at<q_i, lambda_k>() = entry;
            J.template at<q_i, gamma_k>() = scheme_.row_scale_[i] * A_y[i];
            J.template at<lambda_k, q_i>() = G1(k, i);
            J.template at<gamma_k, y_i>() = two * G1(k, i);
            J.template at<gamma_k, q_i>() = A_v[i];
          }
        });
      });
    }

   private:
    friend class Ems;
    const Ems& scheme_;
    const Carried& now_;
    Position hv0_;  ///< h M^-1 p0
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Scalar h2 = h_ * h_;
    auto x = Unpacked{problem.hv0_, now.q + problem.hv0_, h2 * now.lambda, h_ * now.gamma}.pack();
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    const Unpacked at_x = Unpacked::unpack(x);
    const auto &y = at_x.a, &q1 = at_x.b;
    const auto &Lambda = at_x.lambda, &Gamma = at_x.gamma;
    const Scalar per_h = Scalar(1.0) / h_;
    const Position Dq = q1 - now.q;
    const Scalar dissipated = per_h * dot(Dq, viscous_force(system_, Dq));
    next = {q1, system_.inertia.times((Scalar(2.0) * per_h) * y) - now.p, (per_h * per_h) * Lambda,
            per_h * Gamma};
    return {outcome, dissipated, Scalar(0.0)};
  }

 private:
  const System& system_;
  Scalar h_;
  Settings settings_;
  Position row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
