// The laws run over lists; these tests see to it that the lists are what they are taken for.

#include <algorithm>
#include <set>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

/// True for the last table, that of the widest instruction set. Others may have the schemes alone that a system
/// takes where none is named.
bool is_whole(const std::string& table) { return table == tables().back().name; }

TEST(Coverage, EveryTableHasThePairsThatAreTakenByDefault) {
  ASSERT_FALSE(pairs().empty());
  for (const Table& table : tables()) {
    for (const PairKernels& pair : pairs()) {
      const PairKernels* other = find(table, pair);
      const bool standard = pair.scheme->name == std::string(pair.system->info->default_scheme);
      if (other == nullptr && !(taken_by_default(pair) && (is_whole(table.name) || standard))) continue;
      ASSERT_NE(other, nullptr) << name_of(pair) << " in " << table.name;
      EXPECT_EQ(other->record_width, pair.record_width);
      EXPECT_EQ(other->unknowns, pair.unknowns);
    }
  }
}

TEST(Coverage, EverySchemeOfTheLibraryRunsSomewhere) {
#if !defined(LAWS_OF_ALL_SYSTEMS)
  GTEST_SKIP() << "not all systems are compiled";
#endif
  for (const SchemeInfo* scheme : schemes())
    EXPECT_TRUE(std::any_of(pairs().begin(), pairs().end(), [&](const PairKernels& pair) {
      return pair.scheme->name == std::string(scheme->name);
    })) << scheme->name;
}

// The answer of `livens list --why` is right: a pair is there exactly where the system has the capabilities.
TEST(Coverage, FacesSayWhichPairsThereAre) {
  for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
    if (!usable(isa)) continue;
    for (const SystemKernels& system : cpu_systems(isa))
      for (const SchemeInfo* scheme : schemes()) {
        ASSERT_FALSE(scheme->runs_on.empty()) << scheme->name;
        const bool offered = std::ranges::any_of(scheme->runs_on, [&](const Capabilities& wanted) {
          return wanted.without(system.capabilities).empty();
        });
        const bool there = std::ranges::any_of(cpu_pairs(isa), [&](const PairKernels& pair) {
          return pair.system->info == system.info && pair.scheme->name == std::string(scheme->name);
        });
        if (is_whole(isa_name(isa))) {
          EXPECT_EQ(offered, there) << scheme->name << " on " << system.info->name;
        } else {
          EXPECT_LE(there, offered) << scheme->name << " on " << system.info->name;
        }
      }
  }
}

// What docs/contract.md says of damping: a form has that of its system, but for these.
TEST(Coverage, FormsHaveTheDampingOfTheirSystemsButForThese) {
  const std::set<std::string> undamped = {"four_particle_ggl_vi_reduced",
                                          "four_particle_rattle_reduced",
                                          "double_four_bar_del_multiplier_reduced",
                                          "double_four_bar_del_nullspace_reduced",
                                          "heavy_top_ems_reduced",
                                          "heavy_top_ggl_vi_reduced",
                                          "heavy_top_vi_b_reduced",
                                          "heavy_top_del_multiplier_reduced",
                                          "heavy_top_del_nullspace_reduced"};
  for (const PairKernels& pair : pairs())
    if (std::ranges::any_of(pair.system->info->parameters, &ParameterInfo::damps)) {
      EXPECT_EQ(pair.damped, !undamped.contains(name_of(pair))) << name_of(pair);
    }
}

}  // namespace livens::laws
