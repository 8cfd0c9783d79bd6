#pragma once
// Reverse mode: a formula evaluated on Adjoint<S> leaves its operations on a tape; going back over them
// gives the whole gradient for the price of a few evaluations, however many coordinates there are.

#include <vector>

#include "dual.hpp"

namespace livens::reference {

template <class S>
struct Adjoint {
  static constexpr int constant = -1;

  struct Operation {
    int a, b;  // places of its arguments on the tape, or constant
    S Da, Db;  // derivatives of its result with respect to them
  };
  inline static thread_local std::vector<Operation> tape;

  S value{};
  int place = constant;

  Adjoint() = default;
  Adjoint(double value) : value(value) {}
  Adjoint(const S& value) requires(!std::is_same_v<S, double>) : value(value) {}

  static Adjoint variable(const S& value) { return recorded(value, {constant, constant, S(0.0), S(0.0)}); }

  friend Adjoint operator+(const Adjoint& a, const Adjoint& b) {
    return result(a.value + b.value, a, S(1.0), b, S(1.0));
  }
  friend Adjoint operator-(const Adjoint& a, const Adjoint& b) {
    return result(a.value - b.value, a, S(1.0), b, S(-1.0));
  }
  friend Adjoint operator-(const Adjoint& a) { return result(-a.value, a, S(-1.0)); }
  friend Adjoint operator*(const Adjoint& a, const Adjoint& b) {
    return result(a.value * b.value, a, b.value, b, a.value);
  }
  friend Adjoint operator*(double a, const Adjoint& b) { return result(a * b.value, b, S(a)); }
  friend Adjoint operator*(const Adjoint& a, double b) { return b * a; }
  friend Adjoint operator/(const Adjoint& a, const Adjoint& b) {
    const S quotient = a.value / b.value;
    return result(quotient, a, S(1.0) / b.value, b, -quotient / b.value);
  }
  friend Adjoint operator/(const Adjoint& a, double b) { return result(a.value / b, a, S(1.0 / b)); }
  Adjoint& operator+=(const Adjoint& b) { return *this = *this + b; }
  Adjoint& operator-=(const Adjoint& b) { return *this = *this - b; }
  Adjoint& operator*=(const Adjoint& b) { return *this = *this * b; }
  Adjoint& operator/=(const Adjoint& b) { return *this = *this / b; }

  friend bool operator==(const Adjoint& a, const Adjoint& b) { return a.value == b.value; }

  friend Adjoint sin(const Adjoint& a) {
    using std::cos, std::sin;
    return result(sin(a.value), a, cos(a.value));
  }
  friend Adjoint cos(const Adjoint& a) {
    using std::cos, std::sin;
    return result(cos(a.value), a, -sin(a.value));
  }
  friend Adjoint sqrt(const Adjoint& a) {
    using std::sqrt;
    const S root = sqrt(a.value);
    return result(root, a, 0.5 / root);
  }
  friend Adjoint tan(const Adjoint& a) {
    using std::tan;
    const S value = tan(a.value);
    return result(value, a, 1.0 + value * value);
  }
  friend Adjoint exp(const Adjoint& a) {
    using std::exp;
    const S value = exp(a.value);
    return result(value, a, value);
  }
  friend Adjoint log(const Adjoint& a) {
    using std::log;
    return result(log(a.value), a, 1.0 / a.value);
  }
  friend Adjoint tanh(const Adjoint& a) {
    using std::tanh;
    const S value = tanh(a.value);
    return result(value, a, 1.0 - value * value);
  }
  friend Adjoint asin(const Adjoint& a) {
    using std::asin, std::sqrt;
    return result(asin(a.value), a, 1.0 / sqrt((1.0 - a.value) * (1.0 + a.value)));
  }
  friend Adjoint acos(const Adjoint& a) {
    using std::acos, std::sqrt;
    return result(acos(a.value), a, -1.0 / sqrt((1.0 - a.value) * (1.0 + a.value)));
  }
  friend Adjoint atan(const Adjoint& a) {
    using std::atan;
    return result(atan(a.value), a, 1.0 / (1.0 + a.value * a.value));
  }
  friend Adjoint atan2(const Adjoint& y, const Adjoint& x) {
    using std::atan2;
    const S square = x.value * x.value + y.value * y.value;
    return result(atan2(y.value, x.value), y, x.value / square, x, -y.value / square);
  }
  friend Adjoint sinh(const Adjoint& a) {
    using std::cosh, std::sinh;
    return result(sinh(a.value), a, cosh(a.value));
  }
  friend Adjoint cosh(const Adjoint& a) {
    using std::cosh, std::sinh;
    return result(cosh(a.value), a, sinh(a.value));
  }
  friend Adjoint abs(const Adjoint& a) {
    if (plain(a.value) == 0.0) return result(a.value, a, S(0.0));  // the mean of both sides
    return plain(a.value) < 0.0 ? -a : a;
  }

 private:
  static Adjoint recorded(const S& value, const Operation& operation) {
    Adjoint result(value);
    result.place = static_cast<int>(tape.size());
    tape.push_back(operation);
    return result;
  }
  static Adjoint result(const S& value, const Adjoint& a, const S& Da) {
    return a.place == constant ? Adjoint(value) : recorded(value, {a.place, constant, Da, S(0.0)});
  }
  static Adjoint result(const S& value, const Adjoint& a, const S& Da, const Adjoint& b, const S& Db) {
    if (a.place == constant && b.place == constant) return value;
    return recorded(value, {a.place, b.place, Da, Db});
  }
};

template <class S>
double plain(const Adjoint<S>& a) {
  return plain(a.value);
}

}  // namespace livens::reference

namespace Eigen {
template <class S>
struct NumTraits<livens::reference::Adjoint<S>>
    : livens::reference::DifferentiableTraits<livens::reference::Adjoint<S>> {};
template <class S, class Operation>
struct ScalarBinaryOpTraits<livens::reference::Adjoint<S>, double, Operation> {
  using ReturnType = livens::reference::Adjoint<S>;
};
template <class S, class Operation>
struct ScalarBinaryOpTraits<double, livens::reference::Adjoint<S>, Operation> {
  using ReturnType = livens::reference::Adjoint<S>;
};
}  // namespace Eigen
