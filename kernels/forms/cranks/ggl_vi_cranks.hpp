#pragma once
// The GGL variational integrator (ggl_vi.hpp) for a row of n parallel cranks and the couplers between them,
// with 2n unknowns; equations/reduced.md, section 1. At q_b the joints are not closed, and every bar turns by
// an angle of its own. Vectors in the plane are complex numbers over u, d1 of the cranks at node 0: d1 of the
// cranks is 1 there and c = 1 + Dc = exp(i t) at node 1, w = 2 tan(t/2); d1 of the couplers is e. What the
// joints do to d1 of a bar is f: x = c - f on cranks and x = e - f on couplers stand where the bar alone
// would have d1 at node 1. J/2 is the inertia of a director, kappa = m l^2/J.
//   (a) a (|x|^2 + 1) = sin t + Im x on cranks, = Im(e* x) on couplers: a = h Omega of a bar, by its own gamma
//   (b) y = i a (1 + i a x) on cranks, = i a (e + i a x) on couplers: h M^-1 p1 on d1
//   (c) r_k = Dc - y_k: joints move phi of crank k by l r_k/2, that of coupler k by l (r_k + r_k+1)/2
//   (d) s_1 = kappa/2 r_1 + f_1,   s_k+1 = s_k + kappa (r_k + 3/2 r_k+1) + f_k+1,   s_n = 0
//   (e) f = s_k + kappa/2 (r_k + r_k+1)      (f) r_k - r_k+1 - y = 0,   of coupler k
//   (g) sum over cranks of [mu_k Im y_k + J/2 (Re x + cos t) a]
//         + h sum over couplers of eta l^2/2 [Im(y_k + y_k+1) + a Re x] - h P0 = 0
// (d), (e) are the balance of what the joints do, s_k/(2 kappa) being their gamma between crank k and coupler
// k; (f) is the velocity constraint of the joints, and (g) the part of (b) of ggl_vi.hpp without lambda:
// P = (i u).p over all bars, P0 that after the kick, mu_k = m l^2 (1/4 + half the number of couplers at crank
// k). Unknown are w, f of all cranks but the last, and of that b = 3/2 kappa (a - sin t), from which (d)
// gives f, being linear in it: Im f is -b and what is of the order of t^3. (f), (g) and (a) of the last crank
// are solved.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/ggl_vi.hpp"
#include "kernels/schemes/reorthonormalized.hpp"

namespace livens::inline LIVENS_ISA {

template <CrankRowSystem System_>
class GglViCranks {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GglViCranks<typename System::template Over<Other>>;
  static constexpr int n = System::cranks, couplers = n - 1, bars = n + couplers;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = 2 * n;
  using Complex = Vec<Scalar, 2>;
  using Position = Vec<Scalar, d>;
  using Unknown = Vec<Scalar, unknowns>;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = System::damped, compensated = false;
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }

  struct Carried {
    Complex u;
    Scalar tau_P;                  ///< tau P, without the kick
    Vec<Scalar, 2 * n> first;      ///< tau M^-1 p on d1 of the cranks; the joints give the rest of it
    Vec<Scalar, 2 * bars> second;  ///< tau M^-1 p on d2 of all bars
    Unknown missed;                ///< of the step that led here: its unknowns less those extrapolated
    Scalar step;                   ///< the length of that step in units of tau, 0 at the start
  };

  LIVENS_HD GglViCranks(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), unit_(h, settings), settings_(settings), row_(system.crank_row()) {
    const auto form = system.vector_form();
    const Scalar per = Scalar(1.0) / form.inertia.value[0], square = row_.length * row_.length;
    inertia_ = form.inertia.value[0];
    weight_ = form.weight[0];
    kappa_ = Scalar(0.5) * row_.mass * square / row_.director;
    per_lever_ = Scalar(1.0) / (Scalar(1.5) * kappa_);
    director_ = row_.director * per;
    for (int k = 0; k < n; ++k) share_[k] = Scalar(0.25 + 0.5 * couplers_at(k)) * row_.mass * square * per;
    for (int k = 0; k < couplers; ++k) drag_[k] = Scalar(0.5) * h * row_.viscosity[k] * square * per;
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& at) const {
    const auto s = system_.to_vectors(at.q, at.p);
    const Scalar rate = unit_.tau / row_.director;
    Carried r;
    r.u = s.z;
    r.tau_P = unit_.tau * across(s.z, s.p);
    unroll<n>([&](auto k) { set_block<k.value>(r.first, rate * block<3 * k.value + 1, 2>(at.p)); });
    unroll<bars>([&](auto b) { set_block<b.value>(r.second, rate * block<3 * b.value + 2, 2>(at.p)); });
    r.missed = zero_vector<Scalar, unknowns>();
    r.step = Scalar(0.0);
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    NodeState<Scalar, d> r = system_.from_vectors({carried.u, zero_vector<Scalar, 2>()});
    const Scalar half_l = Scalar(0.5) * row_.length;
    const auto set_bar = [&](auto bar, const Complex& phi, const Complex& d1) {
      constexpr int b = 3 * bar.value;
      set_block<b>(r.v, unit_.per_tau * phi);
      set_block<b + 1>(r.v, unit_.per_tau * d1);
      set_block<b + 2>(r.v, unit_.per_tau * block<bar.value, 2>(carried.second));
    };
    unroll<n>([&](auto k) {
      const Complex d1 = block<k.value, 2>(carried.first);
      set_bar(k, half_l * d1, d1);
    });
    unroll<couplers>([&](auto k) {
      const Complex left = block<k.value, 2>(carried.first), right = block<k.value + 1, 2>(carried.first);
      set_bar(std::integral_constant<int, n + k.value>{}, half_l * (left + right), right - left);
    });
    r.p = system_.inertia.times(r.v);
    return r;
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node(system_, node(carried), what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  /// From (a) and (b) of ggl_vi.hpp, with the step evaluated once more.
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    const Problem problem(*this, before);
    const auto at = problem.evaluate(problem.extrapolated() + after.missed);
    const NodeState<Scalar, d> now = node(before);
    const Scalar &h = unit_.h, &per_h = unit_.per_h, half_l = Scalar(0.5) * row_.length;
    Position y, beyond;  // h v, q1 - q_b
    const auto set_bar = [&](auto bar, const Complex& phi, const Complex& d1, const Complex& d2,
                             const Complex& by_joints, const Complex& D1, const Complex& D2) {
      constexpr int b = 3 * bar.value;
      set_block<b>(y, product(before.u, phi));
      set_block<b + 1>(y, product(before.u, d1));
      set_block<b + 2>(y, product(before.u, d2));
      set_block<b>(beyond, product(before.u, by_joints));
      set_block<b + 1>(beyond, product(before.u, D1 - d1));
      set_block<b + 2>(beyond, product(before.u, D2 - d2));
    };
    const Complex none = zero_vector<Scalar, 2>();
    unroll<n>([&](auto k) {
      set_bar(k, half_l * at.y[k], turned_by(at.a[k], at.x[k]), (-at.a[k]) * at.c, half_l * at.r[k], at.Dc,
              turned_by(Scalar(1.0), at.Dc));
    });
    unroll<couplers>([&](auto k) {
      constexpr int b = n + k.value;
      set_bar(std::integral_constant<int, b>{}, half_l * (at.y[k] + at.y[k + 1]), turned_by(at.a[b], at.x[b]),
              (-at.a[b]) * problem.e_, half_l * (at.r[k] + at.r[k + 1]), none, none);
    });
    const Position normal = h * fnma(h, system_.gradient(now.q), now.p) -
                            fma(h, viscous_force(system_, y), system_.inertia.times(y));
    Multipliers<Scalar, m> r;
    r.gamma = per_h * constraint_multiplier(system_, system_.constraint_jacobian(now.q + y), beyond);
    r.lambda = (per_h * per_h) * constraint_multiplier(system_, system_.constraint_jacobian(now.q),
                                                       system_.inertia.solve(normal));
    return r;
  }

  class Problem {
   public:
    static constexpr bool register_pressure = true;
    static constexpr int unknowns = GglViCranks::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;

    LIVENS_HD Problem(const GglViCranks& scheme, const Carried& now)
        : scheme_(scheme), e_{{now.u[0], -now.u[1]}} {
      const Scalar& h = scheme.unit_.h;
      impulse_ = fnma(h * h * scheme.weight_, now.u[0], scheme.unit_.step * now.tau_P) / scheme.inertia_;
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Unknown residual;
      Scalar dt;  ///< dt/dw
      Complex Dc, c;
      Scalar a[bars], per_size[bars];  ///< 1/(|x|^2 + 1)
      Complex x[bars];
      Complex y[n], r[n];  ///< of the cranks
      Complex f_last;
      Scalar per_last;  ///< 1/(1 - 3/2 kappa a^2) of the last crank
    };

    static constexpr int last = n - 1;
    /// Places of b, and of Re f (part 0) and Im f (1) of crank k, in an order that needs no pivots.
    static constexpr int b_at = 1;
    static constexpr int f_at(int k, int part) { return 2 + k + (part == 0 ? last : 0); }

    LIVENS_HD Evaluation evaluate(const Unknown& unknown) const {
      const Scalar half = Scalar(0.5), one = Scalar(1.0), two = Scalar(2.0);
      const Scalar &kappa = scheme_.kappa_, &w = unknown[0];
      Evaluation at;
      at.dt = one / fma(Scalar(0.25) * w, w, one);
      const Scalar sine = w * at.dt, lag = half * w * sine;
      at.Dc = {{-lag, sine}};
      at.c = {{one - lag, sine}};
      Complex s[couplers], f;
      unroll<n>([&](auto k) {
        if constexpr (k.value < last) {
          f = {{unknown[f_at(k, 0)], unknown[f_at(k, 1)]}};
        } else {
          const Scalar excess = scheme_.per_lever_ * unknown[b_at], a = sine + excess, square = a * a;
          const Complex r_but_f = {{fma(square, at.c[0], at.Dc[0]), fma(square, at.c[1], -excess)}};
          at.per_last = one / fnma(Scalar(1.5) * kappa, square, one);
          f = (-at.per_last) * fma(kappa, fma(Scalar(1.5), r_but_f, at.r[last - 1]), s[last - 1]);  // (d)
          at.f_last = f;
          at.a[last] = a;
        }
        at.x[k] = at.c - f;
        const Scalar size = fma(two, one - dot(at.c, f), dot(f, f));
        at.per_size[k] = one / size;
        if constexpr (k.value < last)
          at.a[k] = fma(two, sine, -f[1]) * at.per_size[k];  // (a)
        else
          at.residual[b_at] = half * fma(at.a[last], size, fnma(two, sine, f[1]));
        at.y[k] = moved(at.a[k], {{one, Scalar(0.0)}}, at.x[k]);
        at.r[k] = at.Dc - at.y[k];  // (c)
        if constexpr (k.value == 0)
          s[k] = fma(half * kappa, at.r[k], f);  // (d)
        else if constexpr (k.value < last)
          s[k] = s[k - 1] + fma(kappa, fma(Scalar(1.5), at.r[k], at.r[k - 1]), f);
      });
      Scalar momentum = -impulse_;
      unroll<n>([&](auto k) {
        momentum = fma(scheme_.share_[k], at.y[k][1],
                       fma(scheme_.director_ * at.a[k], at.x[k][0] + at.c[0], momentum));
      });
      unroll<couplers>([&](auto k) {
        constexpr int b = n + k.value;
        const Complex g = fma(half * kappa, at.r[k] + at.r[k + 1], s[k]);  // (e)
        at.x[b] = e_ - g;
        at.per_size[b] = one / fma(two, one - dot(e_, g), dot(g, g));
        at.a[b] = -(across(e_, g) * at.per_size[b]);  // (a)
        const Complex gap = (at.r[k] - at.r[k + 1]) - moved(at.a[b], e_, at.x[b]);
        at.residual[f_at(k, 0)] = gap[0];  // (f)
        at.residual[f_at(k, 1)] = gap[1];
        momentum = fma(scheme_.drag_[k], fma(at.a[b], at.x[b][0], at.y[k][1] + at.y[k + 1][1]), momentum);
      });
      at.residual[0] = momentum;  // (g)
      return at;
    }

    LIVENS_HD void jacobian(const Unknown&, const Evaluation& at, Matrix& J) const {
      unroll<unknowns>([&](auto j) {
        const Unknown column = slope<j.value>(at);
        for (int i = 0; i < unknowns; ++i) J.at(i, j) = column[i];
      });
    }

    /// The unknowns as they are to second order, with couplers that do not turn: sin 2t = 2 h P0, over the
    /// inertia of all, and f of (d) with r = t^2/2 and f = 0 in (e).
    LIVENS_HD Unknown extrapolated() const {
      const Scalar one = Scalar(1.0), two = Scalar(2.0);
      const Scalar sine = two * impulse_, cosine = sqrt(max(fnma(sine, sine, one), Scalar(0.0)));
      const Scalar tangent = sine / (one + cosine);
      Unknown r = zero_vector<Scalar, unknowns>();
      r[0] = two * tangent / (one + sqrt(fma(tangent, tangent, one)));
      for (int k = 0; k < last; ++k)
        r[f_at(k, 0)] = Scalar(-0.5 * (0.5 + couplers_at(k))) * scheme_.kappa_ * r[0] * r[0];
      return r;
    }

   private:
    friend class GglViCranks;

    /// i a (base + i a x).
    static LIVENS_HD Complex moved(const Scalar& a, const Complex& base, const Complex& x) {
      return fnma(a * a, x, turned_by(a, base));
    }
    /// Its derivative.
    static LIVENS_HD Complex moved_slope(const Scalar& a, const Complex& base, const Complex& x,
                                         const Scalar& da, const Complex& dx) {
      return fnma(a * a, dx, fnma(Scalar(2.0) * a * da, x, turned_by(da, base)));
    }
    /// The derivative of the residual by unknown J.
    template <int J>
    LIVENS_HD Unknown slope(const Evaluation& at) const {
      constexpr bool by_w = J == 0, by_b = J == b_at;
      constexpr int own = by_w || by_b ? -1 : (J - 2) % last;  // the crank whose f it is
      const Scalar half = Scalar(0.5), two = Scalar(2.0), &kappa = scheme_.kappa_;
      const Complex one = {{Scalar(1.0), Scalar(0.0)}}, none = zero_vector<Scalar, 2>();
      const Complex dc = by_w ? turned_by(at.dt, at.c) : none;
      Unknown column = zero_vector<Scalar, unknowns>();
      Complex dy[n], dr[n], ds[couplers];
      Scalar momentum = Scalar(0.0);
      unroll<n>([&](auto k) {
        constexpr bool is_last = k.value == last;
        dy[k] = dr[k] = none;
        Complex df = none;
        if constexpr (by_w || own == k.value || is_last) {
          const Scalar& a = at.a[k];
          Scalar da = by_w ? dc[1] : by_b ? scheme_.per_lever_ : Scalar(0.0);
          if constexpr (own == k.value) df[f_at(own, 0) == J ? 0 : 1] = Scalar(1.0);
          if constexpr (is_last) {
            Complex sum = ds[last - 1] + kappa * dr[last - 1];
            if constexpr (by_w || by_b) {
              Complex dr_but_f = fma(two * a * da, at.c - at.f_last, turned_by(-da, one));
              if constexpr (by_w) dr_but_f = dr_but_f + fma(a * a, dc, dc);
              sum = fma(Scalar(1.5) * kappa, dr_but_f, sum);
            }
            df = (-at.per_last) * sum;
          }
          const Complex dx = dc - df;
          const Scalar lever = dot(at.x[k], dx);
          const Scalar by_angle = fma(two, dc[1], -df[1]);
          if constexpr (is_last)
            column[b_at] = half * fma(two * a, lever, fma(da, Scalar(1.0) / at.per_size[k], -by_angle));
          else
            da = fnma(two * a, lever, by_angle) * at.per_size[k];
          dy[k] = moved_slope(a, one, at.x[k], da, dx);
          dr[k] = dc - dy[k];
          momentum =
              fma(scheme_.share_[k], dy[k][1],
                  fma(scheme_.director_, fma(da, at.x[k][0] + at.c[0], a * (dx[0] + dc[0])), momentum));
        }
        if constexpr (k.value == 0)
          ds[k] = fma(half * kappa, dr[k], df);
        else if constexpr (!is_last)
          ds[k] = ds[k - 1] + fma(kappa, fma(Scalar(1.5), dr[k], dr[k - 1]), df);
      });
      unroll<couplers>([&](auto k) {
        constexpr int b = n + k.value;
        if constexpr (by_w || own <= k.value + 1 || k.value == couplers - 1) {
          const Scalar& a = at.a[b];
          const Complex dg = fma(half * kappa, dr[k] + dr[k + 1], ds[k]), dx = Scalar(-1.0) * dg;
          const Scalar da = fma(two * a, dot(at.x[b], dg), -across(e_, dg)) * at.per_size[b];
          const Complex gap = (dr[k] - dr[k + 1]) - moved_slope(a, e_, at.x[b], da, dx);
          column[f_at(k, 0)] = gap[0];
          column[f_at(k, 1)] = gap[1];
          momentum =
              fma(scheme_.drag_[k], fma(da, at.x[b][0], fma(a, dx[0], dy[k][1] + dy[k + 1][1])), momentum);
        }
      });
      column[0] = momentum;
      return column;
    }

    const GglViCranks& scheme_;
    Complex e_;
    Scalar impulse_;  ///< h P0 over the inertia of all
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Unknown extrapolated = problem.extrapolated();
    Unknown x = extrapolated;
    for (int i = 0; i < unknowns; ++i)
      x[i] = x[i] + select(now.step == unit_.step, now.missed[i], Scalar(0.0));
    typename Problem::Evaluation at;
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active, at);
    const Scalar& per_step = unit_.per_step;
    next.u = now.u + product(now.u, at.Dc);
    restore_length<0, 2>(next.u);
    next.missed = x - extrapolated;
    next.step = unit_.step;
    Scalar P = Scalar(0.0);
    unroll<n>([&](auto k) {
      const Scalar a = at.a[k], square = a * a;
      P = fma(share_[k] + director_, across(at.c, at.y[k]), fma(director_ * a, at.c[0], P));
      set_block<k.value>(next.first, product(now.u, per_step * at.y[k]));
      const Complex second = {{fma(square, at.c[1], -a), -(square * at.c[0])}};  // i a (i + i a i c)
      set_block<k.value>(next.second, product(now.u, per_step * second));
    });
    next.tau_P = per_step * (inertia_ * P);
    Scalar dissipated = Scalar(0.0);
    unroll<couplers>([&](auto k) {
      const Scalar& a = at.a[n + k.value];
      set_block<n + k.value>(next.second, Complex{{-(per_step * a), -(per_step * a * a)}});
      const Complex end = (at.y[k] + at.y[k + 1]) + turned_by(a, at.x[n + k.value]);
      dissipated = fma(drag_[k], dot(end, end), dissipated);
    });
    const Scalar& per_h = unit_.per_h;
    return {outcome, Scalar(0.5) * per_h * per_h * (inertia_ * dissipated), Scalar(0.0)};
  }

 private:
  static constexpr int couplers_at(int crank) { return (crank > 0) + (crank < n - 1); }
  static LIVENS_HD Complex product(const Complex& a, const Complex& b) {
    return {{fma(a[0], b[0], -(a[1] * b[1])), fma(a[0], b[1], a[1] * b[0])}};
  }
  /// Im(a* b).
  static LIVENS_HD Scalar across(const Complex& a, const Complex& b) {
    return fma(a[0], b[1], -(a[1] * b[0]));
  }
  /// i a z.
  static LIVENS_HD Complex turned_by(const Scalar& a, const Complex& z) { return {{-(a * z[1]), a * z[0]}}; }

  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  CrankRow<Scalar, n> row_;
  Scalar inertia_, weight_;     ///< of all bars, on u
  Scalar kappa_, per_lever_;    ///< m l^2/J; 2/(3 kappa)
  Scalar director_;             ///< J/2 over inertia_
  Vec<Scalar, n> share_;        ///< mu_k over inertia_
  Vec<Scalar, couplers> drag_;  ///< h eta l^2/2 over inertia_
};

}  // namespace livens::inline LIVENS_ISA
