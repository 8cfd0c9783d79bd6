#pragma once
// GGL variational integrator, ggl-variational-principle (41) and, damped, (57); equations/holonomic.md,
// section 1. With qb = q0 + h v:
//   (a) q1 = q0 + h v + h M^-1 G(qb)^T gamma
//   (b) M v = p0 - h DV(q0) - h G(q0)^T lambda - h C v
//   (c) M v = (I + h W(gamma) M^-1) p1
//   (d) g(q1) = 0
//   (e) G(qb) M^-1 p1 = 0
// (b) is (41b) plus (41c): v is explicit in lambda. (41b) prints p0 behind W, which loses symplecticity.
// Full form: unknowns y = h v, w = h M^-1 p1, Lambda = h^2 lambda, Gamma = h gamma, with q1 from (a); (b) and
// (c) times h and divided by the diagonal of M. A step carries tau p on (time_unit.hpp).

#include "kernels/schemes/saddle_point.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

struct GglViDescription {
  static constexpr SchemeInfo info = {.name = "ggl_vi",
                                      .meaning = "GGL variational integrator, symplectic",
                                      .paper = "ggl-variational-principle, (41), (57)",
                                      .needs = "holonomic constraints and a constant regular mass matrix",
                                      .order = 1,
                                      .runs_on = on_unloaded_quadratic,
                                      .composable = [](const Settings&, bool) -> Composable {
                                        return {
                                            0,
                                            "it is not its own adjoint: its forces are those of the start "
                                            "of a step; ems and rattle are"};
                                      }};
};

template <HolonomicSystem System_>
requires QuadraticConstraints<System_> && UnloadedSystem<System_>
class GglVi {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GglVi<typename System::template Over<Other>>;
  static constexpr int d = System::coordinates, m = System::constraints;
  using Position = Vec<Scalar, d>;
  using Layout = SaddlePointLayout<System, true>;
  using Unpacked = SaddlePoint<System, true>;
  static constexpr int unknowns = Layout::size;
  static constexpr const char* form = "full";
  static constexpr bool damped = true, compensated = false;
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }

  struct Carried {
    Position q, tau_p;
    [[no_unique_address]] StoredMultipliers<Scalar, m> multipliers;  ///< of the step that led here
  };

  LIVENS_HD GglVi(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), unit_(h, settings), settings_(settings) {
    unroll<d>([&](auto i) { row_scale_[i] = Scalar(1.0) / system.inertia.entry(i, i); });
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    return {n.q, unit_.tau * n.p, zero_vector<Scalar, 2 * m>()};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Position p = unit_.per_tau * carried.tau_p;
    return {carried.q, p, system_.inertia.solve(p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node(system_, node(carried), what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {part<0, m>(after.multipliers), part<m, m>(after.multipliers)};
  }

  class Problem {
   public:
    static constexpr int unknowns = GglVi::unknowns;
    struct Pattern {
      static constexpr int size = Layout::size;
      /// True if W(Gamma) M^-1 G_k^T, that is a constraint that shares inertia with k, touches coordinate j.
      static constexpr bool reached(int k, int j) {
        if (System::Inertia::coupled || System::constrains(k, j)) return true;
        for (int other = 0; other < m; ++other)
          for (int i = 0; i < d; ++i)
            if (System::constrains(k, i) && System::constrains(other, i) && System::constrains(other, j))
              return true;
        return false;
      }
      static constexpr bool nonzero(int row, int column) {
        const Unknown of = Layout::table.kind[row], by = Layout::table.kind[column];
        const int i = Layout::table.number[row], j = Layout::table.number[column];
        const bool mass = System::Inertia::nonzero(i, j);
        switch (of) {
          case Unknown::a:
            if (by == Unknown::a) return mass || System::stiff(i, j);
            return by == Unknown::lambda && System::constrains(j, i);
          case Unknown::b:
            if (by == Unknown::a) return mass;
            if (by == Unknown::b) return mass || any_curvature<System>(i, j);
            return by == Unknown::gamma && System::constrains(j, i);
          case Unknown::lambda:
            return by == Unknown::gamma || (by == Unknown::a && reached(i, j));
          default:
            return (by == Unknown::a || by == Unknown::b) && System::constrains(i, j);
        }
      }
    };
    using Matrix = SparseMatrix<Scalar, Pattern>;

    LIVENS_HD Problem(const GglVi& scheme, const Carried& now)
        : scheme_(scheme), now_(now), G0_(scheme.system_.constraint_jacobian(now.q)) {
      const Scalar h = scheme.unit_.h;
      h_momentum_ = fnma(h * h, scheme.system_.gradient(now.q), scheme.unit_.step * now.tau_p);
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Vec<Scalar, Layout::size> residual;
      Mat<Scalar, m, d> G_b, G1;
    };

    /// q1 of (a) from y = h v and Gamma.
    LIVENS_HD Position end_position(const Mat<Scalar, m, d>& G_b, const Position& y,
                                    const Vec<Scalar, m>& Gamma) const {
      return now_.q + y + scheme_.system_.inertia.solve(transpose_times<System>(G_b, Gamma));
    }

    LIVENS_HD Evaluation evaluate(const Vec<Scalar, Layout::size>& x) const {
      const Unpacked at_x = Unpacked::unpack(x);
      const auto &y = at_x.a, &w = at_x.b;
      const auto &Lambda = at_x.lambda, &Gamma = at_x.gamma;
      const System& system = scheme_.system_;
      Evaluation at;
      at.G_b = system.constraint_jacobian(now_.q + y);
      const Position q1 = end_position(at.G_b, y, Gamma);
      at.G1 = system.constraint_jacobian(q1);
      const Position My = system.inertia.times(y);
      const Position explicit_velocity = My - h_momentum_ + transpose_times<System>(G0_, Lambda) +
                                         scheme_.unit_.h * viscous_force(system, y);  // (b)
      const Position legendre =
          system.inertia.times(w) + weighted_curvature_times(system, Gamma, w) - My;  // (c)
      Unpacked r;
      for (int i = 0; i < d; ++i) {
        r.a[i] = scheme_.row_scale_[i] * explicit_velocity[i];
        r.b[i] = scheme_.row_scale_[i] * legendre[i];
      }
      r.lambda = system.constraints_at(q1);  // (d)
      r.gamma = times<System>(at.G_b, w);    // (e) times h
      at.residual = r.pack();
      return at;
    }

    LIVENS_HD void jacobian(const Vec<Scalar, Layout::size>& x, const Evaluation& at, Matrix& J) const {
      const Unpacked at_x = Unpacked::unpack(x);
      const auto& w = at_x.b;
      const auto& Gamma = at_x.gamma;
      const System& system = scheme_.system_;
      J.clear();
      unroll<d>([&](auto i) {
        constexpr int row_a = Layout::a(i.value), row_b = Layout::b(i.value);
        const Scalar scale = scheme_.row_scale_[i];
        unroll<d>([&](auto j) {
          constexpr int y_j = Layout::a(j.value), w_j = Layout::b(j.value);
          if constexpr (System::Inertia::nonzero(i.value, j.value)) {
            const Scalar entry = scale * system.inertia.entry(i, j);
            J.template at<row_a, y_j>() = entry;
            J.template at<row_b, y_j>() = -entry;
            J.template at<row_b, w_j>() = entry;
          }
          if constexpr (System::stiff(i.value, j.value))
            J.template at<row_a, y_j>() =
                fma(scale * scheme_.unit_.h, system.damping(i, j), J.template at<row_a, y_j>());
          if constexpr (any_curvature<System>(i.value, j.value))
            J.template at<row_b, w_j>() =
                fma(scale, weighted_curvature<System, i.value, j.value>(system, Gamma),
                    J.template at<row_b, w_j>());
        });
      });
      unroll<m>([&](auto k) {
        constexpr int lambda_k = Layout::lambda(k.value), gamma_k = Layout::gamma(k.value);
        const Position G1_k = constraint_row<System, k.value>(at.G1);
        // (d): dq1 = dy + M^-1 W(Gamma) dy + M^-1 G_b^T dGamma, seen through the row M^-1 G1_k.
        const Position H_k = system.inertia.solve(G1_k);
        const Position by_y = G1_k + weighted_curvature_times(system, Gamma, H_k);
        const auto by_gamma = times<System>(at.G_b, H_k);
        const Position A_w = curvature_times<System, k.value>(system, w);
        unroll<m>([&](auto l) { J.template at<lambda_k, Layout::gamma(l.value)>() = by_gamma[l]; });
        unroll<d>([&](auto i) {
          constexpr int y_i = Layout::a(i.value), w_i = Layout::b(i.value);
          if constexpr (Pattern::reached(k.value, i.value)) J.template at<lambda_k, y_i>() = by_y[i];
          if constexpr (System::constrains(k.value, i.value)) {
            J.template at<y_i, lambda_k>() = scheme_.row_scale_[i] * G0_(k, i);
            J.template at<w_i, gamma_k>() = scheme_.row_scale_[i] * A_w[i];
            J.template at<gamma_k, w_i>() = at.G_b(k, i);
            J.template at<gamma_k, y_i>() = A_w[i];
          }
        });
      });
    }

   private:
    friend class GglVi;
    const GglVi& scheme_;
    const Carried& now_;
    Mat<Scalar, m, d> G0_;
    Position h_momentum_;  ///< h (p0 - h DV(q0))
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Position hv = system_.inertia.solve(problem.h_momentum_);
    const Scalar &h = unit_.h, &per_h = unit_.per_h;
    auto x = Unpacked{hv, hv, (h * h) * part<0, m>(now.multipliers), h * part<m, m>(now.multipliers)}.pack();
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    const Unpacked at_x = Unpacked::unpack(x);
    const auto &y = at_x.a, &w = at_x.b;
    const auto &Lambda = at_x.lambda, &Gamma = at_x.gamma;
    next.q = problem.end_position(system_.constraint_jacobian(now.q + y), y, Gamma);
    next.tau_p = system_.inertia.times(unit_.per_step * w);
    next.multipliers = stored((per_h * per_h) * Lambda, per_h * Gamma);
    return {outcome, per_h * dot(y, viscous_force(system_, y)), Scalar(0.0)};
  }

 private:
  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  Position row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
