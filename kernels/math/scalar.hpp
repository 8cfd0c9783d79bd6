#pragma once
// The vocabulary of arithmetic that every kernel is written in, for one instance (`double`, or `float` in
// single precision). lanes.hpp gives the same words for W instances in a register,
// warp.hpp for those of a warp of a GPU, dual.hpp, counted.hpp and emulated_warp.hpp for tests and operation
// counts.
//
// Identical bits on every backend rest on three rules: contraction is off and fusion is written out (fma,
// fnma); comparisons with NaN are spelled as x86 has them (max keeps the second operand); nothing here
// depends on the order in which instances are processed.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__CUDACC__)
#define LIVENS_HD __host__ __device__ __forceinline__
#define LIVENS_HD_COLD __host__ __device__ __noinline__
#define LIVENS_FLATTEN
#define LIVENS_INLINED
#elif defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(LIVENS_CALLS)
#define LIVENS_HD inline __attribute__((always_inline))
#define LIVENS_HD_COLD __attribute__((noinline))
#define LIVENS_FLATTEN __attribute__((flatten))
#define LIVENS_INLINED __attribute__((always_inline))  // of a lambda
#else  // for the debugger, the sanitizers, and code that takes long to compile and runs seldom (LIVENS_CALLS)
#define LIVENS_HD inline
#define LIVENS_HD_COLD
#define LIVENS_FLATTEN
#define LIVENS_INLINED
#endif

// Kernels are compiled once per instruction set; the inline namespace keeps the copies apart for the linker.
#if !defined(LIVENS_ISA)
#define LIVENS_ISA plain
#endif

namespace livens::inline LIVENS_ISA {

/// Mask type that goes with a scalar: bool for one instance, a lane mask for several.
template <class Scalar>
struct MaskOf {
  using type = bool;
};
template <class Scalar>
using Mask = typename MaskOf<Scalar>::type;

/// True for a number that carries derivatives beside its value (dual.hpp).
template <class Scalar>
inline constexpr bool has_partials = false;

/// Number of instances a scalar holds.
template <class Scalar>
inline constexpr int lanes_of = 1;

/// The type of one instance.
template <class Scalar>
struct OneOf {
  using type = Scalar;
};
template <class Scalar>
using One = typename OneOf<Scalar>::type;

/// The same instances in single precision; a scalar for tests is its own.
template <class Scalar>
struct NarrowOf {
  using type = Scalar;
};
template <>
struct NarrowOf<double> {
  using type = float;
};
template <class Scalar>
using Narrow = typename NarrowOf<Scalar>::type;

/// The same instances in double precision.
template <class Scalar>
struct WideOf {
  using type = Scalar;
};
template <>
struct WideOf<float> {
  using type = double;
};
template <class Scalar>
using Wide = typename WideOf<Scalar>::type;

/// Rounded to single precision, and back without rounding.
template <class Scalar>
LIVENS_HD Scalar narrow(const Scalar& a) {
  return a;
}
LIVENS_HD float narrow(double a) { return static_cast<float>(a); }
template <class Scalar>
LIVENS_HD Scalar widen(const Scalar& a) {
  return a;
}
LIVENS_HD double widen(float a) { return static_cast<double>(a); }
/// Back from double precision to that of Scalar.
template <class Scalar>
LIVENS_HD Scalar rounded(const Wide<Scalar>& a) {
  if constexpr (std::is_same_v<Wide<Scalar>, Scalar>)
    return a;
  else
    return narrow(a);
}

/// What an fma rounds to. g++ makes -(a * b + c) into (-a) * b - c where the processor has that: where the sum is zero,
/// the sign of it is another one.
template <class Real>
LIVENS_HD Real as_rounded(Real r) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
#if defined(__FMA__)
  asm("" : "+x"(r));
#elif defined(__aarch64__)
  asm("" : "+w"(r));
#endif
#endif
  return r;
}
/// a * b + c with one rounding.
LIVENS_HD double fma(double a, double b, double c) { return as_rounded(::fma(a, b, c)); }
/// c - a * b with one rounding.
LIVENS_HD double fnma(double a, double b, double c) { return as_rounded(::fma(-a, b, c)); }
LIVENS_HD double sqrt(double a) { return ::sqrt(a); }
LIVENS_HD double abs(double a) { return ::fabs(a); }
LIVENS_HD double select(bool mask, double a, double b) { return mask ? a : b; }
LIVENS_HD double max(double a, double b) { return a > b ? a : b; }
LIVENS_HD double min(double a, double b) { return a < b ? a : b; }
/// Nearest integer, ties to even.
LIVENS_HD double rint(double a) { return ::rint(a); }
/// +1 or -1 with the sign bit of a.
LIVENS_HD double sign_of(double a) { return ::copysign(1.0, a); }

LIVENS_HD float fma(float a, float b, float c) { return as_rounded(::fmaf(a, b, c)); }
LIVENS_HD float fnma(float a, float b, float c) { return as_rounded(::fmaf(-a, b, c)); }
LIVENS_HD float sqrt(float a) { return ::sqrtf(a); }
LIVENS_HD float abs(float a) { return ::fabsf(a); }
LIVENS_HD float select(bool mask, float a, float b) { return mask ? a : b; }
LIVENS_HD float max(float a, float b) { return a > b ? a : b; }
LIVENS_HD float min(float a, float b) { return a < b ? a : b; }
LIVENS_HD float rint(float a) { return ::rintf(a); }
LIVENS_HD float sign_of(float a) { return ::copysignf(1.0f, a); }

LIVENS_HD bool any(bool mask) { return mask; }
LIVENS_HD bool all(bool mask) { return mask; }

/// Lane i of a scalar; with one instance the scalar itself.
LIVENS_HD double lane(double a, int) { return a; }
LIVENS_HD void set_lane(double& a, int, double value) { a = value; }
LIVENS_HD float lane(float a, int) { return a; }
LIVENS_HD void set_lane(float& a, int, double value) { a = static_cast<float>(value); }
LIVENS_HD bool lane_mask(bool mask, int) { return mask; }

template <class Scalar>
LIVENS_HD Scalar load(const double* values);
template <>
LIVENS_HD double load<double>(const double* values) {
  return *values;
}
LIVENS_HD void store(double* values, double a) { *values = a; }
/// Memory holds doubles: what is single is rounded on the way in and exact on the way out.
template <>
LIVENS_HD float load<float>(const double* values) {
  return static_cast<float>(*values);
}
LIVENS_HD void store(double* values, float a) { *values = static_cast<double>(a); }

/// True for a scalar whose numbers are in single precision.
template <class Scalar>
inline constexpr bool is_single = std::is_same_v<One<Scalar>, float>;

/// The largest finite number.
template <class Scalar>
inline constexpr double largest_number = is_single<Scalar> ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;

/// Not NaN and not infinite.
template <class Scalar>
LIVENS_HD Mask<Scalar> finite(const Scalar& a) {
  return abs(a) <= Scalar(largest_number<Scalar>);
}

}  // namespace livens::inline LIVENS_ISA
