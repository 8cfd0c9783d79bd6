#pragma once
// A double that counts the operations it takes part in: what a step costs, independent of any machine.

#include "kernels/math/elementary.hpp"

namespace livens::inline LIVENS_ISA {

/// Counts since the last reset, of this thread. A fused multiply-add is two floating-point operations.
struct OperationTally {
  long additions = 0, multiplications = 0, fused = 0, divisions = 0, roots = 0;
  long flops() const { return additions + multiplications + 2 * fused + divisions + roots; }
};
inline thread_local OperationTally tally;

struct Counted {
  double value;

  Counted() = default;
  Counted(double v) : value(v) {}
  friend Counted operator+(Counted a, Counted b) { return ++tally.additions, a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return ++tally.additions, a.value - b.value; }
  friend Counted operator*(Counted a, Counted b) { return ++tally.multiplications, a.value * b.value; }
  friend Counted operator/(Counted a, Counted b) { return ++tally.divisions, a.value / b.value; }
  friend Counted operator-(Counted a) { return -a.value; }
  friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
  friend bool operator<=(Counted a, Counted b) { return a.value <= b.value; }
  friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
  friend bool operator>=(Counted a, Counted b) { return a.value >= b.value; }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
};

inline Counted fma(Counted a, Counted b, Counted c) { return ++tally.fused, fma(a.value, b.value, c.value); }
inline Counted fnma(Counted a, Counted b, Counted c) {
  return ++tally.fused, fnma(a.value, b.value, c.value);
}
inline Counted sqrt(Counted a) { return ++tally.roots, sqrt(a.value); }
inline Counted abs(Counted a) { return abs(a.value); }
inline Counted max(Counted a, Counted b) { return max(a.value, b.value); }
inline Counted min(Counted a, Counted b) { return min(a.value, b.value); }
inline Counted rint(Counted a) { return rint(a.value); }
inline Counted sign_of(Counted a) { return sign_of(a.value); }
inline Counted two_to(Counted k) { return two_to(k.value); }
inline Counted exponent_of(Counted a) { return exponent_of(a.value); }
inline Counted select(bool mask, Counted a, Counted b) { return mask ? a : b; }
inline double lane(Counted a, int) { return a.value; }
inline void set_lane(Counted& a, int, double value) { a.value = value; }
template <>
LIVENS_HD Counted load<Counted>(const double* values) {
  return *values;
}

}  // namespace livens::inline LIVENS_ISA
