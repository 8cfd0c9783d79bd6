#pragma once
// Given forces F(t) in the schemes for g(q) = 0: over a step they are F_m = (F(t) + F(t + h))/2 on the right
// of the momentum equation, whose work is F_m.Dq (equations/text.md, section 3). Without loads these classes
// are empty.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// The time of a node, for a scheme to carry. Where a step copies what it carries as a whole it is a base:
/// with an empty member nvcc would copy byte by byte (decision 18).
template <class System>
struct LoadClock {
  LIVENS_HD void start() {}
  LIVENS_HD void advance(const typename System::Scalar&) {}
};
template <LoadedSystem System>
struct LoadClock<System> {
  typename System::Scalar time;
  LIVENS_HD void start() { time = typename System::Scalar(0.0); }
  LIVENS_HD void advance(const typename System::Scalar& h) { time = time + h; }
};

/// F_m of a step that leaves a node.
template <class System>
class MeanLoad {
 public:
  using Scalar = typename System::Scalar;
  using Position = Vec<Scalar, System::coordinates>;
  LIVENS_HD MeanLoad(const System&, const LoadClock<System>&, const Scalar&) {}
  /// force - F_m
  template <class Force>
  LIVENS_HD const Force& taken_from(const Force& force) const {
    return force;
  }
  LIVENS_HD Scalar work(const Position&) const { return Scalar(0.0); }
};
template <LoadedSystem System>
class MeanLoad<System> {
 public:
  using Scalar = typename System::Scalar;
  using Position = Vec<Scalar, System::coordinates>;
  LIVENS_HD MeanLoad(const System& system, const LoadClock<System>& clock, const Scalar& h)
      : value_(Scalar(0.5) * (system.load(clock.time) + system.load(clock.time + h))) {}
  /// `force` may be of dual numbers.
  template <class T>
  LIVENS_HD Vec<T, System::coordinates> taken_from(Vec<T, System::coordinates> force) const {
    for (int i = 0; i < System::coordinates; ++i) force[i] = force[i] - T(value_[i]);
    return force;
  }
  LIVENS_HD Scalar work(const Position& Dq) const { return dot(value_, Dq); }

 private:
  Position value_;
};

}  // namespace livens::inline LIVENS_ISA
