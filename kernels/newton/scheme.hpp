#pragma once
// A scheme as others know it: a one-step map on a carried state. A two-step scheme carries what it needs of
// the past (a momentum), so that changing the step, retrying and resuming are the same for all.
//
// A scheme is a class template Scheme<System> with
//   using System, Scalar, Carried;              Carried: trivially copyable, made of Scalars only
//   static constexpr const SchemeInfo& info();
//   static constexpr const char* form; int unknowns; bool damped, compensated;
//   static constexpr bool fixed_options;            optional: knows only the standard values of its options
//   static constexpr bool short_step;               optional: up to a thousand operations (cpu_lanes.hpp)
//   Scheme(const System&, const Scalar& h, const Settings&)        everything that is constant over a step
//   Carried start(const NodeState&) const                          q, p = M(q) v, v
//   StepReport<Scalar> step<pivoting>(const Carried& now, Mask active, Carried& next) const
//   NodeState node(carried) const                                  q, p, v as the user sees them
//   Measured measure(carried, Measuring) const                     energy, constraints, momentum of the node
//   Scalar action(carried) const                                   Herglotz z, NaN where there is none
//   Multipliers<Scalar, m> multipliers(before, after) const        of the step before -> after, unscaled

#include "kernels/newton/measured.hpp"
#include "kernels/newton/newton.hpp"

namespace livens::inline LIVENS_ISA {

/// The outcome of a step and its energy balance, lane by lane.
template <class Scalar>
struct StepReport {
  Outcome<Scalar> outcome;
  Scalar dissipated;  ///< J, by damping in this step
  Scalar work;        ///< J, of loads and constraints in this step
};

/// lambda and gamma of a step, unscaled as in the equations.
template <class Scalar, int M>
struct Multipliers {
  Vec<Scalar, M> lambda, gamma;
};

/// The same among what a scheme carries: one vector, since two that are empty would need two addresses, and
/// pad the record, where m = 0. As a member: [[no_unique_address]].
template <class Scalar, int M>
using StoredMultipliers = Vec<Scalar, 2 * M>;
template <class Scalar, int M>
LIVENS_HD StoredMultipliers<Scalar, M> stored(const Vec<Scalar, M>& lambda, const Vec<Scalar, M>& gamma) {
  StoredMultipliers<Scalar, M> r;
  set_part<0>(r, lambda);
  set_part<M>(r, gamma);
  return r;
}

template <class Scalar>
LIVENS_HD Scalar not_a_number() {
  return Scalar(__builtin_nan(""));
}
template <class Scalar, int N>
LIVENS_HD Vec<Scalar, N> not_a_number_vector() {
  Vec<Scalar, N> r;
  unroll<N>([&](auto i) { r[i] = not_a_number<Scalar>(); });
  return r;
}

}  // namespace livens::inline LIVENS_ISA
