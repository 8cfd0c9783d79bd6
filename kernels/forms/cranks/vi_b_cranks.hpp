#pragma once
// VI-B with alpha = 1, theta = 0 (vi_b.hpp) in closed form, for a row of n parallel cranks and the couplers
// between them; equations/reduced.md, section 2. G stands at q1, where the joints are closed, so that v is
// that of the linkage: d1 of the cranks is u, u1 = exp(i t) u0, and couplers do not turn. With P = (i u).p
// over all bars, I and c the inertia and the drag of u, rho = 1 - cos t and kappa = m l^2/J:
//   (a) h Omega = sin t,  I sin t cos t = h P0:  sin 2t = 2 h P0/I
//   (b) P1 = P0 - h (i u1).DV - c sin t
//   (c) p1 = M v - h DV - C Dq, on the directors of crank k (1 - S_11) and (1 - S_22) times M v:
//       S_22 = rho,  S_11 = rho (1 + kappa (1/2 + the number of couplers at crank k))
// (a) is (i u1).(a) of vi_b.hpp, and (i u0).(b). S = h gamma/(J/2) are the gamma of the directors, of which
// S_12, and all those of couplers, vanish: what is left of (a) of vi_b.hpp, rho u1 on d1, is borne by joints
// whose gamma is along u1, the same at both ends of a coupler. P0 is all of p0 that counts.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/reorthonormalized.hpp"
#include "kernels/schemes/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

template <CrankRowSystem System_>
class ViBCranks {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = ViBCranks<typename System::template Over<Other>>;
  static constexpr int n = System::cranks, couplers = n - 1;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = 0;
  using Plane = Vec<Scalar, 2>;
  using Position = Vec<Scalar, d>;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = System::damped, compensated = false, fixed_options = true;
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }

  struct Carried {
    Plane u;
    Scalar tau_P;
    Scalar tau_Omega;  ///< of the step that led here, or of the node at the start
    Scalar rho;        ///< of that step, and what follows; 0 at the start
    Plane Du;
    Scalar kick;  ///< its length, s, for which the weight has acted on p
  };

  LIVENS_HD ViBCranks(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), unit_(h, settings), row_(system.crank_row()) {
    const auto form = system.vector_form();
    inertia_ = form.inertia.value[0];
    weight_ = form.weight[0];
    drag_ = form.drag(0, 0);
    kappa_ = Scalar(0.5) * row_.mass * row_.length * row_.length / row_.director;
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& at) const {
    const auto s = system_.to_vectors(at.q, at.p);
    const Scalar zero = Scalar(0.0), P = unit_.tau * torque(s.z, s.p)[0];
    return {s.z, P, P / inertia_, zero, zero_vector<Scalar, 2>(), zero};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Vec<Scalar, 1> Omega = {{unit_.per_tau * carried.tau_Omega}};
    NodeState<Scalar, d> r = system_.from_vectors({carried.u, inertia_ * turned(Omega, carried.u)});
    unroll<n>([&](auto k) {
      const Scalar joints = fma(kappa_, Scalar(0.5 + couplers_at(k)), Scalar(1.0));
      shorten<3 * k.value + 1>(r.p, joints * carried.rho);
      shorten<3 * k.value + 2>(r.p, carried.rho);
    });
    unroll<couplers>([&](auto k) {  // C Dq
      constexpr int b = 3 * (n + k.value);
      const Scalar viscosity = row_.viscosity[k] * row_.length;
      set_block<b>(r.p, fnma(viscosity, carried.Du, block<b, 2>(r.p)));
      set_block<b + 1>(r.p, fnma(Scalar(0.5) * row_.length * viscosity, carried.Du, block<b + 1, 2>(r.p)));
    });
    r.p = fnma(carried.kick, system_.gradient(r.q), r.p);  // (c)
    return r;
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const NodeState<Scalar, d> at = node(carried);
    auto measured = measure_node(system_, at, what);
    const Scalar V = system_.potential(at.q), half = Scalar(0.5);
    measured.energy = fma(half, dot(at.p, system_.inertia.solve(at.p)), V);
    measured.total_energy = fma(half, dot(at.v, system_.inertia.times(at.v)), V);
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    const Scalar& per_h = unit_.per_h;
    const auto n0 = node(before), n1 = node(after);
    Multipliers<Scalar, m> r;
    r.lambda = per_h * constraint_multiplier(system_, system_.constraint_jacobian(n0.q),
                                             system_.inertia.solve(n0.p) - n1.v);
    r.gamma = zero_vector<Scalar, m>();
    const Plane along = (per_h * row_.mass * row_.length * after.rho) * after.u;
    unroll<n>([&](auto k) {
      const Scalar joints = fma(kappa_, Scalar(0.5 + couplers_at(k)), Scalar(1.0));
      const Scalar own = per_h * row_.director * after.rho;
      r.gamma[3 * k] = joints * own;
      r.gamma[3 * k + 1] = own;
      set_part<first_joint + 2 * k.value>(r.gamma, Scalar(0.5 + 0.5 * couplers_at(k)) * along);
    });
    unroll<2 * couplers>(
        [&](auto j) { set_part<first_joint + 2 * (n + j.value)>(r.gamma, Scalar(-0.5) * along); });
    return r;
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Scalar &h = unit_.h, one = Scalar(1.0), half = Scalar(0.5);
    const Scalar product = unit_.step * now.tau_P / inertia_, sine2 = Scalar(2.0) * product;  // (a)
    const Scalar square = fnma(sine2, sine2, one);
    const Mask<Scalar> solvable = square >= Scalar(0.0);
    const Scalar cosine = sqrt(fma(half, sqrt(square), half)), sine = product / cosine;
    next.rho = sine * sine / (one + cosine);
    next.Du = {{fnma(next.rho, now.u[0], -(sine * now.u[1])), fnma(next.rho, now.u[1], sine * now.u[0])}};
    next.u = now.u + next.Du;
    restore_length<0, 2>(next.u);
    next.tau_Omega = unit_.per_step * sine;
    next.kick = h;
    next.tau_P = fnma(unit_.tau * h * weight_, next.u[0], fnma(unit_.tau * drag_, sine, now.tau_P));  // (b)
    const Scalar dissipated = unit_.per_h * (drag_ * dot(next.Du, next.Du));
    const Scalar status = select(active & !solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    return {{status, Scalar(0.0)}, dissipated, Scalar(0.0)};
  }

 private:
  static constexpr int first_joint = 3 * (2 * n - 1);
  static constexpr int couplers_at(int crank) { return (crank > 0) + (crank < n - 1); }
  /// Block B times 1 - s.
  template <int B>
  static LIVENS_HD void shorten(Position& p, const Scalar& s) {
    const Plane x = block<B, 2>(p);
    set_block<B>(p, fnma(s, x, x));
  }

  const System& system_;
  TimeUnit<Scalar> unit_;
  CrankRow<Scalar, n> row_;
  Scalar inertia_, weight_, drag_, kappa_;  ///< of u: I, its weight, c
};

}  // namespace livens::inline LIVENS_ISA
