#pragma once
// The GGL energy-momentum scheme (ems.hpp) for one rigid frame about a fixed point, in its own coordinates: a
// body with T = 1/2 sum_b E_b |d_b'|^2 and V = sum_b W_b e3.d_b. equations/reduced.md, section 1. Everything
// is taken in the frame at node 0, where d_b = e_b: unknown is the Cayley rotation w of the step, C(w) = (I -
// w/2 x)^-1 (I + w/2 x), A = (I - w/2 x)^-1, s = 1 + |w|^2/4, sigma = sum_b E_b (1 + w_b^2/4), c = e3 in the
// frame.
//   (a) L1 = C^T (L0 - h (A W) x c),   Omega1 = L1/I in the frame at node 1,  I_i = E_j + E_k
//       (the rest of H_GGL does not change under rotations, so its discrete gradient exerts no torque)
//   (b) N_m^T (2 M Dq/h - p0 - p1) = 0, which eliminates gamma; times s A^-1 it is the polynomial
//       2/h (sigma w - s E w) - (I - w/2 x) alpha - (I + w/2 x) beta = 0,
//       alpha = sigma Omega0 - E (Omega0 - w/2 x Omega0 + w (w.Omega0)/4)
//       beta  = sigma Omega1 - E (Omega1 + w/2 x Omega1 + w (w.Omega1)/4)
// Rows are divided by 2 I_i/h. Carried are the frame and L in it; p_b = E_b Omega x d_b.

#include "kernels/schemes/ems.hpp"
#include "kernels/schemes/restored_frame.hpp"

namespace livens::inline LIVENS_ISA {

template <FrameSystem System_>
class EmsFrame {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = EmsFrame<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  using State = typename Form::State;
  using Spin = Vec3<Scalar>;
  static constexpr int d = System::coordinates, unknowns = 3;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false;
  static const SchemeInfo& info() { return EmsDescription::info; }

  struct Carried {
    Flat z;
    Spin L;  ///< angular momentum, in the frame
  };

  LIVENS_HD EmsFrame(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), vectors_(system.vector_form()), h_(h), per_h_(Scalar(1.0) / h), settings_(settings) {
    const auto& E = vectors_.inertia.value;
    for (int i = 0; i < 3; ++i) {
      const Scalar moment = E[(i + 1) % 3] + E[(i + 2) % 3];
      per_moment_[i] = Scalar(1.0) / moment;
      row_scale_[i] = Scalar(0.5) * h * per_moment_[i];
    }
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    const State s = system_.to_vectors(n.q, n.p);
    Spin L = zero_vector<Scalar, 3>();
    unroll<3>([&](auto b) { L = L + cross(block<b.value>(s.z), block<b.value>(s.p)); });
    return {s.z, in_frame(s.z, L)};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return system_.from_vectors(state(carried));
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried) const {
    return measure_vectors(vectors_, state(carried));
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried& after) const {
    return ems_multipliers(system_, h_, node(before), node(after));
  }

  class Problem {
   public:
    static constexpr int unknowns = 3;
    using Matrix = DenseMatrix<Scalar, 3>;

    LIVENS_HD Problem(const EmsFrame& scheme, const Carried& now)
        : scheme_(scheme), L0_(now.L), c_{{now.z[2], now.z[5], now.z[8]}} {
      for (int i = 0; i < 3; ++i) Omega0_[i] = scheme.per_moment_[i] * now.L[i];
    }

    struct Evaluation {
      Spin residual;
      Scalar s, per_s, sigma;
      Spin AW, moved, L1;  ///< A W; L0 - h (A W) x c; (a)
      Spin Omega1, alpha, beta;
    };

    LIVENS_HD Evaluation evaluate(const Spin& w) const {
      const auto& E = scheme_.vectors_.inertia.value;
      const Scalar quarter = Scalar(0.25), half = Scalar(0.5);
      Evaluation at;
      at.s = fma(quarter, dot(w, w), Scalar(1.0));
      at.per_s = Scalar(1.0) / at.s;
      at.sigma = E[0] + E[1] + E[2];
      for (int b = 0; b < 3; ++b) at.sigma = fma(quarter * E[b], w[b] * w[b], at.sigma);
      at.AW = at.per_s * polynomial(w, half, scheme_.vectors_.weight);
      at.moved = fnma(scheme_.h_, cross(at.AW, c_), L0_);
      at.L1 = turned_back(w, at.per_s, at.moved);
      for (int i = 0; i < 3; ++i) at.Omega1[i] = scheme_.per_moment_[i] * at.L1[i];
      at.alpha = at.sigma * Omega0_ - scaled(polynomial(w, -half, Omega0_));
      at.beta = at.sigma * at.Omega1 - scaled(polynomial(w, half, at.Omega1));
      const Spin inertial = (Scalar(2.0) * scheme_.per_h_) * (at.sigma * w - at.s * scaled(w));
      const Spin R = inertial - at.alpha - at.beta + half * cross(w, at.alpha - at.beta);  // (b)
      for (int i = 0; i < 3; ++i) at.residual[i] = scheme_.row_scale_[i] * R[i];
      return at;
    }

    /// With dC = A [dw x] A, dA = A [dw x] A / 2.
    LIVENS_HD void jacobian(const Spin& w, const Evaluation& at, Matrix& J) const {
      const Scalar quarter = Scalar(0.25), half = Scalar(0.5);
      const Spin Ew = scaled(w);
      const Spin back = at.per_s * polynomial(w, -half, at.moved);  // A^T of what is turned
      const Scalar w_Omega0 = dot(w, Omega0_), w_Omega1 = dot(w, at.Omega1);
      unroll<3>([&](auto j) {
        Spin dw = zero_vector<Scalar, 3>();
        dw[j] = Scalar(1.0);
        const Scalar ds = half * w[j], dsigma = half * Ew[j];
        const Spin d_inertial =
            (Scalar(2.0) * scheme_.per_h_) * (dsigma * w + at.sigma * dw - ds * Ew - at.s * scaled(dw));
        const Spin d_alpha =
            dsigma * Omega0_ -
            scaled(fma(quarter * w_Omega0, dw, (quarter * Omega0_[j]) * w) - half * cross(dw, Omega0_));
        const Spin d_AW = (half * at.per_s) * polynomial(w, half, cross(dw, at.AW));
        const Spin d_moved = (-scheme_.h_) * cross(d_AW, c_);
        const Spin d_L1 =
            turned_back(w, at.per_s, d_moved) - at.per_s * polynomial(w, -half, cross(dw, back));
        Spin d_Omega1;
        for (int i = 0; i < 3; ++i) d_Omega1[i] = scheme_.per_moment_[i] * d_L1[i];
        const Spin d_beta = dsigma * at.Omega1 + at.sigma * d_Omega1 -
                            scaled(polynomial(w, half, d_Omega1) + half * cross(dw, at.Omega1) +
                                   fma(quarter * w_Omega1, dw, (quarter * at.Omega1[j]) * w));
        const Spin column = d_inertial - d_alpha - d_beta + half * cross(w, d_alpha - d_beta) +
                            half * cross(dw, at.alpha - at.beta);
        for (int i = 0; i < 3; ++i) J.at(i, j) = scheme_.row_scale_[i] * column[i];
      });
    }

    /// h times the mean angular velocity, without the torque.
    LIVENS_HD Spin guess() const { return scheme_.h_ * Omega0_; }

   private:
    friend class EmsFrame;
    /// x + f w x x + w (w.x)/4: s A x for f = 1/2, s A^T x for f = -1/2.
    static LIVENS_HD Spin polynomial(const Spin& w, const Scalar& f, const Spin& x) {
      return fma(Scalar(0.25) * dot(w, x), w, fma(f, cross(w, x), x));
    }
    /// C^T x = x - (w x x - w x (w x x)/2)/s.
    static LIVENS_HD Spin turned_back(const Spin& w, const Scalar& per_s, const Spin& x) {
      const Spin y = cross(w, x);
      return fnma(per_s, fnma(Scalar(0.5), cross(w, y), y), x);
    }
    /// E x.
    LIVENS_HD Spin scaled(const Spin& x) const {
      const auto& E = scheme_.vectors_.inertia.value;
      return {{E[0] * x[0], E[1] * x[1], E[2] * x[2]}};
    }
    const EmsFrame& scheme_;
    Spin L0_, c_, Omega0_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Spin w = problem.guess();
    const Outcome<Scalar> outcome = newton<pivoting>(problem, w, settings_, active);
    next.L = problem.evaluate(w).L1;
    const CayleyRotation<Scalar, 3> rotation(in_space(now.z, w));
    next.z = now.z;
    unroll<3>([&](auto b) {
      const Vec3<Scalar> x = block<b.value>(now.z);
      set_block<b.value>(next.z, x + rotation.increment(x));
    });
    restore_frame<0>(next.z);
    return {outcome, Scalar(0.0), Scalar(0.0)};
  }

 private:
  static LIVENS_HD Spin in_frame(const Flat& z, const Spin& x) {
    return {{dot(block<0>(z), x), dot(block<1>(z), x), dot(block<2>(z), x)}};
  }
  static LIVENS_HD Spin in_space(const Flat& z, const Spin& x) {
    return fma(x[0], block<0>(z), fma(x[1], block<1>(z), x[2] * block<2>(z)));
  }
  LIVENS_HD State state(const Carried& carried) const {
    Spin Omega;
    for (int i = 0; i < 3; ++i) Omega[i] = per_moment_[i] * carried.L[i];
    Omega = in_space(carried.z, Omega);
    State s;
    s.z = carried.z;
    unroll<3>([&](auto b) {
      set_block<b.value>(s.p, vectors_.inertia.value[b] * cross(Omega, block<b.value>(carried.z)));
    });
    return s;
  }

  const System& system_;
  Form vectors_;
  Scalar h_, per_h_;
  Settings settings_;
  Spin per_moment_, row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
