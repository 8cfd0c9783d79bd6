#pragma once
// Measures steps per second of every pair and backend against naive loops.

#include <optional>
#include <string>

#include "kernels/description/interface.hpp"

namespace livens::host {

struct BenchOptions {
  Precision precision = Precision::full;
  std::optional<std::string> json;  ///< file for the figures
  bool markdown = false;            ///< prints the table of docs/performance.md
  std::string only;                 ///< the beginning of SYSTEM/SCHEME/FORM; empty: every pair
  std::optional<std::string> isa;   ///< avx2 or avx512; those that the processor has if not set
  int rounds = 7;                   ///< of which the median is taken
  bool tangent = false;             ///< what a direction of [tangent] takes, in place of naive loops
};
int bench(const BenchOptions& options);

}  // namespace livens::host
