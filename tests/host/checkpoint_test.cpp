// Checkpoints: what is written comes back, what is damaged is refused.

#include "host/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "host/checkpoint/parts.hpp"
#include "host/errors.hpp"
#include "host/files/bytes.hpp"
#include "result_fixture.hpp"

namespace livens::host {
namespace {

using ensembles::InstancesPart;
using ensembles::SamplePart;
using ensembles::Standing;

SamplePart sample_part(std::int64_t sample) {
  SamplePart part{{0, N}, sample, {.ok = 4, .observables = {}}, {}};
  const std::vector<double> values = {1.0, 2.0, -3.0, 4e-300};
  const std::vector<std::int64_t> numbers = {0, 1, 2, 4};
  part.statistics.observables.resize(2);
  for (auto& tree : part.statistics.observables) tree.add(0, ensembles::summarize(values, numbers));
  part.followed = sample_result().trajectories;
  part.joints = {{{{-3, 5, 4}, {0, 0, 2}}, {{1, 7}, {6, 1}}}, {{{0, 0, 0}, {0, 0, 2}}, {}}};
  return part;
}

const Identity identity = {provenance, 7, N, {0, N}};
const Standing standing = {{0, N}, 17, 2, 1, 3.25, ramp(40, 0.5), ramp(N, 9.0), ramp(2 * N, 3.0)};

class CheckpointTest : public ResultFileTest {
 protected:
  void SetUp() override {
    ResultFileTest::SetUp();
    place = checkpoint_directory(path);
  }
  /// Two samples, a checkpoint, and one sample too much.
  void leave_one() const {
    Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
    checkpoint.add(sample_part(0));
    checkpoint.add(sample_part(1));
    checkpoint.keep(standing);
    checkpoint.add(sample_part(2));
  }
  std::string read(const char* name) const {
    std::ifstream file(place + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void overwrite(const char* name, const std::string& content) const {
    std::ofstream(place + "/" + name, std::ios::binary) << content;
  }
  /// The checkpoint that a resumed run would go on from, as bytes; or why it does not.
  std::string outcome() const {
    try {
      const Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
      if (!checkpoint.standing()) return "anew";
      std::string all = encode(*checkpoint.standing());
      read_parts(place, [&](const SamplePart& part) { all += encode(part); }, {});
      return all;
    } catch (const FileError& error) {
      return std::string("refused: ") + error.what();
    } catch (const RequestError& error) {
      return std::string("refused: ") + error.what();
    }
  }

  std::string place;
};

TEST_F(CheckpointTest, PartsComeBackAsTheyWere) {
  const std::string sample = encode(sample_part(3));
  EXPECT_EQ(encode(decode_sample(sample)), sample);
  EXPECT_EQ(decode_sample(sample).statistics.observables[1].total().points,
            sample_part(3).statistics.observables[1].total().points);
  const std::string instances = encode(InstancesPart{{0, N}, sample_result().instances});
  EXPECT_EQ(encode(decode_instances(instances)), instances);
  EXPECT_EQ(decode_instances(instances).instances.parameters[1].what, "system.mass");
  EXPECT_EQ(encode(decode_standing(encode(standing))), encode(standing));
  EXPECT_EQ(decode_identity(encode(identity)), identity);
}

TEST_F(CheckpointTest, BytesThatAreNoPartAreRefused) {
  const std::string sample = encode(sample_part(3));
  const std::string instances = encode(InstancesPart{{0, N}, sample_result().instances});
  for (std::size_t length = 0; length < sample.size(); length += 7)
    EXPECT_THROW(decode_sample(sample.substr(0, length)), Malformed);
  for (std::size_t length = 0; length < instances.size(); length += 7)
    EXPECT_THROW(decode_instances(instances.substr(0, length)), Malformed);
  EXPECT_THROW(decode_sample(sample + "x"), Malformed);
  // A length that no memory could hold.
  std::string long_one = encode(standing);
  const std::size_t at = 16 + 8 * 4;
  long_one.replace(at, 8, std::string(8, '\x7f'));
  EXPECT_THROW(decode_standing(long_one), Malformed);
  // Counts that would overflow when blocks are merged, found by fuzzing.
  SamplePart counts = sample_part(3);
  ensembles::Summary many;
  many.squares.count[0] = std::int64_t{1} << 62;
  counts.statistics.observables[0] = {};
  counts.statistics.observables[0].add(0, many);
  EXPECT_THROW(decode_sample(encode(counts)), Malformed);
}

TEST_F(CheckpointTest, WhatCameAfterTheCheckpointIsCutOff) {
  leave_one();
  const Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
  ASSERT_TRUE(checkpoint.standing());
  EXPECT_EQ(encode(*checkpoint.standing()), encode(standing));
  int samples = 0;
  read_parts(place, [&](const SamplePart&) { ++samples; }, {});
  EXPECT_EQ(samples, 2);
}

// Parts are in memory until a checkpoint is kept, and wherever they are they come back in their order.
TEST_F(CheckpointTest, PartsAreHeldUntilTheCheckpoint) {
  const auto samples_of = [](const Checkpoint& checkpoint) {
    std::vector<std::int64_t> samples;
    checkpoint.visit(Stage::run, [&](const SamplePart& part) { samples.push_back(part.sample); }, {});
    return samples;
  };
  {
    Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
    checkpoint.add(sample_part(0));
    checkpoint.enter(Stage::true_motion);
    checkpoint.add(sample_part(9));
    checkpoint.enter(Stage::run);
    const std::string before = read("segments");
    checkpoint.add(sample_part(1));
    EXPECT_EQ(read("segments"), before);
    EXPECT_EQ(samples_of(checkpoint), (std::vector<std::int64_t>{0, 1}));
    checkpoint.keep(standing);
    EXPECT_GT(read("segments").size(), before.size());
    checkpoint.add(sample_part(2));
    EXPECT_EQ(samples_of(checkpoint), (std::vector<std::int64_t>{0, 1, 2}));
  }
  EXPECT_EQ(samples_of(Checkpoint(place, identity, 60.0, Begin::resume)), (std::vector<std::int64_t>{0, 1}));
}

// Values that the unfinished result has come from there, until it goes: nothing shows of that.
TEST_F(CheckpointTest, ValuesMayBeInTheUnfinishedResult) {
  const std::string expected = encode(InstancesPart{{0, N}, sample_result().instances});
  const auto parts_of = [](const Checkpoint& checkpoint) {
    std::vector<std::string> parts;
    checkpoint.visit(Stage::run, {}, [&](const InstancesPart& part) { parts.push_back(encode(part)); });
    return parts;
  };
  for (const bool goes : {false, true}) {
    {
      const ensembles::Result result = sample_result();
      std::optional<ResultWriter> writer(std::in_place, path, "", result,
                                         units_of(*toy_catalogue().system("toy_pair")->info));
      Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
      writer->add(0, result.instances);
      InstancesPart part{{0, N}, result.instances};
      writer->unload(part.instances);
      EXPECT_LT(encode(part).size(), expected.size() / 2);
      checkpoint.add_unloaded(part, [&](InstancesPart& one) { writer->load(0, N, one.instances); });
      EXPECT_EQ(parts_of(checkpoint), std::vector{expected});
      if (goes) {
        checkpoint.load();
        writer.reset();
      }
      EXPECT_EQ(parts_of(checkpoint), std::vector{expected});
      checkpoint.keep(standing);
      EXPECT_EQ(parts_of(checkpoint), std::vector{expected});
    }
    Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
    EXPECT_EQ(parts_of(checkpoint), std::vector{expected});
    checkpoint.discard();
  }
}

// What a device that fails falls back to is what came before done(), though it was still in memory then.
TEST_F(CheckpointTest, HeldPartsAfterTheChunkAreCutOff) {
  for (const std::size_t room : {std::size_t{1} << 28, std::size_t{1}}) {
    {
      Checkpoint checkpoint(place, identity, 60.0, Begin::anew, room);
      checkpoint.add(sample_part(0));
      checkpoint.done(standing);
      checkpoint.add(sample_part(1));
      checkpoint.fall_back();
    }
    Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
    int samples = 0;
    checkpoint.visit(Stage::run, [&](const SamplePart&) { ++samples; }, {});
    EXPECT_EQ(samples, 1) << room;
    checkpoint.discard();
  }
}

TEST_F(CheckpointTest, AnotherFormatIsNamed) {
  constexpr const char* said = "its parts are in format '0', and this version of livens reads and writes '5'";
  leave_one();
  for (const char* name : {"segments", "standing"}) {
    const std::string written = read(name);
    std::string old = written;
    ASSERT_EQ(old.substr(0, 8), "lvframe5");
    old[7] = '0';
    overwrite(name, old);
    EXPECT_NE(outcome().find(said), std::string::npos) << outcome();
    EXPECT_EQ(outcome().find("damaged"), std::string::npos);
    overwrite(name, written);
  }
  // The samples of a shard, which `merge` reads.
  std::string frame = make_frame(0, FrameKind::sample, encode(sample_part(0)));
  frame[7] = '0';
  try {
    visit_samples(frame, [](const SamplePart&) {});
    FAIL() << "taken for its own";
  } catch (const Malformed& problem) {
    EXPECT_NE(std::string(unreadable("part.h5", problem).what()).find(said), std::string::npos);
  }
}

TEST_F(CheckpointTest, ARunWithoutACheckpointLeavesNothing) {
  { Checkpoint(place, identity, 60.0, Begin::anew).add(sample_part(0)); }
  EXPECT_FALSE(fs::exists(place));
  leave_one();
  { Checkpoint(place, identity, 60.0, Begin::resume).discard(); }
  EXPECT_FALSE(fs::exists(place));
}

TEST_F(CheckpointTest, TwoRunsCannotShareADirectory) {
  const Checkpoint first(place, identity, 60.0, Begin::anew);
  EXPECT_THROW(Checkpoint(place, identity, 60.0, Begin::anew), FileError);
}

// The standing there may be half of something: another run is writing it.
TEST_F(CheckpointTest, NothingIsReadBeforeTheLockIsHad) {
  leave_one();
  const Checkpoint first(place, identity, 60.0, Begin::resume);
  overwrite("standing", "half");
  EXPECT_NE(outcome().find("is being written by another run"), std::string::npos) << outcome();
}

TEST_F(CheckpointTest, TheTrueMotionIsAStageOfItsOwn) {
  {
    Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
    checkpoint.enter(Stage::true_motion);
    checkpoint.add(sample_part(0));
    checkpoint.keep(standing);
  }
  {
    Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
    ASSERT_TRUE(checkpoint.standing());
    EXPECT_EQ(checkpoint.stage(), Stage::true_motion);
    checkpoint.enter(Stage::run);
    EXPECT_FALSE(checkpoint.standing());  // the run itself is at its beginning
    checkpoint.add(sample_part(1));
    checkpoint.keep(standing);
  }
  const Checkpoint checkpoint(place, identity, 60.0, Begin::resume);
  EXPECT_EQ(checkpoint.stage(), Stage::run);
  for (const Stage stage : {Stage::true_motion, Stage::run}) {
    std::vector<std::int64_t> samples;
    read_parts(
        place, [&](const SamplePart& part) { samples.push_back(part.sample); }, {}, stage);
    EXPECT_EQ(samples, (std::vector<std::int64_t>{stage == Stage::run}));
  }
}

TEST_F(CheckpointTest, WhatNoRunHasPutThereStays) {
  fs::create_directories(place);
  overwrite("notes.txt", "mine");
  EXPECT_THROW(Checkpoint(place, identity, 60.0, Begin::anew), RequestError);
  EXPECT_EQ(read("notes.txt"), "mine");
  fs::remove(place + "/notes.txt");
  {
    Checkpoint checkpoint(place, identity, 60.0, Begin::anew);
    overwrite("notes.txt", "mine");  // while it runs
    checkpoint.discard();
  }
  EXPECT_EQ(read("notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(place + "/segments"));
}

// Every bit that decides anything is under a checksum: a byte changed or an end cut off is refused, or
// changes only what lies behind the checkpoint.
TEST_F(CheckpointTest, DamageIsRefused) {
  leave_one();
  const std::string intact = outcome();
  ASSERT_FALSE(intact.starts_with("refused")) << intact;
  int tried = 0, refused = 0;
  for (const char* name : {"standing", "segments"}) {
    const std::string before = read(name);
    const auto attempt = [&](const std::string& damaged) {
      overwrite(name, damaged);
      const std::string found = outcome();
      refused += found.starts_with("refused");
      EXPECT_TRUE(found.starts_with("refused") || found == intact) << name;
      overwrite(name, before);
      ++tried;
    };
    const std::size_t stride = std::max<std::size_t>(before.size() / 500, 1);
    for (std::size_t i = 0; i < before.size(); i += stride) {
      std::string damaged = before;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
      attempt(damaged);
      attempt(before.substr(0, i));
    }
    attempt(before + "x");
  }
  EXPECT_GT(tried, 1000);
  EXPECT_GT(refused, tried / 2);
}

// Checksums that fit, as anybody can make them, around lengths that no file has.
TEST_F(CheckpointTest, LengthsBeyondTheSegmentsAreRefused) {
  leave_one();
  const std::string segments = read("segments");
  constexpr std::int64_t beyond = std::int64_t{1} << 60;
  ByteWriter content;
  content.put(Extent{beyond, 1});
  content.put(encode(identity));
  content.put(encode(standing));
  overwrite("standing", make_frame(0, FrameKind::standing, content.take()));
  EXPECT_NE(outcome().find("damaged"), std::string::npos) << outcome();
  // The first frame of that length, too.
  ByteWriter header;
  header.put(beyond / 2);
  overwrite("segments", segments.substr(0, 24) + header.take() + segments.substr(32));
  EXPECT_NE(outcome().find("damaged"), std::string::npos) << outcome();
}

TEST_F(CheckpointTest, APipeIsNotWaitedFor) {
  leave_one();
  for (const char* name : {"segments", "standing"}) {
    const std::string before = read(name);
    fs::remove(place + "/" + name);
    ASSERT_EQ(mkfifo((place + "/" + name).c_str(), 0600), 0);
    alarm(60);  // waiting, the test ends here
    EXPECT_NE(outcome().find("not a regular file"), std::string::npos) << outcome();
    alarm(0);
    fs::remove(place + "/" + name);
    overwrite(name, before);
  }
}

}  // namespace
}  // namespace livens::host
