// Several backends that share a run: what they hand over is what one hands over, byte for byte; and one that
// fails says who and where, and what was done before stays.

#include "host/backends/shared_backend.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "ensembles/ensemble.hpp"
#include "ensembles/population.hpp"
#include "host/backends/cpu_backend.hpp"
#include "host/backends/device_choice.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/parts.hpp"
#include "host/errors.hpp"
#include "result_fixture.hpp"
#include "tests/ensembles/distant_records.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

using ensembles::InstancesPart;
using ensembles::Range;
using ensembles::Request;
using ensembles::SamplePart;
using ensembles::Standing;

const PairKernels& toy_pair() { return toy_catalogue().pairs[0]; }

/// The processor with a GPU's ways.
class Device : public ensembles::DistantRecords<CpuBackend> {
 public:
  Device(int number, int threads)
      : DistantRecords(toy_pair(), "plain", threads), name_("device " + std::to_string(number)) {}
  std::string device() const override { return name_; }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    if (batch.first + batch.size > fails_from) throw std::runtime_error("the launch failed");
    DistantRecords::advance(batch, settings, to);
  }
  std::int64_t fails_from = std::int64_t{1} << 62;  ///< instance

 private:
  std::string name_;
};

std::unique_ptr<SharedBackend> devices(int count, std::int64_t fails_from = std::int64_t{1} << 62) {
  std::vector<std::unique_ptr<ensembles::Backend>> members;
  for (int i = 0; i < count; ++i) {
    auto device = std::make_unique<Device>(i, 1 + i % 3);
    device->fails_from = fails_from;
    members.push_back(std::move(device));
  }
  return std::make_unique<SharedBackend>(std::move(members));
}

Request request_of(std::int64_t size) {
  Request request;
  request.system = "toy_pair";
  request.scheme = "ems";
  request.form = "full";
  request.parameters = {1.0, 1.0, 10.0, 0.0};
  request.step = 0.1;
  request.steps = 12;
  request.end = 1.2;
  request.size = size;
  request.every = 5;
  request.quantiles = {0.5};
  request.trajectories = 1500;  // of two devices
  request.energy_bound = 1e-13;
  request.observe = {"q[1]", "work"};
  request.extremes = true;
  request.variations = {{"initial.v[0]",
                         ensembles::Target::v,
                         0,
                         1,
                         ensembles::Law::normal,
                         ensembles::Mode::set,
                         0.0,
                         60.0,
                         {}}};
  return request;
}

Request with_varied_steps(std::int64_t size) {
  Request request = request_of(size);
  request.interval = 0.6;
  request.variations.push_back({"scheme.step",
                                ensembles::Target::step,
                                0,
                                1,
                                ensembles::Law::uniform,
                                ensembles::Mode::set,
                                0.05,
                                0.1,
                                {}});
  return request;
}

struct Interruption {};
/// Keeps what is handed over as bytes, and a Standing when it was asked for the `stop`-th time.
class Bytes : public ensembles::Journal {
 public:
  std::vector<std::string> parts;
  std::optional<Standing> standing;
  std::int64_t stop = -1;

  void add(const SamplePart& part) override { parts.push_back(encode(part)); }
  void add(InstancesPart part) override { parts.push_back(encode(part)); }
  bool wants_standing() override { return stop >= 0 && stop-- == 0; }
  void keep(const Standing& now) override { standing = now; }
};

std::vector<std::string> parts_of(const Request& request, ensembles::Backend& backend) {
  Bytes journal;
  ensembles::integrate(request, backend, {0, request.size}, 4096, journal, {}, {});
  return journal.parts;
}

std::vector<std::string> from_one(const Request& request) {
  CpuBackend backend(toy_pair(), "plain", 1);
  return parts_of(request, backend);
}

TEST(SharedBackend, NothingShowsOfTheNumberOfDevices) {
  for (const std::int64_t size : {1, 1024, 1500, 7001})
    for (const Request& request : {request_of(size), with_varied_steps(size)}) {
      const auto expected = from_one(request);
      for (const int count : {1, 2, 3, 5}) {
        EXPECT_TRUE(parts_of(request, *devices(count)) == expected) << size << " on " << count;
      }
    }
}

// A processor makes the statistics of a block behind its steps. They are those of the records, and not asked
// for again once the records are others.
TEST(CpuBackend, StatisticsBehindTheStepsAreThoseOfTheRecords) {
  constexpr std::int64_t size = 2500;
  const Request request = request_of(size);
  CpuBackend backend(toy_pair(), "plain", 2);
  ensembles::Population population(request, {0, size}, backend);
  ensembles::Motion motion = population.start(request.settings);
  const std::vector<Column> columns = {Column::energy_scale, Column::max_energy_error};
  const auto expect_right = [&](bool right) {
    const auto made = motion.observe(size, columns),
               expected = block_statistics(backend, population.batch().records, backend.record_width(), size,
                                           columns);
    ASSERT_EQ(made.size(), 3u);
    for (std::size_t block = 0; block < made.size(); ++block) {
      const bool same =
          made[block].ok == expected[block].ok && made[block].summaries == expected[block].summaries;
      EXPECT_EQ(same, right || block > 0) << block;
    }
  };
  std::int64_t to = 0;
  const auto advance = [&] {
    motion.announce(size, columns);
    motion.advance(request.settings, ++to);
  };
  advance();
  expect_right(true);
  expect_right(true);  // a second time, without an announcement
  double& status = population.batch().records[column_offset(0, backend.record_width(), 0)];
  advance();
  status = 1.0 - status;
  expect_right(false);  // they were made before
  advance();
  status = 1.0 - status;
  motion.put();
  expect_right(true);
  motion.announce(size, std::vector{Column::energy_scale});
  motion.advance(request.settings, ++to);
  expect_right(true);  // of other columns
}

TEST(SharedBackend, ARunGoesOnWithAnotherNumberOfDevices) {
  for (const Request& request : {request_of(3100), with_varied_steps(3100)}) {
    const auto expected = from_one(request);
    int interrupted = 0;
    for (std::int64_t stop = 0;; ++stop, ++interrupted) {
      Bytes journal;
      journal.stop = stop;
      try {
        ensembles::integrate(request, *devices(2), {0, request.size}, 4096, journal, {}, [&](auto...) {
          if (journal.standing) throw Interruption();
        });
      } catch (const Interruption&) {
      }
      if (!journal.standing) break;
      ensembles::integrate(request, *devices(stop % 2 == 0 ? 3 : 1), {0, request.size}, 4096, journal,
                           journal.standing, {});
      ASSERT_TRUE(journal.parts == expected) << stop;
      ASSERT_LT(stop, 1000);
    }
    EXPECT_GT(interrupted, 3);
  }
}

class FailingDevice : public ResultFileTest {};

// Chunks of 2048 instances on two devices: the second half of the second chunk, on the second device, fails.
TEST_F(FailingDevice, IsNamedAndWhatWasDoneStays) {
  const Request request = request_of(5000);
  const std::string place = checkpoint_directory(path);
  const Identity identity = {provenance, request.seed, request.size, {0, request.size}};
  const auto integrate = [&](ensembles::Backend& backend, Checkpoint& checkpoint) {
    ensembles::integrate(request, backend, {0, request.size}, 2048, checkpoint, checkpoint.standing(), {});
  };
  {
    Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
    try {
      integrate(*devices(2, 3073), checkpoint);
      FAIL() << "no failure";
    } catch (const ensembles::BackendFailure& failure) {
      EXPECT_STREQ(failure.what(), "device 1, instances 3072 to 4095: the launch failed");
    }
    EXPECT_FALSE(checkpoint.written());
    checkpoint.fall_back();
  }
  Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
  ASSERT_TRUE(checkpoint.standing());
  EXPECT_EQ(checkpoint.standing()->chunk, (Range{2048, 2048}));
  integrate(*devices(1), checkpoint);
  checkpoint.finished({0, request.size}, 0.0);
  std::vector<std::string> parts;
  read_parts(
      place, [&](const SamplePart& part) { parts.push_back(encode(part)); },
      [&](const InstancesPart& part) { parts.push_back(encode(part)); });
  Bytes undisturbed;
  CpuBackend one(toy_pair(), "plain", 1);
  ensembles::integrate(request, one, {0, request.size}, 2048, undisturbed, {}, {});
  EXPECT_TRUE(parts == undisturbed.parts);
  checkpoint.discard();
}

// A checkpoint of the chunk that failed is worth more than the chunks before it.
TEST_F(FailingDevice, ALaterCheckpointIsNotReplaced) {
  const std::string place = checkpoint_directory(path);
  const Identity identity = {provenance, 1, 5000, {0, 5000}};
  Standing after, inside;
  after.chunk = {2048, 2048};
  inside.chunk = {2048, 4096};
  {
    Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
    checkpoint.done(after);
    checkpoint.keep(inside);
    checkpoint.fall_back();
  }
  Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
  EXPECT_EQ(checkpoint.standing()->chunk, inside.chunk);
  checkpoint.discard();
}

TEST(DeviceChoice, IsAllOrNumbers) {
  EXPECT_TRUE(parse_devices("all")->numbers.empty());
  EXPECT_EQ(parse_devices("0")->numbers, (std::vector<int>{0}));
  EXPECT_EQ(parse_devices("3,0,12")->numbers, (std::vector<int>{3, 0, 12}));
  for (const char* wrong :
       {"", ",", "0,", ",0", "0,,1", "-1", "0,-1", "one", "all,0", "0 1", "1,1", "0x1", "9999999999"})
    EXPECT_FALSE(parse_devices(wrong)) << wrong;
}

TEST(DeviceChoice, IsOfThoseThatAreThere) {
  const std::vector<CudaDevice> present = {{0, "A", 9, 0, 132, 0, 0, 0}, {2, "B", 9, 0, 132, 0, 0, 0}};
  EXPECT_EQ(chosen({}, present).size(), 2u);
  EXPECT_EQ(chosen({{2, 0}}, present).front().name, "B");
  try {
    chosen({{0, 1}}, present);
    FAIL() << "there is no device 1";
  } catch (const RequestError& error) {
    EXPECT_STREQ(error.what(), "--devices: there is no device 1; expected all, or some of 0 (A), 2 (B)");
  }
}

}  // namespace
}  // namespace livens::host
