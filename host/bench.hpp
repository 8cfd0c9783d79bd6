#pragma once
// Measures steps per second of every pair and backend against naive loops.

#include <optional>
#include <string>

namespace livens::host {

struct BenchOptions {
  std::optional<std::string> json;  ///< file for the figures
};
int bench(const BenchOptions& options);

}  // namespace livens::host
