#pragma once
// A part of a group's lanes: as many as a register of AVX-512 has, as two of AVX2, or as one where the code is
// written out for a plan and has chains enough side by side (LIVENS_ONE_REGISTER); one without either. With
// LIVENS_ONE_LANE it is one of them, that of a thread of a device: pointers are those of this lane then.

#include <cstddef>

#include "kernels/math/elementary.hpp"
#include "kernels/math/twin_lanes.hpp"
#include "taylor/loops.hpp"
#include "taylor/on_both.hpp"

namespace livens::inline LIVENS_ISA {

#if defined(LIVENS_ONE_LANE) || !defined(__AVX2__)
using Part = double;
#elif defined(__AVX512F__)
using Part = Lanes<8>;
#elif defined(LIVENS_ONE_REGISTER)
using Part = Lanes<4>;
#else
using Part = Twin<Lanes<4>>;
#endif

/// Whether several results are computed side by side where a plan is data: a thread of a device would spill.
#if defined(LIVENS_ONE_LANE)
inline constexpr bool together = false;
#else
inline constexpr bool together = true;
#endif

LIVENS_HD Part load_part(const double* values) { return load<Part>(values); }
/// Entry k of an array.
LIVENS_HD Part at(const double* array, int k) {
  return load_part(array + static_cast<std::ptrdiff_t>(k) * taylor::lanes);
}
LIVENS_HD void set(double* array, int k, const Part& value) {
  store(array + static_cast<std::ptrdiff_t>(k) * taylor::lanes, value);
}

/// Times 1 or -1, and added to a sum: what a plan that is a type has of a sign costs nothing.
LIVENS_HD Part signed_of(double sign, const Part& x) { return sign > 0.0 ? x : -x; }
LIVENS_HD Part add(const Part& sum, double sign, const Part& x) { return sign > 0.0 ? sum + x : sum - x; }

/// Rows of coefficients. `Length`: how many places a row has, int or Constant.
template <class Length, class Number = double>
class Rows {
 public:
  LIVENS_HD Rows(Number* first, Length length) : first_(first), length_(length) {}
  LIVENS_HD Number* place(int row, int k) const {
    return first_ + (static_cast<std::ptrdiff_t>(row) * length_ + k) * taylor::lanes;
  }
  LIVENS_HD Part operator()(int row, int k) const { return load_part(place(row, k)); }
  LIVENS_HD void put(int row, int k, const Part& value) const { store(place(row, k), value); }

 private:
  Number* first_;
  [[no_unique_address]] Length length_;
};
/// Those of the tape of a motion, where the compiler knows how far a row is from another.
template <class Number>
using MotionRows = Rows<Constant<taylor::row_length>, Number>;
template <class Number>
LIVENS_HD MotionRows<Number> motion_rows(Number* first) {
  return {first, {}};
}

/// Numbers between two steps of a computation: in the room that somebody has for them, or, where it is known
/// how many there are, in registers.
template <class Count>
class Vector {
 public:
  LIVENS_HD Vector(Count, double* room) : room_(room) {}
  LIVENS_HD Part operator[](int i) const { return at(room_, i); }
  LIVENS_HD void put(int i, const Part& value) { set(room_, i, value); }

 private:
  double* room_;
};
#if !defined(LIVENS_ONE_LANE)
template <int count>
class Vector<Constant<count>> {
 public:
  LIVENS_HD Vector(Constant<count>, double*) {}
  LIVENS_HD const Part& operator[](int i) const { return of_[i]; }
  LIVENS_HD void put(int i, const Part& value) { of_[i] = value; }

 private:
  Part of_[count > 0 ? count : 1];
};
#endif

/// Calls body(first lane) for each part.
template <class Body>
LIVENS_HD void for_each_part(Body&& body) {
#if defined(LIVENS_ONE_LANE)
  body(0);
#else
  for (int lane = 0; lane < taylor::lanes; lane += lanes_of<Part>) body(lane);
#endif
}

}  // namespace livens::inline LIVENS_ISA
