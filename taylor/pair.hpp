#pragma once
// Two registers side by side: a recurrence is a chain in which each operation waits for the one before, and
// two chains take the time of one. The words of kernels/math/scalar.hpp that the series take.

#include "kernels/math/lanes.hpp"

namespace livens::inline LIVENS_ISA {

template <class One>
struct PairMask {
  Mask<One> first, second;
  friend LIVENS_HD PairMask operator&(const PairMask& a, const PairMask& b) {
    return {Mask<One>(a.first & b.first), Mask<One>(a.second & b.second)};
  }
  friend LIVENS_HD PairMask operator|(const PairMask& a, const PairMask& b) {
    return {Mask<One>(a.first | b.first), Mask<One>(a.second | b.second)};
  }
  friend LIVENS_HD bool any(const PairMask& a) { return livens::any(Mask<One>(a.first | a.second)); }
};

template <class One>
struct Pair {
  One first, second;
  Pair() = default;
  LIVENS_HD Pair(const One& a, const One& b) : first(a), second(b) {}
  LIVENS_HD Pair(double a) : first(a), second(a) {}

  friend LIVENS_HD Pair operator+(const Pair& a, const Pair& b) {
    return {a.first + b.first, a.second + b.second};
  }
  friend LIVENS_HD Pair operator-(const Pair& a, const Pair& b) {
    return {a.first - b.first, a.second - b.second};
  }
  friend LIVENS_HD Pair operator*(const Pair& a, const Pair& b) {
    return {a.first * b.first, a.second * b.second};
  }
  friend LIVENS_HD Pair operator/(const Pair& a, const Pair& b) {
    return {a.first / b.first, a.second / b.second};
  }
  friend LIVENS_HD Pair operator-(const Pair& a) { return {-a.first, -a.second}; }
  friend LIVENS_HD PairMask<One> operator<(const Pair& a, const Pair& b) {
    return {a.first < b.first, a.second < b.second};
  }
  friend LIVENS_HD PairMask<One> operator<=(const Pair& a, const Pair& b) {
    return {a.first <= b.first, a.second <= b.second};
  }
  friend LIVENS_HD PairMask<One> operator>(const Pair& a, const Pair& b) { return b < a; }
  friend LIVENS_HD PairMask<One> operator>=(const Pair& a, const Pair& b) { return b <= a; }
  friend LIVENS_HD PairMask<One> operator==(const Pair& a, const Pair& b) {
    return {a.first == b.first, a.second == b.second};
  }

  friend LIVENS_HD Pair fma(const Pair& a, const Pair& b, const Pair& c) {
    return {livens::fma(a.first, b.first, c.first), livens::fma(a.second, b.second, c.second)};
  }
  friend LIVENS_HD Pair fnma(const Pair& a, const Pair& b, const Pair& c) {
    return {livens::fnma(a.first, b.first, c.first), livens::fnma(a.second, b.second, c.second)};
  }
  friend LIVENS_HD Pair max(const Pair& a, const Pair& b) {
    return {livens::max(a.first, b.first), livens::max(a.second, b.second)};
  }
  friend LIVENS_HD Pair min(const Pair& a, const Pair& b) {
    return {livens::min(a.first, b.first), livens::min(a.second, b.second)};
  }
  friend LIVENS_HD Pair select(const PairMask<One>& mask, const Pair& a, const Pair& b) {
    return {livens::select(mask.first, a.first, b.first), livens::select(mask.second, a.second, b.second)};
  }
  friend LIVENS_HD Pair sqrt(const Pair& a) { return {livens::sqrt(a.first), livens::sqrt(a.second)}; }
  friend LIVENS_HD Pair abs(const Pair& a) { return {livens::abs(a.first), livens::abs(a.second)}; }
  friend LIVENS_HD Pair rint(const Pair& a) { return {livens::rint(a.first), livens::rint(a.second)}; }
  friend LIVENS_HD Pair sign_of(const Pair& a) {
    return {livens::sign_of(a.first), livens::sign_of(a.second)};
  }
  friend LIVENS_HD Pair two_to(const Pair& a) { return {livens::two_to(a.first), livens::two_to(a.second)}; }
  friend LIVENS_HD Pair exponent_of(const Pair& a) {
    return {livens::exponent_of(a.first), livens::exponent_of(a.second)};
  }
  friend LIVENS_HD void store(double* values, const Pair& a) {
    livens::store(values, a.first);
    livens::store(values + lanes_of<One>, a.second);
  }
};

template <class One>
struct MaskOf<Pair<One>> {
  using type = PairMask<One>;
};
template <class One>
inline constexpr int lanes_of<Pair<One>> = 2 * lanes_of<One>;

}  // namespace livens::inline LIVENS_ISA
