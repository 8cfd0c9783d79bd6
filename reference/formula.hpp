#pragma once
// A formula written once, as a generic lambda, and evaluated on plain numbers and on those that carry
// derivatives: a Chunk for Newton's Jacobian, an Adjoint for a gradient on top of that, a Dual for the
// second derivatives of the constraints in W.

#include <concepts>
#include <functional>
#include <tuple>

#include "adjoint.hpp"

namespace livens::reference {

template <class S>
using ScalarOf = S;

/// A function of as many coordinate vectors as there are indices, with values Value<S>: ScalarOf (an
/// energy) or Vector (constraints).
template <template <class> class Value, std::size_t... Index>
class Formula {
  template <class S, std::size_t>
  using Argument = Vector<S>;
  template <class S>
  using Evaluate = std::function<Value<S>(const Argument<S, Index>&...)>;

 public:
  Formula() = default;
  template <class Lambda>
  requires(!std::same_as<std::remove_cvref_t<Lambda>, Formula>) Formula(const Lambda& lambda)
      : evaluate_(lambda, lambda, lambda, lambda, lambda, lambda, lambda, lambda) {}

  /// True where the system offers this formula at all.
  explicit operator bool() const { return static_cast<bool>(std::get<0>(evaluate_)); }

  template <class S, class... Others>
  Value<S> operator()(const Vector<S>& first, const Others&... others) const {
    return std::get<Evaluate<S>>(evaluate_)(first, others...);
  }

 private:
  std::tuple<Evaluate<double>, Evaluate<Chunk>, Evaluate<Adjoint<double>>, Evaluate<Adjoint<Chunk>>,
             Evaluate<Dual<double>>, Evaluate<Dual<Chunk>>, Evaluate<Dual<Adjoint<double>>>,
             Evaluate<Dual<Adjoint<Chunk>>>>
      evaluate_;
};

using EnergyOfPosition = Formula<ScalarOf, 0>;
using EnergyOfVelocity = Formula<ScalarOf, 0, 1>;
using MapOfPosition = Formula<Vector, 0>;
using MapOfVelocity = Formula<Vector, 0, 1>;
using DiscreteGradient = Formula<Vector, 0, 1>;               // of two positions
using DiscreteGradientAtVelocity = Formula<Vector, 0, 1, 2>;  // of two positions and a velocity

}  // namespace livens::reference
