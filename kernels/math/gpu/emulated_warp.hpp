#pragma once
// A warp of a GPU on the CPU: 32 doubles with the words of warp.hpp, so that what a warp shares out is run
// and tested where there is none. The lanes of a phase run one after the other, upwards or downwards: a lane
// that reads what another one writes in the same phase gives two different results.

#include "kernels/math/warp.hpp"

namespace livens {

/// The order in which the lanes of a phase run, which no result may depend on: downwards if true.
inline thread_local bool warps_run_downwards = false;

inline namespace LIVENS_ISA {

struct EmulatedMask {
  std::uint32_t bits;
  EmulatedMask() = default;
  explicit EmulatedMask(std::uint32_t b) : bits(b) {}
  EmulatedMask(bool b) : bits(b ? 0xffffffffu : 0u) {}
  std::uint32_t word() const { return bits; }
  friend EmulatedMask operator&(EmulatedMask a, EmulatedMask b) { return EmulatedMask(a.bits & b.bits); }
  friend EmulatedMask operator|(EmulatedMask a, EmulatedMask b) { return EmulatedMask(a.bits | b.bits); }
  friend EmulatedMask operator!(EmulatedMask a) { return EmulatedMask(~a.bits); }
  friend bool any(EmulatedMask mask) { return mask.bits != 0; }
  friend bool all(EmulatedMask mask) { return mask.bits == 0xffffffffu; }
  friend bool lane_mask(EmulatedMask mask, int l) { return mask.bits >> l & 1; }
};

/// Every operation is a function of its own: inlined, a step of 32 instances would take minutes to compile.
struct EmulatedWarp {
  static constexpr int lanes_in_warp = warp_size;
  double of[warp_size];

  EmulatedWarp() = default;
  LIVENS_HD_COLD EmulatedWarp(double a) {
    for (double& x : of) x = a;
  }

  template <class Body>
  static void each_lane(Body&& body) {
    for (int l = 0; l < warp_size; ++l) body(warps_run_downwards ? warp_size - 1 - l : l);
  }
  template <int Count>
  static double* shared() {
    alignas(16) static thread_local double memory[Count];
    return memory;
  }

  template <class Operation>
  static EmulatedWarp lane_by_lane(Operation&& operation) {
    EmulatedWarp r;
    for (int l = 0; l < warp_size; ++l) r.of[l] = operation(l);
    return r;
  }
  template <class Comparison>
  static EmulatedMask where(Comparison&& comparison) {
    EmulatedMask r(false);
    for (int l = 0; l < warp_size; ++l) r.bits |= std::uint32_t{comparison(l)} << l;
    return r;
  }

  using In = const EmulatedWarp&;
  friend LIVENS_HD_COLD EmulatedWarp operator+(In a, In b) {
    return lane_by_lane([&](int l) { return a.of[l] + b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp operator-(In a, In b) {
    return lane_by_lane([&](int l) { return a.of[l] - b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp operator*(In a, In b) {
    return lane_by_lane([&](int l) { return a.of[l] * b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp operator/(In a, In b) {
    return lane_by_lane([&](int l) { return a.of[l] / b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp operator-(In a) {
    return lane_by_lane([&](int l) { return -a.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedMask operator<(In a, In b) {
    return where([&](int l) { return a.of[l] < b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedMask operator<=(In a, In b) {
    return where([&](int l) { return a.of[l] <= b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedMask operator>(In a, In b) { return b < a; }
  friend LIVENS_HD_COLD EmulatedMask operator>=(In a, In b) { return b <= a; }
  friend LIVENS_HD_COLD EmulatedMask operator==(In a, In b) {
    return where([&](int l) { return a.of[l] == b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp fma(In a, In b, In c) {
    return lane_by_lane([&](int l) { return fma(a.of[l], b.of[l], c.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp fnma(In a, In b, In c) {
    return lane_by_lane([&](int l) { return fnma(a.of[l], b.of[l], c.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp sqrt(In a) {
    return lane_by_lane([&](int l) { return ::sqrt(a.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp abs(In a) {
    return lane_by_lane([&](int l) { return ::fabs(a.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp max(In a, In b) {
    return lane_by_lane([&](int l) { return a.of[l] > b.of[l] ? a.of[l] : b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp min(In a, In b) {
    return lane_by_lane([&](int l) { return a.of[l] < b.of[l] ? a.of[l] : b.of[l]; });
  }
  friend LIVENS_HD_COLD EmulatedWarp rint(In a) {
    return lane_by_lane([&](int l) { return ::rint(a.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp sign_of(In a) {
    return lane_by_lane([&](int l) { return ::copysign(1.0, a.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp two_to(In k) {
    return lane_by_lane([&](int l) { return livens::two_to(k.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp exponent_of(In a) {
    return lane_by_lane([&](int l) { return livens::exponent_of(a.of[l]); });
  }
  friend LIVENS_HD_COLD EmulatedWarp select(EmulatedMask mask, In a, In b) {
    return lane_by_lane([&](int l) { return mask.bits >> l & 1 ? a.of[l] : b.of[l]; });
  }
  friend double lane(In a, int l) { return a.of[l]; }
  friend void set_lane(EmulatedWarp& a, int l, double value) { a.of[l] = value; }
  friend void store(double* values, In a) { memcpy(values, a.of, sizeof a.of); }
};

template <>
struct MaskOf<EmulatedWarp> {
  using type = EmulatedMask;
};
template <>
struct OneOf<EmulatedWarp> {
  using type = double;
};
template <>
inline constexpr int lanes_of<EmulatedWarp> = warp_size;

template <>
LIVENS_HD EmulatedWarp load<EmulatedWarp>(const double* values) {
  EmulatedWarp r;
  memcpy(r.of, values, sizeof r.of);
  return r;
}

}  // namespace LIVENS_ISA
}  // namespace livens
