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

/// A thread of a processor by itself, which counts bins instead of sorting them (statistics.hpp).
struct Alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  void wait() const {}
  int count(bool condition) const { return condition ? 1 : 0; }
  int sum_before(int) const { return 0; }
};

}  // namespace livens::inline LIVENS_ISA
