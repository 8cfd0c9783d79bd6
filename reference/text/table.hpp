#pragma once
// A table as a function of one scalar, docs/equations/text.md section 1: polynomials from knot to knot, and one
// on either side of them.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "reference/dual.hpp"

namespace livens::reference {

struct TableDescription {
  std::vector<double> x, y;
  std::string between = "cubic";  // linear
  std::string beyond = "error";   // hold, linear
  bool periodic = false;
};

class Table {
 public:
  /// Throws std::invalid_argument, without a key, for what is no table.
  explicit Table(const TableDescription& given);

  Table derivative() const;
  /// Whether it is a derivative that is not continuous.
  bool jumps() const { return order_ > (smooth_ ? 2 : 0); }

  template <class R>
  R value(const R& x) const {
    const R at = reduced(x);
    return polynomial(piece_of(plain(at)), at);
  }

  /// [f(a1) - f(a0)]/(a1 - a0), the derivative where a1 = a0.
  template <class S>
  S quotient(const S& a0, const S& a1) const {
    if (plain(a1) < plain(a0)) return quotient(a1, a0);
    if (period_ > 0.0 && plain(a1) - plain(a0) > period_) return (value(a1) - value(a0)) / (a1 - a0);
    const S low = reduced(a0), high = a1 + (low - a0);
    std::size_t i = piece_of(plain(low));
    if (plain(high) < end_of(i)) return slope_between(i, low, high, 0.0);
    S sum(0.0), from = low;
    double turned = 0.0;  // whole periods behind
    for (; plain(high) >= end_of(i) + turned; from = S(end_of(i) + turned), advance(i, turned))
      sum = sum + (end_of(i) + turned - from) * slope_between(i, from, S(end_of(i) + turned), turned);
    sum = sum + (high - from) * slope_between(i, from, high, turned);
    return sum / (high - low);
  }

 private:
  /// k0 + k1 s + k2 s^2 + k3 s^3, s = x - knot, from `from` on.
  struct Piece {
    double from, knot;
    std::array<double, 4> k;
  };

  Table() = default;

  std::size_t piece_of(double x) const;
  double end_of(std::size_t i) const;
  /// To the next piece, of a periodic table also from the last one to the first.
  void advance(std::size_t& i, double& turned) const;

  template <class R>
  R reduced(const R& x) const {
    return period_ > 0.0 ? R(x - period_ * std::floor((plain(x) - start_) / period_)) : x;
  }
  template <class R>
  R polynomial(std::size_t i, const R& x) const {
    const auto& [from, knot, k] = pieces_[i];
    const R s = x - knot;
    return k[0] + s * (k[1] + s * (k[2] + s * k[3]));
  }
  template <class S>
  S slope_between(std::size_t i, const S& x0, const S& x1, double turned) const {
    const auto& [from, knot, k] = pieces_[i];
    const S s0 = x0 - (knot + turned), s1 = x1 - (knot + turned);
    return k[1] + k[2] * (s0 + s1) + k[3] * (s0 * s0 + s0 * s1 + s1 * s1);
  }

  std::vector<Piece> pieces_;
  double start_ = 0.0, period_ = 0.0;  // no period: 0
  bool smooth_ = true;                 // twice continuously differentiable
  int order_ = 0;                      // a table is its own derivative of order 0
};

}  // namespace livens::reference
