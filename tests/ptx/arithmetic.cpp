// Arithmetic, comparisons, conversions and choices. Those of floating point have their rounding written:
// without .rn ptxas may make one instruction of a product and a sum, and nobody knows the bits. With -fwrapv
// integers overflow as those of a GPU do.

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lanewise.hpp"

namespace livens::ptx {
namespace {

using std::isunordered;

template <class T>
using Wide =
    std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 8, __int128, std::int64_t>,
                       std::conditional_t<sizeof(T) == 8, unsigned __int128, std::uint64_t>>;

template <class T>
void add_integer(Operations& table, const std::string& type) {
  using W = Wide<T>;
  constexpr int size = 8 * sizeof(T);
  const auto put = [&](const char* name, Run run) { table[name + type] = {run}; };
  put("add", lanewise([](T a, T b) { return T(a + b); }));
  put("sub", lanewise([](T a, T b) { return T(a - b); }));
  put("neg", lanewise([](T a) { return T(0 - a); }));
  put("mul.lo", lanewise([](T a, T b) { return T(a * b); }));
  put("mul.hi", lanewise([](T a, T b) { return T(W(a) * W(b) >> size); }));
  put("mad.lo", lanewise([](T a, T b, T c) { return T(a * b + c); }));
  if constexpr (size < 64) put("mul.wide", lanewise([](T a, T b) { return W(a) * W(b); }));
  // Whatever is divided by zero has all bits.
  put("div", lanewise([](T a, T b) { return b == 0 ? T(-1) : T(W(a) / W(b)); }));
  put("rem", lanewise([](T a, T b) { return b == 0 ? a : T(W(a) % W(b)); }));
  put("min", lanewise([](T a, T b) { return a < b ? a : b; }));
  put("max", lanewise([](T a, T b) { return a > b ? a : b; }));
  put("and", lanewise([](T a, T b) { return T(a & b); }));
  put("or", lanewise([](T a, T b) { return T(a | b); }));
  put("xor", lanewise([](T a, T b) { return T(a ^ b); }));
  put("not", lanewise([](T a) { return T(~a); }));
  put("shl", lanewise([](T a, std::uint32_t b) { return b < size ? T(a << b) : T(0); }));
  put("shr", lanewise([](T a, std::uint32_t b) { return b < size ? T(a >> b) : a < 0 ? T(-1) : T(0); }));
  put("clz", lanewise([](T a) { return std::countl_zero(std::make_unsigned_t<T>(a)); }));
  put("popc", lanewise([](T a) { return std::popcount(std::make_unsigned_t<T>(a)); }));
  put("brev", lanewise([](T a) {
        T reversed = 0;
        for (int k = 0; k < size; ++k) reversed = T(reversed << 1 | (a >> k & 1));
        return reversed;
      }));
}

/// Also of integers.
template <class T>
void add_comparisons(Operations& table, const std::string& type) {
  const auto put = [&](const char* name, Run run) { table[name + type] = {run}; };
  put("setp.eq", lanewise([](T a, T b) { return a == b; }));
  put("setp.ne", lanewise([](T a, T b) { return a < b || a > b; }));
  put("setp.lt", lanewise([](T a, T b) { return a < b; }));
  put("setp.le", lanewise([](T a, T b) { return a <= b; }));
  put("setp.gt", lanewise([](T a, T b) { return a > b; }));
  put("setp.ge", lanewise([](T a, T b) { return a >= b; }));
}

template <class T>
void add_floating(Operations& table, const std::string& type) {
  const auto put = [&](const char* name, Run run) { table[name + type] = {run}; };
  put("add.rn", lanewise([](T a, T b) { return a + b; }));
  put("sub.rn", lanewise([](T a, T b) { return a - b; }));
  put("mul.rn", lanewise([](T a, T b) { return a * b; }));
  put("div.rn", lanewise([](T a, T b) { return a / b; }));
  put("fma.rn", lanewise([](T a, T b, T c) { return std::fma(a, b, c); }));
  put("rcp.rn", lanewise([](T a) { return T(1) / a; }));
  put("sqrt.rn", lanewise([](T a) { return std::sqrt(a); }));
  put("neg", lanewise([](T a) { return -a; }));
  put("abs", lanewise([](T a) { return std::fabs(a); }));
  put("copysign", lanewise([](T sign, T a) { return std::copysign(a, sign); }));
  // Of a number and none the number; -0 is below 0.
  put("min", lanewise([](T a, T b) { return a != b ? std::fmin(a, b) : std::signbit(a) ? a : b; }));
  put("max", lanewise([](T a, T b) { return a != b ? std::fmax(a, b) : std::signbit(a) ? b : a; }));
  // These also hold where one is not a number.
  put("setp.equ", lanewise([](T a, T b) { return a == b || isunordered(a, b); }));
  put("setp.neu", lanewise([](T a, T b) { return !(a == b); }));
  put("setp.ltu", lanewise([](T a, T b) { return !(a >= b); }));
  put("setp.leu", lanewise([](T a, T b) { return !(a > b); }));
  put("setp.gtu", lanewise([](T a, T b) { return !(a <= b); }));
  put("setp.geu", lanewise([](T a, T b) { return !(a < b); }));
  put("setp.num", lanewise([](T a, T b) { return !isunordered(a, b); }));
  put("setp.nan", lanewise([](T a, T b) { return isunordered(a, b); }));
}

/// To an integer what is too large is the largest one, and what is not a number 0.
template <class To, class From>
To saturated(From a) {
  using Limits = std::numeric_limits<To>;
  if (a != a) return 0;
  if (a <= static_cast<From>(Limits::min())) return Limits::min();
  return a >= static_cast<From>(Limits::max()) ? Limits::max() : static_cast<To>(a);
}

template <class T>
void add_roundings(Operations& table, const std::string& type) {
  const auto put = [&](const std::string& to, const char* how, Run run) {
    table["cvt." + (how + to) + type] = {run};
  };
  put(type, "rni", lanewise([](T a) { return std::nearbyint(a); }));
  put(type, "rzi", lanewise([](T a) { return std::trunc(a); }));
  put(".s32", "rzi", lanewise([](T a) { return saturated<std::int32_t>(a); }));
  put(".u32", "rzi", lanewise([](T a) { return saturated<std::uint32_t>(a); }));
  put(".s64", "rzi", lanewise([](T a) { return saturated<std::int64_t>(a); }));
}

template <class To, class From>
void add_conversion(Operations& table, const std::string& name) {
  table["cvt" + name] = {lanewise([](From a) { return static_cast<To>(a); })};
}

double add_towards_zero(double a, double b) {
  std::fesetround(FE_TOWARDZERO);
  volatile double x = a, y = b;  // neither is known to the compiler
  const double sum = x + y;
  x = sum;
  std::fesetround(FE_TONEAREST);
  return x;
}

}  // namespace

void add_arithmetic(Operations& table) {
  for_each_integer([&](const std::string& type, auto t) {
    using T = decltype(t);
    add_integer<T>(table, type);
    add_comparisons<T>(table, type);
    for_each_integer(
        [&](const std::string& from, auto f) { add_conversion<T, decltype(f)>(table, type + from); });
    for_each_floating(
        [&](const std::string& to, auto f) { add_conversion<decltype(f), T>(table, ".rn" + to + type); });
  });
  for_each_floating([&](const std::string& type, auto t) {
    using T = decltype(t);
    add_floating<T>(table, type);
    add_comparisons<T>(table, type);
    add_roundings<T>(table, type);
  });
  add_conversion<double, float>(table, ".f64.f32");
  add_conversion<float, double>(table, ".rn.f32.f64");
  table["bfi.b64"] = {lanewise([](Word piece, Word into, std::uint32_t at, std::uint32_t length) {
    const Word mask = at > 63 || length == 0 ? 0 : ~Word{0} >> (64 - std::min(length, 64u)) << at;
    return (into & ~mask) | (piece << (at & 63) & mask);
  })};
  table["prmt.b32"] = {lanewise([](std::uint32_t low, std::uint32_t high, std::uint32_t which) {
    const Word all = Word{high} << 32 | low;
    Word made = 0;
    for (int k = 0; k < 4; ++k) {
      const Word byte = all >> 8 * (which >> 4 * k & 7) & 255;
      made |= (which >> 4 * k & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * k;
    }
    return made;
  })};
  table["bmsk.clamp.b32"] = {lanewise([](std::uint32_t at, std::uint32_t length) {
    return at > 31 ? Word{0} : ((Word{1} << std::min(length, 32u)) - 1) << at;
  })};
  table["add.rz.f64"] = {lanewise([](double a, double b) { return add_towards_zero(a, b); })};
  for (const char* type :
       {".b16", ".u16", ".s16", ".b32", ".u32", ".s32", ".f32", ".b64", ".u64", ".s64", ".f64"})
    table[std::string("selp") + type] = {lanewise([](Word a, Word b, Word p) { return p & 1 ? a : b; })};
  table["and.pred"] = {lanewise([](Word a, Word b) { return a & b; })};
  table["or.pred"] = {lanewise([](Word a, Word b) { return a | b; })};
  table["xor.pred"] = {lanewise([](Word a, Word b) { return a ^ b; })};
  table["not.pred"] = {lanewise([](Word a) { return ~a; })};
}

}  // namespace livens::ptx
