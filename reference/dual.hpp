#pragma once
// Forward-mode dual numbers a + b e with e*e = 0: evaluating a formula at value + slope e returns its value
// and its directional derivative. They nest: Dual<Dual<double>> carries second derivatives, which is all
// the automatic differentiation used here.

#include <Eigen/Core>
#include <cmath>
#include <type_traits>

namespace livens::reference {

template <class S>
struct Dual {
  S value{};
  S slope{};

  Dual() = default;
  Dual(double constant) : value(constant), slope(0.0) {}
  Dual(const S& constant) requires(!std::is_same_v<S, double>) : value(constant), slope(0.0) {}
  Dual(const S& value, const S& slope) : value(value), slope(slope) {}

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

  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value && a.slope == b.slope; }

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
};

/// The plain number under any depth of duals: branches are decided by it.
inline double plain(double a) { return a; }
template <class S>
double plain(const Dual<S>& a) {
  return plain(a.value);
}

using Dual1 = Dual<double>;
using Dual2 = Dual<Dual1>;
using Dual3 = Dual<Dual2>;

template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace livens::reference

namespace Eigen {
template <class S>
struct NumTraits<livens::reference::Dual<S>> : GenericNumTraits<livens::reference::Dual<S>> {
  using Real = livens::reference::Dual<S>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1 };
};
template <class S, class Operation>
struct ScalarBinaryOpTraits<livens::reference::Dual<S>, double, Operation> {
  using ReturnType = livens::reference::Dual<S>;
};
template <class S, class Operation>
struct ScalarBinaryOpTraits<double, livens::reference::Dual<S>, Operation> {
  using ReturnType = livens::reference::Dual<S>;
};
}  // namespace Eigen
