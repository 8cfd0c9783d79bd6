#pragma once
// The Livens scheme (livens.hpp) where M is singular or depends on q: livens-energy-consistent (28)-(30) with
// the symmetrised partitioned discrete derivative; equations/holonomic.md, section 5. Dq = q1 - q0:
//   (a) Dq = h (v0 + v1)/2
//   (b) Dp = h D1 - h Dbar V - h G(q_m)^T lambda - C Dq + h F_m
//   (c) (p0 + p1)/2 = D2 = (M(q0) + M(q1)) Dq/(2 h)
//   (d) g(q1) = 0
//   (e) D1 = [Dbar T(., v0) + Dbar T(., v1)]/2,
//       Dbar T(., v) = D_1 T(q_m, v) + c Dq,  c = [T(q1, v) - T(q0, v) - D_1 T(q_m, v).Dq]/(Dq.Dq)
// With derivative = "invariants" the correction c Dq leaves cyclic coordinates out, whose momenta are then
// conserved exactly. A system that defines its discrete gradient has that one, whatever the option says. C is
// the viscous damping, F_m that of mean_load.hpp.
// Unknowns Dq, Lambda = h^2 lambda; (b) times h, rows divided by the diagonal of M(q0), or 2^-20 of its largest. The
// Jacobian comes from dual numbers, and Newton starts where three steps before lead to. The energy that is conserved is E = p.v - T(q, v) + V(q). A
// step carries tau p and tau v on (time_unit.hpp).

#include "kernels/math/dual.hpp"
#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/livens.hpp"
#include "kernels/schemes/mean_load.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

/// The others have forms of their own.
template <class System>
concept AutomaticSystem =
    PositionConstraints<System> && QuadraticConstraints<System> && !ConstantRegularMass<System> &&
    LiftedSystem<System>;

template <AutomaticSystem System_>
class LivensAutomatic {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = LivensAutomatic<typename System::template Over<Other>>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = d + m;
  using Position = Vec<Scalar, d>;
  static constexpr const char* form = "full";
  static constexpr bool damped = ViscousSystem<System>, compensated = false;
  static constexpr const SchemeInfo& info() { return LivensDescription::info; }

  struct Carried {
    Position q, tau_p, tau_v;
    Extrapolation<Scalar, unknowns, false> extrapolation;  ///< Dq - h v and Lambda, over (h/tau)^2
    Scalar started;                                        ///< 0 at node 0, else 1
    [[no_unique_address]] LoadClock<System> clock;
  };

  LIVENS_HD LivensAutomatic(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), unit_(h, settings), settings_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r{n.q, unit_.tau * n.p, unit_.tau * n.v, {}, Scalar(0.0), {}};
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, unknowns>());
    r.clock.start();
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, unit_.per_tau * carried.tau_p, unit_.per_tau * carried.tau_v};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const NodeState<Scalar, d> n = node(carried);
    auto measured = measure_node(system_, n, what);
    const Scalar V = system_.potential(n.q);
    const Scalar T = Scalar(0.5) * dot(n.v, momentum_of(system_, n.q, n.v));
    measured.energy = (dot(n.p, n.v) - T) + V;
    measured.total_energy = T + V;
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    const Scalar per_square = unit_.per_tau * unit_.per_tau;
    return {per_square * part<d, m>(after.extrapolation.needed[0]), not_a_number_vector<Scalar, m>()};
  }

  class Problem {
   public:
    static constexpr bool register_pressure = true, exact_energy = true;
    static constexpr int unknowns = LivensAutomatic::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;
    LIVENS_HD Problem(const LivensAutomatic& scheme, const Carried& now)
        : scheme_(scheme), now_(now), load_(scheme.system_, now.clock, scheme.unit_.h) {}
    LIVENS_HD const MeanLoad<System>& load() const { return load_; }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Vec<Scalar, unknowns> residual;
    };
    LIVENS_HD Evaluation evaluate(const Vec<Scalar, unknowns>& x) const {
      return {residual(scheme_.system_, x)};
    }
    LIVENS_HD void jacobian(const Vec<Scalar, unknowns>& x, const Evaluation&, Matrix& J) const {
      using D = Dual<unknowns, Scalar>;
      Vec<D, unknowns> dual_x;
      for (int i = 0; i < unknowns; ++i) dual_x[i] = D::variable(x[i], i);
      const typename System::template Over<D> system(lifted<D>(scheme_.system_.parameters));
      const auto r = residual(system, dual_x);
      for (int i = 0; i < unknowns; ++i)
        for (int j = 0; j < unknowns; ++j) J.at(i, j) = r[i].partial[j];
    }
    /// (M(q0) + M(q1)) Dq = 2 h D2.
    template <class SystemT, class Many>
    static LIVENS_HD Many twice_mean_momentum(const SystemT& system, const Many& q0, const Many& q1,
                                              const Many& Dq) {
      return momentum_of(system, q0, Dq) + momentum_of(system, q1, Dq);
    }

   private:
    template <class T, int N>
    static LIVENS_HD Vec<T, N> lifted(const Vec<Scalar, N>& a) {
      Vec<T, N> r;
      for (int i = 0; i < N; ++i) r[i] = T(a[i]);
      return r;
    }
    /// (b), (d).
    template <class SystemT, class T = typename SystemT::Scalar>
    LIVENS_HD Vec<T, unknowns> residual(const SystemT& system, const Vec<T, unknowns>& x) const {
      const auto& unit = scheme_.unit_;
      const Vec<T, d> q0 = lifted<T>(now_.q), tau_p0 = lifted<T>(now_.tau_p), Dq = part<0, d>(x);
      const T h = T(unit.h), step = T(unit.step), half = T(0.5), two = T(2.0);
      const Vec<T, d> q_m = fma(half, Dq, q0), q1 = q0 + Dq;
      Vec<T, d> r = twice_mean_momentum(system, q0, q1, Dq) - (two * step) * tau_p0;
      r = fma(h * h, load_.taken_from(potential_force(system, q0, q1)), r);
      if constexpr (damped) r = fma(h, viscous_force(system, Dq), r);
      if constexpr (m > 0) r = r + transpose_times<SystemT>(system.constraint_jacobian(q_m), part<d, m>(x));
      if constexpr (requires { system.kinetic_gradient(q0, q0); }) {
        // Quadratic in v: h^2 times that of v is (h/tau)^2 times that of tau v.
        const Vec<T, d> v0 = lifted<T>(now_.tau_v), v1 = T(Scalar(2.0) * unit.per_step) * Dq - v0;
        r = fnma(half * step * step, kinetic_force(system, q0, Dq, v0) + kinetic_force(system, q0, Dq, v1),
                 r);
      }
      // A coordinate may carry no mass where the step starts, as the scalar of a quaternion at (1, 0, 0, 0):
      // a row divided by much less than 2^-20 of the largest mass would be rounding.
      const auto M0 = inertia_at(scheme_.system_, now_.q);
      const Scalar least = Scalar(0x1p-20) * largest_mass<d>(M0);
      Vec<T, unknowns> scaled;
      if constexpr (m > 0) set_part<d>(scaled, system.constraints_at(q1));
      for (int i = 0; i < d; ++i) scaled[i] = T(Scalar(1.0) / max(M0.entry(i, i), least)) * r[i];
      return scaled;
    }
    template <class SystemT, class Many>
    LIVENS_HD Many potential_force(const SystemT& system, const Many& q0, const Many& q1) const {
      if constexpr (!DefinesDiscreteGradient<SystemT>)
        if (LivensDescription::plain(scheme_.settings_)) return plain_discrete_gradient(system, q0, q1);
      return system.discrete_gradient(q0, q1);
    }
    /// Dbar T(., v) of (e).
    template <class SystemT, class Many>
    LIVENS_HD Many kinetic_force(const SystemT& system, const Many& q0, Many Dq, const Many& v) const {
      using T = typename SystemT::Scalar;
      const Many q1 = q0 + Dq, q_m = fma(T(0.5), Dq, q0);
      if (!LivensDescription::plain(scheme_.settings_))
        for (int i = 0; i < d; ++i)
          if (System::cyclic(i)) Dq[i] = T(0.0);
      const Many at_middle = system.kinetic_gradient(q_m, v);
      const T square = dot(Dq, Dq);
      const T change = T(0.5) * (dot(v, momentum_of(system, q1, v)) - dot(v, momentum_of(system, q0, v)));
      const T c = select(square > T(shortest_squared_increment<Scalar>),
                         (change - dot(at_middle, Dq)) / square, T(0.0));
      return fma(c, Dq, at_middle);
    }

    const LivensAutomatic& scheme_;
    const Carried& now_;
    [[no_unique_address]] MeanLoad<System> load_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Scalar &per_step = unit_.per_step, square = unit_.step * unit_.step;
    Vec<Scalar, unknowns> x = square * now.extrapolation.next();
    set_part<0>(x, fma(unit_.step, now.tau_v, part<0, d>(x)));
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    const Position Dq = part<0, d>(x);
    Vec<Scalar, unknowns> beyond = x;
    set_part<0>(beyond, fnma(unit_.step, now.tau_v, Dq));
    next.extrapolation =
        now.extrapolation.followed_by((per_step * per_step) * beyond, now.started == Scalar(0.0));
    next.started = Scalar(1.0);
    next.q = now.q + Dq;
    next.tau_v = (Scalar(2.0) * per_step) * Dq - now.tau_v;                                        // (a)
    next.tau_p = per_step * Problem::twice_mean_momentum(system_, now.q, next.q, Dq) - now.tau_p;  // (c)
    next.clock = now.clock;
    next.clock.advance(unit_.h);
    Scalar dissipated = Scalar(0.0);
    if constexpr (damped) dissipated = unit_.per_h * dot(Dq, viscous_force(system_, Dq));
    return {outcome, dissipated, problem.load().work(Dq)};
  }

 private:
  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
};

}  // namespace livens::inline LIVENS_ISA
