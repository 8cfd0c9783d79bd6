#pragma once
// The common part of the discrete Euler-Lagrange schemes. The momentum of a node needs the step that leaves
// it, so a step ends by solving one ahead; the solution is kept and starts the next step.
// equations/multibody.md, sections 1 and 4. Where steps are composed the next one has another h, and half the
// impulse of the constraints would leave the momentum off its tangent by O(h^2), whatever the order. There a
// stage ends with the projected discrete Legendre transform, the tangential part of the momentum left of the
// node (Leyendecker, Marsden and Ortiz 2008), and the next one begins with that as a first step does: what is
// normal to the constraints moves nothing.

#include "kernels/newton/newton.hpp"
#include "kernels/newton/scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// Newton's method to a root for which right(x); one on another branch is redone with damping, where there is
/// leisure. right() is asked once about every root found, about the one returned last.
template <Pivoting pivoting, class Scalar, class Problem, class Right>
LIVENS_HD Outcome<Scalar> newton_on_branch(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                           const Settings& settings, const Mask<Scalar>& solving,
                                           Right&& right) {
  const auto guess = x;
  Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings, solving);
  Mask<Scalar> wrong = solving & outcome.good() & !right(x);
  if constexpr (pivoting == Pivoting::where_needed) {
    if (wrong) {
      x = guess;
      outcome = newton_damped(problem, x, settings, outcome);
      const bool found = right(x);
      wrong = outcome.good() && !found;
    }
  }
  outcome.status = select(wrong, code<Scalar>(Status::wrong_branch), outcome.status);
  return outcome;
}

/// Out of the hot loop: only first steps and those with a new h come here.
template <Pivoting pivoting, class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD_COLD Outcome<Scalar> solve_missing(const Scheme& scheme, typename Scheme::Carried& at_node,
                                             const Mask<Scalar>& solving) {
  return scheme.template look_ahead<pivoting>(at_node, solving);
}

/// The energy that a step loses by damping, and gains by loads, in joule.
template <class Scalar>
struct Exchanged {
  Scalar dissipated, work;
};

/// A step of a scheme that has look_ahead<pivoting>(at_node, solving), which solves from this node and says
/// in at_node.ahead_h with which h (0: not solved), arrive(at_node), which goes where that leads and
/// returns the energy exchanged, and begin_anew(at_node), which makes it a first node, with the tangential
/// part of its momentum.
template <Pivoting pivoting, class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD StepReport<Scalar> step_and_look_ahead(const Scheme& scheme, const Scalar& h, bool composed,
                                                 const typename Scheme::Carried& now,
                                                 const Mask<Scalar>& active, typename Scheme::Carried& next) {
  Outcome<Scalar> first{Scalar(0.0), Scalar(0.0)};
  next = now;
  // The step that leaves this node was solved on arrival, unless this is the first one or h has changed.
  const Mask<Scalar> missing = active & !(now.ahead_h == h);
  if (any(missing)) {
#if defined(__CUDA_ARCH__)
    // A function out of line takes addresses: without a copy `next` would lie in memory in every step.
    typename Scheme::Carried node = next;
    first = solve_missing<pivoting>(scheme, node, missing);
    next = node;
#else
    first = solve_missing<pivoting>(scheme, next, missing);
#endif
  }
  const Exchanged<Scalar> energy = scheme.arrive(next);
  if (composed) {
    scheme.begin_anew(next);
    return {first, energy.dissipated, energy.work};
  }
  const Outcome<Scalar> second = scheme.template look_ahead<pivoting>(next, active & first.good());
  // A failure ahead is no failure of this step: the next one tries again, and then says so. But a solution
  // that more care may find, by pivoting or damping, belongs to this node.
  Scalar status = first.status;
  if constexpr (pivoting != Pivoting::where_needed) {
    const Mask<Scalar> worth_more_care = (second.status == code<Scalar>(Status::singular_matrix)) |
                                         (second.status == code<Scalar>(Status::wrong_branch));
    status = select(first.good() & worth_more_care, second.status, status);
  }
  return {{status, first.iterations + second.iterations}, energy.dissipated, energy.work};
}
}  // namespace livens::inline LIVENS_ISA
