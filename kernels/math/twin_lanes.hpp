#pragma once
// Two registers of instances side by side. A step of few operations is one long chain of results that wait
// for each other; a second chain, of other instances, fills the waiting. Same words as scalar.hpp, lane by
// lane the same IEEE operations.

#include "kernels/math/lanes.hpp"

namespace livens::inline LIVENS_ISA {

/// `Half` lanes, twice.
template <class HalfMask, int Half>
struct TwinMask {
  HalfMask low, high;
  TwinMask() = default;
  LIVENS_HD TwinMask(HalfMask l, HalfMask h) : low(l), high(h) {}
  LIVENS_HD TwinMask(bool b) : low(b), high(b) {}
  friend LIVENS_HD TwinMask operator&(TwinMask a, TwinMask b) { return {a.low & b.low, a.high & b.high}; }
  friend LIVENS_HD TwinMask operator|(TwinMask a, TwinMask b) { return {a.low | b.low, a.high | b.high}; }
  friend LIVENS_HD TwinMask operator!(TwinMask a) { return {!a.low, !a.high}; }
};

template <class Half>
struct Twin {
  using TwoMasks = TwinMask<Mask<Half>, lanes_of<Half>>;
  Half low, high;
  Twin() = default;
  LIVENS_HD Twin(Half l, Half h) : low(l), high(h) {}
  LIVENS_HD Twin(double a) : low(a), high(a) {}
  friend LIVENS_HD Twin operator+(Twin a, Twin b) { return {a.low + b.low, a.high + b.high}; }
  friend LIVENS_HD Twin operator-(Twin a, Twin b) { return {a.low - b.low, a.high - b.high}; }
  friend LIVENS_HD Twin operator*(Twin a, Twin b) { return {a.low * b.low, a.high * b.high}; }
  friend LIVENS_HD Twin operator/(Twin a, Twin b) { return {a.low / b.low, a.high / b.high}; }
  friend LIVENS_HD Twin operator-(Twin a) { return {-a.low, -a.high}; }
  friend LIVENS_HD TwoMasks operator<(Twin a, Twin b) { return {a.low < b.low, a.high < b.high}; }
  friend LIVENS_HD TwoMasks operator<=(Twin a, Twin b) { return {a.low <= b.low, a.high <= b.high}; }
  friend LIVENS_HD TwoMasks operator>(Twin a, Twin b) { return b < a; }
  friend LIVENS_HD TwoMasks operator>=(Twin a, Twin b) { return b <= a; }
  friend LIVENS_HD TwoMasks operator==(Twin a, Twin b) { return {a.low == b.low, a.high == b.high}; }

  friend LIVENS_HD Twin fma(Twin a, Twin b, Twin c) {
    return {fma(a.low, b.low, c.low), fma(a.high, b.high, c.high)};
  }
  friend LIVENS_HD Twin fnma(Twin a, Twin b, Twin c) {
    return {fnma(a.low, b.low, c.low), fnma(a.high, b.high, c.high)};
  }
  friend LIVENS_HD Twin sqrt(Twin a) { return {sqrt(a.low), sqrt(a.high)}; }
  friend LIVENS_HD Twin abs(Twin a) { return {abs(a.low), abs(a.high)}; }
  friend LIVENS_HD Twin max(Twin a, Twin b) { return {max(a.low, b.low), max(a.high, b.high)}; }
  friend LIVENS_HD Twin min(Twin a, Twin b) { return {min(a.low, b.low), min(a.high, b.high)}; }
  friend LIVENS_HD Twin rint(Twin a) { return {rint(a.low), rint(a.high)}; }
  friend LIVENS_HD Twin sign_of(Twin a) { return {sign_of(a.low), sign_of(a.high)}; }
  friend LIVENS_HD Twin select(TwoMasks mask, Twin a, Twin b) {
    return {select(mask.low, a.low, b.low), select(mask.high, a.high, b.high)};
  }
  friend LIVENS_HD Twin two_to(Twin k) { return {two_to(k.low), two_to(k.high)}; }
  friend LIVENS_HD Twin exponent_of(Twin x) { return {exponent_of(x.low), exponent_of(x.high)}; }
  friend LIVENS_HD void store(double* values, Twin a) {
    store(values, a.low);
    store(values + lanes_of<Half>, a.high);
  }
};

template <class Half>
struct MaskOf<Twin<Half>> {
  using type = TwinMask<Mask<Half>, lanes_of<Half>>;
};
template <class Half>
inline constexpr int lanes_of<Twin<Half>> = 2 * lanes_of<Half>;
template <class Half>
struct OneOf<Twin<Half>> {
  using type = One<Half>;
};

template <class HalfMask, int Half>
LIVENS_HD bool any(TwinMask<HalfMask, Half> mask) {
  return any(mask.low | mask.high);
}
template <class HalfMask, int Half>
LIVENS_HD bool all(TwinMask<HalfMask, Half> mask) {
  return all(mask.low & mask.high);
}
template <class HalfMask, int Half>
LIVENS_HD bool lane_mask(TwinMask<HalfMask, Half> mask, int i) {
  return lane_mask(i < Half ? mask.low : mask.high, i % Half);
}
#if defined(__AVX2__) && !defined(__CUDACC__)
template <>
LIVENS_HD Twin<Lanes<4>> load<Twin<Lanes<4>>>(const double* values) {
  return {load<Lanes<4>>(values), load<Lanes<4>>(values + 4)};
}
#endif
#if defined(__AVX512F__) && !defined(__CUDACC__)
template <>
LIVENS_HD Twin<Lanes<8>> load<Twin<Lanes<8>>>(const double* values) {
  return {load<Lanes<8>>(values), load<Lanes<8>>(values + 8)};
}
#endif
template <class Half>
LIVENS_HD One<Half> lane(const Twin<Half>& a, int i) {
  return lane(i < lanes_of<Half> ? a.low : a.high, i % lanes_of<Half>);
}
template <class Half>
LIVENS_HD void set_lane(Twin<Half>& a, int i, double value) {
  set_lane(i < lanes_of<Half> ? a.low : a.high, i % lanes_of<Half>, value);
}

}  // namespace livens::inline LIVENS_ISA
