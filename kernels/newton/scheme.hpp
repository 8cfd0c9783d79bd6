#pragma once
// A scheme as others know it: a one-step map on a carried state. A two-step scheme carries what it needs of
// the past (a momentum), so that changing the step, retrying and resuming are the same for all.

#include <concepts>
#include <type_traits>

#include "kernels/description/scheme_info.hpp"
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

/// A scheme for a system, Scheme<System>. What it has beside, if it has:
///   bool fixed_options         it knows only the standard values of its options
///   bool short_step            up to a thousand operations (cpu_lanes.hpp)
///   position(carried)          q of a node, cheaper than node()
template <class Scheme, class System = typename Scheme::System, class Scalar = typename Scheme::Scalar,
          class Carried = typename Scheme::Carried>
concept AnyScheme = std::is_trivially_copyable_v<Carried> &&  // what a step carries on: of Scalars only
    requires(const Scheme& scheme, const System& system, const Scalar& h, const Settings& settings,
             const NodeState<Scalar, System::coordinates>& node, const Carried& now, Carried& next,
             const Mask<Scalar>& active, Measuring what) {
  { Scheme::info() } -> std::same_as<const SchemeInfo&>;
  { Scheme::form } -> std::convertible_to<const char*>;
  { Scheme::unknowns } -> std::convertible_to<int>;
  { Scheme::damped } -> std::convertible_to<bool>;
  { Scheme::compensated } -> std::convertible_to<bool>;
  /// Everything that is constant over a step.
  Scheme(system, h, settings);
  /// From q, p = M(q) v and v.
  { scheme.start(node) } -> std::same_as<Carried>;
  { scheme.template step<Pivoting::refused>(now, active, next) } -> std::same_as<StepReport<Scalar>>;
  /// q, p, v as the user sees them.
  { scheme.node(now) } -> std::same_as<NodeState<Scalar, System::coordinates>>;
  /// Energy, constraints and momentum of the node.
  { scheme.measure(now, what) } -> std::same_as<Measured<Scalar, System::momentum_maps>>;
  /// Herglotz' z, NaN where there is none.
  { scheme.action(now) } -> std::same_as<Scalar>;
  /// Of the step now -> next, unscaled.
  { scheme.multipliers(now, next) } -> std::same_as<Multipliers<Scalar, System::constraints>>;
};

}  // namespace livens::inline LIVENS_ISA
