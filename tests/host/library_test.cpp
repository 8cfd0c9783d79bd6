// liblivens through its public header, on the toy pairs: what a spec that is built says, what a run hands
// back, and how it ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>

#include "host/library/checked.hpp"
#include "host/livens.hpp"
#include "tests/host/result_fixture.hpp"
#include "tests/host/toy_registry.hpp"

namespace livens {
namespace {

Ensemble toy() {
  Ensemble ensemble("toy_pair");
  ensemble.scheme("ems").step(0.5).steps(20).size(3000).seed(7).every(5).trajectories(2);
  ensemble.vary("initial.v[0]", Distribution::normal(0.25, 0.1).added());
  return ensemble;
}

template <class Call>
std::string message_of(Call call, int status) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status);
    return error.what();
  }
  return "nothing was thrown";
}

/// Every number of a result but the seconds, as bytes.
std::string bytes_of(const Result& result) {
  std::string bytes;
  for (const Array& array : result.arrays()) {
    bytes += array.name;
    std::visit(
        [&](auto values) { bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes()); },
        array.values);
  }
  return bytes;
}

class Library : public host::ResultFileTest {};

TEST_F(Library, ABuiltSpecIsToml) {
  Ensemble ensemble("toy_pair");
  ensemble.parameter("mass", std::vector<double>{1.0, 2.5}).scheme("ems").step(1.0).newton_tolerance(1e-12);
  ensemble.step(0.1).observe({"energy", "q[0]"}).set("output.file", "a \"b\"\n.h5");
  ensemble.vary("system.stiffness", Distribution::values({1.0, 0.1}).multiplied());
  EXPECT_EQ(ensemble.to_toml(),
            "[system]\nname = \"toy_pair\"\nmass = [1.0, 2.5]\n\n"
            "[scheme]\nname = \"ems\"\nstep = 0.1\n\n"
            "[scheme.newton]\ntolerance = 1e-12\n\n"
            "[output]\nobserve = [\"energy\", \"q[0]\"]\nfile = \"a \\\"b\\\"\\u000a.h5\"\n\n"
            "[[ensemble.vary]]\nwhat = \"system.stiffness\"\nlaw = \"values\"\nvalues = [1.0, 0.1]\n"
            "mode = \"multiply\"\n");
  const host::Spec spec = host::checked(toy(), host::toy_catalogue(), nullptr);
  EXPECT_EQ(spec.request.size, 3000);
  EXPECT_EQ(spec.request.variations.at(0).a, 0.25);
  EXPECT_EQ(spec.text, toy().to_toml());
}

// One reader checks all specs, so a complaint about one that was built names key and line of its TOML.
TEST_F(Library, ComplaintsAreThoseOfTheReader) {
  const auto complaint = [](Ensemble& ensemble) { return message_of([&] { ensemble.check(); }, 2); };
  Ensemble built = toy();
  EXPECT_EQ(complaint(built.step(-1.0)),
            "ensemble:6: scheme.step: -1 is out of range; expected a finite time > 0 (s)");
  Ensemble misspelt = toy();
  EXPECT_EQ(complaint(misspelt.parameter("stifness", 1.0)),
            "ensemble:3: system.stifness: unknown key 'stifness'; did you mean 'stiffness'?");
  Ensemble text = Ensemble::from_toml("[system]\nname = \"toy_pair\"\n[scheme]\nstep = 0.0\n", "mine.toml");
  EXPECT_EQ(complaint(text), "mine.toml:4: scheme.step: 0 is out of range; expected a finite time > 0 (s)");
  EXPECT_EQ(complaint(text.step(0.0)),
            "--set: scheme.step: 0 is out of range; expected a finite time > 0 (s)");
  text.step(0.5).check();
  EXPECT_NE(message_of([] { Ensemble::from_file("/no/such.toml"); }, 2).find("cannot be read"),
            std::string::npos);
}

TEST_F(Library, AMistakeArrivesWithItsFields) {
  const std::string table = (directory / "design.csv").string(), text = (directory / "bead.toml").string();
  std::ofstream(table) << "initial.v[0]\n0.5\nfast\n";
  std::ofstream(text) << "name = 'bead'\nkinetic = \"1/2*mass*x'^2\"\npotential = 'mass*9.81*sinn(x)'\n"
                         "coordinates = { x = 1 }\nparameters = { mass = 1.0 }\n";
  const auto checked = [](const std::string& lines) {
    Ensemble::from_toml("[system]\nname = 'toy_pair'\n" + lines, "toy.toml").check();
  };
  const std::pair<std::function<void()>, Mistake> cases[] = {
      {[&] { checked("[scheme]\nstep = -1.0\n"); },
       {{"toy.toml", 4, "scheme.step"}, "-1 is out of range", "a finite time > 0 (s)"}},
      {[&] { checked("[scheme]\nstpe = 1.0\n"); },
       {{"toy.toml", 4, "scheme.stpe"}, "unknown key 'stpe'", "", "step"}},
      {[&] { checked("[output]\nstop = [{ when = 'q[0] +' }]\n"); },
       {{"toy.toml", 4, "output.stop[0].when"}, "found the end", "a number, a name or '('", "", "q[0] +", 6}},
      {[&] { Ensemble::from_toml("system.file = '" + text + "'\n").check(); },
       {{text, 3, "potential"}, "unknown function 'sinn'", "", "sin", "mass*9.81*sinn(x)", 10}},
      {[&] { toy().table_file(table).check(); },
       {{table, 3, "initial.v[0]"}, "'fast' is no number", "one like 0.25, nan or inf"}},
      {[&] { Ensemble::from_toml("system.name = 'toy_pair'\n").step(0.0).check(); },
       {{"--set", 0, "scheme.step"}, "0 is out of range", "a finite time > 0 (s)"}},
      {[&] { run(toy(), {.backend = "reference", .devices = {0}}); },
       {{.key = "--devices"}, "reference runs on the processor", "--backend cuda"}},
      {[&] {
         toy().table({{"initial.v[0]", {2, 2, 2}, {}}}, "memory.csv");
       },
       {{"memory.csv", 0, "initial.v[0]"}, "has the shape (2, 2, 2)", "an array of N, or of N,k numbers"}},
      {[&] { run(toy()).codes("/instances/statsu"); }, {{}, "no array '/instances/statsu' in this result"}}};
  for (const auto& [call, mistake] : cases) {
    try {
      call();
      ADD_FAILURE() << printed(mistake);
    } catch (const SpecError& error) {
      ASSERT_EQ(error.mistakes.size(), 1u) << error.what();
      Mistake found = error.mistakes.front();
      if (found.problem.starts_with("no array")) found.expected = found.suggestion = "";  // all there are
      EXPECT_EQ(found, mistake) << error.what();
      EXPECT_EQ(printed(error.mistakes), error.what());
    }
  }
}

TEST_F(Library, AllMistakesArriveAtOnce) {
  try {
    toy().step(-1.0).every(-1).check();
    ADD_FAILURE();
  } catch (const SpecError& error) {
    ASSERT_EQ(error.mistakes.size(), 2u) << error.what();
    EXPECT_EQ(error.mistakes[0].key, "scheme.step");
    EXPECT_EQ(error.mistakes[1].key, "output.every");
  }
}

// The arrays are those of the file, to the bit.
TEST_F(Library, MemoryAndFileHoldTheSame) {
  const Result result = run(toy());
  EXPECT_EQ(result.size(), 3000);
  EXPECT_EQ(result.failed(), 0);
  EXPECT_EQ(result["/instances/final_q"].shape, (std::vector<std::int64_t>{3000, 2}));
  EXPECT_EQ(result["/instances/max_energy_error"].unit, "J");
  EXPECT_EQ(result["/trajectories/q"].shape, (std::vector<std::int64_t>{2, 5, 2}));
  EXPECT_EQ(result.codes("/instances/status").size(), 3000u);
  EXPECT_EQ(result.counts("/statistics/ok")[4], 3000);
  // A step adds h v to q: 20 steps of 0.5 s.
  const auto q0 = result.numbers("/instances/initial_q"), q1 = result.numbers("/instances/final_q"),
             v = result.numbers("/instances/initial_v");
  for (std::size_t i = 0; i < q0.size(); i += 997) EXPECT_NEAR(q1[i], q0[i] + 10.0 * v[i], 1e-13 * 10.0);

  for (const double every : {0.0, 60.0}) {  // straight into the file; held until then
    Ensemble ensemble = toy().set("output.checkpoint_every", every);
    const Written written = run_to_file(ensemble, {.path = path, .overwrite = true});
    EXPECT_EQ(written.path, path);
    EXPECT_NE(written.summary.find("3000 of 3000 instances ok"), std::string::npos) << written.summary;
    EXPECT_TRUE(bytes_of(open_result(path)) == bytes_of(result)) << every;
    EXPECT_FALSE(std::filesystem::exists(path + ".checkpoint"));
  }
  result.save(path);
  const Result again = open_result(path);
  EXPECT_TRUE(bytes_of(again) == bytes_of(result));
  EXPECT_EQ(again.spec(), toy().to_toml());
  EXPECT_EQ(again.summary(), result.summary());
}

TEST_F(Library, ShardsAreMergedIntoTheWhole) {
  EXPECT_EQ(instances_of(toy()), 3000);
  EXPECT_THROW(instances_of(toy().step(-1.0)), SpecError);
  std::vector<std::string> parts;
  for (const std::int64_t index : {2, 0, 1}) {
    parts.push_back(path + std::to_string(index));
    run_to_file(toy(), {.path = parts.back(), .shard = ShardOption{index, 3}});
  }
  EXPECT_NE(merge(parts, path).find("3000 of 3000 instances ok"), std::string::npos);
  EXPECT_TRUE(bytes_of(open_result(path)) == bytes_of(run(toy())));
  std::filesystem::remove(path);
  parts.pop_back();
  message_of([&] { merge(parts, path); }, 2);
  EXPECT_FALSE(std::filesystem::exists(path));
  for (const int index : {0, 1, 2}) std::filesystem::remove(path + std::to_string(index));
}

// A portion of 1024 instances of 200 bytes each at a time, and as little room for parts: the checkpoint is
// written to before any is due.
TEST_F(Library, PartsThatTakeTooMuchMemoryGoToTheCheckpoint) {
  RunOptions little;
  little.memory = 1024 * 200 * 0x1p-30;
  run_to_file(toy(), {.path = path}, little);
  EXPECT_TRUE(bytes_of(open_result(path)) == bytes_of(run(toy())));
}

TEST_F(Library, CallbacksHearOfTheRun) {
  RunOptions options;
  std::vector<double> times;
  Progress last{};
  options.sample = [&](const Sample& sample) {
    EXPECT_EQ(sample.count, 5);
    EXPECT_EQ(sample.ok, sample.last - sample.first);
    times.push_back(sample.time);
  };
  options.progress = [&](const Progress& at) { last = at; };
  run(toy(), options);
  EXPECT_EQ(times, (std::vector<double>{0.0, 2.5, 5.0, 7.5, 10.0}));
  EXPECT_EQ(last.done, 3000 * 20);
  EXPECT_EQ(last.done, last.total);

  struct Mine {};
  options.sample = [](const Sample&) { throw Mine(); };
  EXPECT_THROW(run(toy(), options), Mine);
  EXPECT_THROW(run_to_file(toy(), {.path = path}, options), Mine);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Library, ACancelledRunLeavesACheckpointAndGoesOn) {
  RunOptions options;
  std::atomic<int> asked = 0;
  options.threads = 1;
  options.cancelled = [&] { return ++asked > 20; };
  EXPECT_EQ(message_of([&] { run(toy(), options); }, 130), "cancelled");
  asked = 0;
  const std::string said = message_of([&] { run_to_file(toy(), {.path = path}, options); }, 130);
  EXPECT_NE(said.find("the checkpoint is in"), std::string::npos) << said;
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(run_to_file(toy(), {.path = path, .resume = true}).failed, 0);
  EXPECT_TRUE(bytes_of(open_result(path)) == bytes_of(run(toy())));
}

TEST_F(Library, ErrorsHaveTheirStatus) {
  Ensemble all_fail("toy_pair");
  all_fail.set("initial.v", std::vector<double>{101.0, 0.0}).steps(10).on_failure("error");
  const Result failed = run(all_fail);
  EXPECT_EQ(failed.failed(), 1);
  EXPECT_EQ(message_of([&] { failed.check(); }, 3),
            "1 of 1 instances failed, and ensemble.on_failure is \"error\"");
  EXPECT_EQ(status_names().at(failed.codes("/instances/status")[0]), "newton_diverged");
  run(toy()).check();
  message_of([&] { open_result(path + ".none"); }, 4);
  message_of([&] { failed.save("/no/such/directory/out.h5"); }, 4);
  EXPECT_NE(message_of([&] { failed["/instances/final_x"]; }, 2).find("'/instances/final_q'"),
            std::string::npos);
  message_of([&] { failed.counts("/instances/final_q"); }, 2);
  message_of([&] { run(toy(), {.backend = "abacus"}); }, 2);
}

// Nothing that a run uses is shared: two at once, one of them ended in the middle, give what each gives
// alone.
TEST_F(Library, TwoRunsAtOnce) {
  const std::string alone = bytes_of(run(toy()));
  std::string first, second;
  RunOptions cut;
  cut.cancelled = [asked = std::make_shared<std::atomic<int>>(0)] { return ++*asked > 5; };
  std::thread a([&] { first = bytes_of(run(toy())); });
  std::thread b([&] {
    for (int i = 0; i < 5; ++i) EXPECT_THROW(run(toy(), cut), Cancelled);
    run_to_file(toy(), {.path = path});
    second = bytes_of(open_result(path));
  });
  a.join();
  b.join();
  EXPECT_TRUE(first == alone);
  EXPECT_TRUE(second == alone);
}

}  // namespace
}  // namespace livens
