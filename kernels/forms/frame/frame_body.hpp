#pragma once
// A rigid body about a fixed point in its own frame D = (d1, d2, d3), with T = 1/2 sum_b E_b |d_b'|^2 and
// V = sum_b k_b e3.d_b: what the forms in body coordinates share. equations/reduced.md, section 1. With
// I_i = E_j + E_k, (i, j, k) a cycle of (1, 2, 3), L = I Omega in the frame. A step turns it by the Cayley
// rotation C(w) = (I - w/2 x)^-1 (I + w/2 x), s = 1 + |w|^2/4: D1 = D0 C. L is carried in space: the weight
// changes only its horizontal part, so that the vertical one is never rounded.

#include "kernels/newton/scheme.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar>
using Matrix3 = Mat<Scalar, 3, 3>;

/// A x.
template <class Scalar>
LIVENS_HD Vec3<Scalar> times(const Matrix3<Scalar>& A, const Vec3<Scalar>& x) {
  Vec3<Scalar> r;
  unroll<3>([&](auto i) { r[i] = fma(A(i, 0), x[0], fma(A(i, 1), x[1], A(i, 2) * x[2])); });
  return r;
}
/// A^T x.
template <class Scalar>
LIVENS_HD Vec3<Scalar> transposed_times(const Matrix3<Scalar>& A, const Vec3<Scalar>& x) {
  Vec3<Scalar> r;
  unroll<3>([&](auto i) { r[i] = fma(A(0, i), x[0], fma(A(1, i), x[1], A(2, i) * x[2])); });
  return r;
}
/// The matrix of A (x x .).
template <class Scalar>
LIVENS_HD Matrix3<Scalar> times_hat(const Matrix3<Scalar>& A, const Vec3<Scalar>& x) {
  Matrix3<Scalar> r;
  unroll<3>([&](auto j) {
    constexpr int k = (j.value + 1) % 3, l = (j.value + 2) % 3;
    unroll<3>([&](auto i) { r(i, j) = fma(A(i, k), x[l], -(A(i, l) * x[k])); });
  });
  return r;
}
template <int B, class Scalar>
LIVENS_HD Vec3<Scalar> column(const Matrix3<Scalar>& A) {
  return {{A(0, B), A(1, B), A(2, B)}};
}
template <int B, class Scalar>
LIVENS_HD void set_column(Matrix3<Scalar>& A, const Vec3<Scalar>& x) {
  unroll<3>([&](auto i) { A(i, B) = x[i]; });
}

/// C - I = (w x + w x (w x)/2)/s, to full relative accuracy; (I - w/2 x)^-1 = I + (C - I)/2.
template <class Scalar>
struct CayleyTurn {
  Scalar per_s;
  Matrix3<Scalar> increment;

  CayleyTurn() = default;
  LIVENS_HD explicit CayleyTurn(const Vec3<Scalar>& w)
      : per_s(Scalar(1.0) / fma(Scalar(0.25), dot(w, w), Scalar(1.0))) {
    const Vec3<Scalar> scaled = per_s * w, half = Scalar(0.5) * w;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      increment(i, i) = -fma(scaled[j], half[j], scaled[k] * half[k]);
      increment(j, k) = fma(half[j], scaled[k], -scaled[i]);
      increment(k, j) = fma(half[j], scaled[k], scaled[i]);
    });
  }
};

template <FrameSystem System_>
class FrameBody {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  using State = typename Form::State;
  using Spin = Vec3<Scalar>;
  using Matrix = Matrix3<Scalar>;
  using Measure = Measured<Scalar, System::momentum_maps>;

  /// In units of time of `tau` seconds: E/tau and tau k stand for E and k, and L is what it was.
  LIVENS_HD explicit FrameBody(const System& system, const Scalar& tau = Scalar(1.0))
      : vectors_(system.vector_form()) {
    vectors_.inertia = typename Form::Inertia(Scalar(1.0) / tau * vectors_.inertia.value);
    vectors_.weight = tau * vectors_.weight;
    if constexpr (Form::raised) vectors_.level = tau * vectors_.level;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      per_moment_[i] = Scalar(1.0) / (E(j) + E(k));
      next_[i] = E(j) * per_moment_[i];
      last_[i] = E(k) * per_moment_[i];
      skew_[i] = (E(k) - E(j)) * per_moment_[i];
    });
  }

  LIVENS_HD const Form& vectors() const { return vectors_; }
  LIVENS_HD const Scalar& E(int b) const { return vectors_.inertia.value[b]; }
  LIVENS_HD const Scalar& next(int i) const { return next_[i]; }  ///< E_j/I_i
  LIVENS_HD const Scalar& last(int i) const { return last_[i]; }  ///< E_k/I_i
  /// I^-1 L.
  LIVENS_HD Spin mobile(const Spin& L) const {
    return {{per_moment_[0] * L[0], per_moment_[1] * L[1], per_moment_[2] * L[2]}};
  }
  /// -I^-1 (u x I u).
  LIVENS_HD Spin gyroscopic(const Spin& u) const {
    return {{skew_[0] * u[1] * u[2], skew_[1] * u[2] * u[0], skew_[2] * u[0] * u[1]}};
  }
  /// I^-1 (E u x v), perpendicular to I v whatever rounding has made of E and I.
  LIVENS_HD Spin paired(const Spin& u, const Spin& v) const {
    return mobile(cross(Spin{{E(0) * u[0], E(1) * u[1], E(2) * u[2]}}, v));
  }
  /// Its derivative by u; the diagonal, which is zero, is not set.
  LIVENS_HD Matrix paired_slope(const Spin& v) const {
    Matrix r;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      r(i, j) = next_[i] * v[k];
      r(i, k) = -(last_[i] * v[j]);
    });
    return r;
  }

  static LIVENS_HD Spin in_frame(const Flat& z, const Spin& x) {
    return {{dot(block<0>(z), x), dot(block<1>(z), x), dot(block<2>(z), x)}};
  }
  static LIVENS_HD Spin in_space(const Flat& z, const Spin& x) {
    return fma(x[0], block<0>(z), fma(x[1], block<1>(z), x[2] * block<2>(z)));
  }
  /// e3 in the frame.
  static LIVENS_HD Spin vertical(const Flat& z) { return {{z[2], z[5], z[8]}}; }
  /// The matrix of omega x.
  static LIVENS_HD Matrix hat(const Spin& omega) {
    const Scalar o = Scalar(0.0);
    return {{o, -omega[2], omega[1], omega[2], o, -omega[0], -omega[1], omega[0], o}};
  }

  /// sum_b z_b x p_b, in space.
  static LIVENS_HD Spin angular_momentum(const State& s) {
    return cross(block<0>(s.z), block<0>(s.p)) + cross(block<1>(s.z), block<1>(s.p)) +
           cross(block<2>(s.z), block<2>(s.p));
  }
  /// The frame z, and momenta E_b u_b of the columns u_b of u, in the frame.
  LIVENS_HD State state(const Flat& z, const Matrix& u) const {
    State s;
    s.z = z;
    unroll<3>([&](auto b) { set_block<b.value>(s.p, E(b) * in_space(z, column<b.value>(u))); });
    return s;
  }
  /// L - t a x e3, all in space.
  static LIVENS_HD Spin kicked(const Spin& L, const Scalar& t, const Spin& a) {
    return {{fnma(t, a[1], L[0]), fma(t, a[0], L[1]), L[2]}};
  }

  /// The turn of the step that led to a node; zero at the start.
  struct Turned {
    Spin w, slip;  ///< slip: w less what leap() had extrapolated, if it could
    Scalar time;   ///< of that step, s
  };
  static LIVENS_HD Turned not_turned() {
    return {zero_vector<Scalar, 3>(), zero_vector<Scalar, 3>(), Scalar(0.0)};
  }
  static LIVENS_HD Turned turned_by(const Turned& last, const Spin& leap, const Spin& w, const Scalar& h) {
    return {w, select<Scalar>(last.time == h, w - leap, zero_vector<Scalar, 3>()), h};
  }
  /// The turn that follows w in the next step, to h^3: they differ by h^2 Omega' in their middle, with
  /// Omega' = I^-1 (L x Omega - k x e3).
  LIVENS_HD Spin leap(const Spin& w, const Flat& z, const Scalar& h) const {
    const Spin fall = (-(h * h)) * mobile(cross(vectors_.weight, vertical(z)));
    return w + gyroscopic(fma(Scalar(0.5), gyroscopic(w) + fall, w)) + fall;
  }
  /// The small x beside w in the next step, likewise.
  LIVENS_HD Spin swept(const Spin& w, const Spin& x) const {
    const auto change = [&](const Spin& y) {
      Spin r;
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        r[i] = skew_[i] * fma(w[j], y[k], w[k] * y[j]);
      });
      return r;
    };
    return x + change(fma(Scalar(0.5), change(x), x));
  }
  /// The start of Newton's method: leap, and the slip of last time; `first` after a step of another length.
  LIVENS_HD Spin guess(const Turned& last, const Spin& leap, const Scalar& h, const Spin& first) const {
    return select<Scalar>(last.time == h, leap + swept(last.w, last.slip), first);
  }

  /// The frame after the turn, less what rounding has left of d_a.d_b - delta_ab: D - D (D^T D - I)/2. What
  /// plain products miss of it the next step finds, so that it does not add up.
  static LIVENS_HD Flat turned(const Flat& z, const CayleyTurn<Scalar>& turn) {
    Flat r, restored;
    unroll<3>([&](auto b) {
      set_block<b.value>(r, block<b.value>(z) + in_space(z, column<b.value>(turn.increment)));
    });
    const Matrix defect = gram_defect(r);
    unroll<3>([&](auto b) {
      set_block<b.value>(restored,
                         fma(Scalar(-0.5), in_space(r, column<b.value>(defect)), block<b.value>(r)));
    });
    return restored;
  }
  /// d_a.d_b - delta_ab.
  static LIVENS_HD Matrix gram_defect(const Flat& z) {
    const Spin d[] = {block<0>(z), block<1>(z), block<2>(z)};
    Matrix r;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3;
      const Spin& u = d[i];
      r(i, i) = fma(u[0], u[0], fma(u[1], u[1], fma(u[2], u[2], Scalar(-1.0))));
      r(i, j) = r(j, i) = dot(u, d[j]);
    });
    return r;
  }

  /// Refuses roots that are off the branch that h -> 0 leads to, on which the determinant of the Jacobian is
  /// positive. It can vanish only where the turn w is large, which is where the scheme says that it is
  /// doubtful; the law Branch of tests/laws/jacobian.cpp holds it to that. Behind a second change of its sign it is
  /// positive again: nor is a step trusted whose |w|^2 is above Scheme::farthest, if it has that.
  template <class Scheme, class Problem, class Unknown>
  static LIVENS_HD void refuse_wrong_branch(const Scheme& scheme, const Problem& problem, const Unknown& x,
                                            const Mask<Scalar>& active, Outcome<Scalar>& outcome) {
    const Mask<Scalar> doubtful = active & outcome.good() & scheme.is_doubtful(part<0, 3>(x));
    if (!any(doubtful)) return;
    const auto at = problem.evaluate(x);
    typename Problem::Matrix J;
    problem.jacobian(x, at, J);
    Unknown unused = at.residual;
    solve_unpivoted(J, unused);
    Scalar determinant = J.at(0, 0);
    unroll<Problem::unknowns - 1>([&](auto k) { determinant = determinant * J.at(k + 1, k + 1); });
    Mask<Scalar> wrong = doubtful & !(determinant > Scalar(0.0));
    if constexpr (requires { Scheme::farthest; })
      wrong = wrong | (doubtful & (dot(x, x) > Scalar(Scheme::farthest)));
    outcome.status = select(wrong, code<Scalar>(Status::wrong_branch), outcome.status);
  }

  /// |g|, and |G v| of velocities D (Omega x e_b), which is what |g| makes of it.
  static LIVENS_HD void measure_turning(const Flat& z, const Spin& Omega, Measure& measured) {
    const Matrix defect = gram_defect(z);
    measured.constraint = largest(defect);
    measured.velocity_constraint = Scalar(0.0);
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      const Scalar length = fma(defect(i, j), Omega[k], -(defect(i, k) * Omega[j]));
      const Scalar angle =
          fma(defect(j, j) - defect(k, k), Omega[i], fma(defect(i, k), Omega[k], -(defect(i, j) * Omega[j])));
      measured.velocity_constraint = max(measured.velocity_constraint, max(abs(length), abs(angle)));
    });
  }
  /// |g|, and |G v| of the columns of u, velocities in the frame that are off it by more than rounding.
  static LIVENS_HD void measure_loose(const Flat& z, const Matrix& u, Measure& measured) {
    measured.constraint = largest(gram_defect(z));
    measured.velocity_constraint = Scalar(0.0);
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3;
      measured.velocity_constraint =
          max(measured.velocity_constraint, max(abs(u(i, i)), abs(u(i, j) + u(j, i))));
    });
  }

 protected:
  Form vectors_;
  Spin per_moment_;
  Spin next_, last_;  ///< E_j/I_i, E_k/I_i
  Spin skew_;         ///< (E_k - E_j)/I_i

 private:
  static LIVENS_HD Scalar largest(const Matrix& defect) {
    Scalar r = Scalar(0.0);
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3;
      r = max(r, max(abs(Scalar(0.5) * defect(i, i)), abs(defect(i, j))));
    });
    return r;
  }
};

}  // namespace livens::inline LIVENS_ISA
