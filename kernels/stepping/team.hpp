#pragma once
// A team of threads that share the work on a block of instances: a block of CUDA threads
// (kernels/backends/cuda/cuda_team.cuh), some threads of a processor (tests/ensembles/team_of_threads.hpp),
// or one by itself. Whatever is written for a team calls
//
//   rank(), size()            the member, 0, 1, ...; their number
//   wait()                    until all members are here; each then sees what the others have written
//   count(condition)          members for which it holds
//   sum_before(number)        sum of the numbers of the members of lower rank
//   sort(keys, count)         numbers of `key_bits` bits, sign included, that all share, into ascending order
//
// where all but the first two are calls of every member, in the same order; sort() begins and ends as wait().
// All results are whole numbers, so that none depends on how a team finds them.

#include <cstdint>

#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

/// Bits of a key that a team sorts: it lies in [-2^(key_bits - 1), 2^(key_bits - 1)).
inline constexpr int key_bits = 18;
/// Keys that it sorts at most.
inline constexpr int most_keys = 1024;

/// Sorts by the lower half of the bits, then by the upper one, and counts instead of comparing: which of two
/// keys comes first no processor foresees.
inline void sort_by_digits(std::int32_t* keys, int count) {
  constexpr int bits = key_bits / 2, digits = 1 << bits, offset = 1 << (key_bits - 1);
  static_assert(2 * bits == key_bits);
  const auto lower = [](std::int32_t key) { return (key + offset) & (digits - 1); };
  const auto upper = [](std::int32_t key) { return (key + offset) >> bits; };
  std::uint16_t lower_place[digits] = {}, upper_place[digits] = {};
  for (int i = 0; i < count; ++i) {
    ++lower_place[lower(keys[i])];
    ++upper_place[upper(keys[i])];
  }
  int lower_keys = 0, upper_keys = 0;  // before a digit
  for (int digit = 0; digit < digits; ++digit) {
    const int with_lower = lower_place[digit], with_upper = upper_place[digit];
    lower_place[digit] = static_cast<std::uint16_t>(lower_keys);
    upper_place[digit] = static_cast<std::uint16_t>(upper_keys);
    lower_keys += with_lower;
    upper_keys += with_upper;
  }
  std::int32_t by_lower[most_keys];
  for (int i = 0; i < count; ++i) by_lower[lower_place[lower(keys[i])]++] = keys[i];
  for (int i = 0; i < count; ++i) keys[upper_place[upper(by_lower[i])]++] = by_lower[i];
}

/// A thread of a processor by itself.
struct Alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  void wait() const {}
  int count(bool condition) const { return condition ? 1 : 0; }
  int sum_before(int) const { return 0; }
  void sort(std::int32_t* keys, int count) const { sort_by_digits(keys, count); }
};

}  // namespace livens::inline LIVENS_ISA
