#pragma once
// A scalar whose instances are the threads of a warp of a GPU, one each. The same words as scalar.hpp: like
// the lanes of a CPU register the threads take every branch together, since any() asks all of them. What that
// buys is that at any point the warp may turn from 32 instances into one machine of 32 lanes that works on
// them in turn (tile_lu.hpp), in phases:
//   Scalar::each_lane(body)       body(l) for every lane l at once; afterwards all see what each has written
//   Scalar::shared<Count>()       Count doubles that all of them see
//   lane(a, l), set_lane(a, l, x) lane l's own a, which no other may touch
// In a phase no lane may read what another one writes. emulated_warp.hpp has the same on the CPU, where the
// lanes of a phase run one after the other, upwards or downwards.

#include <bit>

#include "kernels/math/elementary.hpp"

namespace livens::inline LIVENS_ISA {

inline constexpr int warp_size = 32;

/// Scalars that are one warp wide.
template <class Scalar>
concept InWarp = Scalar::lanes_in_warp == warp_size;

LIVENS_HD int bits_in(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __popc(word);
#else
  return std::popcount(word);
#endif
}

/// The mask of one thread. Converts to bool for what a thread may do alone: choose a value.
struct WarpMask {
  bool set;
  WarpMask() = default;
  LIVENS_HD WarpMask(bool b) : set(b) {}
  LIVENS_HD explicit operator bool() const { return set; }
  /// Bit l: the mask of lane l.
  LIVENS_HD std::uint32_t word() const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xffffffffu, set);
#else
    return set;
#endif
  }
  friend LIVENS_HD WarpMask operator&(WarpMask a, WarpMask b) { return a.set && b.set; }
  friend LIVENS_HD WarpMask operator|(WarpMask a, WarpMask b) { return a.set || b.set; }
  friend LIVENS_HD WarpMask operator!(WarpMask a) { return !a.set; }
};

/// The double of one thread.
struct WarpLane {
  static constexpr int lanes_in_warp = warp_size;
  double value;

  WarpLane() = default;
  LIVENS_HD WarpLane(double a) : value(a) {}
  friend LIVENS_HD WarpLane operator+(WarpLane a, WarpLane b) { return a.value + b.value; }
  friend LIVENS_HD WarpLane operator-(WarpLane a, WarpLane b) { return a.value - b.value; }
  friend LIVENS_HD WarpLane operator*(WarpLane a, WarpLane b) { return a.value * b.value; }
  friend LIVENS_HD WarpLane operator/(WarpLane a, WarpLane b) { return a.value / b.value; }
  friend LIVENS_HD WarpLane operator-(WarpLane a) { return -a.value; }
  friend LIVENS_HD WarpMask operator<(WarpLane a, WarpLane b) { return a.value < b.value; }
  friend LIVENS_HD WarpMask operator<=(WarpLane a, WarpLane b) { return a.value <= b.value; }
  friend LIVENS_HD WarpMask operator>(WarpLane a, WarpLane b) { return a.value > b.value; }
  friend LIVENS_HD WarpMask operator>=(WarpLane a, WarpLane b) { return a.value >= b.value; }
  friend LIVENS_HD WarpMask operator==(WarpLane a, WarpLane b) { return a.value == b.value; }

  template <class Body>
  static LIVENS_HD void each_lane(Body&& body) {
#if defined(__CUDA_ARCH__)
    body(static_cast<int>(threadIdx.x % warp_size));
    __syncwarp();
#else
    body(0);
#endif
  }
  /// One warp to a block.
  template <int Count>
  static LIVENS_HD double* shared() {
#if defined(__CUDA_ARCH__)
    __shared__ alignas(16) double memory[Count];
    return memory;
#else
    return nullptr;
#endif
  }
};

template <>
struct MaskOf<WarpLane> {
  using type = WarpMask;
};
/// In mixed precision every thread eliminates its own matrix: floats take half the traffic, and no turn.
template <>
struct NarrowOf<WarpLane> {
  using type = float;
};
LIVENS_HD float narrow(WarpLane a) { return narrow(a.value); }

LIVENS_HD WarpLane fma(WarpLane a, WarpLane b, WarpLane c) { return fma(a.value, b.value, c.value); }
LIVENS_HD WarpLane fnma(WarpLane a, WarpLane b, WarpLane c) { return fnma(a.value, b.value, c.value); }
LIVENS_HD WarpLane sqrt(WarpLane a) { return sqrt(a.value); }
LIVENS_HD WarpLane abs(WarpLane a) { return abs(a.value); }
LIVENS_HD WarpLane max(WarpLane a, WarpLane b) { return max(a.value, b.value); }
LIVENS_HD WarpLane min(WarpLane a, WarpLane b) { return min(a.value, b.value); }
LIVENS_HD WarpLane rint(WarpLane a) { return rint(a.value); }
LIVENS_HD WarpLane sign_of(WarpLane a) { return sign_of(a.value); }
LIVENS_HD WarpLane two_to(WarpLane k) { return two_to(k.value); }
LIVENS_HD WarpLane exponent_of(WarpLane a) { return exponent_of(a.value); }
LIVENS_HD WarpLane select(WarpMask mask, WarpLane a, WarpLane b) { return mask.set ? a : b; }
LIVENS_HD bool any(WarpMask mask) { return mask.word() != 0; }
LIVENS_HD bool all(WarpMask mask) { return !any(!mask); }
LIVENS_HD double lane(WarpLane a, int) { return a.value; }
LIVENS_HD void set_lane(WarpLane& a, int, double value) { a.value = value; }
template <>
LIVENS_HD WarpLane load<WarpLane>(const double* values) {
  return *values;
}
LIVENS_HD void store(double* values, WarpLane a) { *values = a.value; }

}  // namespace livens::inline LIVENS_ISA
