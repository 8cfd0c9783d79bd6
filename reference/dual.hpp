#pragma once
// Forward mode: dual numbers a + b e with e*e = 0. Evaluating a formula at value + slope e returns its value
// and its derivative along one direction; with several slopes (Chunk) along several at the price of little
// more. They nest: Dual<Dual<double>> carries second derivatives.

#include <Eigen/Core>
#include <cmath>
#include <type_traits>

namespace livens::reference {

/// The plain number under any depth of derivatives: branches are decided by it.
inline double plain(double a) { return a; }

template <class S, class Slope = S>
struct Dual {
  S value{};
  Slope slope = Slope(0.0);

  Dual() = default;
  Dual(double constant) : value(constant) {}
  Dual(const S& constant) requires(!std::is_same_v<S, double>) : value(constant) {}
  Dual(const S& value, const Slope& slope) : value(value), slope(slope) {}

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.slope}; }
  friend Dual operator*(const Dual& a, double b) { return b * a; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const S quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
  friend Dual operator/(const Dual& a, double b) { return {a.value / b, a.slope / b}; }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  friend Dual sin(const Dual& a) {
    using std::cos, std::sin;
    return {sin(a.value), cos(a.value) * a.slope};
  }
  friend Dual cos(const Dual& a) {
    using std::cos, std::sin;
    return {cos(a.value), -(sin(a.value) * a.slope)};
  }
  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const S root = sqrt(a.value);
    return {root, a.slope / (2.0 * root)};
  }
  friend Dual tan(const Dual& a) {
    using std::tan;
    const S value = tan(a.value);
    return {value, (1.0 + value * value) * a.slope};
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const S value = exp(a.value);
    return {value, value * a.slope};
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return {log(a.value), a.slope / a.value};
  }
  friend Dual tanh(const Dual& a) {
    using std::tanh;
    const S value = tanh(a.value);
    return {value, (1.0 - value * value) * a.slope};
  }
  friend Dual asin(const Dual& a) {
    using std::asin, std::sqrt;
    return {asin(a.value), a.slope / sqrt((1.0 - a.value) * (1.0 + a.value))};
  }
  friend Dual acos(const Dual& a) {
    using std::acos, std::sqrt;
    return {acos(a.value), -(a.slope / sqrt((1.0 - a.value) * (1.0 + a.value)))};
  }
  friend Dual atan(const Dual& a) {
    using std::atan;
    return {atan(a.value), a.slope / (1.0 + a.value * a.value)};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const S square = x.value * x.value + y.value * y.value;
    return {atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / square};
  }
  friend Dual sinh(const Dual& a) {
    using std::cosh, std::sinh;
    return {sinh(a.value), cosh(a.value) * a.slope};
  }
  friend Dual cosh(const Dual& a) {
    using std::cosh, std::sinh;
    return {cosh(a.value), sinh(a.value) * a.slope};
  }
  friend Dual abs(const Dual& a) {
    if (plain(a.value) == 0.0) return {a.value, 0.0 * a.slope};  // the mean of both sides
    return plain(a.value) < 0.0 ? -a : a;
  }
};

template <class S, class Slope>
double plain(const Dual<S, Slope>& a) {
  return plain(a.value);
}

/// Derivatives along eight directions at once: that many columns of a Jacobian.
constexpr int chunk_size = 8;
using Chunk = Dual<double, Eigen::Array<double, chunk_size, 1>>;

template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The traits that Eigen must know of a scalar that carries derivatives.
template <class S>
struct DifferentiableTraits : Eigen::GenericNumTraits<S> {
  using Real = S;
  using NonInteger = S;
  using Nested = S;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1 };
};

}  // namespace livens::reference

namespace Eigen {
template <class S, class Slope>
struct NumTraits<livens::reference::Dual<S, Slope>>
    : livens::reference::DifferentiableTraits<livens::reference::Dual<S, Slope>> {};
template <class S, class Slope, class Operation>
struct ScalarBinaryOpTraits<livens::reference::Dual<S, Slope>, double, Operation> {
  using ReturnType = livens::reference::Dual<S, Slope>;
};
template <class S, class Slope, class Operation>
struct ScalarBinaryOpTraits<double, livens::reference::Dual<S, Slope>, Operation> {
  using ReturnType = livens::reference::Dual<S, Slope>;
};
}  // namespace Eigen
