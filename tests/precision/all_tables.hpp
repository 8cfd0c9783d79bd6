#pragma once
// The same instances on every instruction set, to the bit.

#include <optional>

#include "tests/laws/bad_neighbours.hpp"

namespace livens::laws {

/// The records after some steps, for every table, against those of the first that has the pair.
inline void expect_equal_on_all_tables(const PairKernels& pair, Damping damping, const Settings& settings) {
  if (tables().size() < 2) GTEST_SKIP() << "this processor runs only one instruction set";
  const auto instances = beside_bad_ones(pair, damping, 24);
  const int steps = pair.unknowns > 40 ? 20 : 200;
  std::optional<Ensemble> first;
  int compared = 0;
  for (const Table& table : tables()) {
    const PairKernels* const there = find(table, pair);
    if (there == nullptr || (settings.precision == Precision::mixed && there->advance_mixed == nullptr))
      continue;
    if (!first) {
      first.emplace(*there, instances, settings);
      first->advance(steps);
      continue;
    }
    ++compared;
    Ensemble other(*there, instances, settings);
    // However the run is cut.
    other.advance(1);
    other.advance(steps - 1);
    for (int i = 0; i < static_cast<int>(instances.size()); ++i)
      EXPECT_TRUE(same_bits(other.record(i), first->record(i))) << table.name << ", instance " << i;
  }
  ASSERT_TRUE(first);
  EXPECT_EQ(first->column(0, Column::steps), steps);
  EXPECT_NE(first->status(not_finite), Status::ok);
  if (compared == 0) GTEST_SKIP() << "one instruction set alone has it";
}

}  // namespace livens::laws
