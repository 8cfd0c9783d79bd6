#pragma once
// Every pair as the library has it for every instruction set: one instance at a time on any processor, four
// with AVX2, eight with AVX-512, and as these take their difficult steps, one at a time again. All must give the bits
// of the first.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/backends/one_at_a_time.hpp"

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
    if (best_isa() != Isa::plain) {
      const auto pairs = pairs_one_at_a_time(best_isa());
      usable_ones.insert(usable_ones.end() - 1, {"one at a time", {pairs.begin(), pairs.end()}, {}});
    }
    return usable_ones;
  }();
  return all;
}

/// Those of the widest instruction set, of assemblies or of all other systems.
inline std::vector<PairKernels> widest(bool assembled) {
  std::vector<PairKernels> some;
  for (const PairKernels& pair : tables().back().pairs)
    if (pair.system->capabilities.has(Capability::assembly) == assembled) some.push_back(pair);
  return some;
}
/// The pairs that the laws run on. An assembly is not one whose states may be drawn near its default: its
/// beams would be stretched by a tenth. It has tests of its own, in tests/assembly.
inline const std::vector<PairKernels>& pairs() {
  static const std::vector<PairKernels> all = widest(false);
  return all;
}
/// True for the first of the forms in which a scheme runs a system.
inline bool taken_by_default(const PairKernels& pair) {
  for (const PairKernels& other : tables().back().pairs)
    if (other.system->info == pair.system->info && other.scheme == pair.scheme)
      return other.form == std::string(pair.form);
  return false;
}
inline const std::vector<PairKernels>& assembled_pairs() {
  static const std::vector<PairKernels> all = widest(true);
  return all;
}

inline std::string name_of(const PairKernels& pair) {
  const char* precision = pair.precision == Precision::single ? "_single" : "";
  return std::string(pair.system->info->name) + "_" + pair.scheme->name + "_" + pair.form + precision;
}

/// The same system, scheme, form and precision in another table; null where it was not compiled: the last
/// table has all in double precision, others perhaps the preferred forms alone of the schemes that a system takes
/// where none is named.
inline const PairKernels* find(const Table& table, const PairKernels& pair) {
  const bool single = pair.precision == Precision::single;
  for (const PairKernels& other : single ? table.single_pairs : table.pairs)
    if (name_of(other) == name_of(pair)) return &other;
  return nullptr;
}
/// Of the lists of all tables the pairs that are wanted, each of the widest table that has it so.
template <class Wanted>
std::vector<PairKernels> widest_of(std::vector<PairKernels> Table::*list, const Wanted& wanted) {
  std::vector<PairKernels> found;
  for (auto table = tables().rbegin(); table != tables().rend(); ++table)
    for (const PairKernels& pair : (*table).*list)
      if (wanted(pair) && std::ranges::none_of(found, [&](const PairKernels& other) {
            return name_of(other) == name_of(pair);
          }))
        found.push_back(pair);
  return found;
}
inline const std::vector<PairKernels>& single_pairs() {
  static const std::vector<PairKernels> all =
      widest_of(&Table::single_pairs, [](const PairKernels&) { return true; });
  return all;
}
/// The same in the first table that has it.
inline const PairKernels& find_first(const PairKernels& pair) {
  for (const Table& table : tables())
    if (const PairKernels* const there = find(table, pair)) return *there;
  return pair;
}

}  // namespace livens::laws
