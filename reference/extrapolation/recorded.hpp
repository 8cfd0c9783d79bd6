#pragma once
// An expression of a text as a list of operations, one behind another: recorded once by the walk of its tree,
// evaluated as often as there are stages of an extrapolation, forwards for values and slopes, backwards for
// gradients. Numbers are long double from the start: what consists of parameters is not rounded to double.

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "reference/text/walk.hpp"

namespace livens::reference {

using Long = long double;
inline double plain(Long a) { return static_cast<double>(a); }

enum class Action {
  add,
  subtract,
  multiply,
  divide,
  negate,
  sqrt,
  sin,
  cos,
  tan,
  exp,
  log,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh
};

/// Places: first the variables, then the numbers, then one for each operation.
class Tape {
 public:
  explicit Tape(int variables) : variables_(variables) {}

  int number(Long value);
  int operation(Action action, int a, int b);

  /// The values of all places.
  template <class S>
  void evaluate(const std::vector<S>& x, std::vector<S>& values) const {
    values.assign(size(), S(Long(0)));
    for (std::size_t i = 0; i < x.size(); ++i) values[i] = x[i];
    for (const auto& [value, place] : numbers_) values[at(place)] = S(value);
    for (const Operation& one : operations_)
      values[at(one.place)] = result(one.action, values[at(one.a)], values[at(one.b)]);
  }

  /// The derivatives of the place `of` by the variables, from the values of all places.
  template <class S>
  std::vector<S> gradient(int of, const std::vector<S>& values) const {
    std::vector<S> slope(size(), S(Long(0)));
    slope[at(of)] = S(Long(1));
    for (auto one = operations_.rbegin(); one != operations_.rend(); ++one) pull(*one, values, slope);
    slope.resize(at(variables_), S(Long(0)));
    return slope;
  }

 private:
  struct Operation {
    Action action;
    int a, b, place;
  };

  static std::size_t at(int place) { return static_cast<std::size_t>(place); }
  std::size_t size() const { return at(variables_) + numbers_.size() + operations_.size(); }

  template <class S>
  static S result(Action action, const S& a, const S& b) {
    using std::sinh, std::cosh, std::tanh;
    using std::sqrt, std::sin, std::cos, std::tan, std::exp, std::log, std::asin, std::acos, std::atan;
    switch (action) {
      case Action::add:
        return a + b;
      case Action::subtract:
        return a - b;
      case Action::multiply:
        return a * b;
      case Action::divide:
        return a / b;
      case Action::negate:
        return -a;
      case Action::sqrt:
        return sqrt(a);
      case Action::sin:
        return sin(a);
      case Action::cos:
        return cos(a);
      case Action::tan:
        return tan(a);
      case Action::exp:
        return exp(a);
      case Action::log:
        return log(a);
      case Action::asin:
        return asin(a);
      case Action::acos:
        return acos(a);
      case Action::atan:
        return atan(a);
      case Action::sinh:
        return sinh(a);
      case Action::cosh:
        return cosh(a);
      default:
        return tanh(a);
    }
  }

  template <class S>
  static void pull(const Operation& one, const std::vector<S>& values, std::vector<S>& slope) {
    using std::sqrt, std::sin, std::cos, std::sinh, std::cosh;
    const S& s = slope[at(one.place)];
    const S &a = values[at(one.a)], &b = values[at(one.b)], &c = values[at(one.place)];
    S &to_a = slope[at(one.a)], &to_b = slope[at(one.b)];
    const S number_one(Long(1)), two(Long(2));
    switch (one.action) {
      case Action::add:
        to_a += s;
        to_b += s;
        break;
      case Action::subtract:
        to_a += s;
        to_b -= s;
        break;
      case Action::multiply: {
        const S of_a = s * b, of_b = s * a;  // a and b may be one place
        to_a += of_a;
        to_b += of_b;
        break;
      }
      case Action::divide: {
        const S of_a = s / b;
        const S of_b = of_a * c;
        to_a += of_a;
        to_b -= of_b;
        break;
      }
      case Action::negate:
        to_a -= s;
        break;
      case Action::sqrt:
        to_a += s / (two * c);
        break;
      case Action::sin:
        to_a += s * cos(a);
        break;
      case Action::cos:
        to_a -= s * sin(a);
        break;
      case Action::tan:
        to_a += s * (number_one + c * c);
        break;
      case Action::exp:
        to_a += s * c;
        break;
      case Action::log:
        to_a += s / a;
        break;
      case Action::asin:
        to_a += s / sqrt((number_one - a) * (number_one + a));
        break;
      case Action::acos:
        to_a -= s / sqrt((number_one - a) * (number_one + a));
        break;
      case Action::atan:
        to_a += s / (number_one + a * a);
        break;
      case Action::sinh:
        to_a += s * cosh(a);
        break;
      case Action::cosh:
        to_a += s * sinh(a);
        break;
      default:
        to_a += s * (number_one - c * c);
        break;
    }
  }

  int variables_, next_ = variables_;
  std::map<Long, int> numbers_;
  std::vector<Operation> operations_;
  std::map<std::tuple<Action, int, int>, int> known_;  // what was recorded before is not recorded again
};

/// The scalar that records. One without a tape is a number.
class Recorded {
 public:
  Recorded(double number) : number_(number) {}
  Recorded(Tape& tape, int place) : tape_(&tape), place_(place) {}

  /// On the tape, also where it is a number.
  int place_on(Tape& tape) const { return tape_ ? place_ : tape.number(number_); }

  friend Recorded operator+(const Recorded& a, const Recorded& b) {
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    return both(Action::add, a, b, a.number_ + b.number_);
  }
  friend Recorded operator-(const Recorded& a, const Recorded& b) {
    if (b.is(0)) return a;
    return both(Action::subtract, a, b, a.number_ - b.number_);
  }
  friend Recorded operator*(const Recorded& a, const Recorded& b) {
    if (a.is(0) || b.is(0)) return 0.0;
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    return both(Action::multiply, a, b, a.number_ * b.number_);
  }
  friend Recorded operator/(const Recorded& a, const Recorded& b) {
    if (a.is(0)) return 0.0;
    if (b.is(1)) return a;
    return both(Action::divide, a, b, a.number_ / b.number_);
  }
  friend Recorded operator-(const Recorded& a) { return one(Action::negate, a, -a.number_); }

  friend Recorded sqrt(const Recorded& a) { return one(Action::sqrt, a, std::sqrt(a.number_)); }
  friend Recorded sin(const Recorded& a) { return one(Action::sin, a, std::sin(a.number_)); }
  friend Recorded cos(const Recorded& a) { return one(Action::cos, a, std::cos(a.number_)); }
  friend Recorded tan(const Recorded& a) { return one(Action::tan, a, std::tan(a.number_)); }
  friend Recorded exp(const Recorded& a) { return one(Action::exp, a, std::exp(a.number_)); }
  friend Recorded log(const Recorded& a) { return one(Action::log, a, std::log(a.number_)); }
  friend Recorded asin(const Recorded& a) { return one(Action::asin, a, std::asin(a.number_)); }
  friend Recorded acos(const Recorded& a) { return one(Action::acos, a, std::acos(a.number_)); }
  friend Recorded atan(const Recorded& a) { return one(Action::atan, a, std::atan(a.number_)); }
  friend Recorded sinh(const Recorded& a) { return one(Action::sinh, a, std::sinh(a.number_)); }
  friend Recorded cosh(const Recorded& a) { return one(Action::cosh, a, std::cosh(a.number_)); }
  friend Recorded tanh(const Recorded& a) { return one(Action::tanh, a, std::tanh(a.number_)); }
  /// Found by the walker in place of its own.
  friend Recorded power(const Recorded& a, const Recorded& b) { return exp(b * log(a)); }
  friend Recorded abs(const Recorded& a) { return constant("abs", a, std::abs(a.number_)); }
  friend Recorded sign(const Recorded& a) {
    return constant("sign", a, Long(a.number_ > 0) - Long(a.number_ < 0));
  }
  friend Recorded atan2(const Recorded& a, const Recorded& b) {
    return constant("atan2", a + b, std::atan2(a.number_, b.number_));
  }
  friend Recorded lesser(const Recorded& a, const Recorded& b) {
    return constant("min", a + b, std::min(a.number_, b.number_));
  }
  friend Recorded greater(const Recorded& a, const Recorded& b) {
    return constant("max", a + b, std::max(a.number_, b.number_));
  }
  friend Recorded looked_up(const Table&, const Recorded&) { refuse("a table"); }
  friend Recorded either(const Recorded&, const Recorded&, const Recorded&, const Recorded&) {
    refuse("where");
  }

 private:
  Recorded(Long number) : number_(number) {}
  bool is(int number) const { return !tape_ && number_ == number; }

  static Recorded both(Action action, const Recorded& a, const Recorded& b, Long number) {
    if (!a.tape_ && !b.tape_) return number;
    Tape& tape = a.tape_ ? *a.tape_ : *b.tape_;
    return {tape, tape.operation(action, a.place_on(tape), b.place_on(tape))};
  }
  static Recorded one(Action action, const Recorded& a, Long number) { return both(action, a, a, number); }
  static Recorded constant(const char* name, const Recorded& a, Long number) {
    if (a.tape_) refuse(name);
    return number;
  }
  /// Throws std::invalid_argument: an extrapolation has no order across a kink.
  [[noreturn]] static void refuse(const std::string& name);

  Tape* tape_ = nullptr;
  int place_ = 0;
  Long number_ = 0;
};

/// A scalar of the coordinates, the velocities and the time, in this order.
class RecordedScalar {
 public:
  RecordedScalar(const Tape& tape, int place) : tape_(tape), place_(place) {}

  template <class S>
  S value(const std::vector<S>& x) const {
    std::vector<S> values;
    tape_.evaluate(x, values);
    return values[static_cast<std::size_t>(place_)];
  }
  template <class S>
  std::vector<S> gradient(const std::vector<S>& x) const {
    std::vector<S> values;
    tape_.evaluate(x, values);
    return tape_.gradient(place_, values);
  }

 private:
  Tape tape_;
  int place_;
};

/// The entries of an expression, each on a tape of its own.
std::vector<RecordedScalar> recorded(const Expression& expression, int d,
                                     const std::vector<double>& parameters);

}  // namespace livens::reference
