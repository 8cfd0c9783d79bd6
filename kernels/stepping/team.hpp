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
#include <bit>
#include <cstdint>
#include <utility>

#include "kernels/math/scalar.hpp"

namespace livens {

/// Instances that share statistics, and the multiple at which everything is cut.
inline constexpr std::int64_t block_size = 1024;

}  // namespace livens

namespace livens::inline LIVENS_ISA {

/// Ascending order, by the first bits in which the keys differ: as many places as there are keys, or more, and in most of
/// them one key or two. Where many share a place they are sorted by their next bits.
inline void sort_by_leading_bits(std::uint64_t* keys, int count, std::uint64_t* room) {
  constexpr int few = 16;
  if (count > few) {
    std::uint64_t least = keys[0], largest = keys[0];
    for (int i = 1; i < count; ++i) {
      least = std::min(least, keys[i]);
      largest = std::max(largest, keys[i]);
    }
    if (least == largest) return;
    const int bits = std::bit_width(static_cast<unsigned>(count) - 1), places = 1 << bits;
    const int shift = std::max(0, static_cast<int>(std::bit_width(least ^ largest)) - bits);
    const auto place_of = [&](std::uint64_t key) { return key >> shift & static_cast<unsigned>(places - 1); };
    std::uint16_t end[block_size + 1] = {};
    for (int i = 0; i < count; ++i) ++end[place_of(keys[i]) + 1];
    for (int place = 1; place < places; ++place)
      end[place + 1] = static_cast<std::uint16_t>(end[place + 1] + end[place]);
    for (int i = 0; i < count; ++i) room[end[place_of(keys[i])]++] = keys[i];
    std::copy(room, room + count, keys);
    for (int place = 0, begin = 0; place < places; begin = end[place++])
      if (end[place] - begin > few) sort_by_leading_bits(keys + begin, end[place] - begin, room);
  }
  for (int i = 1; i < count; ++i) {
    const std::uint64_t key = keys[i];
    int at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

/// A thread of a processor by itself.
struct Alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  void wait() const {}
  int count(bool condition) const { return condition ? 1 : 0; }
  void sort(std::uint64_t* keys, int count) const {
    std::uint64_t room[block_size];
    sort_by_leading_bits(keys, count, room);
  }
};

}  // namespace livens::inline LIVENS_ISA
