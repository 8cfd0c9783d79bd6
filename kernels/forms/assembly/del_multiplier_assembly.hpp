#pragma once
// Discrete Euler-Lagrange equations, midpoint rule, with multipliers, for an assembly of bodies, beams and
// joints. gamma-convergence-constrained (14), (15), (18); docs/equations/assembly.md, section 4. With b of
// assembled_step.hpp:
//   (a) b + s G(u0)^T lambda = 0,  g(u1) = 0
// Newton's method in Du and Lambda = h s lambda, whose matrix is that of a saddle point,
//   (b) [ M + h^2/4 D^2 V(u_m)   -G(u0)^T ] [ update of Du     ]   [ -h b - G(u0)^T Lambda ]
//       [ G(u1)                  0        ] [ update of Lambda ] = [ g(u1)                 ]
// Lambda stands in it linearly, and P(u0)^T takes it away: the updates of Du are the same whatever Lambda is.
// They are x + P(u1) y with G(u1) x = g(u1), and
//   (c) P(u0)^T (M + h^2/4 D^2 V) P(u1) y = -P(u0)^T [ h b + (M + h^2/4 D^2 V) x ],
// whose band needs no pivots, where (b) does. u1 is off the constraints until Newton's method ends, and P(u1)
// the null space of G(u1) nevertheless: a rotation of directors keeps their products, whatever these are. (c)
// is scaled as that of the null space method.

#include "kernels/forms/assembly/assembled_step.hpp"
#include "kernels/schemes/del_multiplier.hpp"
#include "kernels/systems/assembly/onto_constraints.hpp"

namespace livens::inline LIVENS_ISA {

/// The matrix of (b), Lambda taken away: 62 rows of (c) and 94 of g for the swing.
template <class System>
struct AssembledSaddle {
  using Scalar = typename System::Scalar;
  using Nulls = AssemblyNullSpace<System>;
  using Position = typename System::Position;
  static constexpr int unknowns = Nulls::unknowns, m = System::m, d = System::d;
  static_assert(unknowns + m == d);
  const System* system;
  const typename Nulls::Columns* P;  ///< of u0
  const Position* u0;
  Position middle, u1;
  Scalar share;  ///< h^2/4
  typename Nulls::Reduced scale;
  typename Nulls::Columns motion;
  typename Nulls::Matrix A;  ///< (c)

  /// Solves for the right-hand side b, of (c) and g, by solve_band(y), which solves with A and whose answer
  /// is returned.
  template <class SolveBand>
  LIVENS_HD auto solve(Vec<Scalar, d>& b, SolveBand&& solve_band) const {
    const Nulls nulls(*system);
    auto y = part<0, unknowns>(b);
    const Position x = onto_constraints(*system, u1, part<unknowns, m>(b));
    const Position pull = fma(share, system->hessian_times(middle, x), system->inertia_of(u1).times(x));
    const auto normal = nulls.project(*P, *u0, pull);
    for (int j = 0; j < unknowns; ++j) y[j] = fnma(scale[j], normal[j], y[j]);
    const auto answer = solve_band(y);
    b = x + nulls.along(motion, u1, y);
    return answer;
  }
};
template <class System, class Scalar, int N>
LIVENS_HD_COLD Mask<Scalar> solve_unpivoted(AssembledSaddle<System>& J, Vec<Scalar, N>& b) {
  return J.solve(b, [&J](auto& y) { return solve_unpivoted(J.A, y); });
}
template <class System, class Scalar, int N>
LIVENS_HD_COLD Mask<Scalar> solve_unpivoted(AssembledSaddle<System>& J, Vec<Scalar, N>& b,
                                            const Mask<Scalar>& active) {
  return J.solve(b, [&](auto& y) { return solve_unpivoted(J.A, y, active); });
}
template <class System, class Scalar, int N>
LIVENS_HD_COLD Mask<Scalar> solve_narrowed(const AssembledSaddle<System>& J, Vec<Scalar, N>& b) {
  return J.solve(b, [&J](auto& y) { return solve_narrowed(J.A, y); });
}
template <class System, class Number, int N>
LIVENS_HD_COLD bool solve_again(const AssembledSaddle<System>& J, Vec<Number, N>& b) {
  return J.solve(b, [&J](auto& y) { return solve_again(J.A, y); });
}

template <AssembledSystem System_>
class DelMultiplierAssembly : public AssembledStep<System_> {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = DelMultiplierAssembly<typename System::template Over<Other>>;
  using Step = AssembledStep<System>;
  using typename Step::Carried, typename Step::Position, typename Step::Nulls, typename Step::Columns,
      typename Step::Middle;
  static constexpr int reduced = Nulls::unknowns, unknowns = System::d;
  static constexpr const char* form = "full";
  static constexpr const SchemeInfo& info() { return DelMultiplierDescription::info; }

  LIVENS_HD DelMultiplierAssembly(const System& system, const Scalar& h, const Settings& settings)
      : Step(system, h, settings), per_mass_(this->per_mass()) {}

  class Problem {
   public:
    static constexpr int unknowns = System::d;
    static constexpr bool register_pressure = true;
    using Matrix = AssembledSaddle<System>;

    LIVENS_HD Problem(const DelMultiplierAssembly& scheme, const Carried& now)
        : scheme_(scheme), u0_(now.q), pushed_(scheme.pushed(now)), P_(scheme.null_space_at(now.q)) {}

    struct Evaluation {
      Position residual;  ///< of (c), then g(u1)
      Middle middle;
    };
    LIVENS_HD Evaluation evaluate(const Position& Du) const {
      Evaluation at;
      at.middle = scheme_.middle_of(u0_, Du);
      const Position b = pushed_ - (at.middle.momentum + at.middle.force);
      const auto normal = scheme_.nulls_.project(P_, u0_, b);
      for (int j = 0; j < reduced; ++j) at.residual[j] = -(scheme_.h_ * scheme_.per_mass_[j] * normal[j]);
      set_part<reduced>(at.residual, scheme_.system_.constraints_at(u0_ + Du));
      return at;
    }
    LIVENS_HD void jacobian(const Position& Du, const Evaluation& at, Matrix& J) const {
      const auto still = zero_vector<Scalar, reduced>();
      J.system = &scheme_.system_;
      J.P = &P_;
      J.u0 = &u0_;
      J.middle = at.middle.place;
      J.u1 = u0_ + Du;
      J.share = Scalar(0.25) * scheme_.h_ * scheme_.h_;
      J.scale = scheme_.per_mass_;
      scheme_.nulls_.columns_at(J.u1, still, J.motion);
      scheme_.nulls_.matrix(P_, u0_, J.middle, J.motion, J.u1, still, J.share, J.A);
      for (int i = 0; i < reduced; ++i) J.A.scale_row(i, scheme_.per_mass_[i]);
    }

   private:
    const DelMultiplierAssembly& scheme_;
    const Position& u0_;
    Position pushed_;
    Columns P_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Position Du = this->h_ * now.velocity;
    const auto right = [&](const Position& root) { return this->keeps_directors(now.q, root); };
    const Outcome<Scalar> outcome =
        newton_on_branch<pivoting, Scalar>(problem, Du, this->settings_, active, right);
    const Scalar work = this->arrive(now, Du, this->middle_of(now.q, Du), next);
    return {outcome, Scalar(0.0), work};
  }

 private:
  typename Nulls::Reduced per_mass_;  ///< 1/(kg or kg m^2)
};

}  // namespace livens::inline LIVENS_ISA
