// Whole records of the scheme taylor: of an imitated GPU, thread by thread, and of steps that are compiled beside a run,
// those of a processor's lanes.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <limits>

#include "host/backends/taylor_cuda_backend.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/spec/spec.hpp"
#include "imitation.hpp"
#include "tests/digests/population.hpp"

namespace livens {
namespace {

constexpr std::size_t all_memory = std::size_t{128} << 20;

/// A study of a text; its pair has no functions, which steps do not need.
struct Study {
  /// `system`: example() or written(). `output`: what stands behind [output].
  explicit Study(const std::string& system, const std::string& output = "")
      : request(host::parse_spec(
                    system + "\n[scheme]\nname = 'taylor'\nsteps = 1\n[output]\n" + "every = 1\n" + output,
                    "test.toml", host::registered(), {})
                    .request),
        catalogue(host::catalogue_of(request)),
        pair(*host::choose_pair(catalogue, request).pair),
        text(*host::text_of_equations(*pair.system->info)) {}

  host::TaylorBackend on_processor() const { return host::TaylorBackend(pair, text, {}, 1e-15, 1); }
  /// `memory`: what the device says it has.
  host::TaylorCudaBackend on_device(std::size_t memory = all_memory) const {
    std::string problem;
    CudaDevice device = cuda_devices(problem).front();
    device.memory = memory;
    return host::TaylorCudaBackend(pair, text, {}, 1e-15, device, 1);
  }

  ensembles::Request request;
  host::Catalogue catalogue;
  const PairKernels& pair;
  const TextSystem& text;
};

std::string example(const std::string& name) {
  return "[system]\nfile = '" LIVENS_EXAMPLES "/" + name + ".toml'";
}
std::string written(const std::string& text) { return "[system.text]" + text; }

/// Records after calls to these beats; `disturb` may change what the instances start from.
struct Journey {
  std::vector<std::int64_t> beats;
  std::function<void(selftest::Population&, const SystemInfo&)> disturb = {};
  Settings settings = {};
  std::int64_t size = 3 * tile_size;
};
std::vector<double> records_after(host::TaylorBackend& backend, const Study& study, const Journey& journey) {
  const SystemInfo& system = backend.system();
  const auto d = static_cast<std::size_t>(system.coordinates);
  selftest::Population population(system, backend.record_width(), {.size = journey.size, .failures = false});
  const Batch& batch = population.batch();
  std::vector<double> parameters(static_cast<std::size_t>(parameter_count(system)));
  for (std::int64_t i = 0; i < batch.size; ++i) {
    for (std::size_t k = 0; k < parameters.size(); ++k)
      parameters[k] = batch.varied[k] ? batch.varied[k][i] : batch.shared_parameters[k];
    const auto place = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * d);
    std::ranges::copy(study.text.initial_position(parameters), population.q.begin() + place);
    std::ranges::copy(study.text.initial_velocity(parameters), population.v.begin() + place);
  }
  population.disturb_velocities();
  if (journey.disturb) journey.disturb(population, system);
  population.status()[5] = static_cast<std::uint8_t>(Status::inconsistent_initial);
  backend.start(batch, journey.settings, population.status().data());
  for (const std::int64_t beat : journey.beats) backend.advance(batch, journey.settings, beat);
  return population.records;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Instances with each status, after the device and the processor have given the same records, in one call
/// and in several, with a launch for all instances and one for every tile.
std::vector<int> expect_same(const Study& study, Journey journey) {
  auto processor = study.on_processor();
  const int width = processor.record_width();
  const std::vector<double> expected = records_after(processor, study, journey);
  auto device = study.on_device();
  EXPECT_TRUE(same_bits(records_after(device, study, journey), expected)) << "in several calls";
  const auto first_beat = static_cast<double>(journey.beats.front());
  journey.beats = {journey.beats.back()};
  take_imitated_launches();
  EXPECT_TRUE(same_bits(records_after(device, study, journey), expected)) << "in one call";
  EXPECT_EQ(take_imitated_launches().size(), 1u);
  auto small = study.on_device(1);
  EXPECT_TRUE(same_bits(records_after(small, study, journey), expected)) << "tile by tile";
  EXPECT_EQ(take_imitated_launches().size(), static_cast<std::size_t>(journey.size / tile_size));
  Batch batch{};
  batch.records = const_cast<double*>(expected.data());
  std::vector<int> counts(status_count, 0);
  double most_steps = 0.0;
  for (std::int64_t i = 0; i < journey.size; ++i) {
    ++counts[static_cast<std::size_t>(recorded(batch, width, Column::status, i))];
    most_steps = std::max(most_steps, recorded(batch, width, Column::steps, i));
  }
  EXPECT_GE(most_steps, first_beat);
  EXPECT_EQ(counts[static_cast<int>(Status::inconsistent_initial)], 1);
  return counts;
}

class OfAText : public ::testing::TestWithParam<std::string> {};

TEST_P(OfAText, RecordsAreThoseOfAProcessor) {
  const std::vector<int> counts = expect_same(Study(example(GetParam())), {.beats = {1, 2, 20, 120}});
  EXPECT_GT(counts[static_cast<int>(Status::ok)], 0);
}

INSTANTIATE_TEST_SUITE_P(Series, OfAText,
                         ::testing::Values("double_spherical_pendulum", "rolling_disk", "foucault_pendulum",
                                           "heavy_top", "driven_cart", "slider_crank", "bead_on_catenary",
                                           "spring_pendulum"),
                         [](const auto& info) { return info.param; });

/// Steps of any plan, counted.
std::atomic<int> counted = 0;
constexpr taylor::FixedSeries counting = {
    [](const taylor::Plan& plan, const taylor::Factors& factors, double* rows, double* room) {
      taylor::recurrences("plain")->project(plan, factors, rows, room);
    },
    [](const taylor::Plan& plan, const taylor::Factors& factors, int from, int to, double* rows,
       double* room) {
      ++counted;
      taylor::recurrences("plain")->expand(plan, factors, from, to, rows, room);
    }};

TEST(Series, GoOnToTheBitWithStepsThatAreCompiledBesideThem) {
  const Study study(example("slider_crank"));
  const Journey journey{.beats = {1, 2, 20}};
  auto walked = study.on_processor();
  const std::vector<double> expected = records_after(walked, study, journey);
  std::atomic<bool> asked = false;
  host::TaylorBackend backend(
      study.pair, study.text, {}, 1e-15, 1, {}, [&](const std::string&) -> auto& {
        EXPECT_FALSE(asked.exchange(true)) << "once is enough";
        return counting;
      });
  for (int attempt = 0; counted == 0 && attempt < 10000; ++attempt)
    ASSERT_TRUE(same_bits(records_after(backend, study, journey), expected));
  EXPECT_TRUE(same_bits(records_after(backend, study, journey), expected));
  EXPECT_GT(counted, 0);
}

TEST(Series, GoOnWhereNothingCanBeCompiled) {
  const Study study(example("slider_crank"));
  const Journey journey{.beats = {1, 2, 20}};
  auto walked = study.on_processor();
  host::TaylorBackend backend(
      study.pair, study.text, {}, 1e-15, 1, {},
      [](const std::string&) -> const taylor::FixedSeries& { throw std::runtime_error("no compiler"); });
  EXPECT_TRUE(same_bits(records_after(backend, study, journey), records_after(walked, study, journey)));
}

TEST(Series, StopWhereAConditionIsMet) {
  const std::vector<int> counts =
      expect_same(Study(example("double_spherical_pendulum"),
                        "stop = [{ when = 'u1[2] + 0.9*length[0]' }, { when = 'u1[0] - 0.5' }]\n"),
                  {.beats = {10, 20, 30}});
  EXPECT_GT(counts[static_cast<int>(Status::stopped)], 0);
  EXPECT_GT(counts[static_cast<int>(Status::ok)], 0);
}

TEST(Series, EndWhereTheEnergyIsOutOfBalance) {
  Journey journey{.beats = {5, 100}};
  journey.settings.energy_balance = 3e-15;
  const std::vector<int> counts = expect_same(Study(example("spring_pendulum")), journey);
  EXPECT_GT(counts[static_cast<int>(Status::energy_balance)], 0);
  EXPECT_GT(counts[static_cast<int>(Status::ok)], 0);
}

// Instances that start badly or come to a bad end, beside others.
TEST(Series, FailAsOnAProcessor) {
  const auto at_the_pole = [](selftest::Population& population, const SystemInfo& system) {
    const auto d = static_cast<std::size_t>(system.coordinates);
    for (const std::size_t i : {3u, 40u}) population.q[i * d] = 0.0;  // r = 0: M is singular
    population.q[50 * d] = std::numeric_limits<double>::quiet_NaN();
    population.v[60 * d] = 1e300;
  };
  const std::vector<int> counts =
      expect_same(Study(example("spring_pendulum")), {.beats = {1, 30}, .disturb = at_the_pole});
  EXPECT_EQ(counts[static_cast<int>(Status::singular_matrix)], 2);
  EXPECT_GE(counts[static_cast<int>(Status::not_finite)], 2);
}

// A parallelogram of rods: its rows depend on each other where they lie in a line, at t = pi/2, and steps
// shrink to nothing before.
TEST(Series, EndWhereNoStepLeadsOn) {
  const std::vector<int> counts = expect_same(Study(written(R"toml(
name = "parallelogram"
kinetic = "1/2*mass*dot(a', a') + 1/2*mass*dot(b', b')"
constraints = ["(dot(a, a) - 1)/2", "((b[0] - 1)^2 + b[1]^2 - 1)/2", "(dot(b - a, b - a) - 1)/2"]
coordinates = { a = 2, b = 2 }
parameters = { mass = 1.0 }
initial.q = { a = [0, 1], b = [1, 1] }
initial.v = { a = [1, 0], b = [1, 0] }
)toml")),
                                              {.beats = {1, 400}});
  EXPECT_GT(counts[static_cast<int>(Status::newton_diverged)], 0);
  EXPECT_GT(counts[static_cast<int>(Status::ok)], 0);
}

TEST(Series, CrossKinksAndExchangeRows) {
  expect_same(Study(written(R"toml(
name = "buffer"
kinetic = "1/2*x'^2"
potential = "1/8*stiffness*(x + abs(x))^2"
coordinates = { x = 1 }
parameters = { stiffness = 4.0 }
initial.q = { x = -0.3 }
initial.v = { x = 1 }
)toml")),
              {.beats = {10, 200}});
  const auto light = [](selftest::Population& population, const SystemInfo&) {
    for (const int i : {0, 9, 33, 70}) population.batch().varied[0][i] = 0.0;  // no pivot on the diagonal
  };
  expect_same(Study(written(R"toml(
name = "pair"
kinetic = "1/2*mass[0]*x'^2 + 1/2*mass[1]*y'^2"
potential = "1/2*stiffness*y^2"
constraints = ["x - y - 1"]
coordinates = { x = 1, y = 1 }
parameters = { mass = [3.0, 1.0], stiffness = 1.0 }
initial.q = { x = 2, y = 1 }
)toml")),
              {.beats = {10, 100}, .disturb = light});
}

TEST(Series, NobodyBehindIsNoLaunch) {
  const Study study(example("unit_circle"));
  auto device = study.on_device();
  const Journey journey{.beats = {4, 4, 3}};
  take_imitated_launches();
  const std::vector<double> records = records_after(device, study, journey);
  EXPECT_EQ(take_imitated_launches().size(), 1u);
}

}  // namespace
}  // namespace livens
