#pragma once
// The common part of ggl_vi and vi_b on a rigid frame with a point tied to its third director
// (ggl_vi_frame.hpp, vi_b_frame.hpp), with the letters of frame_body.hpp; equations/reduced.md, section 1. In
// the frame at node 1 d_b = e_b and d_b^0 = C^T e_b. The velocity constraint leaves one angular velocity
// Omega: velocities are v_b = Omega x f_b in the step, and M^-1 p at node 1, before vi_b's kick, is Omega x
// b_b with
//   (a) b_b = d_b^0 + h Omega x f_b + (f_b - e_b)
// f_b is e_b but for the third of ggl_vi. Where all f_b are e_b, w gives Omega:
//   (b) x = s h Omega = w - I^-1 (w x I w)/2
// The multipliers at node 0 do not change, in the frame at node 0, the angular momentum
//   (c) sum_b E_b e_b x C (Omega x e_b) = Theta x/(s^2 h),
//       Theta = s (tr(C E) - C E) C = (2 - s) I + (E w) x - (w x) E (w x)/2,  E = diag(E_b)
// Carried are the frame, L in space, and Omega and w, from which (a) follows.

#include "kernels/forms/frame/frame_body.hpp"

namespace livens::inline LIVENS_ISA {

template <TiedFrameSystem System_>
class VariationalFrame : public FrameBody<System_> {
 public:
  using System = System_;
  using Body = FrameBody<System>;
  using Body::E, Body::gyroscopic, Body::hat, Body::in_frame, Body::in_space, Body::vertical;
  using typename Body::Flat, typename Body::Scalar, typename Body::Spin, typename Body::State,
      typename Body::Matrix;
  using Multiplier = Multipliers<Scalar, System::constraints>;

  struct Carried {
    Flat z;
    Spin L;      ///< angular momentum, in space
    Spin Omega;  ///< of the step that led here, in the frame; of the node at the start
    typename Body::Turned turned;
  };

  LIVENS_HD explicit VariationalFrame(const System& system) : Body(system), point_(system.tied_point()) {
    point_inertia_ = point_.mass * point_.arm * point_.arm;
  }

  LIVENS_HD Carried start(const State& s) const {
    const Spin L = Body::angular_momentum(s);
    return {s.z, L, Body::mobile(in_frame(s.z, L)), Body::not_turned()};
  }

  /// m l^2, a part of E_3.
  LIVENS_HD const Scalar& point_inertia() const { return point_inertia_; }
  /// The rest of E_3.
  LIVENS_HD Scalar own_inertia() const { return E(2) - point_inertia_; }
  /// m g, N.
  LIVENS_HD Scalar point_weight() const { return vectors_.weight[2] / point_.arm; }

  /// (a), less e_b, for f_b = e_b: columns.
  static LIVENS_HD Matrix lead(const Carried& carried) {
    const CayleyTurn<Scalar> turn(carried.turned.w);
    Matrix r = hat(carried.turned.time * carried.Omega);
    for (int i = 0; i < 3; ++i)
      for (int b = 0; b < 3; ++b) r(i, b) = r(i, b) + turn.increment(b, i);
    return r;
  }
  /// Columns Omega x (e_b + lead_b).
  static LIVENS_HD Matrix velocities(const Spin& Omega, const Matrix& lead) {
    Matrix u = hat(Omega);
    unroll<3>(
        [&](auto b) { set_column<b.value>(u, column<b.value>(u) + cross(Omega, column<b.value>(lead))); });
    return u;
  }
  /// 1/2 sum_b E_b |u_b|^2.
  LIVENS_HD Scalar kinetic_energy(const Matrix& u) const {
    const Spin u1 = column<0>(u), u2 = column<1>(u), u3 = column<2>(u);
    return Scalar(0.5) * fma(E(0), dot(u1, u1), fma(E(1), dot(u2, u2), E(2) * dot(u3, u3)));
  }
  /// sum_b e3.(e_b x E_b u_b) for columns u_b: the vertical angular momentum of velocities in the frame.
  LIVENS_HD Scalar vertical_momentum(const Flat& z, const Matrix& u) const {
    const Spin c = vertical(z);
    Scalar r = Scalar(0.0);
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      r = fma(c[i], fma(E(j), u(k, j), -(E(k) * u(j, k))), r);
    });
    return r;
  }

  /// (b).
  LIVENS_HD Spin stretched(const Spin& w) const { return fma(Scalar(0.5), gyroscopic(w), w); }
  /// Its derivative.
  LIVENS_HD Matrix stretched_slope(const Spin& w) const {
    Matrix X;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      const Scalar half_skew = Scalar(0.5) * skew_[i];
      X(i, i) = Scalar(1.0);
      X(i, j) = half_skew * w[k];
      X(i, k) = half_skew * w[j];
    });
    return X;
  }
  /// I^-1 Theta of (c).
  LIVENS_HD Matrix momentum(const Spin& w) const {
    const Scalar half = Scalar(0.5), one = Scalar(1.0);
    Matrix r;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      const Scalar differ = fma(w[k], w[k], -(w[j] * w[j]));
      r(i, i) = fma(Scalar(-0.25), fma(skew_[i], differ, w[i] * w[i]), one);
      r(i, j) = -(last_[i] * fma(half * w[i], w[j], w[k]));
      r(i, k) = next_[i] * fnma(half * w[i], w[k], w[j]);
    });
    return r;
  }
  /// Columns I^-1 dTheta/dw_n x.
  LIVENS_HD Matrix momentum_slope(const Spin& w, const Spin& x) const {
    const Scalar half = Scalar(0.5);
    Matrix r;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      const Scalar x_i = half * x[i], x_j = half * last_[i] * x[j], x_k = half * next_[i] * x[k];
      r(i, i) = -fma(w[i], x_i, fma(w[j], x_j, w[k] * x_k));
      r(i, j) = fma(skew_[i] * w[j], x_i, fnma(w[i], x_j, next_[i] * x[k]));
      r(i, k) = -fma(skew_[i] * w[k], x_i, fma(w[i], x_k, last_[i] * x[j]));
    });
    return r;
  }

  /// The motion at a node, in the frame there.
  struct Motion {
    const Flat& z;
    Matrix v;     ///< columns v_b of the step that led there
    Matrix u;     ///< columns M^-1 p, before the kick of vi_b
    Spin point;   ///< what d3' is to the point
    Scalar kick;  ///< s, for which the weight has yet to act on p, or has acted on the point alone
  };
  /// lambda and gamma of a step, from p0 - p1 and q1 - q0; S = h Gamma, the symmetric matrix of the
  /// multipliers of d_a.d_b.
  LIVENS_HD Multiplier multipliers(const Motion& before, const Motion& after, const Matrix& S,
                                   const Scalar& h) const {
    const Scalar per_h = Scalar(1.0) / h, half_per_h = Scalar(0.5) * per_h;
    const Spin c = vertical(before.z);
    Matrix normal;
    unroll<3>([&](auto b) {
      const Spin p = fma(E(b), column<b.value>(before.u), (-(before.kick * vectors_.weight[b])) * c);
      const Spin v = in_frame(before.z, in_space(after.z, column<b.value>(after.v)));
      set_column<b.value>(normal, fnma(E(b), v, p));
    });
    Multiplier r;
    unroll<6>([&](auto n) {
      constexpr int a = first(n.value), b = second(n.value);
      r.lambda[n] = half_per_h * (normal(a, b) + normal(b, a));
      r.gamma[n] = half_per_h * (S(a, b) + S(b, a));
    });
    const Scalar moment = point_.mass * point_.arm;
    const Spin v0 = in_space(before.z, before.point), v1 = in_space(after.z, after.point);
    const Spin moved = block<2>(after.z) - block<2>(before.z);
    set_part<6>(r.lambda, (moment * per_h) * (v0 - v1));
    r.lambda[8] = fnma(before.kick * per_h, point_weight(), r.lambda[8]);
    set_part<6>(r.gamma, moment * fma(per_h, moved, Scalar(-1.0) * v1));
    return r;
  }

 protected:
  using Body::last_, Body::next_, Body::skew_, Body::vectors_;

 private:
  /// Constraint n < 6 is between the directors first(n) and second(n).
  static constexpr int first(int n) { return n < 3 ? n : n / 5; }
  static constexpr int second(int n) { return n < 3 ? n : 1 + n / 4; }

  TiedPoint<Scalar> point_;
  Scalar point_inertia_;
};

}  // namespace livens::inline LIVENS_ISA
