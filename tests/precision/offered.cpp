// The forms that are compiled in lower precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "tests/laws/tables.hpp"

namespace livens::laws {

/// Forms of at most 16 unknowns, of each pair the one that is taken by default: reduced if there is one. A
/// build may have them on vectors for the scheme alone that a system takes where none is named.
TEST(LowerPrecision, IsOfferedForTheFormsTakenByDefaultAndOnlyThose) {
  const auto same_pair = [](const PairKernels& a, const PairKernels& b) {
    return a.system->info == b.system->info && a.scheme == b.scheme;
  };
  const std::string_view reduced = "reduced";
  const Table& table = tables().back();  // it is complete in every build
  for (const PairKernels& pair : table.pairs) {
    bool taken = true;
    for (const PairKernels& other : table.pairs)
      taken = taken && !(same_pair(pair, other) && pair.form != reduced && other.form == reduced);
    const bool offered = pair.unknowns == 0 || (taken && pair.unknowns <= 16);
    const bool mixed = pair.advance_mixed != nullptr;
    const bool single =
        std::any_of(table.single_pairs.begin(), table.single_pairs.end(), [&](const PairKernels& other) {
          return same_pair(pair, other) && other.form == std::string_view(pair.form);
        });
    const bool single_offered = taken && pair.unknowns <= 16;
    if (pair.scheme->name == std::string_view(pair.system->info->default_scheme)) {
      EXPECT_EQ(mixed, offered) << table.name << ' ' << name_of(pair);
      EXPECT_EQ(single, single_offered) << table.name << ' ' << name_of(pair);
    } else {
      EXPECT_LE(mixed, offered) << table.name << ' ' << name_of(pair);
      EXPECT_LE(single, single_offered) << table.name << ' ' << name_of(pair);
    }
  }
}

}  // namespace livens::laws
