#pragma once
// Every pair as the library has it for every instruction set: one instance at a time on any processor, four
// with AVX2, eight with AVX-512. All must give the bits of the first.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/backends/registry.hpp"

namespace livens::laws {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// The pairs of one instruction set, compiled in and usable on this processor.
struct Table {
  std::string name;
  std::vector<PairKernels> pairs, single_pairs;
};

inline const std::vector<Table>& tables() {
  static const std::vector<Table> all = [] {
    std::vector<Table> usable_ones;
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512})
      if (usable(isa)) {
        const auto full = cpu_pairs(isa), single = cpu_pairs(isa, Precision::single);
        usable_ones.push_back({isa_name(isa), {full.begin(), full.end()}, {single.begin(), single.end()}});
      }
    return usable_ones;
  }();
  return all;
}

/// The pairs that the laws run on: those of the widest instruction set.
inline const std::vector<PairKernels>& pairs() { return tables().back().pairs; }

/// Those of them in single precision.
inline const std::vector<PairKernels>& single_pairs() { return tables().back().single_pairs; }

inline std::string name_of(const PairKernels& pair) {
  const char* precision = pair.precision == Precision::single ? "_single" : "";
  return std::string(pair.system->info->name) + "_" + pair.scheme->name + "_" + pair.form + precision;
}

/// The same system, scheme, form and precision in another table; null where it was not compiled: the first
/// and the last table have all, one between them perhaps the preferred forms in double precision alone.
inline const PairKernels* find(const Table& table, const PairKernels& pair) {
  const bool single = pair.precision == Precision::single;
  for (const PairKernels& other : single ? table.single_pairs : table.pairs)
    if (name_of(other) == name_of(pair)) return &other;
  return nullptr;
}

}  // namespace livens::laws
