#pragma once
// W instances in single precision: as many floats as lanes.hpp has doubles, in half the register, so that a
// mask and a record are the same for both. Included by lanes.hpp.

namespace livens::inline LIVENS_ISA {

template <int W>
struct FloatLanes;

template <>
struct FloatLanes<4> {
  __m128 value;
  FloatLanes() = default;
  LIVENS_HD FloatLanes(__m128 v) : value(v) {}
  LIVENS_HD FloatLanes(double a) : value(_mm_set1_ps(static_cast<float>(a))) {}
  /// Every bit of a comparison, twice as wide, and back.
  static LIVENS_HD LaneMask<4> mask(__m128 compared) {
    return _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(compared)));
  }
  static LIVENS_HD __m128 bits(LaneMask<4> mask) {
    return _mm_shuffle_ps(_mm_castpd_ps(_mm256_castpd256_pd128(mask.bits)),
                          _mm_castpd_ps(_mm256_extractf128_pd(mask.bits, 1)), _MM_SHUFFLE(2, 0, 2, 0));
  }
  friend LIVENS_HD FloatLanes operator+(FloatLanes a, FloatLanes b) { return _mm_add_ps(a.value, b.value); }
  friend LIVENS_HD FloatLanes operator-(FloatLanes a, FloatLanes b) { return _mm_sub_ps(a.value, b.value); }
  friend LIVENS_HD FloatLanes operator*(FloatLanes a, FloatLanes b) { return _mm_mul_ps(a.value, b.value); }
  friend LIVENS_HD FloatLanes operator/(FloatLanes a, FloatLanes b) { return _mm_div_ps(a.value, b.value); }
  friend LIVENS_HD FloatLanes operator-(FloatLanes a) { return _mm_xor_ps(a.value, _mm_set1_ps(-0.0f)); }
  friend LIVENS_HD LaneMask<4> operator<(FloatLanes a, FloatLanes b) {
    return mask(_mm_cmp_ps(a.value, b.value, _CMP_LT_OQ));
  }
  friend LIVENS_HD LaneMask<4> operator<=(FloatLanes a, FloatLanes b) {
    return mask(_mm_cmp_ps(a.value, b.value, _CMP_LE_OQ));
  }
  friend LIVENS_HD LaneMask<4> operator>(FloatLanes a, FloatLanes b) { return b < a; }
  friend LIVENS_HD LaneMask<4> operator>=(FloatLanes a, FloatLanes b) { return b <= a; }
  friend LIVENS_HD LaneMask<4> operator==(FloatLanes a, FloatLanes b) {
    return mask(_mm_cmp_ps(a.value, b.value, _CMP_EQ_OQ));
  }
};

LIVENS_HD FloatLanes<4> fma(FloatLanes<4> a, FloatLanes<4> b, FloatLanes<4> c) {
  return _mm_fmadd_ps(a.value, b.value, c.value);
}
LIVENS_HD FloatLanes<4> fnma(FloatLanes<4> a, FloatLanes<4> b, FloatLanes<4> c) {
  return _mm_fnmadd_ps(a.value, b.value, c.value);
}
LIVENS_HD FloatLanes<4> sqrt(FloatLanes<4> a) { return _mm_sqrt_ps(a.value); }
LIVENS_HD FloatLanes<4> abs(FloatLanes<4> a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a.value); }
LIVENS_HD FloatLanes<4> max(FloatLanes<4> a, FloatLanes<4> b) { return _mm_max_ps(a.value, b.value); }
LIVENS_HD FloatLanes<4> min(FloatLanes<4> a, FloatLanes<4> b) { return _mm_min_ps(a.value, b.value); }
LIVENS_HD FloatLanes<4> rint(FloatLanes<4> a) {
  return _mm_round_ps(a.value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
LIVENS_HD FloatLanes<4> sign_of(FloatLanes<4> a) {
  return _mm_or_ps(_mm_and_ps(a.value, _mm_set1_ps(-0.0f)), _mm_set1_ps(1.0f));
}
LIVENS_HD FloatLanes<4> select(LaneMask<4> mask, FloatLanes<4> a, FloatLanes<4> b) {
  return _mm_blendv_ps(b.value, a.value, FloatLanes<4>::bits(mask));
}
LIVENS_HD FloatLanes<4> narrow(Lanes<4> a) { return _mm256_cvtpd_ps(a.value); }
LIVENS_HD Lanes<4> widen(FloatLanes<4> a) { return _mm256_cvtps_pd(a.value); }

#if defined(__AVX512F__)
template <>
struct FloatLanes<8> {
  __m256 value;
  FloatLanes() = default;
  LIVENS_HD FloatLanes(__m256 v) : value(v) {}
  LIVENS_HD FloatLanes(double a) : value(_mm256_set1_ps(static_cast<float>(a))) {}
  friend LIVENS_HD FloatLanes operator+(FloatLanes a, FloatLanes b) {
    return _mm256_add_ps(a.value, b.value);
  }
  friend LIVENS_HD FloatLanes operator-(FloatLanes a, FloatLanes b) {
    return _mm256_sub_ps(a.value, b.value);
  }
  friend LIVENS_HD FloatLanes operator*(FloatLanes a, FloatLanes b) {
    return _mm256_mul_ps(a.value, b.value);
  }
  friend LIVENS_HD FloatLanes operator/(FloatLanes a, FloatLanes b) {
    return _mm256_div_ps(a.value, b.value);
  }
  friend LIVENS_HD FloatLanes operator-(FloatLanes a) {
    return _mm256_xor_ps(a.value, _mm256_set1_ps(-0.0f));
  }
  friend LIVENS_HD LaneMask<8> operator<(FloatLanes a, FloatLanes b) {
    return _mm256_cmp_ps_mask(a.value, b.value, _CMP_LT_OQ);
  }
  friend LIVENS_HD LaneMask<8> operator<=(FloatLanes a, FloatLanes b) {
    return _mm256_cmp_ps_mask(a.value, b.value, _CMP_LE_OQ);
  }
  friend LIVENS_HD LaneMask<8> operator>(FloatLanes a, FloatLanes b) { return b < a; }
  friend LIVENS_HD LaneMask<8> operator>=(FloatLanes a, FloatLanes b) { return b <= a; }
  friend LIVENS_HD LaneMask<8> operator==(FloatLanes a, FloatLanes b) {
    return _mm256_cmp_ps_mask(a.value, b.value, _CMP_EQ_OQ);
  }
};

LIVENS_HD FloatLanes<8> fma(FloatLanes<8> a, FloatLanes<8> b, FloatLanes<8> c) {
  return _mm256_fmadd_ps(a.value, b.value, c.value);
}
LIVENS_HD FloatLanes<8> fnma(FloatLanes<8> a, FloatLanes<8> b, FloatLanes<8> c) {
  return _mm256_fnmadd_ps(a.value, b.value, c.value);
}
LIVENS_HD FloatLanes<8> sqrt(FloatLanes<8> a) { return _mm256_sqrt_ps(a.value); }
LIVENS_HD FloatLanes<8> abs(FloatLanes<8> a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.value); }
LIVENS_HD FloatLanes<8> max(FloatLanes<8> a, FloatLanes<8> b) { return _mm256_max_ps(a.value, b.value); }
LIVENS_HD FloatLanes<8> min(FloatLanes<8> a, FloatLanes<8> b) { return _mm256_min_ps(a.value, b.value); }
LIVENS_HD FloatLanes<8> rint(FloatLanes<8> a) {
  return _mm256_round_ps(a.value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
LIVENS_HD FloatLanes<8> sign_of(FloatLanes<8> a) {
  return _mm256_or_ps(_mm256_and_ps(a.value, _mm256_set1_ps(-0.0f)), _mm256_set1_ps(1.0f));
}
LIVENS_HD FloatLanes<8> select(LaneMask<8> mask, FloatLanes<8> a, FloatLanes<8> b) {
  return _mm256_mask_blend_ps(mask.bits, b.value, a.value);
}
LIVENS_HD FloatLanes<8> narrow(Lanes<8> a) { return _mm512_cvtpd_ps(a.value); }
LIVENS_HD Lanes<8> widen(FloatLanes<8> a) { return _mm512_cvtps_pd(a.value); }
#endif

template <int W>
struct MaskOf<FloatLanes<W>> {
  using type = LaneMask<W>;
};
template <int W>
inline constexpr int lanes_of<FloatLanes<W>> = W;
template <int W>
struct OneOf<FloatLanes<W>> {
  using type = float;
};
template <int W>
struct NarrowOf<Lanes<W>> {
  using type = FloatLanes<W>;
};
template <int W>
struct WideOf<FloatLanes<W>> {
  using type = Lanes<W>;
};

template <>
LIVENS_HD FloatLanes<4> load<FloatLanes<4>>(const double* values) {
  return narrow(load<Lanes<4>>(values));
}
#if defined(__AVX512F__)
template <>
LIVENS_HD FloatLanes<8> load<FloatLanes<8>>(const double* values) {
  return narrow(load<Lanes<8>>(values));
}
#endif
template <int W>
LIVENS_HD void store(double* values, FloatLanes<W> a) {
  store(values, widen(a));
}
template <int W>
LIVENS_HD float lane(const FloatLanes<W>& a, int i) {
  return static_cast<float>(lane(widen(a), i));
}
template <int W>
LIVENS_HD void set_lane(FloatLanes<W>& a, int i, double value) {
  Lanes<W> wide = widen(a);
  set_lane(wide, i, value);
  a = narrow(wide);
}

}  // namespace livens::inline LIVENS_ISA
