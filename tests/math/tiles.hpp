#pragma once
// The elimination by an emulated warp against that of one thread, for any pattern.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/math/gpu/emulated_warp.hpp"
#include "kernels/math/gpu/tile_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Both not a number, or the same bits.
inline bool same_value(double a, double b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// Of every four matrices `l` three have good pivots; of every eight one has an entry that is far too large,
/// a zero or not finite.
template <class Pattern>
SparseMatrix<double, Pattern> random_entries(std::mt19937_64& random, int l) {
  static constexpr auto given = GivenSlots<Pattern>::make();
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  SparseMatrix<double, Pattern> A;
  A.clear();
  for (int i = 0; i < Pattern::size; ++i) {
    for (int j = 0; j < Pattern::size; ++j) {
      if (Pattern::nonzero(i, j))
        A.entries[Symbolic<Pattern>::slot(i, j)] = uniform(random) + (i == j && l % 4 != 0 ? 4.0 : 0.0);
    }
  }
  if (l % 8 == 5) {
    const double spoilers[] = {1e300, 0.0, std::nan(""), HUGE_VAL};
    A.entries[given.slot[random() % GivenSlots<Pattern>::count]] = spoilers[random() % 4];
  }
  return A;
}

template <class Pattern>
void expect_the_bits_of_one_thread(int samples) {
  constexpr int n = Pattern::size, entries = Symbolic<Pattern>::table.count;
  using Single = SparseMatrix<double, Pattern>;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int solved = 0, flagged = 0;
  for (int sample = 0; sample < samples; ++sample) {
    warps_run_downwards = sample % 2 == 1;
    SparseMatrix<EmulatedWarp, Pattern> A;
    Vec<EmulatedWarp, n> b;
    std::vector<Single> single(warp_size);
    std::vector<Vec<double, n>> exact(warp_size);
    for (int l = 0; l < warp_size; ++l) {
      single[l] = random_entries<Pattern>(random, l);
      for (int i = 0; i < n; ++i) exact[l][i] = uniform(random);
      for (int e = 0; e < entries; ++e) set_lane(A.entries[e], l, single[l].entries[e]);
      for (int i = 0; i < n; ++i) set_lane(b[i], l, exact[l][i]);
    }
    const Vec<EmulatedWarp, n> given = b;
    const EmulatedMask active(sample % 3 == 0 ? 0xffffffffu : static_cast<std::uint32_t>(random()));
    const EmulatedMask raised = solve_unpivoted(A, b, active);
    for (int l = 0; l < warp_size; ++l) {
      if (!lane_mask(active, l)) {
        EXPECT_FALSE(lane_mask(raised, l));
        for (int i = 0; i < n; ++i) EXPECT_TRUE(same_value(lane(b[i], l), lane(given[i], l)));
        continue;
      }
      const bool flag = solve_unpivoted(single[l], exact[l]);
      ++(flag ? flagged : solved);
      ASSERT_EQ(lane_mask(raised, l), flag) << "sample " << sample << ", lane " << l;
      for (int i = 0; i < n; ++i)
        ASSERT_TRUE(same_value(lane(b[i], l), exact[l][i]))
            << "sample " << sample << ", lane " << l << ", row " << i << ": " << lane(b[i], l) - exact[l][i];
    }
  }
  warps_run_downwards = false;
  EXPECT_GT(solved, samples);
  EXPECT_GT(flagged, 0);
}

}  // namespace livens::inline LIVENS_ISA
