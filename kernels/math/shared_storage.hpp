#pragma once
// Storage of a thread of a GPU in shared memory. 255 registers hold 127 doubles, and a step of some schemes
// needs them all: then the record and the constants of a step, which are wanted now and then, should
// not take their place. Left to itself the compiler keeps them in registers all the same and
// spills what it needs at once. On the CPU, and without register pressure, a SharedStorage<T> is a T.

#include <new>

#include "kernels/math/warp.hpp"

namespace livens::inline LIVENS_ISA {

/// Shared memory that a block of one warp may take, in bytes: with 255 registers a thread a multiprocessor of
/// compute capability 9.0 holds eight warps, and of its 228 KB every block takes 1 KB besides.
inline constexpr int block_bytes = 228 * 1024 / 8 - 1024;

/// True for a step that has more doubles than registers hold. A Problem says so as `register_pressure`, of
/// single precision as `register_pressure_single`; cuda_resources.py --check shows what it should say.
template <class Problem, class Scalar>
inline constexpr bool register_pressure = false;
template <class Problem>
requires(requires {
  Problem::register_pressure;
}) inline constexpr bool register_pressure<Problem, double> = Problem::register_pressure;
template <class Problem>
requires(requires {
  Problem::register_pressure_single;
}) inline constexpr bool register_pressure<Problem, float> = Problem::register_pressure_single;

/// The room of a SharedStorage<T> in a block's shared memory. The distance of two places is an odd number
/// of doubles, so that the threads of a warp meet different banks.
template <class T>
inline constexpr int distance_of_places = sizeof(T) / sizeof(double) | 1;
template <class T>
inline constexpr int bytes_of_places = warp_size* static_cast<int>(sizeof(double[distance_of_places<T>]));

template <class T, bool in_shared>
class SharedStorage {
 public:
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
/// One T to a thread of a block of one warp; a kernel has one place for each T.
template <class T>
class SharedStorage<T, true> {
 public:
  template <class... Arguments>
  LIVENS_HD explicit SharedStorage(const Arguments&... arguments) {
    new (&place()) T(arguments...);
    reload_shared<true>();
  }
  LIVENS_HD T& operator*() { return place(); }

 private:
  static_assert(sizeof(T) % sizeof(double) == 0);
  static LIVENS_HD T& place() {
    __shared__ double places[warp_size * distance_of_places<T>];
    return *reinterpret_cast<T*>(places + threadIdx.x * distance_of_places<T>);
  }
};
#endif

}  // namespace livens::inline LIVENS_ISA
