#pragma once
// A team of threads that share the work on a block of instances: a block of CUDA threads
// (kernels/backends/cuda/cuda_team.cuh), some threads of a processor (tests/ensembles/team_of_threads.hpp),
// or one by itself. Whatever is written for a team calls
//
//   rank(), size()            the member, 0, 1, ...; their number
//   wait()                    until all members are here; each then sees what the others have written
//   count(condition)          members for which it holds
//   sort(keys, count)         at most block_size numbers that all share, into ascending order
//
// where all but the first two are calls of every member, in the same order; sort() begins and ends as wait().
// All results are whole numbers, so that none depends on how a team finds them.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernels/math/scalar.hpp"

namespace livens {

/// Instances that share statistics, and the multiple at which everything is cut.
inline constexpr std::int64_t block_size = 1024;

}  // namespace livens

namespace livens::inline LIVENS_ISA {

/// A thread of a processor by itself.
struct Alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  void wait() const {}
  int count(bool condition) const { return condition ? 1 : 0; }
  /// Digit by digit, from the last one; those that all keys have in common cost nothing.
  void sort(std::uint64_t* keys, int count) const {
    constexpr int digits = 8, values = 256;
    std::uint16_t counts[digits][values] = {};
    for (int i = 0; i < count; ++i)
      for (int digit = 0; digit < digits; ++digit) ++counts[digit][keys[i] >> 8 * digit & (values - 1)];
    std::uint64_t room[block_size];
    std::uint64_t *from = keys, *to = room;
    for (int digit = 0; digit < digits; ++digit) {
      const auto digit_of = [digit](std::uint64_t key) { return key >> 8 * digit & (values - 1); };
      if (count == 0 || counts[digit][digit_of(keys[0])] == count) continue;
      std::uint16_t places[values];
      int place = 0;
      for (int value = 0; value < values; ++value) {
        places[value] = static_cast<std::uint16_t>(place);
        place += counts[digit][value];
      }
      for (int i = 0; i < count; ++i) to[places[digit_of(from[i])]++] = from[i];
      std::swap(from, to);
    }
    if (from != keys) std::copy(from, from + count, keys);
  }
};

}  // namespace livens::inline LIVENS_ISA
