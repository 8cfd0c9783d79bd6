#pragma once
// What the text of a scalar says of its dependence on the velocities, docs/equations/text.md section 2: an
// expression evaluated on VelocityTerms, multiplied out, before anything cancels.

#include <array>
#include <initializer_list>

#include "table.hpp"

namespace livens::reference {

struct VelocityTerms {
  /// The terms of one degree: whether there are any, and whether q, or t, appears in one.
  struct Terms {
    bool present = false, of_position = false, of_time = false;

    Terms& operator|=(const Terms& other) {
      present |= other.present;
      of_position |= other.of_position;
      of_time |= other.of_time;
      return *this;
    }
  };
  std::array<Terms, 3> of_degree;
  bool endless = false;  // of a higher degree than 2, or of none

  VelocityTerms(double) : of_degree{Terms{true}} {}
  static VelocityTerms of(int degree, bool of_position, bool of_time) {
    VelocityTerms terms;
    terms.of_degree[degree] = {true, of_position, of_time};
    return terms;
  }

  int degree() const {
    if (endless) return 3;
    return of_degree[2].present ? 2 : of_degree[1].present ? 1 : 0;
  }

  friend VelocityTerms operator+(const VelocityTerms& a, const VelocityTerms& b) {
    VelocityTerms sum = a;
    sum.endless |= b.endless;
    for (int i = 0; i < 3; ++i) sum.of_degree[i] |= b.of_degree[i];
    return sum;
  }
  friend VelocityTerms operator-(const VelocityTerms& a, const VelocityTerms& b) { return a + b; }
  friend VelocityTerms operator-(const VelocityTerms& a) { return a; }
  friend VelocityTerms operator*(const VelocityTerms& a, const VelocityTerms& b) {
    VelocityTerms product;
    product.endless = a.endless || b.endless;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (!a.of_degree[i].present || !b.of_degree[j].present) continue;
        if (i + j > 2) {
          product.endless = true;
        } else {
          product.of_degree[i + j] |= a.of_degree[i];
          product.of_degree[i + j] |= b.of_degree[j];
        }
      }
    }
    return product;
  }
  friend VelocityTerms operator/(const VelocityTerms& a, const VelocityTerms& b) { return a * opaque({b}); }

  /// Any other function of these.
  static VelocityTerms opaque(std::initializer_list<VelocityTerms> arguments) {
    VelocityTerms result;
    for (const VelocityTerms& a : arguments) {
      result.endless |= a.degree() > 0;
      result.of_degree[0] |= a.of_degree[0];
    }
    return result;
  }
  friend VelocityTerms power(const VelocityTerms& a, const VelocityTerms& b) { return opaque({a, b}); }
  friend VelocityTerms atan2(const VelocityTerms& a, const VelocityTerms& b) { return opaque({a, b}); }
  friend VelocityTerms lesser(const VelocityTerms& a, const VelocityTerms& b) { return opaque({a, b}); }
  friend VelocityTerms greater(const VelocityTerms& a, const VelocityTerms& b) { return opaque({a, b}); }
  friend VelocityTerms either(const VelocityTerms& a, const VelocityTerms& b, const VelocityTerms& c,
                              const VelocityTerms& d) {
    return opaque({a, b, c, d});
  }
  friend VelocityTerms looked_up(const Table&, const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms sqrt(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms sin(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms cos(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms tan(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms asin(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms acos(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms atan(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms sinh(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms cosh(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms tanh(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms exp(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms log(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms abs(const VelocityTerms& a) { return opaque({a}); }
  friend VelocityTerms sign(const VelocityTerms& a) { return opaque({a}); }

 private:
  VelocityTerms() = default;
};

}  // namespace livens::reference
