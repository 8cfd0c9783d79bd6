#pragma once
// What a thread of a GPU keeps in shared memory. 255 registers hold 127 doubles, and a step of some schemes
// needs them all: then the record, the constants of a step and the Newton matrix, which are wanted now and
// then, should not take their place. Left to itself the compiler keeps them in registers all the same and
// spills what it needs at once. On the CPU, and where nothing is crowded, a SharedStorage<T> is a T.

#include <new>

#include "kernels/math/gpu/warp.hpp"

namespace livens::inline LIVENS_ISA {

/// Whether the doubles of a step fit in registers, and if not, whether it is enough that record and constants
/// make place. A Problem says so as `register_pressure`, of single precision as `register_pressure_single`;
/// cuda_resources.py
/// --check shows what it should say.
enum class RegisterPressure { no, by_state, by_matrix_too };
template <class Problem, class Scalar>
inline constexpr RegisterPressure register_pressure = RegisterPressure::no;
template <class Problem>
requires(requires {
  Problem::register_pressure;
}) inline constexpr RegisterPressure register_pressure<Problem, double> = Problem::register_pressure;
template <class Problem>
concept PressureInSingle = requires {
  Problem::register_pressure_single;
};
template <PressureInSingle Problem>
inline constexpr RegisterPressure register_pressure<Problem, float> = Problem::register_pressure_single;

template <class T, bool in_shared>
class SharedStorage {
 public:
  LIVENS_HD SharedStorage() {}
  template <class... Arguments>
  LIVENS_HD explicit SharedStorage(const Arguments&... arguments) : value_(arguments...) {}
  LIVENS_HD T& operator*() { return value_; }

 private:
  T value_;
};

/// From here on what is in shared memory is loaded anew.
template <bool in_shared>
LIVENS_HD void reload_shared() {
#if defined(__CUDA_ARCH__)
  if constexpr (in_shared) asm volatile("" ::: "memory");
#endif
}

#if defined(__CUDA_ARCH__)
/// One T to a thread of a block of one warp; a kernel has one place for each T. The distance of two places is
/// an odd number of doubles, so that the threads of a warp meet different banks.
template <class T>
class SharedStorage<T, true> {
 public:
  LIVENS_HD SharedStorage() {}
  template <class... Arguments>
  LIVENS_HD explicit SharedStorage(const Arguments&... arguments) {
    new (&place()) T(arguments...);
    reload_shared<true>();
  }
  LIVENS_HD T& operator*() { return place(); }

 private:
  static constexpr int distance = sizeof(T) / sizeof(double) | 1;
  static_assert(sizeof(T) % sizeof(double) == 0);
  static LIVENS_HD T& place() {
    __shared__ double places[warp_size * distance];
    return *reinterpret_cast<T*>(places + threadIdx.x * distance);
  }
};
#endif

}  // namespace livens::inline LIVENS_ISA
