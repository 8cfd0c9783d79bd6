// Compiled for AVX-512 and called only where the processor has it; no standard containers, whose shared
// instantiations would be compiled for AVX-512 too.

#define LIVENS_ISA math_avx512
#include "kernels/math/quotients.hpp"
#include "kernels/math/small_matrix.hpp"
#include "kernels/math/tables.hpp"
#include "kernels/math/twin_lanes.hpp"
#include "tests/math/lanes.hpp"

namespace livens::tests {
namespace {

/// The bits of x, with all NaN alike: which of two NaN an operation hands on is the compiler's to choose.
std::uint64_t bits(double x) {
  std::uint64_t r;
  std::memcpy(&r, &x, sizeof r);
  return x == x ? r : 0x7ff8000000000000ull;
}

/// Straight from (0, 1) by (1, 3) to (3, -1), and held before and behind.
struct Points {
  static constexpr int pieces = 4, first_step = 2;
  static constexpr double period = 0.0;
  static const double* data() {
    static constexpr double numbers[] = {0.0, 1.0, 0.0,  0.0, 0.0, 0.0,  0.0, 1.0,  2.0, 0.0, 0.0, 2.0,
                                         1.0, 3.0, -2.0, 0.0, 0.0, -4.0, 3.0, -1.0, 0.0, 0.0, 0.0, 2.0};
    return numbers;
  }
};

template <class Many>
struct Comparison {
  static constexpr int W = lanes_of<Many>;
  LaneReport& report;

  void note(const char* name, double expected, double found) {
    ++report.compared;
    if (bits(expected) == bits(found)) return;
    if (report.different++ == 0) report.first = name;
  }
  void note(const char* name, bool expected, bool found) {
    note(name, expected ? 1.0 : 0.0, found ? 1.0 : 0.0);
  }

  template <class Operation>
  void unary(const char* name, const double* a, Operation&& op) {
    const Many r = op(load<Many>(a));
    for (int l = 0; l < W; ++l) note(name, op(a[l]), lane(r, l));
  }
  template <class Operation>
  void binary(const char* name, const double* a, const double* b, Operation&& op) {
    const Many r = op(load<Many>(a), load<Many>(b));
    for (int l = 0; l < W; ++l) note(name, op(a[l], b[l]), lane(r, l));
  }
  template <class Operation>
  void ternary(const char* name, const double* a, const double* b, const double* c, Operation&& op) {
    const Many r = op(load<Many>(a), load<Many>(b), load<Many>(c));
    for (int l = 0; l < W; ++l) note(name, op(a[l], b[l], c[l]), lane(r, l));
  }
  template <class Operation>
  void predicate(const char* name, const double* a, const double* b, Operation&& op) {
    const Mask<Many> r = op(load<Many>(a), load<Many>(b));
    bool some = false, every = true;
    for (int l = 0; l < W; ++l) {
      const bool expected = op(a[l], b[l]);
      note(name, expected, lane_mask(r, l));
      note(name, !expected, lane_mask(!r, l));
      some = some || expected;
      every = every && expected;
    }
    note(name, some, any(r));
    note(name, every, all(r));
  }

  void all_operations(const double* a, const double* b, const double* c) {
    unary("minus", a, [](auto x) { return -x; });
    unary("sqrt", a, [](auto x) { return sqrt(x); });
    unary("abs", a, [](auto x) { return abs(x); });
    unary("rint", a, [](auto x) { return rint(x); });
    unary("sign_of", a, [](auto x) { return sign_of(x); });
    unary("sin", a, [](auto x) { return sin(x); });
    unary("cos", a, [](auto x) { return cos(x); });
    unary("exp", a, [](auto x) { return exp(x); });
    unary("log", a, [](auto x) { return log(x); });
    unary("tanh", a, [](auto x) { return tanh(x); });
    unary("sinc", a, [](auto x) { return sinc(x); });
    unary("sinc_slope", a, [](auto x) { return sinc_slope(x); });
    unary("sinhc", a, [](auto x) { return sinhc(x); });
    unary("sinhc_slope", a, [](auto x) { return sinhc_slope(x); });
    unary("tanhc", a, [](auto x) { return tanhc(x); });
    unary("tanhc_slope", a, [](auto x) { return tanhc_slope(x); });
    unary("atanhc", a, [](auto x) { return atanhc(x); });
    unary("atanhc_slope", a, [](auto x) { return atanhc_slope(x); });
    unary("asin", a, [](auto x) { return asin(x); });
    unary("acos", a, [](auto x) { return acos(x); });
    unary("atan", a, [](auto x) { return atan(x); });
    unary("sinh", a, [](auto x) { return sinh(x); });
    unary("cosh", a, [](auto x) { return cosh(x); });
    unary("sign", a, [](auto x) { return sign(x); });
    unary("atanc", a, [](auto x) { return atanc(x); });
    unary("atanc_slope", a, [](auto x) { return atanc_slope(x); });
    unary("table", a, [](auto x) { return table_value<0>(Points{}, x); });
    unary("table's slope", a, [](auto x) { return table_value<1>(Points{}, x); });
    binary("table's quotient", a, b, [](auto x, auto y) { return table_quotient<0>(Points{}, x, y); });
    binary("its slope", a, b, [](auto x, auto y) { return table_quotient_slope<0>(Points{}, x, y); });
    binary("atan2", a, b, [](auto x, auto y) { return atan2(x, y); });
    binary("asin_quotient", a, b, [](auto x, auto y) { return asin_quotient(x, y); });
    binary("asin_quotient_slope", a, b, [](auto x, auto y) { return asin_quotient_slope(x, y); });
    binary("atan_quotient", a, b, [](auto x, auto y) { return atan_quotient(x, y); });
    binary("atan_quotient_slope", a, b, [](auto x, auto y) { return atan_quotient_slope(x, y); });
    binary("log_quotient", a, b, [](auto x, auto y) { return log_quotient(x, y); });
    binary("log_quotient_slope", a, b, [](auto x, auto y) { return log_quotient_slope(x, y); });
    binary("lesser_of", a, b, [](auto x, auto y) { return lesser_of(x, y); });
    binary("greater_of", a, b, [](auto x, auto y) { return greater_of(x, y); });
    binary("less", a, b, [](auto x, auto y) { return less(x, y); });
    binary("less_or_equal", a, b, [](auto x, auto y) { return less_or_equal(x, y); });
    binary("kept", a, b, [](auto x, auto y) { return kept(x, y); });
    unary("cos_two_pi", a, [](auto x) { return cos_two_pi(x); });
    binary("+", a, b, [](auto x, auto y) { return x + y; });
    binary("-", a, b, [](auto x, auto y) { return x - y; });
    binary("*", a, b, [](auto x, auto y) { return x * y; });
    binary("/", a, b, [](auto x, auto y) { return x / y; });
    binary("max", a, b, [](auto x, auto y) { return max(x, y); });
    binary("min", a, b, [](auto x, auto y) { return min(x, y); });
    predicate("<", a, b, [](auto x, auto y) { return x < y; });
    predicate("<=", a, b, [](auto x, auto y) { return x <= y; });
    predicate(">", a, b, [](auto x, auto y) { return x > y; });
    predicate(">=", a, b, [](auto x, auto y) { return x >= y; });
    predicate("==", a, b, [](auto x, auto y) { return x == y; });
    predicate("finite", a, b, [](auto x, auto) { return finite(x); });
    predicate("and", a, b, [](auto x, auto y) { return (x < y) & (x == x); });
    predicate("or", a, b, [](auto x, auto y) { return (x < y) | (x == x); });
    ternary("fma", a, b, c, [](auto x, auto y, auto z) { return fma(x, y, z); });
    ternary("fnma", a, b, c, [](auto x, auto y, auto z) { return fnma(x, y, z); });
    // A zero keeps its sign.
    ternary("-fma", a, b, c, [](auto x, auto y, auto z) { return -fma(x, y, z); });
    ternary("-fnma", a, b, c, [](auto x, auto y, auto z) { return -fnma(x, y, z); });
    binary("-(a - b)", a, b, [](auto x, auto y) { return -(x - y); });
    binary("-(a + b)", a, b, [](auto x, auto y) { return -(x + y); });
    binary("-(a b)", a, b, [](auto x, auto y) { return -(x * y); });
    ternary("select", a, b, c, [](auto x, auto y, auto z) { return select(x < y, y, z); });
    ternary("norm_inf", a, b, c, [](auto x, auto y, auto z) {
      return norm_inf(Vec3<decltype(x)>{{x, y, z}});
    });
    for (int l = 0; l < W; ++l) {
      Many changed = load<Many>(a);
      set_lane(changed, l, c[l]);
      for (int k = 0; k < W; ++k) note("set_lane", k == l ? c[k] : a[k], lane(changed, k));
      double stored[W];
      store(stored, changed);
      note("store", c[l], stored[l]);
    }
  }
};

template <class Many>
void compare(LaneReport& report) {
  constexpr int W = lanes_of<Many>;
  const double nan = __builtin_nan(""), inf = __builtin_inf();
  const double values[] = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           nan,
                           -nan,
                           inf,
                           -inf,
                           5e-324,
                           -5e-324,
                           2.2250738585072014e-308,
                           1.7976931348623157e308,
                           -1.7976931348623157e308,
                           0.5,
                           -0.5,
                           1.5,
                           2.5,
                           -2.5,
                           1.0 / 3.0,
                           3.141592653589793,
                           -1e5,
                           12345.678,
                           4503599627370496.5,
                           1e-17,
                           0.25,
                           0.75};
  constexpr int count = sizeof values / sizeof *values;
  Comparison<Many> comparison{report};
  // Every pair (i, j) with a third that runs through the list, and different values in different lanes.
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      double a[W], b[W], c[W];
      for (int l = 0; l < W; ++l) {
        a[l] = values[(i + l) % count];
        b[l] = values[(j + 3 * l) % count];
        c[l] = values[(i + 5 * j + 7 * l) % count];
      }
      comparison.all_operations(a, b, c);
    }
}

}  // namespace

LaneReport compare_lanes_avx512() {
  LaneReport report;
  compare<Lanes<4>>(report);
  compare<Lanes<8>>(report);
  compare<Twin<Lanes<4>>>(report);
  compare<Twin<Lanes<8>>>(report);
  return report;
}

}  // namespace livens::tests
