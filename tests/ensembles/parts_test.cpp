// A run in parts: chunks, shards, interruptions. Every dataset has to be that of the run in one piece, to the
// bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "ensembles/batch_part.hpp"
#include "ensembles/ensemble.hpp"
#include "ensembles/joined_parts.hpp"
#include "tests/ensembles/distant_records.hpp"
#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/oscillator_request.hpp"
#include "tests/ensembles/summaries.hpp"

namespace livens::ensembles {
namespace {

/// Every kind of part: statistics, trajectories of more than a block, values drawn, a bound.
Request with_all_parts(std::int64_t size) {
  Request request = oscillator_request(size);
  request.every = 6;
  request.quantiles = {0.1, 0.5};
  request.trajectories = 1100;
  request.energy_bound = 1e-16;
  request.variations = {
      {"initial.v[0]", Target::v, 0, 1, Law::normal, Mode::set, 0.0, 1.0, {}},
      {"system.failure", Target::parameter, 2, 1, Law::uniform, Mode::set, -100.0, 30.0, {}}};
  return request;
}

/// Steps differ from instance to instance: 5 to 50 in an interval.
Request with_varied_steps(std::int64_t size) {
  Request request = with_all_parts(size);
  request.interval = 0.5;
  request.variations.push_back({"scheme.step", Target::step, 0, 1, Law::uniform, Mode::set, 0.01, 0.1, {}});
  return request;
}

/// Observes what a record keeps, what is evaluated at nodes, the least and largest of it, and how it goes
/// together with what varies.
Request observing(Request request) {
  const JointAxis velocity{"initial.v[0]", "", "", Target::v, 0, 16, {}},
      energy{"kinetic_energy", "", "", {}, 0, 12, {}},
      position{"q[1]", "", "", {}, 0, 5, std::pair{-0.4, 0.7}};
  request.joints = {{"end", {velocity, energy}, false}, {"samples", {velocity, position, energy}, true}};
  request.observe = {"kinetic_energy", "q[1]", "work", "energy_error"};
  request.extremes = true;
  return request;
}

/// Keeps parts, and stops the run at the `stop`-th question whether a Standing is wanted.
struct Interruption {};
class Parts : public Journal {
 public:
  std::vector<SamplePart> samples;
  std::vector<InstancesPart> instances;
  std::optional<Standing> standing;
  std::int64_t stop = -1;

  void add(const SamplePart& part) override { samples.push_back(part); }
  void add(InstancesPart part) override { instances.push_back(std::move(part)); }
  bool wants_standing() override { return stop >= 0 && stop-- == 0; }
  void keep(const Standing& now) override { standing = now; }
};

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The bits that the tests compare, of all datasets.
std::vector<std::uint64_t> bits_of(const Result& result) {
  std::vector<double> all = result.time;
  for (const auto& entry : result.statistics)
    for (const auto* values :
         {&entry.mean, &entry.std, &entry.min, &entry.max, &entry.rms, &entry.quantiles, &entry.bins})
      append(all, *values);
  for (const auto& entry : result.statistics)
    for (const std::int64_t count : entry.histogram) all.push_back(static_cast<double>(count));
  for (const std::int64_t ok : result.ok) all.push_back(static_cast<double>(ok));
  const Trajectories& t = result.trajectories;
  for (const auto* values :
       {&t.q, &t.p, &t.v, &t.lambda, &t.gamma, &t.momentum, &t.energy, &t.total_energy, &t.z})
    append(all, *values);
  const Instances& i = result.instances;
  for (const auto* values :
       {&i.initial_q, &i.initial_v, &i.final_q, &i.final_v, &i.final_p, &i.bound_exceeded})
    append(all, *values);
  for (const auto* list : {&i.quantities, &i.observables, &t.observed})
    for (const Quantity& quantity : *list) append(all, quantity.values);
  for (const std::int64_t step : i.failed_step) all.push_back(static_cast<double>(step));
  for (const JointStatistics& joint : result.joints) {
    for (const auto& edges : joint.edges) append(all, edges);
    for (const std::int64_t count : joint.histogram) all.push_back(static_cast<double>(count));
  }
  std::vector<std::uint64_t> bits;
  for (const double value : all) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

void append_each(std::vector<Quantity>& all, const std::vector<Quantity>& some) {
  all.resize(some.size());
  for (std::size_t k = 0; k < some.size(); ++k) append(all[k].values, some[k].values);
}

Result assemble(const Request& request, const std::vector<const Parts*>& journals) {
  const OscillatorBackend backend;
  JoinedParts joined(shape_of(request, backend.system(), {0, request.size}));
  Result result{};
  for (const Parts* journal : journals) {
    for (const SamplePart& part : journal->samples) joined.add(part);
    for (const InstancesPart& part : journal->instances) {
      Instances& all = result.instances;
      const Instances& some = part.instances;
      append(all.initial_q, some.initial_q), append(all.initial_v, some.initial_v);
      append(all.final_q, some.final_q), append(all.final_v, some.final_v), append(all.final_p, some.final_p);
      append_each(all.quantities, some.quantities), append_each(all.observables, some.observables);
      append(all.bound_exceeded, some.bound_exceeded);
      all.failed_step.insert(all.failed_step.end(), some.failed_step.begin(), some.failed_step.end());
    }
  }
  joined.finish(result);
  return result;
}

std::vector<std::uint64_t> in_one_piece(const Request& request) {
  OscillatorBackend backend;
  return bits_of(run(request, backend, {}));
}

TEST(Parts, ChunksChangeNoBit) {
  for (const Request& request :
       {with_all_parts(5000), with_varied_steps(5000), observing(with_varied_steps(5000))}) {
    const auto whole = in_one_piece(request);
    for (const std::int64_t chunk : {1, 1024, 3000, 4096}) {
      OscillatorBackend backend;
      Parts parts;
      integrate(request, backend, {0, request.size}, chunk, parts, {}, {});
      EXPECT_EQ(parts.instances.size(), chunk < 2048 ? 5u : chunk < 4096 ? 3u : 2u);
      EXPECT_EQ(bits_of(assemble(request, {&parts})), whole) << chunk;
    }
  }
}

TEST(Parts, ShardsChangeNoBit) {
  const Request request = observing(with_all_parts(9 * 1024 + 1));
  const auto whole = in_one_piece(request);
  for (const std::int64_t count : {1, 3, 7, 10}) {
    std::vector<Parts> shards(count);
    std::vector<const Parts*> backwards;
    for (std::int64_t i = 0; i < count; ++i) {
      OscillatorBackend backend;
      integrate(request, backend, shard(request.size, i, count), request.size, shards[i], {}, {});
      backwards.push_back(&shards[i]);
    }
    EXPECT_EQ(bits_of(assemble(request, backwards)), whole) << count;
  }
}

/// A GPU's ways with the records.
using DistantBackend = DistantRecords<OscillatorBackend>;

TEST(Parts, RecordsThatStayOnADeviceChangeNoBit) {
  for (Request request : {with_all_parts(5000), with_varied_steps(5000), observing(with_all_parts(5000))}) {
    // Every third instance fails at its seventh step.
    request.variations[1].law = Law::values;
    request.variations[1].points = {-1.0, -1.0, 7.0};
    DistantBackend backend;
    Parts parts;
    std::int64_t failed = 0;
    integrate(request, backend, {0, request.size}, 2048, parts, {},
              [&](std::int64_t, std::int64_t, std::int64_t so_far) { failed = so_far; });
    EXPECT_EQ(bits_of(assemble(request, {&parts})), in_one_piece(request));
    std::int64_t expected = 0;
    for (const InstancesPart& part : parts.instances)
      expected += std::count_if(part.instances.status.begin(), part.instances.status.end(),
                                [](std::uint8_t status) { return status != 0; });
    EXPECT_GT(failed, 0);
    EXPECT_EQ(failed, expected);
  }
}

// Every place where the run can be interrupted, and each time the run goes on in a new process, and once on
// another kind of device.
TEST(Parts, InterruptionsChangeNoBit) {
  for (const Request& request :
       {with_all_parts(1500), with_varied_steps(1500), observing(with_all_parts(1500))}) {
    const auto whole = in_one_piece(request);
    for (std::int64_t stop = 0;; ++stop) {
      if (stop > 8) stop += 4;
      Parts parts;
      parts.stop = stop;
      const auto interrupt = [&](auto...) {
        if (parts.standing) throw Interruption();
      };
      DistantBackend first;
      OscillatorBackend second;
      DistantBackend third;
      Backend& next = stop % 2 == 0 ? static_cast<Backend&>(second) : third;
      try {
        integrate(request, first, {0, request.size}, 1024, parts, {}, interrupt);
      } catch (const Interruption&) {
      }
      if (!parts.standing) break;
      EXPECT_LT(parts.instances.size(), 2u) << "not interrupted";
      integrate(request, next, {0, request.size}, 4096, parts, parts.standing, {});
      ASSERT_EQ(bits_of(assemble(request, {&parts})), whole) << stop;
      ASSERT_LT(stop, 10000);
    }
  }
}

/// Is stopped in its call number `stop` of advance(), when the first tile alone has made its steps.
class Interrupted : public OscillatorBackend {
 public:
  explicit Interrupted(std::int64_t stop) : left_(stop) {}
  bool stopped() const { return left_ < 0; }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    if (left_-- > 0) return OscillatorBackend::advance(batch, settings, to);
    const BatchPart tile(batch, system(), record_width(), 0, tile_size);
    OscillatorBackend::advance(tile.batch(), settings, to);
    throw Stopped();
  }

 private:
  std::int64_t left_;
};

// In the middle of a piece of stepping, also of the last step to a sample, whose multipliers need the node
// before.
TEST(Parts, StopsBetweenTwoBlocksChangeNoBit) {
  for (const Request& request : {with_all_parts(1500), with_varied_steps(1500)}) {
    const auto whole = in_one_piece(request);
    for (std::int64_t stop = 0;; ++stop) {
      Interrupted first(stop);
      class : public Parts {
       public:
        const Interrupted* backend;
        bool wants_standing() override { return backend->stopped(); }
      } parts;
      parts.backend = &first;
      try {
        integrate(request, first, {0, request.size}, 1024, parts, {}, {});
        break;
      } catch (const Stopped&) {
      }
      ASSERT_TRUE(parts.standing) << stop;
      OscillatorBackend second;
      Parts rest = parts;
      integrate(request, second, {0, request.size}, 4096, rest, parts.standing, {});
      ASSERT_EQ(bits_of(assemble(request, {&rest})), whole) << stop;
    }
  }
}

TEST(Parts, TheStandingOfAnotherRunIsRefused) {
  const Request request = with_all_parts(1500);
  OscillatorBackend backend;
  Parts parts;
  parts.stop = 0;
  integrate(request, backend, {0, request.size}, 4096, parts, {}, {});
  ASSERT_TRUE(parts.standing);
  const auto resume = [&](const Standing& standing) {
    Parts rest;
    integrate(request, backend, {0, request.size}, 4096, rest, standing, {});
  };
  resume(*parts.standing);
  for (const auto& spoil : std::initializer_list<void (*)(Standing&)>{
           [](Standing& s) { s.records.pop_back(); }, [](Standing& s) { s.tick = 21; },
           [](Standing& s) { s.tick = -1; }, [](Standing& s) { s.samples = 6; },
           [](Standing& s) { s.chunk.last = 3000; }, [](Standing& s) { s.chunk.first = -1024; },
           [](Standing& s) { s.bound_exceeded.clear(); }}) {
    Standing spoiled = *parts.standing;
    spoil(spoiled);
    EXPECT_THROW(resume(spoiled), std::invalid_argument);
  }
}

TEST(Parts, ShardsAreWholeBlocksAndDisjoint) {
  for (const std::int64_t size : {1, 1024, 1025, 10000, 7 * 1024}) {
    for (std::int64_t count = 1; count <= block_count(size); ++count) {
      std::int64_t next = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const Range part = shard(size, i, count);
        EXPECT_EQ(part.first, next);
        EXPECT_EQ(part.first % block_size, 0);
        EXPECT_GT(part.size(), 0);
        next = part.last;
      }
      EXPECT_EQ(next, size);
    }
  }
  EXPECT_THROW(shard(1025, 0, 3), std::invalid_argument);
  EXPECT_THROW(shard(4096, 2, 2), std::invalid_argument);
  EXPECT_THROW(shard(4096, -1, 2), std::invalid_argument);
  EXPECT_THROW(shard(4096, 0, 0), std::invalid_argument);
}

TEST(Parts, ChosenInstancesAreThoseOfTheEnsemble) {
  Request request = with_all_parts(2000);
  OscillatorBackend backend;
  const Result all = run(request, backend, {});
  request.instances = {1999, 3, 1024};
  request.size = 3;
  request.trajectories = 2;
  const Result some = run(request, backend, {});
  EXPECT_EQ(some.instances.number, request.instances);
  EXPECT_EQ(some.trajectories.instance, (std::vector<std::int64_t>{1999, 3}));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k)
      EXPECT_EQ(some.instances.final_q[2 * i + k], all.instances.final_q[2 * request.instances[i] + k]);
}

// The bound is exceeded at the first sample where the largest error of all steps so far is above it.
TEST(Parts, TheBoundIsWatchedOverAllSteps) {
  Request request = with_all_parts(40);
  request.trajectories = 0;
  OscillatorBackend backend;
  const Result result = run(request, backend, {});
  int exceeded = 0;
  for (int i = 0; i < 40; ++i) {
    const bool left = result.instances["max_energy_error"][i] > 1e-16 * result.instances["energy_scale"][i];
    EXPECT_EQ(std::isfinite(result.instances.bound_exceeded[i]), left);
    exceeded += left;
  }
  EXPECT_GT(exceeded, 20);  // the fake's energy scale is 0, so any error exceeds it
}

// Ensembles of 1000: random walks have exponent 1/2, walks with a drift 1, bounded errors 0. An interval of
// 95 % covers the truth in 38 of 40 ensembles, with a standard deviation of 1.4; 32 are four of them away.
TEST(Growth, IntervalsCoverTheTruth) {
  constexpr int ensembles = 40, kinds = 3;
  constexpr double expected[kinds] = {0.5, 1.0, 0.0};
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  std::vector<double> time;
  for (int k = 0; k <= 48; ++k) time.push_back(std::round(std::pow(10.0, k / 16.0)));
  int covered[kinds] = {};
  for (int ensemble = 0; ensemble < ensembles; ++ensemble) {
    std::vector<std::vector<GroupedSquares>> squares(kinds, std::vector<GroupedSquares>(time.size()));
    for (int walker = 0; walker < 1000; ++walker) {
      double walk = 0.0, at = 0.0;
      const double drift = 1.0 + 0.1 * normal(engine);
      for (std::size_t k = 0; k < time.size(); ++k) {
        walk += std::sqrt(time[k] - at) * normal(engine);
        at = time[k];
        squares[0][k].add(walker, walk);
        squares[1][k].add(walker, drift * at + 1e-3 * walk);
        squares[2][k].add(walker, normal(engine));
      }
    }
    for (int kind = 0; kind < kinds; ++kind) {
      const Growth found = growth(time, squares[kind]);
      covered[kind] += found.low <= expected[kind] + 1e-6 && expected[kind] - 1e-6 <= found.high;
      EXPECT_LT(found.high - found.low, 0.2);
      EXPECT_EQ(found.from, 10.0);
    }
  }
  for (const int count : covered) EXPECT_GE(count, 32);
  const std::vector<GroupedSquares> nobody(time.size());
  EXPECT_TRUE(std::isnan(growth(time, nobody).exponent));
  EXPECT_TRUE(std::isnan(growth({0.0, 1.0, 2.0}, {3, GroupedSquares{}}).exponent));
}

}  // namespace
}  // namespace livens::ensembles
