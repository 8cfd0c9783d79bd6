#pragma once
// W instances in one register: Lanes<4> with AVX2, Lanes<8> with AVX-512. Same words as scalar.hpp, lane by
// lane the same IEEE operations.

#include "kernels/math/scalar.hpp"

#if defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>

namespace livens::inline LIVENS_ISA {

template <int W>
struct Lanes;
template <int W>
struct LaneMask;

template <>
struct LaneMask<4> {
  __m256d bits;
  LaneMask() = default;
  LIVENS_HD LaneMask(__m256d b) : bits(b) {}
  LIVENS_HD LaneMask(bool b) : bits(_mm256_castsi256_pd(_mm256_set1_epi64x(b ? -1 : 0))) {}
  LIVENS_HD int word() const { return _mm256_movemask_pd(bits); }
  friend LIVENS_HD LaneMask operator&(LaneMask a, LaneMask b) { return _mm256_and_pd(a.bits, b.bits); }
  friend LIVENS_HD LaneMask operator|(LaneMask a, LaneMask b) { return _mm256_or_pd(a.bits, b.bits); }
  friend LIVENS_HD LaneMask operator!(LaneMask a) { return _mm256_xor_pd(a.bits, LaneMask(true).bits); }
};

template <>
struct Lanes<4> {
  __m256d value;
  Lanes() = default;
  LIVENS_HD Lanes(__m256d v) : value(v) {}
  LIVENS_HD Lanes(double a) : value(_mm256_set1_pd(a)) {}
  friend LIVENS_HD Lanes operator+(Lanes a, Lanes b) { return _mm256_add_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator-(Lanes a, Lanes b) { return _mm256_sub_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator*(Lanes a, Lanes b) { return _mm256_mul_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator/(Lanes a, Lanes b) { return _mm256_div_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator-(Lanes a) { return _mm256_xor_pd(a.value, _mm256_set1_pd(-0.0)); }
  friend LIVENS_HD LaneMask<4> operator<(Lanes a, Lanes b) {
    return _mm256_cmp_pd(a.value, b.value, _CMP_LT_OQ);
  }
  friend LIVENS_HD LaneMask<4> operator<=(Lanes a, Lanes b) {
    return _mm256_cmp_pd(a.value, b.value, _CMP_LE_OQ);
  }
  friend LIVENS_HD LaneMask<4> operator>(Lanes a, Lanes b) { return b < a; }
  friend LIVENS_HD LaneMask<4> operator>=(Lanes a, Lanes b) { return b <= a; }
  friend LIVENS_HD LaneMask<4> operator==(Lanes a, Lanes b) {
    return _mm256_cmp_pd(a.value, b.value, _CMP_EQ_OQ);
  }
};

LIVENS_HD Lanes<4> fma(Lanes<4> a, Lanes<4> b, Lanes<4> c) {
  return _mm256_fmadd_pd(a.value, b.value, c.value);
}
LIVENS_HD Lanes<4> fnma(Lanes<4> a, Lanes<4> b, Lanes<4> c) {
  return _mm256_fnmadd_pd(a.value, b.value, c.value);
}
LIVENS_HD Lanes<4> sqrt(Lanes<4> a) { return _mm256_sqrt_pd(a.value); }
LIVENS_HD Lanes<4> abs(Lanes<4> a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.value); }
LIVENS_HD Lanes<4> max(Lanes<4> a, Lanes<4> b) { return _mm256_max_pd(a.value, b.value); }
LIVENS_HD Lanes<4> min(Lanes<4> a, Lanes<4> b) { return _mm256_min_pd(a.value, b.value); }
LIVENS_HD Lanes<4> rint(Lanes<4> a) {
  return _mm256_round_pd(a.value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
LIVENS_HD Lanes<4> sign_of(Lanes<4> a) {
  return _mm256_or_pd(_mm256_and_pd(a.value, _mm256_set1_pd(-0.0)), _mm256_set1_pd(1.0));
}
LIVENS_HD Lanes<4> select(LaneMask<4> mask, Lanes<4> a, Lanes<4> b) {
  return _mm256_blendv_pd(b.value, a.value, mask.bits);
}
LIVENS_HD bool any(LaneMask<4> mask) { return mask.word() != 0; }
LIVENS_HD bool all(LaneMask<4> mask) { return mask.word() == 0xf; }
LIVENS_HD bool lane_mask(LaneMask<4> mask, int i) { return (mask.word() >> i) & 1; }
template <>
LIVENS_HD Lanes<4> load<Lanes<4>>(const double* values) {
  return _mm256_loadu_pd(values);
}
LIVENS_HD void store(double* values, Lanes<4> a) { _mm256_storeu_pd(values, a.value); }
/// As those of a double: elementary.hpp.
LIVENS_HD Lanes<4> two_to(Lanes<4> k) {
  const __m256i sum = _mm256_castpd_si256((k + Lanes<4>(0x1.8p52 + 1023.0)).value);
  return _mm256_castsi256_pd(_mm256_slli_epi64(sum, 52));
}
LIVENS_HD Lanes<4> exponent_of(Lanes<4> x) {
  const __m256i shift = _mm256_set1_epi64x((1024ll << 52) - 0x3fe6a09e667f3bcdll);
  const __m256i k = _mm256_srli_epi64(_mm256_add_epi64(_mm256_castpd_si256(x.value), shift), 52);
  const __m256i bits = _mm256_or_si256(k, _mm256_set1_epi64x(0x4330000000000000ll));
  return Lanes<4>(_mm256_castsi256_pd(bits)) - Lanes<4>(0x1p52 + 1024.0);
}

#if defined(__AVX512F__)
template <>
struct LaneMask<8> {
  __mmask8 bits;
  LaneMask() = default;
  LIVENS_HD LaneMask(__mmask8 b) : bits(b) {}
  LIVENS_HD LaneMask(bool b) : bits(b ? 0xff : 0) {}
  friend LIVENS_HD LaneMask operator&(LaneMask a, LaneMask b) {
    return static_cast<__mmask8>(a.bits & b.bits);
  }
  friend LIVENS_HD LaneMask operator|(LaneMask a, LaneMask b) {
    return static_cast<__mmask8>(a.bits | b.bits);
  }
  friend LIVENS_HD LaneMask operator!(LaneMask a) { return static_cast<__mmask8>(~a.bits); }
};

template <>
struct Lanes<8> {
  __m512d value;
  Lanes() = default;
  LIVENS_HD Lanes(__m512d v) : value(v) {}
  LIVENS_HD Lanes(double a) : value(_mm512_set1_pd(a)) {}
  friend LIVENS_HD Lanes operator+(Lanes a, Lanes b) { return _mm512_add_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator-(Lanes a, Lanes b) { return _mm512_sub_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator*(Lanes a, Lanes b) { return _mm512_mul_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator/(Lanes a, Lanes b) { return _mm512_div_pd(a.value, b.value); }
  friend LIVENS_HD Lanes operator-(Lanes a) { return _mm512_xor_pd(a.value, _mm512_set1_pd(-0.0)); }
  friend LIVENS_HD LaneMask<8> operator<(Lanes a, Lanes b) {
    return _mm512_cmp_pd_mask(a.value, b.value, _CMP_LT_OQ);
  }
  friend LIVENS_HD LaneMask<8> operator<=(Lanes a, Lanes b) {
    return _mm512_cmp_pd_mask(a.value, b.value, _CMP_LE_OQ);
  }
  friend LIVENS_HD LaneMask<8> operator>(Lanes a, Lanes b) { return b < a; }
  friend LIVENS_HD LaneMask<8> operator>=(Lanes a, Lanes b) { return b <= a; }
  friend LIVENS_HD LaneMask<8> operator==(Lanes a, Lanes b) {
    return _mm512_cmp_pd_mask(a.value, b.value, _CMP_EQ_OQ);
  }
};

LIVENS_HD Lanes<8> fma(Lanes<8> a, Lanes<8> b, Lanes<8> c) {
  return _mm512_fmadd_pd(a.value, b.value, c.value);
}
LIVENS_HD Lanes<8> fnma(Lanes<8> a, Lanes<8> b, Lanes<8> c) {
  return _mm512_fnmadd_pd(a.value, b.value, c.value);
}
LIVENS_HD Lanes<8> sqrt(Lanes<8> a) { return _mm512_sqrt_pd(a.value); }
LIVENS_HD Lanes<8> abs(Lanes<8> a) { return _mm512_abs_pd(a.value); }
LIVENS_HD Lanes<8> max(Lanes<8> a, Lanes<8> b) { return _mm512_max_pd(a.value, b.value); }
LIVENS_HD Lanes<8> min(Lanes<8> a, Lanes<8> b) { return _mm512_min_pd(a.value, b.value); }
LIVENS_HD Lanes<8> rint(Lanes<8> a) {
  return _mm512_roundscale_pd(a.value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
LIVENS_HD Lanes<8> sign_of(Lanes<8> a) {
  return _mm512_or_pd(_mm512_and_pd(a.value, _mm512_set1_pd(-0.0)), _mm512_set1_pd(1.0));
}
LIVENS_HD Lanes<8> select(LaneMask<8> mask, Lanes<8> a, Lanes<8> b) {
  return _mm512_mask_blend_pd(mask.bits, b.value, a.value);
}
LIVENS_HD bool any(LaneMask<8> mask) { return mask.bits != 0; }
LIVENS_HD bool all(LaneMask<8> mask) { return mask.bits == 0xff; }
LIVENS_HD bool lane_mask(LaneMask<8> mask, int i) { return (mask.bits >> i) & 1; }
template <>
LIVENS_HD Lanes<8> load<Lanes<8>>(const double* values) {
  return _mm512_loadu_pd(values);
}
LIVENS_HD void store(double* values, Lanes<8> a) { _mm512_storeu_pd(values, a.value); }
LIVENS_HD Lanes<8> two_to(Lanes<8> k) {
  const __m512i sum = _mm512_castpd_si512((k + Lanes<8>(0x1.8p52 + 1023.0)).value);
  return _mm512_castsi512_pd(_mm512_slli_epi64(sum, 52));
}
LIVENS_HD Lanes<8> exponent_of(Lanes<8> x) {
  const __m512i shift = _mm512_set1_epi64((1024ll << 52) - 0x3fe6a09e667f3bcdll);
  const __m512i k = _mm512_srli_epi64(_mm512_add_epi64(_mm512_castpd_si512(x.value), shift), 52);
  const __m512i bits = _mm512_or_si512(k, _mm512_set1_epi64(0x4330000000000000ll));
  return Lanes<8>(_mm512_castsi512_pd(bits)) - Lanes<8>(0x1p52 + 1024.0);
}
#endif

template <int W>
struct MaskOf<Lanes<W>> {
  using type = LaneMask<W>;
};
template <int W>
inline constexpr int lanes_of<Lanes<W>> = W;
template <int W>
struct OneOf<Lanes<W>> {
  using type = double;
};

template <int W>
LIVENS_HD double lane(const Lanes<W>& a, int i) {
  double values[W];
  store(values, a);
  return values[i];
}
template <int W>
LIVENS_HD void set_lane(Lanes<W>& a, int i, double value) {
  double values[W];
  store(values, a);
  values[i] = value;
  a = load<Lanes<W>>(values);
}

}  // namespace livens::inline LIVENS_ISA

#include "kernels/math/float_lanes.hpp"
#endif
