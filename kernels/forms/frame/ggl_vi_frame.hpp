#pragma once
// The GGL variational integrator (ggl_vi.hpp) for a rigid frame in its own coordinates, with the letters and
// equations of variational_frame.hpp; equations/reduced.md, section 1. b_b is d_b at q_b, which the point
// does not follow: f_1 = e_1, f_2 = e_2, f_3 = e_3 + y. Unknown are w and y. With D_b = e_b - d_b^0, L0 the
// angular momentum at node 0 after the kick, in its frame, and beta = m l^2/(E_3 - m l^2):
//   (d) sum_b E_b f_b x (h Omega x f_b - D_b) = 0:  x = s h Omega = B^-1 sum_b E_b f_b x s D_b,
//       B = diag(E_2, E_1, E_1 + E_2) + E_3 (|f_3|^2 - f_3 f_3^T): the velocity constraint, without gamma
//   (e) y - beta h Omega x (D_3 - h Omega x f_3) = 0
//   (f) sum_b E_b e_b x C (Omega x f_b) - L0 = 0:  Theta x/(s^2 h) + E_3 e_3 x C (Omega x y) - L0 = 0
// (e), (f) are solved times s^2, and (f) with rows divided by I_i/h. L1 is C^T L0, the same in space, and
// p_b = E_b Omega x b_b. lambda and gamma follow from two nodes.

#include "kernels/forms/frame/variational_frame.hpp"
#include "kernels/schemes/ggl_vi.hpp"

namespace livens::inline LIVENS_ISA {

template <TiedFrameSystem System_>
class GglViFrame {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GglViFrame<typename System::template Over<Other>>;
  using Body = VariationalFrame<System>;
  using Spin = typename Body::Spin;
  using Square = Matrix3<Scalar>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = 6;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = false, compensated = false;
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }

  struct Carried : Body::Carried {
    Spin y, y_slip;  ///< of the step that led here, in the frame; less what was extrapolated
  };

  LIVENS_HD GglViFrame(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), body_(system), h_(h), per_h_(Scalar(1.0) / h), settings_(settings) {
    const Scalar one = Scalar(1.0);
    beta_ = body_.point_inertia() / body_.own_inertia();
    size_ = {{max(one, beta_), max(one, beta_), max(one, beta_ * max(body_.next(0), body_.last(1)))}};
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    const Spin zero = zero_vector<Scalar, 3>();
    return {body_.start(system_.to_vectors(n.q, n.p)), zero, zero};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return system_.from_vectors(body_.state(carried.z, velocities(carried)));
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const Square u = velocities(carried);
    Measured<Scalar, System::momentum_maps> measured{};
    measured.kinetic = body_.kinetic_energy(u);
    measured.energy = measured.kinetic + body_.vectors().potential(carried.z);
    measured.total_energy = measured.energy;
    if (what == Measuring::energies) return measured;
    if constexpr (has_own_maps<System>)
      measured.momentum = own_maps(system_, node(carried));
    else
      measured.momentum[0] = body_.vertical_momentum(carried.z, u);
    Body::measure_loose(carried.z, u, measured);
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  /// With B the columns b_b and S = h Gamma: B S E^-1 = F - B, the columns f_b - b_b.
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    const Square ahead = lead(after);
    DenseMatrix<Scalar, 3> B{ahead};
    for (int i = 0; i < 3; ++i) B.at(i, i) = B.at(i, i) + Scalar(1.0);
    const Factored<Scalar, 3> factored(B);
    Square S;
    unroll<3>([&](auto b) {
      Spin normal = Scalar(-1.0) * column<b.value>(ahead);
      if constexpr (b.value == 2) normal = normal + after.y;
      set_column<b.value>(S, body_.E(b) * factored.solve(normal));
    });
    return body_.multipliers(motion(before), motion(after), S, h_);
  }

  class Problem {
   public:
    static constexpr bool register_pressure = true;
    static constexpr int unknowns = 6;
    using Matrix = DenseMatrix<Scalar, 6>;
    using Unknown = Vec<Scalar, 6>;

    LIVENS_HD Problem(const GglViFrame& scheme, const Carried& now)
        : system_(scheme.system_),
          body_(scheme.body_),
          beta_(scheme.beta_),
          kicked_(Body::kicked(now.L, scheme.h_, Body::in_space(now.z, body_.vectors().weight))),
          moved_(scheme.h_ * body_.mobile(Body::in_frame(now.z, kicked_))) {}

    LIVENS_HD const System& system() const { return system_; }
    struct Evaluation {
      Unknown residual;
      Scalar s;
      Spin x, f3;           ///< s h Omega, f_3
      Spin step3, rest;     ///< s D_3, s (D_3 - h Omega x f_3)
      Spin side;            ///< x x y
      Square Theta, lever;  ///< I^-1 Theta; I^-1 E_3 e_3 x s C, rows 1 and 2
      Square per_B;         ///< B^-1
    };

    LIVENS_HD Evaluation evaluate(const Unknown& unknown) const {
      const Spin w = part<0, 3>(unknown), y = part<3, 3>(unknown);
      Evaluation at;
      at.s = fma(Scalar(0.25), dot(w, w), Scalar(1.0));
      at.f3 = {{y[0], y[1], Scalar(1.0) + y[2]}};
      at.step3 = third_step(w);
      at.per_B = inverse_inertia(at.f3);
      at.x = times(at.per_B, fma(body_.E(2), cross(at.f3, at.step3), moment(w)));  // (d)
      at.rest = at.step3 - cross(at.x, at.f3);
      at.side = cross(at.x, y);
      at.Theta = body_.momentum(w);
      at.lever = lever(w, at.s);
      const Scalar s2 = at.s * at.s;
      Spin momentum = fnma(s2, moved_, times(at.Theta, at.x));
      for (int i = 0; i < 2; ++i) momentum[i] = momentum[i] + row_dot(at.lever, i, at.side);
      set_part<0>(at.residual, momentum);                                   // (f)
      set_part<3>(at.residual, fnma(beta_, cross(at.x, at.rest), s2 * y));  // (e)
      return at;
    }

    /// The residual depends on w and y, and through x on them again: P and Q are the derivatives of (f) and
    /// (e) by x, and B dx = d(sum_b E_b f_b x s D_b) - dB x, of which `torque` is the derivative by y over
    /// E_3.
    LIVENS_HD void jacobian(const Unknown& unknown, const Evaluation& at, Matrix& J) const {
      const Spin w = part<0, 3>(unknown), y = part<3, 3>(unknown);
      const Scalar xf = dot(at.x, at.f3), s2 = at.s * at.s;
      const Scalar along = fnma(beta_, dot(at.x, at.x), s2);
      const Square by_y = times_hat2(at.lever, at.x), side_slope = lever_slope(w, at.side);
      const Square step_slope = third_step_slope(w), slope = body_.momentum_slope(w, at.x);
      Square P = at.Theta;
      const Square across = times_hat2(at.lever, y);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) P(i, j) = P(i, j) - across(i, j);
      Square Q, torque;
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        const Scalar f = beta_ * at.f3[i], x2 = Scalar(-2.0) * at.x[i];
        Q(i, i) = fnma(f, at.x[i], beta_ * xf);
        Q(i, j) = -fma(f, at.x[j], beta_ * at.rest[k]);
        Q(i, k) = fnma(f, at.x[k], beta_ * at.rest[j]);
        torque(i, i) = fma(x2, at.f3[i], fma(at.f3[i], at.x[i], xf));
        torque(i, j) = fma(x2, at.f3[j], fma(at.f3[i], at.x[j], at.step3[k]));
        torque(i, k) = fma(x2, at.f3[k], fma(at.f3[i], at.x[k], -at.step3[j]));
      });
      const Spin sw = at.s * w, beta_x = beta_ * at.x;
      unroll<3>([&](auto n) {
        const Spin step = column<n.value>(step_slope);
        const Spin dx = times(at.per_B, fma(body_.E(2), cross(at.f3, step), moment_slope<n.value>(w)));
        Spin momentum = fnma(sw[n], moved_, column<n.value>(slope) + times(P, dx));
        for (int i = 0; i < 2; ++i) momentum[i] = momentum[i] + side_slope(i, n);
        const Spin director = fma(sw[n], y, times(Q, dx)) - cross(beta_x, step);
        for (int i = 0; i < 3; ++i) {
          J.at(i, n) = momentum[i];
          J.at(3 + i, n) = director[i];
        }
      });
      unroll<3>([&](auto n) {
        const Spin dx = times(at.per_B, body_.E(2) * column<n.value>(torque));
        const Spin momentum = times(P, dx), director = fma(at.x[n], beta_x, times(Q, dx));
        for (int i = 0; i < 3; ++i) {
          J.at(i, 3 + n) = i < 2 ? momentum[i] + by_y(i, n) : momentum[i];
          J.at(3 + i, 3 + n) = i == n ? director[i] + along : director[i];
        }
      });
    }

   private:
    friend class GglViFrame;
    /// s D_3.
    static LIVENS_HD Spin third_step(const Spin& w) {
      const Scalar half = Scalar(0.5);
      return {{fnma(half * w[0], w[2], w[1]), -fma(half * w[1], w[2], w[0]),
               half * fma(w[0], w[0], w[1] * w[1])}};
    }
    static LIVENS_HD Square third_step_slope(const Spin& w) {
      const Scalar half = Scalar(-0.5), one = Scalar(1.0);
      return {{half * w[2], one, half * w[0], -one, half * w[2], half * w[1], w[0], w[1], Scalar(0.0)}};
    }
    /// sum over b = 1, 2 of E_b e_b x s D_b.
    LIVENS_HD Spin moment(const Spin& w) const {
      const Scalar half = Scalar(0.5), E1 = body_.E(0), E2 = body_.E(1);
      return {{E2 * fnma(half * w[1], w[2], w[0]), E1 * fma(half * w[0], w[2], w[1]),
               fma(half * (E2 - E1) * w[0], w[1], (E1 + E2) * w[2])}};
    }
    /// Its derivative by w_N.
    template <int N>
    LIVENS_HD Spin moment_slope(const Spin& w) const {
      const Scalar half1 = Scalar(0.5) * body_.E(0), half2 = Scalar(0.5) * body_.E(1);
      if constexpr (N == 0)
        return {{body_.E(1), half1 * w[2], (half2 - half1) * w[1]}};
      else if constexpr (N == 1)
        return {{-(half2 * w[2]), body_.E(0), (half2 - half1) * w[0]}};
      else
        return {{-(half2 * w[1]), half1 * w[0], body_.E(0) + body_.E(1)}};
    }
    /// I^-1 E_3 e_3 x s C, rows 1 and 2.
    LIVENS_HD Square lever(const Spin& w, const Scalar& s) const {
      const Spin half = Scalar(0.5) * w;
      const Scalar diagonal = Scalar(2.0) - s, up = body_.next(1), down = -body_.last(0);
      Square r;
      r(0, 0) = down * fma(half[0], w[1], w[2]);
      r(0, 1) = down * fma(half[1], w[1], diagonal);
      r(0, 2) = down * fma(half[1], w[2], -w[0]);
      r(1, 0) = up * fma(half[0], w[0], diagonal);
      r(1, 1) = up * fma(half[0], w[1], -w[2]);
      r(1, 2) = up * fma(half[0], w[2], w[1]);
      return r;
    }
    /// Columns d lever/dw_n g, rows 1 and 2: s C g = (2 - s) g + w x g + w (w.g)/2.
    LIVENS_HD Square lever_slope(const Spin& w, const Spin& g) const {
      const Scalar half = Scalar(0.5), wg = half * dot(w, g);
      const Scalar up = body_.next(1), down = -body_.last(0);
      const auto pair = [&](int i, int j) { return half * fma(w[i], g[j], -(g[i] * w[j])); };
      const Scalar p01 = pair(0, 1), p02 = pair(0, 2), p12 = pair(1, 2);
      Square r;
      r(0, 0) = -(down * (p01 + g[2]));
      r(0, 1) = down * wg;
      r(0, 2) = down * (p12 + g[0]);
      r(1, 0) = up * wg;
      r(1, 1) = up * (p01 + g[2]);
      r(1, 2) = up * (p02 - g[1]);
      return r;
    }
    static LIVENS_HD Scalar row_dot(const Square& A, int i, const Spin& x) {
      return fma(A(i, 0), x[0], fma(A(i, 1), x[1], A(i, 2) * x[2]));
    }
    /// Rows 1 and 2 of A x^.
    static LIVENS_HD Square times_hat2(const Square& A, const Spin& x) {
      Square r;
      unroll<3>([&](auto j) {
        constexpr int k = (j.value + 1) % 3, l = (j.value + 2) % 3;
        for (int i = 0; i < 2; ++i) r(i, j) = fma(A(i, k), x[l], -(A(i, l) * x[k]));
      });
      return r;
    }
    /// B^-1.
    LIVENS_HD Square inverse_inertia(const Spin& f) const {
      const Scalar E1 = body_.E(0), E2 = body_.E(1), E3 = body_.E(2);
      const Spin Ef = E3 * f;
      const Scalar a = fma(Ef[2], f[2], fma(Ef[1], f[1], E2)), b = fma(Ef[2], f[2], fma(Ef[0], f[0], E1)),
                   c = fma(Ef[1], f[1], fma(Ef[0], f[0], E1 + E2));
      const Scalar p = -(Ef[0] * f[1]), q = -(Ef[0] * f[2]), r = -(Ef[1] * f[2]);
      const Scalar A = fma(b, c, -(r * r)), B = fma(a, c, -(q * q)), C = fma(a, b, -(p * p)),
                   P = fma(q, r, -(p * c)), Q = fma(p, r, -(q * b)), R = fma(p, q, -(a * r));
      const Scalar per = Scalar(1.0) / fma(a, A, fma(p, P, q * Q));
      return {{per * A, per * P, per * Q, per * P, per * B, per * R, per * Q, per * R, per * C}};
    }

    const System& system_;
    const Body& body_;
    const Scalar& beta_;
    Spin kicked_;  ///< angular momentum after the kick, in space
    Spin moved_;   ///< h I^-1 L0
  };

  /// True for a turn w that may be off the branch from h = 0.
  LIVENS_HD Mask<Scalar> is_doubtful(const Spin& w) const {
    return dot(size_, Spin{{w[0] * w[0], w[1] * w[1], w[2] * w[2]}}) > Scalar(0.25);
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Spin leap = body_.leap(now.turned.w, now.z, h_), y = body_.swept(now.turned.w, now.y);
    Vec<Scalar, unknowns> unknown;
    set_part<0>(unknown, body_.guess(now.turned, leap, h_, body_.stretched(problem.moved_)));
    set_part<3>(unknown, y + now.y_slip);
    Outcome<Scalar> outcome = newton<pivoting>(problem, unknown, settings_, active);
    Body::refuse_wrong_branch(*this, problem, unknown, active, outcome);
    const Spin w = part<0, 3>(unknown);
    const CayleyTurn<Scalar> turn(w);
    next.z = Body::turned(now.z, turn);
    next.L = problem.kicked_;
    next.Omega = (per_h_ * turn.per_s) * problem.evaluate(unknown).x;
    next.turned = Body::turned_by(now.turned, leap, w, h_);
    next.y = part<3, 3>(unknown);
    next.y_slip = select<Scalar>(now.turned.time == h_, next.y - y, now.y_slip);
    return {outcome, Scalar(0.0), Scalar(0.0)};
  }

 private:
  /// b_b - e_b.
  static LIVENS_HD Square lead(const Carried& carried) {
    Square r = Body::lead(carried);
    const Spin angle = carried.turned.time * carried.Omega;
    set_column<2>(r, column<2>(r) + (carried.y + cross(angle, carried.y)));
    return r;
  }
  static LIVENS_HD Square velocities(const Carried& carried) {
    return Body::velocities(carried.Omega, lead(carried));
  }
  LIVENS_HD typename Body::Motion motion(const Carried& carried) const {
    Square v = Body::hat(carried.Omega);
    set_column<2>(v, column<2>(v) + cross(carried.Omega, carried.y));
    const Square u = velocities(carried);
    return {carried.z, v, u, column<2>(u), h_};
  }

  const System& system_;
  Body body_;
  Scalar h_, per_h_;
  Scalar beta_;
  Spin size_;  ///< of is_doubtful()
  const Settings& settings_;
};

}  // namespace livens::inline LIVENS_ISA
