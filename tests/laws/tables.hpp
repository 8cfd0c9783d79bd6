#pragma once
// Every pair, compiled for every scalar: the first table holds one instance of double on any processor, the
// others must give its bits.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/backends/registry.hpp"

namespace livens::laws {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

struct Table {
  std::string name;
  bool usable;  ///< compiled in, and this processor can run it
  std::vector<PairKernels> pairs;
};

const std::vector<Table>& tables();

inline const std::vector<PairKernels>& pairs() { return tables().front().pairs; }

inline std::string name_of(const PairKernels& pair) {
  return std::string(pair.system->info->name) + "_" + pair.scheme->name + "_" + pair.form;
}

/// The same system, scheme and form in another table; null where it was not compiled.
inline const PairKernels* find(const Table& table, const PairKernels& pair) {
  for (const PairKernels& other : table.pairs)
    if (name_of(other) == name_of(pair)) return &other;
  return nullptr;
}

}  // namespace livens::laws
