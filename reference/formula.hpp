#pragma once
// A formula written once, as a generic lambda, and evaluated on plain numbers and on those that carry
// derivatives: a Chunk for Newton's Jacobian, an Adjoint for a gradient on top of that, a Dual for the
// second derivatives of the constraints in W. A lambda that has something to say of the time takes it as a
// scalar behind the vectors; a formula is evaluated with a time or, at t = 0, without one.

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
  using Evaluate = std::function<Value<S>(const Argument<S, Index>&..., const S&)>;

 public:
  Formula() = default;
  template <class Lambda>
  requires(!std::same_as<std::remove_cvref_t<Lambda>, Formula>) Formula(const Lambda& lambda)
      : evaluate_(timed<double>(lambda), timed<Chunk>(lambda), timed<Adjoint<double>>(lambda),
                  timed<Adjoint<Chunk>>(lambda), timed<Dual<double>>(lambda), timed<Dual<Chunk>>(lambda),
                  timed<Dual<Adjoint<double>>>(lambda), timed<Dual<Adjoint<Chunk>>>(lambda)) {}

  /// True where the system offers this formula at all.
  explicit operator bool() const { return static_cast<bool>(std::get<0>(evaluate_)); }

  template <class S, class... Others>
  Value<S> operator()(const Vector<S>& first, const Others&... others) const {
    const Evaluate<S>& evaluate = std::get<Evaluate<S>>(evaluate_);
    if constexpr (sizeof...(Others) + 1 == sizeof...(Index)) {
      return evaluate(first, others..., S(0.0));
    } else {
      return evaluate(first, others...);
    }
  }

 private:
  template <class S, class Lambda>
  static Evaluate<S> timed(const Lambda& lambda) {
    if constexpr (std::invocable<const Lambda&, const Argument<S, Index>&..., const S&>) {
      return lambda;
    } else {
      return [lambda](const Argument<S, Index>&... x, const S&) -> Value<S> { return lambda(x...); };
    }
  }

  std::tuple<Evaluate<double>, Evaluate<Chunk>, Evaluate<Adjoint<double>>, Evaluate<Adjoint<Chunk>>,
             Evaluate<Dual<double>>, Evaluate<Dual<Chunk>>, Evaluate<Dual<Adjoint<double>>>,
             Evaluate<Dual<Adjoint<Chunk>>>>
      evaluate_;
};

using EnergyOfPosition = Formula<ScalarOf, 0>;
using EnergyOfVelocity = Formula<ScalarOf, 0, 1>;
using MapOfPosition = Formula<Vector, 0>;
using MapOfVelocity = Formula<Vector, 0, 1>;
using DiscreteGradient = Formula<Vector, 0, 1>;          // of two places
using DiscreteGradientAlong = Formula<Vector, 0, 1, 2>;  // of two places and a velocity, or multipliers

}  // namespace livens::reference
