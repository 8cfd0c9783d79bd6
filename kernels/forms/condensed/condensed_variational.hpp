#pragma once
// ggl_vi (ggl_vi.hpp) and vi_b with alpha = 1, theta = 0 (vi_b.hpp) with their multipliers as the only
// unknowns, for any system of their class: equations/reduced.md, section 4. With Lambda = h^2 lambda, Gamma =
// h gamma, F = DV, W = W(Gamma), c = q0 + y:
//              ggl_vi                                             vi_b
//   (a) y    = (M + h C)^-1 (h p0 - h^2 F0 - G0^T Lambda)         M^-1 (h p0 - G0^T Lambda)
//   (b) q1   = c + M^-1 G_c^T Gamma                               c + (M - W)^-1 G_c^T Gamma
//   (c) h p1 = M w,  w = y - (M + W)^-1 W y                       M y - W y - h^2 F1 - h C (q1 - q0)
//   (d)        g(q1) = 0,  G_c w = 0                              g(q1) = 0,  G1 y = 0
// The end of the iteration takes a multiplier times the largest entry of its column of (a) for its size: a
// displacement. Newton starts from where three steps before lead to; a step that is difficult is one of the
// full form.
//
// A Rule has info(), the FullForm of a System, and bool kick_first: ggl_vi.

#include "kernels/math/static_sparse_lu.hpp"
#include "kernels/newton/scheme.hpp"
#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/time_unit.hpp"
#include "kernels/systems/shared/entries.hpp"

namespace livens::inline LIVENS_ISA {

/// M +- W.
template <class System>
struct BentInertiaPattern {
  static constexpr int size = System::coordinates;
  static constexpr bool nonzero(int i, int j) {
    return System::Inertia::nonzero(i, j) || any_curvature<System>(i, j);
  }
};

/// Few constraints: the matrix is dense, and G M^-1 G^T stands in it.
template <class System>
concept CondensedToMultipliers = HolonomicSystem<System> && QuadraticConstraints<System> &&
    UnloadedSystem<System> &&
    (System::constraints > 0 && 2 * System::constraints <= largest_unrolled_elimination);

template <CondensedToMultipliers System_, class Rule>
class CondensedVariational {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = CondensedVariational<typename System::template Over<Other>, Rule>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = 2 * m;
  using Position = Vec<Scalar, d>;
  using Multiplier = Vec<Scalar, m>;
  using Unknown = Vec<Scalar, unknowns>;                    ///< Lambda, then Gamma
  using Redone = typename Rule::template FullForm<System>;  ///< a difficult step
  static constexpr const char* form = "reduced";
  static constexpr bool kick_first = Rule::kick_first, damped = true, compensated = false,
                        fixed_options = !kick_first;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct Motion {
    Position q, tau_p;
    Extrapolation<Scalar, unknowns, false> extrapolation;  ///< the unknowns, over (h/tau)^2
    Scalar step;  ///< the length of the step that led here in units of tau, 0 at the start
  };
  struct OwnMotion : Motion {
    Position v;  ///< the scheme's own velocity
  };
  using Carried = std::conditional_t<kick_first, Motion, OwnMotion>;

  LIVENS_HD CondensedVariational(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        unit_(h, settings),
        settings_(settings),
        inertia_(inertia_of_rates(system, h)),
        dampers_(false) {
    if constexpr (System::damped)
      for_each_entry<d, d, DeclaredStiffness<System>>(
          [&](auto i, auto j) { dampers_ = dampers_ | !(system.damping(i, j) == Scalar(0.0)); });
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.tau_p = unit_.tau * n.p;
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, unknowns>());
    r.step = Scalar(0.0);
    if constexpr (!kick_first) r.v = n.v;
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Position p = unit_.per_tau * carried.tau_p;
    if constexpr (kick_first)
      return {carried.q, p, system_.inertia.solve(p)};
    else
      return {carried.q, p, carried.v};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const NodeState<Scalar, d> n = node(carried);
    auto measured = measure_node(system_, n, what);
    if constexpr (!kick_first) {
      const Scalar V = system_.potential(n.q), half = Scalar(0.5);
      measured.energy = fma(half, dot(n.p, system_.inertia.solve(n.p)), V);
      measured.total_energy = fma(half, dot(n.v, system_.inertia.times(n.v)), V);
    }
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return multipliers_of(after, unit_.step);
  }

  /// (d) for the multipliers, at fixed q0, p0.
  class Problem {
   public:
    static constexpr int unknowns = CondensedVariational::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;
    using Bent = SparseFactors<Scalar, BentInertiaPattern<System>>;

    LIVENS_HD Problem(const CondensedVariational& scheme, const Carried& now) : scheme_(scheme), q0_(now.q) {
      const System& system = scheme.system_;
      const auto& unit = scheme.unit_;
      Position impulse = unit.step * now.tau_p;
      if constexpr (kick_first) impulse = fnma(unit.h * unit.h, system.gradient(q0_), impulse);
      free_ = scheme.inertia_.solve(impulse);
      const auto G0 = system.constraint_jacobian(q0_);
      unroll<m>([&](auto k) {
        B_[k] = scheme.inertia_.solve(constraint_row<System, k.value>(G0));
        reach_[k] = norm_inf(B_[k]);
      });
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Unknown residual;
      Position y, q1, w;  ///< w: of ggl_vi
    };
    LIVENS_HD Evaluation evaluate(const Unknown& x) const {
      const System& system = scheme_.system_;
      const Multiplier Gamma = part<m, m>(x);
      Evaluation at;
      at.y = free_;
      unroll<m>([&](auto k) { at.y = fnma(x[k], B_[k], at.y); });  // (a)
      const Position c = q0_ + at.y;
      const auto G_c = system.constraint_jacobian(c);
      const Position push = transpose_times<System>(G_c, Gamma);
      const Bent bent = bent_inertia(Gamma);
      if constexpr (kick_first) {
        at.q1 = c + system.inertia.solve(push);                                   // (b)
        at.w = at.y - bent.solve(weighted_curvature_times(system, Gamma, at.y));  // (c)
        set_part<m>(at.residual, times<System>(G_c, at.w));                       // (d)
      } else {
        at.q1 = c + bent.solve(push);
        set_part<m>(at.residual, times<System>(system.constraint_jacobian(at.q1), at.y));
      }
      set_part<0>(at.residual, system.constraints_at(at.q1));
      return at;
    }

    LIVENS_HD void jacobian(const Unknown& x, const Evaluation& at, Matrix& J) const {
      const System& system = scheme_.system_;
      const Multiplier Gamma = part<m, m>(x);
      const Bent bent = bent_inertia(Gamma);
      const auto G1 = system.constraint_jacobian(at.q1);
      const auto G_c = system.constraint_jacobian(q0_ + at.y);
      Position turned[m];  // A_k times what (d) multiplies
      unroll<m>(
          [&](auto k) { turned[k] = curvature_times<System, k.value>(system, kick_first ? at.w : at.y); });
      const auto along = [&](auto k, const Position& moved) {
        Scalar sum = Scalar(0.0);
        unroll<d>([&](auto i) {
          if constexpr (System::constrains(k.value, i.value)) sum = fma(turned[k][i], moved[i], sum);
        });
        return sum;
      };
      unroll<m>([&](auto l) {
        const Position drawn = weighted_curvature_times(system, Gamma, B_[l]);  // W dy, dy = -B_l dLambda
        if constexpr (kick_first) {
          const auto upper = times<System>(G1, B_[l] + system.inertia.solve(drawn));
          const auto lower = times<System>(G_c, B_[l] - bent.solve(drawn));
          const auto pushed = times<System>(G1, system.inertia.solve(constraint_row<System, l.value>(G_c)));
          const auto slowed = times<System>(G_c, bent.solve(turned[l]));
          unroll<m>([&](auto k) {
            J.at(k, l) = -upper[k];
            J.at(m + k, l) = -(lower[k] + along(k, B_[l]));
            J.at(k, m + l) = pushed[k];
            J.at(m + k, m + l) = -slowed[k];
          });
        } else {
          const Position moved = B_[l] + bent.solve(drawn);
          const Position pushed = bent.solve(constraint_row<System, l.value>(G1));
          const auto upper = times<System>(G1, moved), lower = times<System>(G1, B_[l]);
          const auto right = times<System>(G1, pushed);
          unroll<m>([&](auto k) {
            J.at(k, l) = -upper[k];
            J.at(m + k, l) = -(lower[k] + along(k, moved));
            J.at(k, m + l) = right[k];
            J.at(m + k, m + l) = along(k, pushed);
          });
        }
      });
    }

    /// The farthest that one entry of an update moves a coordinate.
    LIVENS_HD Scalar size_of(const Unknown& update) const {
      Unknown moves;
      unroll<m>([&](auto k) {
        moves[k] = reach_[k] * update[k];
        moves[m + k] = reach_[k] * update[m + k];
      });
      return norm_inf(moves);
    }

   private:
    /// M + W, of vi_b M - W.
    LIVENS_HD Bent bent_inertia(const Multiplier& Gamma) const {
      const System& system = scheme_.system_;
      SparseMatrix<Scalar, BentInertiaPattern<System>> A;
      A.clear();
      struct Mass {
        constexpr bool operator()(int i, int j) const { return System::Inertia::nonzero(i, j); }
      };
      for_each_entry<d, d, Mass>(
          [&](auto i, auto j) { A.template at<i.value, j.value>() = system.inertia.entry(i, j); });
      for_each_entry<d, d, DeclaredAnyCurvature<System>>([&](auto i, auto j) {
        const Scalar W = weighted_curvature<System, i.value, j.value>(system, Gamma);
        Scalar& e = A.template at<i.value, j.value>();
        e = kick_first ? e + W : e - W;
      });
      return Bent(A);
    }

    const CondensedVariational& scheme_;
    const Position& q0_;
    Position free_, B_[m];  ///< y without multipliers, and what they take from it
    Multiplier reach_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    if constexpr (pivoting != Pivoting::where_needed) {
      return condensed_step<pivoting>(now, active, next);
    } else {
      const StepReport<Scalar> report = condensed_step<Pivoting::refused>(now, active, next);
      return report.outcome.good() ? report : full_step(now, report.outcome.iterations, next);
    }
  }

 private:
  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> condensed_step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Unknown x = (unit_.step * unit_.step) * now.extrapolation.next();
    typename Problem::Evaluation at;
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active, at);
    const Position moved = kick_first ? at.y : at.q1 - now.q;
    Position drag = zero_vector<Scalar, d>();
    Scalar dissipated = Scalar(0.0);
    if constexpr (System::damped)
      if (any(dampers_)) {
        drag = viscous_force(system_, moved);
        dissipated = unit_.per_h * dot(moved, drag);
      }
    // (c), which for ggl_vi is h p1 = M y - W w, with M y of (a), which has h C y: M times a y that is M^-1 h p0 and
    // more gives p0 back but for a rounding that is the same in every step, and adds up.
    Position kick = fma(unit_.h * unit_.h, system_.gradient(kick_first ? now.q : at.q1),
                        weighted_curvature_times(system_, part<m, m>(x), kick_first ? at.w : at.y));
    kick = fma(unit_.h, drag, kick);
    kick = kick + transpose_times<System>(system_.constraint_jacobian(now.q), part<0, m>(x));
    next.tau_p = fnma(unit_.per_step, kick, now.tau_p);
    if constexpr (!kick_first) next.v = unit_.per_h * at.y;
    next.q = at.q1;
    remember(now, x, next);
    return {outcome, dissipated, Scalar(0.0)};
  }
  /// For one instance, with pivoting.
  LIVENS_HD_COLD StepReport<Scalar> full_step(const Carried& now, const Scalar& iterations,
                                              Carried& next) const {
    using Full = Redone;
    const Full full(system_, unit_.h, settings_);
    const Multipliers<Scalar, m> last = multipliers_of(now, now.step);
    typename Full::Carried from = full.start(node(now)), to;
    from.tau_p = now.tau_p;
    from.multipliers = stored(last.lambda, last.gamma);
    StepReport<Scalar> report = full.template step<Pivoting::where_needed>(from, true, to);
    report.outcome.iterations = report.outcome.iterations + iterations;
    next.q = to.q;
    next.tau_p = to.tau_p;
    if constexpr (!kick_first) next.v = to.v;
    Unknown x;
    set_part<0>(x, (unit_.h * unit_.h) * part<0, m>(to.multipliers));
    set_part<m>(x, unit_.h * part<m, m>(to.multipliers));
    remember(now, x, next);
    return report;
  }

  LIVENS_HD void remember(const Carried& now, const Unknown& needed, Carried& next) const {
    next.extrapolation =
        now.extrapolation.followed_by((unit_.per_step * unit_.per_step) * needed, !(now.step == unit_.step));
    next.step = unit_.step;
  }
  /// Of a step of this length in units of tau that led to a node.
  LIVENS_HD Multipliers<Scalar, m> multipliers_of(const Carried& after, const Scalar& step) const {
    const Scalar per_h2 = unit_.per_tau * unit_.per_tau;
    return {per_h2 * part<0, m>(after.extrapolation.needed[0]),
            (unit_.per_tau * step) * part<m, m>(after.extrapolation.needed[0])};
  }

  /// What (a) divides by: M + h C, of vi_b M.
  struct RatePattern {
    static constexpr int size = d;
    static constexpr bool nonzero(int i, int j) {
      return System::Inertia::nonzero(i, j) || (kick_first && System::damped && System::stiff(i, j));
    }
    constexpr bool operator()(int i, int j) const { return nonzero(i, j); }
  };
  static LIVENS_HD SparseMatrix<Scalar, RatePattern> inertia_of_rates(const System& system, const Scalar& h) {
    SparseMatrix<Scalar, RatePattern> A;
    A.clear();
    for_each_entry<d, d, RatePattern>([&](auto i, auto j) {
      Scalar& e = A.template at<i.value, j.value>();
      e = system.inertia.entry(i, j);
      if constexpr (kick_first && System::damped) e = fma(h, system.damping(i, j), e);
    });
    return A;
  }

  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  SparseFactors<Scalar, RatePattern> inertia_;
  Mask<Scalar> dampers_;  ///< there are any: without them C is 0, and its terms change no bit
};

}  // namespace livens::inline LIVENS_ISA
