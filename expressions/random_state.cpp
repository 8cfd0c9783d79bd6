#include "expressions/random_state.hpp"

namespace livens::expressions {

/// splitmix64.
double RandomState::uniform() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

std::vector<double> RandomState::parameters() {
  std::vector<double> result;
  for (const Parameter& p : description_.parameters)
    for (const double value : p.defaults) {
      const double factor = 0.5 + uniform();
      result.push_back(value == 0.0 ? factor : value * factor);
    }
  return result;
}

std::vector<double> RandomState::vector(int size) {
  std::vector<double> result;
  for (int i = 0; i < size; ++i) result.push_back(2.0 * uniform() - 1.0);
  return result;
}

}  // namespace livens::expressions
