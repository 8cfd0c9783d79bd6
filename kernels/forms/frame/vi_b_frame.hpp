#pragma once
// VI-B with alpha = 1, theta = 0 (vi_b.hpp) for a rigid frame in its own coordinates, with the letters and
// equations of variational_frame.hpp. G stands at node 1, so that f_b = e_b and (b) gives Omega from w:
//   (d) I^-1 Theta x - s^2 h I^-1 L0 = 0,   with L0 the angular momentum at node 0 in its frame
//   (e) L1 = L0 - h sum_b k_b d_b x e3 in space, at node 1
//   (f) p_b = E_b Omega x b_b for b = 1, 2; p_3 = E_3 Omega x b_3 - m l^2 Omega x e_3, and of the point
//       m l Omega x e_3 - h m g e3: the normal part of the momenta. lambda, gamma follow from two nodes.

#include "kernels/forms/frame/variational_frame.hpp"
#include "kernels/schemes/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

template <TiedFrameSystem System_>
class ViBFrame {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = ViBFrame<typename System::template Over<Other>>;
  using Body = VariationalFrame<System>;
  using Spin = typename Body::Spin;
  using Carried = typename Body::Carried;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = 3;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = false, compensated = false, fixed_options = true;
  static constexpr double farthest = 4.0;  ///< |w|^2 of a right angle
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }

  LIVENS_HD ViBFrame(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), body_(system), h_(h), per_h_(Scalar(1.0) / h), settings_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    return body_.start(system_.to_vectors(n.q, n.p));
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const auto at = motion(carried);
    auto n = system_.from_vectors(body_.state(carried.z, at.v));
    set_part<3>(n.p, body_.state(carried.z, at.u).p);
    set_block<3>(n.p, fnma(body_.point_inertia(), block<3>(n.v), block<3>(n.p)));  // (f)
    n.p[2] = fnma(carried.turned.time, body_.point_weight(), n.p[2]);
    return n;
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const auto at = motion(carried);
    const Spin u1 = column<0>(at.u), u2 = column<1>(at.u), u3 = column<2>(at.u);
    const Scalar half = Scalar(0.5), point = body_.point_inertia(), V = body_.vectors().potential(carried.z);
    const Scalar kick = carried.turned.time * body_.vectors().weight[2];
    const Spin p3 = fnma(point, at.point, body_.E(2) * u3);
    const Scalar directors =
        fma(body_.E(0), dot(u1, u1), fma(body_.E(1), dot(u2, u2), dot(p3, p3) / body_.own_inertia()));
    const Scalar falling = fma(Scalar(-2.0), dot(Body::vertical(carried.z), at.point), kick / point);
    Measured<Scalar, System::momentum_maps> measured{};
    measured.energy = fma(half, fma(point, dot(at.point, at.point), fma(kick, falling, directors)), V);
    measured.kinetic = body_.kinetic_energy(at.v);
    measured.total_energy = measured.kinetic + V;
    if (what == Measuring::energies) return measured;
    if constexpr (has_own_maps<System>)
      measured.momentum = own_maps(system_, node(carried));
    else
      measured.momentum[0] = body_.vertical_momentum(carried.z, at.u);
    Body::measure_turning(carried.z, carried.Omega, measured);
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    auto S = Body::lead(after);
    unroll<3>([&](auto b) { set_column<b.value>(S, (-body_.E(b)) * column<b.value>(S)); });
    return body_.multipliers(motion(before), motion(after), S, h_);
  }

  class Problem {
   public:
    static constexpr int unknowns = 3;
    using Matrix = DenseMatrix<Scalar, 3>;

    LIVENS_HD Problem(const ViBFrame& scheme, const Carried& now)
        : system_(scheme.system_),
          body_(scheme.body_),
          moved_(scheme.h_ * body_.mobile(Body::in_frame(now.z, now.L))) {}

    LIVENS_HD const System& system() const { return system_; }
    struct Evaluation {
      Spin residual, x;
      Scalar s;
      Matrix3<Scalar> Theta;  ///< I^-1 Theta
    };
    LIVENS_HD Evaluation evaluate(const Spin& w) const {
      Evaluation at;
      at.s = fma(Scalar(0.25), dot(w, w), Scalar(1.0));
      at.x = body_.stretched(w);
      at.Theta = body_.momentum(w);
      at.residual = fnma(at.s * at.s, moved_, times(at.Theta, at.x));  // (d)
      return at;
    }
    LIVENS_HD void jacobian(const Spin& w, const Evaluation& at, Matrix& J) const {
      const auto X = body_.stretched_slope(w), slope = body_.momentum_slope(w, at.x);
      unroll<3>([&](auto j) {
        const Spin by_x = times(at.Theta, column<j.value>(X));
        for (int i = 0; i < 3; ++i) J.at(i, j) = fnma(at.s * w[j], moved_[i], by_x[i] + slope(i, j));
      });
    }

   private:
    friend class ViBFrame;
    const System& system_;
    const Body& body_;
    Spin moved_;  ///< h I^-1 L0
  };

  /// True for a turn w that may be off the branch from h = 0.
  LIVENS_HD Mask<Scalar> is_doubtful(const Spin& w) const { return dot(w, w) > Scalar(0.25); }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Spin leap = body_.leap(now.turned.w, now.z, h_);
    Spin w = body_.guess(now.turned, leap, h_, body_.stretched(problem.moved_));
    Outcome<Scalar> outcome = newton<pivoting>(problem, w, settings_, active);
    Body::refuse_wrong_branch(*this, problem, w, active, outcome);
    const CayleyTurn<Scalar> turn(w);
    next.turned = Body::turned_by(now.turned, leap, w, h_);
    next.Omega = (per_h_ * turn.per_s) * body_.stretched(w);
    next.z = Body::turned(now.z, turn);
    next.L = Body::kicked(now.L, h_, Body::in_space(next.z, body_.vectors().weight));  // (e)
    return {outcome, Scalar(0.0), Scalar(0.0)};
  }

 private:
  LIVENS_HD typename Body::Motion motion(const Carried& carried) const {
    const auto v = Body::hat(carried.Omega);
    return {carried.z, v, Body::velocities(carried.Omega, Body::lead(carried)), column<2>(v),
            carried.turned.time};
  }

  const System& system_;
  Body body_;
  Scalar h_, per_h_;
  const Settings& settings_;
};

}  // namespace livens::inline LIVENS_ISA
