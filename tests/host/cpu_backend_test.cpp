// The processor makes the statistics that were announced right behind the steps of a block: they are those of
// the records, and of no others.

#include "host/backends/cpu_backend.hpp"

#include <gtest/gtest.h>

#include "ensembles/population.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

using ensembles::BlockStatistics;

bool same(const std::vector<BlockStatistics>& a, const std::vector<BlockStatistics>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.ok == other.ok && one.summaries == other.summaries;
  });
}

TEST(CpuBackend, AnnouncedStatisticsAreThoseOfTheRecords) {
  constexpr std::int64_t size = 2500;  // the last block is short
  ensembles::Request request;
  request.parameters = {1.0, 1.0, 10.0, 0.0};
  request.step = 0.1;
  request.size = size;
  request.variations = {{"initial.v[0]",
                         ensembles::Target::v,
                         0,
                         1,
                         ensembles::Law::normal,
                         ensembles::Mode::set,
                         0.0,
                         60.0,
                         {}}};
  CpuBackend backend(toy_catalogue().pairs[0], "plain", 3);
  ensembles::LargeArrays arrays;
  ensembles::Population population(request, {0, size}, backend, arrays);
  ensembles::Motion motion = population.start(request.settings);
  const std::vector<Column> columns = {Column::energy_error, Column::max_energy_error},
                            others = {Column::energy_scale};

  motion.announce(size, columns);
  motion.advance(request.settings, 5);
  const auto announced = motion.observe(size, columns), asked_for = motion.observe(size, columns);
  ASSERT_EQ(announced.size(), 3u);
  EXPECT_TRUE(same(announced, asked_for));

  motion.announce(size, columns);
  motion.advance(request.settings, 7);
  EXPECT_EQ(motion.observe(size, others).front().summaries.size(), 1u);  // something else is asked for

  motion.announce(size, columns);
  motion.advance(request.settings, 9);
  motion.advance(request.settings, 11);  // what was made at 9 is out of date
  const auto later = motion.observe(size, columns);
  EXPECT_FALSE(same(later, announced));
  EXPECT_TRUE(same(later, motion.observe(size, columns)));
}

}  // namespace
}  // namespace livens::host
