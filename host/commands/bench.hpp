#pragma once
// Measures steps per second of every pair and backend against naive loops.

#include <optional>
#include <string>

#include "kernels/backends/interface.hpp"

namespace livens::host {

struct BenchOptions {
  Precision precision = Precision::full;
  std::optional<std::string> json;  ///< file for the figures
};
int bench(const BenchOptions& options);

}  // namespace livens::host
