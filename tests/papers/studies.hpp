#pragma once
// The specs of studies/ as a user runs them, with a line replaced where a test needs it.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/program/runs.hpp"

namespace livens {

constexpr double eps = 2.220446049250313e-16;

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// Runs studies/<name>.toml with every `first` replaced by `second`; a text that is not there
/// throws.
inline ensembles::Result run_study(const std::string& name, const Replacements& replacements = {}) {
  const std::string path = std::string(LIVENS_STUDIES) + "/" + name + ".toml";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::string spec = text.str();
  if (spec.empty()) throw std::runtime_error("no study " + path);
  for (const auto& [from, to] : replacements) {
    const std::size_t at = spec.find(from);
    if (at == std::string::npos) throw std::runtime_error(name + " does not contain " + from);
    spec.replace(at, from.size(), to);
  }
  return integrate(spec);
}

/// Entry c of coordinate array `values` (R,K,d) of trajectory r at sample k.
inline double entry(const ensembles::Result& result, const std::vector<double>& values, std::size_t r,
                    std::size_t k, int width, int c) {
  return values[(r * result.time.size() + k) * width + c];
}

/// The steps of a trajectory's energy, sample to sample.
inline std::vector<double> increments(const ensembles::Result& result, const std::vector<double>& values,
                                      std::size_t r) {
  const std::size_t K = result.time.size();
  std::vector<double> steps;
  for (std::size_t k = 1; k < K; ++k) steps.push_back(values[r * K + k] - values[r * K + k - 1]);
  return steps;
}
inline double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace livens
