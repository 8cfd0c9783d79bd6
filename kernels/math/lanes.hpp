#pragma once
// W instances in one register: Lanes<4> with AVX2, Lanes<8> with AVX-512, and Lanes<W, float> in half of that register, so
// that a mask and a record are the same for both. Same words as scalar.hpp, lane by lane the same IEEE operations.

#include "kernels/math/scalar.hpp"

#if defined(__AVX2__) && !defined(__CUDACC__)
#include "kernels/math/intrinsics.hpp"

namespace livens::inline LIVENS_ISA {

template <int W>
struct LaneMask;

template <>
struct LaneMask<4> {
  __m256d bits;
  LaneMask() = default;
  LIVENS_HD LaneMask(__m256d b) : bits(b) {}
  LIVENS_HD LaneMask(bool b) : bits(_mm256_castsi256_pd(_mm256_set1_epi64x(b ? -1 : 0))) {}
  /// Of a comparison in single precision: every bit twice as wide.
  LIVENS_HD LaneMask(__m128 b) : bits(_mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(b)))) {}
  LIVENS_HD __m128 narrow_bits() const {
    return _mm_shuffle_ps(_mm_castpd_ps(_mm256_castpd256_pd128(bits)),
                          _mm_castpd_ps(_mm256_extractf128_pd(bits, 1)), _MM_SHUFFLE(2, 0, 2, 0));
  }
  LIVENS_HD int word() const { return _mm256_movemask_pd(bits); }
  friend LIVENS_HD LaneMask operator&(LaneMask a, LaneMask b) { return _mm256_and_pd(a.bits, b.bits); }
  friend LIVENS_HD LaneMask operator|(LaneMask a, LaneMask b) { return _mm256_or_pd(a.bits, b.bits); }
  friend LIVENS_HD LaneMask operator!(LaneMask a) { return _mm256_xor_pd(a.bits, LaneMask(true).bits); }
};

#if defined(__AVX512F__)
template <>
struct LaneMask<8> {
  __mmask8 bits;
  LaneMask() = default;
  LIVENS_HD LaneMask(__mmask8 b) : bits(b) {}
  LIVENS_HD LaneMask(bool b) : bits(b ? 0xff : 0) {}
  LIVENS_HD int word() const { return bits; }
  friend LIVENS_HD LaneMask operator&(LaneMask a, LaneMask b) {
    return static_cast<__mmask8>(a.bits & b.bits);
  }
  friend LIVENS_HD LaneMask operator|(LaneMask a, LaneMask b) {
    return static_cast<__mmask8>(a.bits | b.bits);
  }
  friend LIVENS_HD LaneMask operator!(LaneMask a) { return static_cast<__mmask8>(~a.bits); }
};
#endif

/// `a` where the mask is set, else `b`.
LIVENS_HD __m256d blend(LaneMask<4> mask, __m256d a, __m256d b) { return _mm256_blendv_pd(b, a, mask.bits); }
LIVENS_HD __m128 blend(LaneMask<4> mask, __m128 a, __m128 b) {
  return _mm_blendv_ps(b, a, mask.narrow_bits());
}
#if defined(__AVX512F__)
LIVENS_HD __m512d blend(LaneMask<8> mask, __m512d a, __m512d b) {
  return _mm512_mask_blend_pd(mask.bits, b, a);
}
LIVENS_HD __m256 blend(LaneMask<8> mask, __m256 a, __m256 b) { return _mm256_mask_blend_ps(mask.bits, b, a); }
#endif

/// The instructions for W numbers, which have names of one shape, prefix_operation_suffix, for every register.
template <int W, class Number>
struct Register;
#define LIVENS_REGISTER(W, Number, Value, prefix, suffix, rounded, compared)                                 \
  template <>                                                                                                \
  struct Register<W, Number> {                                                                               \
    using type = Value;                                                                                      \
    static LIVENS_HD type all(double a) { return prefix##_set1_##suffix(static_cast<Number>(a)); }           \
    static LIVENS_HD type sum(type a, type b) { return prefix##_add_##suffix(a, b); }                        \
    static LIVENS_HD type difference(type a, type b) { return prefix##_sub_##suffix(a, b); }                 \
    static LIVENS_HD type product(type a, type b) { return prefix##_mul_##suffix(a, b); }                    \
    static LIVENS_HD type quotient(type a, type b) { return prefix##_div_##suffix(a, b); }                   \
    static LIVENS_HD type negative(type a) { return prefix##_xor_##suffix(a, all(-0.0)); }                   \
    static LIVENS_HD type fma(type a, type b, type c) { return prefix##_fmadd_##suffix(a, b, c); }           \
    static LIVENS_HD type fnma(type a, type b, type c) { return prefix##_fnmadd_##suffix(a, b, c); }         \
    static LIVENS_HD type sqrt(type a) { return prefix##_sqrt_##suffix(a); }                                 \
    static LIVENS_HD type abs(type a) { return prefix##_andnot_##suffix(all(-0.0), a); }                     \
    static LIVENS_HD type max(type a, type b) { return prefix##_max_##suffix(a, b); }                        \
    static LIVENS_HD type min(type a, type b) { return prefix##_min_##suffix(a, b); }                        \
    static LIVENS_HD type rint(type a) { return rounded(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); } \
    static LIVENS_HD type sign_of(type a) {                                                                  \
      return prefix##_or_##suffix(prefix##_and_##suffix(a, all(-0.0)), all(1.0));                            \
    }                                                                                                        \
    template <int how>                                                                                       \
    static LIVENS_HD LaneMask<W> compare(type a, type b) {                                                   \
      return compared(a, b, how);                                                                            \
    }                                                                                                        \
  };
LIVENS_REGISTER(4, double, __m256d, _mm256, pd, _mm256_round_pd, _mm256_cmp_pd)
LIVENS_REGISTER(4, float, __m128, _mm, ps, _mm_round_ps, _mm_cmp_ps)
#if defined(__AVX512F__)
LIVENS_REGISTER(8, double, __m512d, _mm512, pd, _mm512_roundscale_pd, _mm512_cmp_pd_mask)
LIVENS_REGISTER(8, float, __m256, _mm256, ps, _mm256_round_ps, _mm256_cmp_ps_mask)
#endif
#undef LIVENS_REGISTER

template <int W, class Number = double>
struct Lanes {
  using Instructions = Register<W, Number>;
  using Value = typename Instructions::type;
  Value value;
  Lanes() = default;
  LIVENS_HD Lanes(Value v) : value(v) {}
  LIVENS_HD Lanes(double a) : value(Instructions::all(a)) {}
  friend LIVENS_HD Lanes operator+(Lanes a, Lanes b) { return Instructions::sum(a.value, b.value); }
  friend LIVENS_HD Lanes operator-(Lanes a, Lanes b) { return Instructions::difference(a.value, b.value); }
  friend LIVENS_HD Lanes operator*(Lanes a, Lanes b) { return Instructions::product(a.value, b.value); }
  friend LIVENS_HD Lanes operator/(Lanes a, Lanes b) { return Instructions::quotient(a.value, b.value); }
  friend LIVENS_HD Lanes operator-(Lanes a) { return Instructions::negative(a.value); }
  friend LIVENS_HD LaneMask<W> operator<(Lanes a, Lanes b) {
    return Instructions::template compare<_CMP_LT_OQ>(a.value, b.value);
  }
  friend LIVENS_HD LaneMask<W> operator<=(Lanes a, Lanes b) {
    return Instructions::template compare<_CMP_LE_OQ>(a.value, b.value);
  }
  friend LIVENS_HD LaneMask<W> operator>(Lanes a, Lanes b) { return b < a; }
  friend LIVENS_HD LaneMask<W> operator>=(Lanes a, Lanes b) { return b <= a; }
  friend LIVENS_HD LaneMask<W> operator==(Lanes a, Lanes b) {
    return Instructions::template compare<_CMP_EQ_OQ>(a.value, b.value);
  }

  friend LIVENS_HD Lanes fma(Lanes a, Lanes b, Lanes c) {
    return Instructions::fma(a.value, b.value, c.value);
  }
  friend LIVENS_HD Lanes fnma(Lanes a, Lanes b, Lanes c) {
    return Instructions::fnma(a.value, b.value, c.value);
  }
  friend LIVENS_HD Lanes sqrt(Lanes a) { return Instructions::sqrt(a.value); }
  friend LIVENS_HD Lanes abs(Lanes a) { return Instructions::abs(a.value); }
  friend LIVENS_HD Lanes max(Lanes a, Lanes b) { return Instructions::max(a.value, b.value); }
  friend LIVENS_HD Lanes min(Lanes a, Lanes b) { return Instructions::min(a.value, b.value); }
  friend LIVENS_HD Lanes rint(Lanes a) { return Instructions::rint(a.value); }
  friend LIVENS_HD Lanes sign_of(Lanes a) { return Instructions::sign_of(a.value); }
  friend LIVENS_HD Lanes select(LaneMask<W> mask, Lanes a, Lanes b) { return blend(mask, a.value, b.value); }
};

LIVENS_HD Lanes<4, float> narrow(Lanes<4> a) { return _mm256_cvtpd_ps(a.value); }
LIVENS_HD Lanes<4> widen(Lanes<4, float> a) { return _mm256_cvtps_pd(a.value); }
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
LIVENS_HD Lanes<8, float> narrow(Lanes<8> a) { return _mm512_cvtpd_ps(a.value); }
LIVENS_HD Lanes<8> widen(Lanes<8, float> a) { return _mm512_cvtps_pd(a.value); }
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
LIVENS_HD bool any(LaneMask<W> mask) {
  return mask.word() != 0;
}
template <int W>
LIVENS_HD bool all(LaneMask<W> mask) {
  return mask.word() == (1 << W) - 1;
}
template <int W>
LIVENS_HD bool lane_mask(LaneMask<W> mask, int i) {
  return (mask.word() >> i) & 1;
}
template <int W, class Number>
struct MaskOf<Lanes<W, Number>> {
  using type = LaneMask<W>;
};
template <int W, class Number>
inline constexpr int lanes_of<Lanes<W, Number>> = W;
template <int W, class Number>
struct OneOf<Lanes<W, Number>> {
  using type = Number;
};
template <int W>
struct NarrowOf<Lanes<W>> {
  using type = Lanes<W, float>;
};
template <int W>
struct WideOf<Lanes<W, float>> {
  using type = Lanes<W>;
};

/// Memory holds doubles.
template <>
LIVENS_HD Lanes<4, float> load<Lanes<4, float>>(const double* values) {
  return narrow(load<Lanes<4>>(values));
}
#if defined(__AVX512F__)
template <>
LIVENS_HD Lanes<8, float> load<Lanes<8, float>>(const double* values) {
  return narrow(load<Lanes<8>>(values));
}
#endif
template <int W>
LIVENS_HD void store(double* values, Lanes<W, float> a) {
  store(values, widen(a));
}
template <int W, class Number>
LIVENS_HD Number lane(const Lanes<W, Number>& a, int i) {
  double values[W];
  store(values, a);
  return static_cast<Number>(values[i]);
}
template <int W, class Number>
LIVENS_HD void set_lane(Lanes<W, Number>& a, int i, double value) {
  double values[W];
  store(values, a);
  values[i] = value;
  a = load<Lanes<W, Number>>(values);
}

}  // namespace livens::inline LIVENS_ISA
#endif
