// A pair that is part of the program, and the same pair compiled as if it were not: the same bits, in every
// precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "ensembles/ensemble.hpp"
#include "host/backends/cpu_backend.hpp"
#include "host/compilation/compiled.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"

namespace livens::host {
namespace {

/// Pairs that are quickly compiled: two of a built-in system with as few coordinates as there is one.
std::vector<PairKernels> small_pairs(std::span<const PairKernels> pairs) {
  std::vector<PairKernels> small;
  std::ranges::copy_if(pairs, std::back_inserter(small), [](const PairKernels& pair) { return pair.start; });
  std::ranges::stable_sort(small, {}, [](const PairKernels& pair) { return pair.system->info->coordinates; });
  small.resize(std::min<std::size_t>(small.size(), 2));
  return small;
}

ensembles::Request request_of(const PairKernels& pair) {
  const SystemInfo& system = *pair.system->info;
  ensembles::Request request;
  request.system = system.name;
  request.scheme = pair.scheme->name;
  request.form = pair.form;
  request.parameters = default_parameters(system);
  request.step = system.default_step;
  request.steps = 50;
  request.end = request.step * 50.0;
  request.settings = standard_settings(*pair.scheme);
  request.settings.precision = pair.precision;
  request.size = 100;  // of three tiles and a part
  request.every = 50;
  for (int c = 0; c < system.coordinates; ++c)
    request.variations.push_back({"initial.v[" + std::to_string(c) + "]",
                                  ensembles::Target::v,
                                  c,
                                  1,
                                  ensembles::Law::normal,
                                  ensembles::Mode::add,
                                  0.0,
                                  0.1,
                                  {}});
  return request;
}

ensembles::Result integrate(const PairKernels& pair, const ensembles::Request& request) {
  CpuBackend backend(pair, instruction_set(), 1);
  return ensembles::run(request, backend, {});
}

void expect_same_bits(const PairKernels& built_in, Precision precision) {
  ensembles::Request request = request_of(built_in);
  request.settings.precision = precision;
  SystemKernels system{};
  system.info = built_in.system->info;
  system.capabilities = built_in.system->capabilities;
  const PairKernels bare = pair_without_functions(system, *known_pair(built_in), built_in.precision);
  const PairKernels& own = compiled(bare, precision);
  ASSERT_NE(own.start, built_in.start);
  EXPECT_EQ(own.unknowns, built_in.unknowns);
  EXPECT_EQ(own.record_width, built_in.record_width);
  const ensembles::Result expected = integrate(built_in, request), made = integrate(own, request);
  const std::string name = std::string(built_in.scheme->name) + " on " + built_in.system->info->name;
  ASSERT_TRUE(std::ranges::count(expected.instances.status, 0) > 90) << name;
  EXPECT_EQ(made.instances.status, expected.instances.status) << name;
  EXPECT_EQ(made.instances.newton_iterations, expected.instances.newton_iterations) << name;
  EXPECT_EQ(made.instances.final_q, expected.instances.final_q) << name;
  EXPECT_EQ(made.instances.final_v, expected.instances.final_v) << name;
}

TEST(CompiledOnFirstUse, HasTheBitsOfWhatIsBuiltIn) {
  const Catalogue catalogue = registered();
  for (const PairKernels& pair : small_pairs(catalogue.pairs)) {
    expect_same_bits(pair, Precision::full);
    if (pair.unknowns > 0 && pair.advance_mixed) expect_same_bits(pair, Precision::mixed);
  }
  for (const PairKernels& pair : small_pairs(catalogue.single_pairs))
    expect_same_bits(pair, Precision::single);
}

/// Leaves every instance where it stands, so that each is taken on one by one, with care.
void advance_none(const Batch&, const Settings&, std::int64_t, std::int64_t, std::int64_t) {}

TEST(CompiledOnFirstUse, StopsAtTheSameBitsInLanesAndOneByOne) {
  for (const PairKernels& pair : small_pairs(registered().pairs)) {
    ensembles::Request request = request_of(pair);
    // In the middle of the run, at a time that differs from instance to instance.
    const std::string step = std::to_string(request.step);
    request.stops = {"t - 25.5*" + step + " - 10*" + step + "*q[0]", "t - 30.5*" + step};
    request.expressions = {{"speed", "m/s", "norm(v)"}};
    request.observe = {"speed"};
    const PairKernels& in_lanes =
        compiled(*choose_pair(catalogue_of(request), request).pair, Precision::full);
    PairKernels one_by_one = in_lanes;
    one_by_one.advance_straight = advance_none;
    const ensembles::Instances expected = integrate(in_lanes, request).instances,
                               found = integrate(one_by_one, request).instances;
    EXPECT_GT(std::ranges::count(expected.status, static_cast<std::uint8_t>(Status::stopped)), 50);
    EXPECT_EQ(found.status, expected.status);
    EXPECT_EQ(found.final_q, expected.final_q);
    for (const char* name : {"stop_time", "stop_condition", "final_speed"}) {
      ASSERT_EQ(expected[name].size(), 100u) << name;
      for (std::size_t i = 0; i < 100; ++i)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(found[name][i]),
                  std::bit_cast<std::uint64_t>(expected[name][i]))
            << name << " of " << i;
    }
  }
}

TEST(CompiledOnFirstUse, IsLoadedOnce) {
  const Catalogue catalogue = registered();
  const PairKernels built_in = small_pairs(catalogue.pairs).front();
  SystemKernels system{};
  system.info = built_in.system->info;
  const PairKernels bare = pair_without_functions(system, *known_pair(built_in), Precision::full);
  EXPECT_EQ(&compiled(bare, Precision::full), &compiled(bare, Precision::full));
}

TEST(CompiledOnFirstUse, LeavesWhatIsBuiltInAlone) {
  const Catalogue catalogue = registered();
  for (const PairKernels& pair : catalogue.pairs) {
    if (!pair.start) continue;
    EXPECT_EQ(&compiled(pair, Precision::full), &pair);
  }
}

}  // namespace
}  // namespace livens::host
