#pragma once
// The schemes for L = T - V - alpha z + F(t).q under A(q) v + b(q) = 0 that differ by where terms are taken
// and with what weight: herglotz-nonholonomic (2.4), (3.3)-(3.4); equations/herglotz.md, section 2. A Rule
// chooses s, r and how the damping enters; x = Dq = q1 - q0, v = Dq/h, q_s = q0 + s Dq, T by its value there,
// V and F by the trapezoidal rule.
//   (a) h D1 L_d = -left M(q_s) v + h (1 - s) D_q T(q_s, v) + h/2 (F0 - DV(q0))
//   (b) h D2 L_d = right M(q_s) v + h s D_q T(q_s, v) + h/2 (F1 - DV(q1))
//   (c) h D1 L_d + before P0 = h A(q0)^T lambda                                              (3.4), (2.4)
//   (d) A(q_s) v + b(q_s) = 0
//   (e) P1 = h D2 L_d/after
//   (f) z1 = [before z0 + h L_d]/after, L_d without alpha                                           (3.2)
// A Herglotz principle with D3 L_d = -alpha (1 - r), D4 L_d = -alpha r has left = right = 1 and
//   (g) before = 1 - alpha h (1 - r), after = 1 + alpha h r;  kappa = before/after of the step before,
// the principle of Lagrange and d'Alembert with the force -alpha dT/dv at q_s has before = after = 1 and
//   (h) left = 1 + alpha h (1 - s), right = 1 - alpha h s.
// P is the one-step form of a two-step scheme: the discrete Legendre transform of the step before. P = p0 at
// the start; with start = "naive" the first step is q1 = q0 + h v0 instead.
// A system that does not solve (d) along A(q0)^T itself is Chaplygin's: A = (1 | B), and A and b do not
// depend on the leading m coordinates. Then (d) gives x = (-B(q_s) y - h b(q_s), y), and A^T lambda goes with
// the null space N = (-B; 1) of A(q0):
//   (i) N^T (left M(q_s) x - (1 - s) D_q T(q_s, x) - h G) = 0,  G = before P0 + h/2 (F0 - DV(q0))
// in the d - m unknowns y, the shape, rows divided by the diagonal of N^T diag(M(q0)) N; T is quadratic in v.
// Then, with R = (...),
//   (j) A^T lambda = -R/h^2: its leading entries; elsewhere A A^T lambda = -A R/h^2
// Newton's method starts from y = 2 h v0 - y of the step before, which is off by h^3.
// At a node v is M^-1 P projected M-orthogonally, P = M v + A^T mu, and p = M v. The impulse h A^T lambda of
// a node acts half before and half after it, and mu is the half before: the work of b, by the trapezoidal
// rule,
//   (k) W1 = W0 + F_m.Dq + after (h lambda.b(q0) + mu1.b(q1) - mu0.b(q0)),  F_m = (F0 + F1)/2
// or in composed steps, where a stage and the next differ in h, in terms of its own impulses alone,
//   (k') W1 = W0 + F_m.Dq + (h lambda - before mu0).b(q0) + after mu1.b(q1)
//   (l) D1 = D0 + h 2 alpha T(q_m, v): energy dissipated

#include "kernels/newton/scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// Over a step h: s, (g) and (h).
template <class Scalar>
struct ContactWeights {
  Scalar place, before, after, left, right;
};
template <class Scalar>
LIVENS_HD ContactWeights<Scalar> herglotz_weights(double s, double r, const Scalar& alpha_h) {
  const Scalar one = Scalar(1.0);
  return {Scalar(s), fnma(Scalar(1.0 - r), alpha_h, one), fma(Scalar(r), alpha_h, one), one, one};
}
template <class Scalar>
LIVENS_HD ContactWeights<Scalar> dalembert_weights(double s, const Scalar& alpha_h) {
  const Scalar one = Scalar(1.0);
  return {Scalar(s), one, one, fma(Scalar(1.0 - s), alpha_h, one), fnma(Scalar(s), alpha_h, one)};
}

/// The first step: from p0 by the discrete Legendre transform, or q1 = q0 + h v0. An option of every scheme
/// here.
enum class Start { legendre, naive };
inline constexpr const char* starts[] = {"legendre", "naive"};
inline constexpr WordOption<Start> start_option = {
    {.name = "start",
     .place = 0,
     .meaning = "the first step: the discrete Legendre transform of p0, or q1 = q0 + h v0",
     .standard = static_cast<double>(Start::legendre),
     .words = starts}};

/// A naive first step is the adjoint of nothing.
constexpr Composable composable_from_momenta(const Settings& settings, bool regular_mass) {
  if (settings.value<start_option>() == Start::naive)
    return {0,
            "with start = \"naive\" its first step is of first order; with start = \"legendre\" it is not"};
  return to_any_order(settings, regular_mass);
}

/// Rule: info(), has_action (z), weights<Scalar>(settings, constant_mass, alpha h).
template <ContactSystem System_, class Rule>
class ContactForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = ContactForm<typename System::template Over<Other>, Rule>;
  static constexpr int d = System::coordinates, m = System::constraints;
  static constexpr bool solved = SolvedContactSystem<System>;
  static_assert(solved || ChaplyginSystem<System>);
  static constexpr int shape = d - m, unknowns = solved ? 0 : shape;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false, short_step = solved;
  using Position = Vec<Scalar, d>;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct Nothing {};  // empty members of one type would not share an address, and pad the record
  struct Carried {
    Position q, momentum, v;  ///< P; the node's velocity
    Vec<Scalar, m> lambda;    ///< of the step that led here
    [[no_unique_address]] Vec<Scalar, Rule::has_action> z;
    Scalar time, half_work;  ///< mu.b of (k)
    /// y/h of that step; v before the first.
    [[no_unique_address]] std::conditional_t<solved, Nothing, Vec<Scalar, shape>> last;
  };

  LIVENS_HD ContactForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        h_(h),
        per_h_(Scalar(1.0) / h),
        settings_(settings),
        w_(Rule::weights(settings, ConstantRegularMass<System>, system.dissipation_rate() * h)),
        per_after_(Scalar(1.0) / w_.after) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.momentum = n.p;
    r.lambda = zero_vector<Scalar, m>();
    if constexpr (Rule::has_action) r.z[0] = Scalar(0.0);
    r.time = Scalar(0.0);
    settle(r);
    // A velocity that is to violate the constraint (consistency = "keep") stands at node 0 as it is given.
    const Mask<Scalar> off = norm_inf(constraint_rates(system_, n.q, n.v)) > Scalar(consistent_within);
    r.v = select<Scalar>(off, n.v, r.v);
    if constexpr (!solved) r.last = shape_of(r.v);
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, momentum_of(system_, carried.q, carried.v), carried.v};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node(system_, node(carried), what);
  }
  LIVENS_HD Scalar action(const Carried& carried) const {
    if constexpr (Rule::has_action) return carried.z[0];
    return not_a_number<Scalar>();
  }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda, not_a_number_vector<Scalar, m>()};
  }

  /// The terms of (a), (b) and the action that are taken at q_s.
  struct Middle {
    Position x, q;
    Position Mx;                                                                  ///< M(q_s) x
    [[no_unique_address]] Vec<Scalar, VariableInertia<System> ? d : 0> gradient;  ///< D_q T(q_s, x)
  };

  /// (i).
  class Problem {
   public:
    static constexpr bool register_pressure = true;
    static constexpr int unknowns = shape;
    using Shape = Vec<Scalar, shape>;
    using Matrix = DenseMatrix<Scalar, shape>;

    LIVENS_HD const System& system() const { return scheme_.system_; }
    LIVENS_HD Problem(const ContactForm& scheme, const Carried& now) : scheme_(scheme), q0_(now.q) {
      const auto A = system().constraint_matrix(q0_);
      const auto M = inertia_at(system(), q0_);
      hG_ = scheme.impulse(now);
      unroll<shape>([&](auto k) {
        Scalar weight = M.entry(m + k, m + k);
        unroll<m>([&](auto l) {
          const Scalar entry = A(l, m + k);
          weight = fma(M.entry(l, l) * entry, entry, weight);
        });
        const Scalar scale = Scalar(1.0) / weight;
        unroll<m>([&](auto l) { NT_[k][l] = -(scale * A(l, m + k)); });
        NT_[k][m + k] = scale;
      });
    }

    struct Evaluation {
      Middle at;
      Shape residual;
    };
    LIVENS_HD Evaluation evaluate(const Shape& y) const {
      Position x = zero_vector<Scalar, d>();
      unroll<shape>([&](auto k) { x[m + k] = y[k]; });
      const Vec<Scalar, m> rates = scheme_.scaled_rates(scheme_.place(q0_, x), x);
      unroll<m>([&](auto l) { x[l] = -rates[l]; });
      Evaluation r;
      r.at = scheme_.middle(q0_, x);
      const Position R = scheme_.imbalance(r.at) - hG_;
      unroll<shape>([&](auto k) { r.residual[k] = along(k, NT_[k], R); });
      return r;
    }
    LIVENS_HD void jacobian(const Shape&, const Evaluation& evaluation, Matrix& J) const {
      const Position &x = evaluation.at.x, &q_s = evaluation.at.q;
      const auto& w = scheme_.w_;
      // The leading rows of D_y x; the others are those of the identity.
      const auto A = system().constraint_matrix(q_s);
      const auto slope = system().constraint_slope(q_s, x, scheme_.h_);
      Mat<Scalar, m, shape> D;
      unroll<m>([&](auto l) {
        unroll<shape>([&](auto j) {
          constexpr int c = m + j.value;
          D(l, j) = System::bends(c) ? fnma(w.place, slope(l, c), -A(l, c)) : -A(l, c);
        });
      });
      // D_x R, entry by entry, between N^T and D_y x.
      unroll<shape>([&](auto k) { unroll<shape>([&](auto j) { J.at(k, j) = Scalar(0.0); }); });
      const auto add = [&](auto i, auto j, const Scalar& slope_ij) {
        unroll<shape>([&](auto k) {
          if constexpr (moves(i.value, k.value)) {
            const Scalar part = NT_[k][i] * slope_ij;
            if constexpr (j.value < m)
              unroll<shape>([&](auto c) { J.at(k, c) = fma(part, D(j, c), J.at(k, c)); });
            else
              J.at(k, j - m) = J.at(k, j - m) + part;
          }
        });
      };
      const auto M = inertia_at(system(), q_s);
      for_each_entry<d, d, InertiaEntries>([&](auto i, auto j) { add(i, j, w.left * M.entry(i, j)); });
      if constexpr (VariableInertia<System>) {
        const auto S = system().inertia_slope(q_s, x);  // D_q (M x); its transpose is D_x D_q T
        const auto D2T = system().kinetic_hessian(q_s, x);
        const Scalar s = w.place, rest = Scalar(1.0) - s;
        unroll<d>([&](auto j) {
          if constexpr (!System::cyclic(j)) {
            unroll<d>([&](auto i) {
              if constexpr (System::inertia_varies(i)) add(i, j, (w.left * s) * S(i, j));
              if constexpr (System::inertia_varies(i)) add(j, i, -(rest * S(i, j)));
              if constexpr (!System::cyclic(i)) add(i, j, -((rest * s) * D2T(i, j)));
            });
          }
        });
      }
    }

   private:
    /// True for the entries of N that may be non-zero.
    static constexpr bool moves(int i, int k) { return i < m || i == m + k; }
    /// Column k of N, or a multiple, times y.
    LIVENS_HD static Scalar along(int k, const Position& column, const Position& y) {
      Scalar r = column[m + k] * y[m + k];
      unroll<m>([&](auto l) { r = fma(column[l], y[l], r); });
      return r;
    }
    struct InertiaEntries {
      constexpr bool operator()(int i, int j) const {
        return decltype(inertia_at(std::declval<const System&>(), Position{}))::nonzero(i, j);
      }
    };
    const ContactForm& scheme_;
    const Position& q0_;
    Position hG_, NT_[shape];
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Scalar half = Scalar(0.5);
    Middle at;
    Outcome<Scalar> outcome{Scalar(0.0), Scalar(0.0)};
    const Mask<Scalar> naive = first_is_naive(now);
    if constexpr (solved) {
      const Position unconstrained = (Scalar(1.0) / w_.left) * system_.inertia.solve(impulse(now));
      const auto increment = system_.constrained_increment(now.q, unconstrained, w_.place, h_);
      at = middle(now.q, increment.value);
      outcome.status = select(increment.exists, Scalar(0.0), code<Scalar>(Status::newton_diverged));
    } else {
      const Problem problem(*this, now);
      auto y = h_ * (Scalar(2.0) * shape_of(now.v) - now.last);
      typename Problem::Evaluation solution;
      outcome = newton<pivoting>(problem, y, settings_, active & !naive, solution);
      at = solution.at;
    }
    if (any(naive)) {
      const Position naive_x = h_ * velocity_of(system_, now.q, now.momentum);
      at = middle(now.q, select<Scalar>(naive, naive_x, at.x));
    }
    const Position& x = at.x;
    next.q = now.q + x;
    if constexpr (!solved) next.last = per_h_ * shape_of(x);
    outcome.status = select(naive, Scalar(0.0), outcome.status);
    if constexpr (requires { system_.passable(x, x); })
      outcome.status = select((outcome.status == Scalar(0.0)) & !system_.passable(now.q, next.q),
                              code<Scalar>(Status::energy_balance), outcome.status);
    next.time = now.time + h_;

    Position hD2 = fma(half * h_, force(next.q, next.time), (w_.right * per_h_) * at.Mx);  // (b)
    if constexpr (VariableInertia<System>) hD2 = fma(w_.place * per_h_, at.gradient, hD2);
    next.momentum = per_after_ * hD2;  // (e)
    settle(next);
    const Vec<Scalar, m> lambda = multiplier(now, imbalance(at) - impulse(now));
    next.lambda = select<Scalar>(naive, not_a_number_vector<Scalar, m>(), lambda);
    if constexpr (Rule::has_action) {
      const Scalar twice_hL = per_h_ * dot(at.Mx, x) + h_ * (load_product(now) - system_.potential(now.q) +
                                                             load_product(next) - system_.potential(next.q));
      next.z[0] = per_after_ * fma(half, twice_hL, w_.before * now.z[0]);  // (f)
    }

    StepReport<Scalar> report{outcome, Scalar(0.0), Scalar(0.0)};
    const Position q_m = fma(half, x, now.q);
    report.dissipated = system_.dissipation_rate() * per_h_ * dot(x, momentum_of(system_, q_m, x));  // (l)
    if constexpr (LoadedSystem<System>)                                                              // (k)
      report.work = half * dot(system_.load(now.time) + system_.load(next.time), x);
    if constexpr (AffineConstraints<System>) {
      const auto b = system_.constraint_offset(now.q);
      const Vec<Scalar, m> acting = select<Scalar>(naive, zero_vector<Scalar, m>(), lambda);
      report.work =
          report.work + (settings_.order > 0
                             ? h_ * dot(acting, b) + (w_.after * next.half_work - w_.before * now.half_work)
                             : w_.after * (h_ * dot(acting, b) + next.half_work - now.half_work));  // (k)
    }
    return report;
  }

 private:
  LIVENS_HD Mask<Scalar> first_is_naive(const Carried& now) const {
    constexpr double never = -1.0;  // no node has this time
    return now.time == Scalar(settings_.value<start_option>() == Start::naive ? 0.0 : never);
  }
  LIVENS_HD static Vec<Scalar, shape> shape_of(const Position& x) { return part<m, shape>(x); }
  LIVENS_HD Position place(const Position& q0, const Position& x) const { return fma(w_.place, x, q0); }
  /// F - DV.
  LIVENS_HD Position force(const Position& q, const Scalar& t) const {
    Position r = Scalar(-1.0) * system_.gradient(q);
    if constexpr (LoadedSystem<System>) r = r + system_.load(t);
    return r;
  }
  LIVENS_HD Scalar load_product(const Carried& at) const {
    if constexpr (LoadedSystem<System>) return dot(system_.load(at.time), at.q);
    return Scalar(0.0);
  }
  /// h G of (i).
  LIVENS_HD Position impulse(const Carried& now) const {
    return h_ * fma(Scalar(0.5) * h_, force(now.q, now.time), w_.before * now.momentum);
  }
  LIVENS_HD Middle middle(const Position& q0, const Position& x) const {
    Middle r;
    r.x = x;
    r.q = place(q0, x);
    r.Mx = momentum_of(system_, r.q, x);
    if constexpr (VariableInertia<System>) r.gradient = system_.kinetic_gradient(r.q, x);
    return r;
  }
  /// R + h G of (i): -h times the part of (a) that depends on x.
  LIVENS_HD Position imbalance(const Middle& at) const {
    if constexpr (VariableInertia<System>)
      return fnma(Scalar(1.0) - w_.place, at.gradient, w_.left * at.Mx);
    else
      return w_.left * at.Mx;
  }
  /// h times (d).
  LIVENS_HD Vec<Scalar, m> scaled_rates(const Position& q_s, const Position& x) const {
    const auto A = system_.constraint_matrix(q_s);
    Vec<Scalar, m> r = zero_vector<Scalar, m>();
    if constexpr (AffineConstraints<System>) r = h_ * system_.constraint_offset(q_s);
    return along_rows<System>(A, x, r);
  }
  /// (j).
  LIVENS_HD Vec<Scalar, m> multiplier(const Carried& now, const Position& R) const {
    const Scalar scale = -(per_h_ * per_h_);
    Vec<Scalar, m> r;
    if constexpr (solved) {
      const auto A = system_.constraint_matrix(now.q);
      Position rows[m];
      unroll<m>([&](auto k) {
        rows[k] = row_of<k.value>(A);
        r[k] = scale * dot(rows[k], R);
      });
      return weighted_multiplier(A, rows, r);
    } else {
      unroll<m>([&](auto k) { r[k] = scale * R[k]; });
      return r;
    }
  }
  /// The node's velocity, and (k).
  LIVENS_HD void settle(Carried& at) const {
    const auto on = onto_constraint(system_, at.q, velocity_of(system_, at.q, at.momentum));
    at.v = on.v;
    at.half_work = Scalar(0.0);
    if constexpr (AffineConstraints<System>) at.half_work = dot(on.mu, system_.constraint_offset(at.q));
  }

  const System& system_;
  Scalar h_, per_h_;
  const Settings& settings_;
  ContactWeights<Scalar> w_;
  Scalar per_after_;
};

}  // namespace livens::inline LIVENS_ISA
