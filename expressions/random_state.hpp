#pragma once
// Random parameters and states for what is tried on numbers: the same ones on every machine.

#include <vector>

#include "expressions/description.hpp"

namespace livens::expressions {

class RandomState {
 public:
  explicit RandomState(const Description& description) : description_(description) {}
  /// Every default times a factor from 1/2 to 3/2; where it is zero, the factor itself.
  std::vector<double> parameters();
  /// From -1 to 1.
  std::vector<double> vector(int size);

 private:
  double uniform();  ///< [0, 1)
  const Description& description_;
  std::uint64_t state_ = 1;
};

}  // namespace livens::expressions
