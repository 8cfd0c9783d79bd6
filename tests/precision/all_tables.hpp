#pragma once
// The same instances on every instruction set, to the bit.

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

/// Instances that differ in everything. One of them has steps so long that they are difficult, and one does
/// not start.
inline std::vector<Instance> with_difficult_ones(const PairKernels& pair, Damping damping) {
  Random random(60);
  auto instances = draw_many(*pair.system, random, damping, 24);
  instances[5].h *= 1e4;
  instances[11].v[1] = std::nan("");
  instances[20].h *= 8;
  return instances;
}

/// The records after some steps, for every table, against the first one's.
inline void expect_equal_on_all_tables(const PairKernels& pair, Damping damping, const Settings& settings) {
  if (tables().size() < 2) GTEST_SKIP() << "this processor runs only one instruction set";
  const auto instances = with_difficult_ones(pair, damping);
  const int steps = pair.unknowns > 40 ? 20 : 200;
  Ensemble scalar(*find(tables().front(), pair), instances, settings);
  scalar.advance(steps);
  for (std::size_t t = 1; t < tables().size(); ++t) {
    Ensemble other(*find(tables()[t], pair), instances, settings);
    // However the run is cut.
    other.advance(1);
    other.advance(steps - 1);
    for (int i = 0; i < static_cast<int>(instances.size()); ++i)
      EXPECT_TRUE(same_bits(other.record(i), scalar.record(i))) << tables()[t].name << ", instance " << i;
  }
  EXPECT_EQ(scalar.column(0, Column::steps), steps);
  EXPECT_NE(scalar.status(11), Status::ok);
}

}  // namespace livens::laws
