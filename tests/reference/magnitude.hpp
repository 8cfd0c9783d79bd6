#pragma once
// A number beside the sum of the absolute values of the terms it was made of: what rounding is relative to.

#include <cmath>

namespace livens::reference {

/// The terms of a sum of products, each rounded to eps of itself, can be off by eps x size for every
/// operation they go through.
struct Sized {
  double value, size;
  Sized(double x) : value(x), size(std::abs(x)) {}
  Sized(double value, double size) : value(value), size(size) {}

  friend Sized operator+(Sized a, Sized b) { return {a.value + b.value, a.size + b.size}; }
  friend Sized operator-(Sized a, Sized b) { return {a.value - b.value, a.size + b.size}; }
  friend Sized operator-(Sized a) { return {-a.value, a.size}; }
  friend Sized operator*(Sized a, Sized b) { return {a.value * b.value, a.size * b.size}; }
  friend Sized operator/(Sized a, double b) { return {a.value / b, a.size / std::abs(b)}; }
  // The rounding of the argument shows, too.
  friend Sized sin(Sized a) { return {std::sin(a.value), 1.0 + a.size}; }
  friend Sized cos(Sized a) { return {std::cos(a.value), 1.0 + a.size}; }
};

}  // namespace livens::reference
