#pragma once
// A row of the table of `livens check`: one law, tried.

#include <string>

namespace livens::host {

struct Finding {
  std::string law, scheme;  ///< "-" where a law is not about a scheme
  double value, bound;
  bool at_least = false;  ///< the bound is the least value, not the largest

  /// Not a number holds nothing.
  bool holds() const { return at_least ? value >= bound : value <= bound; }
};

}  // namespace livens::host
