#pragma once
// Numbers on record: what a number is made of is kept, so that one pass from the end to the start has the derivatives
// of a sum by everything that it is made of (equations/tangents.md, section 7). An operation leaves a node on the
// recording: those that it was made of, and its slopes by them, which are those of dual.hpp. What depends on nothing
// on record is a constant, and leaves none. One instance at a time, on a processor; a recording alone allocates.

#include <vector>

#include "kernels/math/exact.hpp"
#include "kernels/math/tables.hpp"
#include "kernels/tangents/power_exponents.hpp"

namespace livens::inline LIVENS_ISA {

class Recording;

/// A value, and its node on a recording.
struct Reverse {
  double value;
  Recording* on = nullptr;  ///< null: a constant, as is what nobody has set
  int node = -1;

  Reverse() = default;
  LIVENS_HD Reverse(double v) : value(v) {}
};
template <>
inline constexpr bool has_partials<Reverse> = true;

/// The nodes of a computation in its order, and what a sum of its results changes by with each: their adjoints.
class Recording {
 public:
  /// Overwrites w with J^-T w; `root` is what the caller has kept of J.
  using Solve = void(const double* root, double* w);

  /// What is on record by now stays there, and goes on adding up its adjoints, while sweeps end before it.
  void stay() { staying_ = nodes_.size(); }
  /// Back to what stays.
  void rewind() {
    nodes_.resize(staying_);
    adjoints_.resize(staying_);
    roots_.clear();
    residuals_.clear();
    kept_.clear();
  }
  Reverse variable(double value) { return made(value, {0.0, 0.0, -1, -1, -1}); }
  /// `value`, with slopes by a and b and the slope 1 by c.
  Reverse made(double value, int a, double by_a, int b, double by_b, int c) {
    return made(value, {by_a, by_b, a, b, c});
  }
  /// Makes x, n constants, a root of n residuals. `root`: numbers that `solve` wants, of which there are `size`.
  void add_root(Reverse* x, const Reverse* residual, int n, const double* root, int size, Solve* solve) {
    roots_.push_back({static_cast<int>(nodes_.size()), n, residuals_.size(), kept_.size(), solve});
    for (int i = 0; i < n; ++i) residuals_.push_back(residual[i].on ? residual[i].node : -1);
    kept_.insert(kept_.end(), root, root + size);
    for (int i = 0; i < n; ++i) x[i] = variable(x[i].value);
  }

  /// Counts a result `by` times.
  void add(const Reverse& result, double by) {
    if (!result.on) return;
    adjoints_.resize(nodes_.size());
    adjoints_[static_cast<std::size_t>(result.node)] += by;
  }
  /// From the last node to the first, or to what stays.
  void sweep() { sweep(nodes_.size(), staying_); }
  /// What stays, once all sweeps are done.
  void sweep_what_stays() {
    rewind();
    sweep(staying_, 0);
  }
  double adjoint(const Reverse& variable) const { return adjoints_[static_cast<std::size_t>(variable.node)]; }

 private:
  struct Node {
    double by_a, by_b;
    int a, b, c;  ///< -1: nothing
  };
  /// Its n numbers are the nodes from `first` on.
  struct Root {
    int first, n;
    std::size_t residual, kept;
    Solve* solve;
  };

  Reverse made(double value, const Node& node) {
    Reverse r(value);
    r.on = this;
    r.node = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
    return r;
  }
  void sweep(std::size_t from, std::size_t to) {
    adjoints_.resize(nodes_.size());
    std::size_t roots = roots_.size();
    for (std::size_t i = from; i-- > to;) {
      const Node& node = nodes_[i];
      const double w = adjoints_[i];
      if (w != 0.0) {
        if (node.a >= 0) add(node.a, node.by_a * w);
        if (node.b >= 0) add(node.b, node.by_b * w);
        if (node.c >= 0) add(node.c, w);
      }
      if (roots > 0 && static_cast<int>(i) == roots_[roots - 1].first) pass(roots_[--roots]);
    }
  }
  void add(int node, double by) { adjoints_[static_cast<std::size_t>(node)] += by; }
  /// The residuals change by J x.: theirs are -J^-T w.
  void pass(const Root& root) {
    double* const w = adjoints_.data() + root.first;
    bool any = false;
    for (int i = 0; i < root.n; ++i) any = any || w[i] != 0.0;
    if (!any) return;
    root.solve(kept_.data() + root.kept, w);
    for (int i = 0; i < root.n; ++i)
      if (const int residual = residuals_[root.residual + static_cast<std::size_t>(i)]; residual >= 0)
        add(residual, -w[i]);
  }

  std::vector<Node> nodes_;
  std::vector<double> adjoints_;
  std::vector<Root> roots_;
  std::vector<int> residuals_;  ///< nodes, root after root
  std::vector<double> kept_;    ///< numbers of the roots
  std::size_t staying_ = 0;     ///< nodes
};

/// A number made of a, b and, with the slope 1, of c. By what it does not change with it is not made of.
[[gnu::noinline]] inline Reverse made_of(double value, const Reverse& a, double by_a, const Reverse& b = 0.0,
                                         double by_b = 0.0, const Reverse& c = 0.0) {
  const bool of_a = a.on && by_a != 0.0, of_b = b.on && by_b != 0.0;
  Recording* const on = of_a ? a.on : of_b ? b.on : c.on;
  if (!on) return value;
  return on->made(value, of_a ? a.node : -1, by_a, of_b ? b.node : -1, by_b, c.on ? c.node : -1);
}

LIVENS_HD Reverse operator+(const Reverse& a, const Reverse& b) {
  return made_of(a.value + b.value, a, 1.0, 0.0, 0.0, b);
}
LIVENS_HD Reverse operator-(const Reverse& a, const Reverse& b) {
  return made_of(a.value - b.value, b, -1.0, 0.0, 0.0, a);
}
LIVENS_HD Reverse operator-(const Reverse& a) { return made_of(-a.value, a, -1.0); }
LIVENS_HD Reverse operator*(const Reverse& a, const Reverse& b) {
  return made_of(a.value * b.value, a, b.value, b, a.value);
}
LIVENS_HD Reverse operator/(const Reverse& a, const Reverse& b) {
  const double quotient = a.value / b.value, reciprocal = 1.0 / b.value;
  return made_of(quotient, a, reciprocal, b, -reciprocal * quotient);
}
LIVENS_HD bool operator<(const Reverse& a, const Reverse& b) { return a.value < b.value; }
LIVENS_HD bool operator<=(const Reverse& a, const Reverse& b) { return a.value <= b.value; }
LIVENS_HD bool operator>(const Reverse& a, const Reverse& b) { return a.value > b.value; }
LIVENS_HD bool operator>=(const Reverse& a, const Reverse& b) { return a.value >= b.value; }
LIVENS_HD bool operator==(const Reverse& a, const Reverse& b) { return a.value == b.value; }

LIVENS_HD Reverse fma(const Reverse& a, const Reverse& b, const Reverse& c) {
  return made_of(fma(a.value, b.value, c.value), a, b.value, b, a.value, c);
}
LIVENS_HD Reverse fnma(const Reverse& a, const Reverse& b, const Reverse& c) {
  return made_of(fnma(a.value, b.value, c.value), a, -b.value, b, -a.value, c);
}
LIVENS_HD Reverse sqrt(const Reverse& a) {
  const double root = sqrt(a.value);
  return made_of(root, a, root == 0.0 ? 0.0 : 0.5 / root);
}
LIVENS_HD Reverse sin(const Reverse& a) { return made_of(sin(a.value), a, cos(a.value)); }
LIVENS_HD Reverse cos(const Reverse& a) { return made_of(cos(a.value), a, -sin(a.value)); }
LIVENS_HD SineCosine<Reverse> sine_cosine(const Reverse& a) {
  const SineCosine<double> at = sine_cosine(a.value);
  return {made_of(at.sine, a, at.cosine), made_of(at.cosine, a, -at.sine)};
}
LIVENS_HD Reverse exp(const Reverse& a) {
  const double power = exp(a.value);
  return made_of(power, a, power);
}
LIVENS_HD Reverse log(const Reverse& a) { return made_of(log(a.value), a, 1.0 / a.value); }
LIVENS_HD Reverse select(bool mask, const Reverse& a, const Reverse& b) { return mask ? a : b; }
LIVENS_HD Reverse abs(const Reverse& a) { return a.value < 0.0 ? -a : a; }
LIVENS_HD Reverse max(const Reverse& a, const Reverse& b) { return a.value > b.value ? a : b; }
LIVENS_HD Reverse min(const Reverse& a, const Reverse& b) { return a.value < b.value ? a : b; }
LIVENS_HD Reverse sign_of(const Reverse& a) { return sign_of(a.value); }
LIVENS_HD Reverse rint(const Reverse& a) { return rint(a.value); }

/// In proportion, as by rounding dual numbers have it: what is in a unit of time does not depend on the unit, if it is one.
/// An adjoint would be rounded as a number of its own.
LIVENS_HD Reverse power_of_two_below(const Reverse& a) {
  const double power = power_of_two_below(a.value);
  return made_of(power, a, power / a.value);
}
LIVENS_HD Reverse power_quotient(const Reverse& x, const Reverse& e) {
  return made_of(power_quotient(x.value, e.value), x, x.value * power_quotient_slope(x.value, e.value), e,
                 e.on ? power_quotient_by_exponent(x.value, e.value) : 0.0);
}
template <int order, class Table>
LIVENS_HD Piece<Reverse> piece_at(const Table& table, const Reverse& x) {
  const Piece<double> r = piece_at<order>(table, x.value);
  return {r.number, r.turns, r.start, r.value, r.slope, r.bend, r.twist, r.jump, r.next_start, r.next_value};
}

}  // namespace livens::inline LIVENS_ISA
