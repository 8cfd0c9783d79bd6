#pragma once
// Discrete Euler-Lagrange equations, midpoint rule, with the discrete null space method, for an assembly of
// bodies, beams and joints. gamma-convergence-constrained (14)-(18); docs/equations/assembly.md, sections 3
// and 4. With b of assembled_step.hpp:
//   (a) P(u0)^T b = 0,  u1 = F_d(w, u0)
//   (b) P(u0)^T (M + h^2/4 D^2 V(u_m)) D_w F_d, minus h times its matrix
// (a) is scaled by h over the mass that an unknown moves: the diagonal of P^T M P of the assembly as it was
// put together. Unknowns and residuals are lengths and angles then.

#include "kernels/forms/assembly/assembled_step.hpp"
#include "kernels/schemes/del_nullspace.hpp"

namespace livens::inline LIVENS_ISA {

template <AssembledSystem System_>
class DelNullspaceAssembly : public AssembledStep<System_> {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = DelNullspaceAssembly<typename System::template Over<Other>>;
  using Step = AssembledStep<System>;
  using typename Step::Carried, typename Step::Position, typename Step::Nulls, typename Step::Columns,
      typename Step::Middle;
  using Reduced = typename Nulls::Reduced;
  static constexpr int unknowns = Nulls::unknowns;
  static constexpr const char* form = "reduced";
  static constexpr const SchemeInfo& info() { return DelNullspaceDescription::info; }

  LIVENS_HD DelNullspaceAssembly(const System& system, const Scalar& h, const Settings& settings)
      : Step(system, h, settings), per_mass_(this->per_mass()) {}

  /// Where Newton's method starts: as the step before.
  LIVENS_HD Reduced guess(const Carried& now) const {
    return this->nulls_.unknowns_of(now.q, this->h_ * now.velocity);
  }

  class Problem {
   public:
    static constexpr int unknowns = DelNullspaceAssembly::unknowns;
    static constexpr bool register_pressure = true;
    using Matrix = typename Nulls::Matrix;

    LIVENS_HD Problem(const DelNullspaceAssembly& scheme, const Carried& now)
        : scheme_(scheme), u0_(now.q), pushed_(scheme.pushed(now)), P_(scheme.null_space_at(now.q)) {}

    struct Evaluation {
      Reduced residual;
      Position increment;  ///< Du
      Middle middle;
    };
    LIVENS_HD Evaluation evaluate(const Reduced& w) const {
      Evaluation at;
      at.increment = scheme_.nulls_.increment(u0_, w);
      at.middle = scheme_.middle_of(u0_, at.increment);
      const Position b = pushed_ - (at.middle.momentum + at.middle.force);
      const Reduced normal = scheme_.nulls_.project(P_, u0_, b);
      for (int j = 0; j < unknowns; ++j) at.residual[j] = -(scheme_.h_ * scheme_.per_mass_[j] * normal[j]);
      return at;
    }
    LIVENS_HD void jacobian(const Reduced& w, const Evaluation& at, Matrix& J) const {
      const Position u1 = u0_ + at.increment;
      Columns motion;
      scheme_.nulls_.columns_at(u1, w, motion);
      scheme_.nulls_.matrix(P_, u0_, at.middle.place, motion, u1, w, Scalar(0.25) * scheme_.h_ * scheme_.h_,
                            J);
      for (int i = 0; i < unknowns; ++i) J.scale_row(i, scheme_.per_mass_[i]);
    }

   private:
    const DelNullspaceAssembly& scheme_;
    const Position& u0_;
    Position pushed_;
    Columns P_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Reduced w = guess(now);
    typename Problem::Evaluation at;
    const auto right = [&](const Reduced& root) {
      new (&at) typename Problem::Evaluation(evaluate<pivoting>(problem, root));  // no copy, as in iterate()
      return this->keeps_directors(now.q, at.increment);
    };
    const Outcome<Scalar> outcome =
        newton_on_branch<pivoting, Scalar>(problem, w, this->settings_, active, right);
    const Scalar work = this->arrive(now, at.increment, at.middle, next);
    return {outcome, Scalar(0.0), work};
  }

 private:
  Reduced per_mass_;  ///< 1/(kg or kg m^2)
};

}  // namespace livens::inline LIVENS_ISA
