// A chunk is written while the next one is integrated; in their order, two at a time, and with every failure
// heard of.

#include "ensembles/journal_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <stdexcept>
#include <string>
#include <thread>

#include "ensembles/ensemble.hpp"
#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/oscillator_request.hpp"

namespace livens::ensembles {
namespace {

/// Closed until somebody opens it.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  /// False where it stays closed: far longer than any of these runs takes.
  bool pass() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

Request without_trajectories(std::int64_t size) {
  Request request = oscillator_request(size);
  request.every = 5;
  request.trajectories = 0;  // nodes are evaluated at the end of a chunk alone
  return request;
}

/// Says where it is: the first instance of a part, and its sample or that it is at its end.
class Places : public Journal {
 public:
  std::vector<std::string> places;

  void add(const SamplePart& part) override {
    places.push_back(std::to_string(part.range.first) + " sample " + std::to_string(part.sample));
  }
  void add(InstancesPart part) override { places.push_back(std::to_string(part.range.first) + " end"); }
  bool wants_standing() override { return false; }
  void keep(const Standing&) override {}
  void done(const Standing& standing) override {
    places.push_back("done to " + std::to_string(standing.chunk.first));
  }
};

/// Evaluates no node of the first chunk before the second one is being advanced.
class AheadBackend : public OscillatorBackend {
 public:
  Gate second;
  std::atomic<bool> alone = false;

  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    if (batch.first == block_size) second.open();
    OscillatorBackend::advance(batch, settings, to);
  }
  void node(const Batch& batch, const LastStep* last, std::int64_t i, NodeView& view) override {
    if (batch.first == 0 && !alone && !second.pass()) alone = true;
    OscillatorBackend::node(batch, last, i, view);
  }
};

TEST(JournalThread, LetsAChunkBeIntegratedWhileTheOneBeforeIsWritten) {
  AheadBackend backend;
  Places journal;
  integrate(without_trajectories(3 * block_size), backend, {0, 3 * block_size}, block_size, journal, {}, {});
  EXPECT_FALSE(backend.alone) << "the nodes of a chunk are evaluated before the next is begun";
  std::vector<std::string> in_order;
  for (const int first : {0, 1024, 2048}) {
    const std::string at = std::to_string(first);
    for (int sample = 0; sample < 5; ++sample) in_order.push_back(at + " sample " + std::to_string(sample));
    in_order.push_back(at + " end");
    in_order.push_back("done to " + std::to_string(first + 1024));
  }
  EXPECT_EQ(journal.places, in_order);
}

/// The nodes of a batch are gone when another one begins.
class ForgetfulBackend : public OscillatorBackend {
 public:
  bool nodes_outlive_batch() const override { return false; }
  void begin(const Batch& batch) override { first_ = batch.first; }
  void node(const Batch& batch, const LastStep* last, std::int64_t i, NodeView& view) override {
    if (batch.first != first_) throw std::logic_error("a batch that is gone");
    OscillatorBackend::node(batch, last, i, view);
  }

 private:
  std::int64_t first_ = -1;
};

TEST(JournalThread, WaitsForNodesThatDoNotOutliveTheirBatch) {
  ForgetfulBackend backend;
  Places journal;
  integrate(without_trajectories(3 * block_size), backend, {0, 3 * block_size}, block_size, journal, {}, {});
  EXPECT_EQ(journal.places.size(), 21u);
}

/// Counts the chunks whose state is held.
class CountingBackend : public OscillatorBackend {
 public:
  std::atomic<int> held = 0, most = 0, begun = 0;

  void begin(const Batch&) override {
    ++begun;
    most = std::max<int>(most, ++held);
  }
};

/// Takes its time over the end of a chunk.
class SlowJournal : public Places {
 public:
  explicit SlowJournal(CountingBackend& backend) : backend_(backend) {}
  void add(const SamplePart& part) override { Places::add(part); }
  void add(InstancesPart part) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --backend_.held;
    Places::add(std::move(part));
  }

 private:
  CountingBackend& backend_;
};

TEST(JournalThread, HoldsTwoChunksAtMost) {
  CountingBackend backend;
  SlowJournal journal(backend);
  integrate(without_trajectories(8 * block_size), backend, {0, 8 * block_size}, block_size, journal, {}, {});
  EXPECT_EQ(backend.begun, 8);
  EXPECT_EQ(backend.most, 2);
}

TEST(JournalThread, LetsOnlySoManySamplesWait) {
  class Blocked : public Places {
   public:
    Gate gate;
    void add(const SamplePart& part) override {
      EXPECT_TRUE(gate.pass());
      Places::add(part);
    }
    void add(InstancesPart part) override { Places::add(std::move(part)); }
  };
  Blocked journal;
  JournalThread thread(journal);
  // Two of them are more than may wait.
  SamplePart part{{0, 1}, 0, {}, {}};
  part.followed.q.resize(JournalThread::most_waiting / sizeof(double) * 5 / 8);
  std::atomic<bool> added = false;
  thread.add(part);
  const Thread other([&] {
    thread.add(std::move(part));
    added = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(added);
  journal.gate.open();
  thread.finish();
}

TEST(JournalThread, EndsARunWhoseJournalFails) {
  class Full : public Places {
   public:
    void add(const SamplePart& part) override {
      if (part.range.first == block_size) throw std::runtime_error("no space left");
      Places::add(part);
    }
    void add(InstancesPart part) override { Places::add(std::move(part)); }
  };
  CountingBackend backend;
  Full journal;
  try {
    integrate(without_trajectories(20 * block_size), backend, {0, 20 * block_size}, block_size, journal, {},
              {});
    FAIL() << "the run goes on";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "no space left");
  }
  // It is heard of no later than when the chunk after is handed over, and nothing more is written.
  EXPECT_LE(backend.begun, 3);
  EXPECT_EQ(journal.places.back(), "done to 1024");
}

TEST(JournalThread, WritesWhatIsDoneWhenTheNextChunkFails) {
  class Failing : public CountingBackend {
   public:
    void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
      if (batch.first == block_size) throw BackendFailure("the launch failed");
      CountingBackend::advance(batch, settings, to);
    }
  };
  Failing backend;
  SlowJournal journal(backend);
  EXPECT_THROW(integrate(without_trajectories(3 * block_size), backend, {0, 3 * block_size}, block_size,
                         journal, {}, {}),
               BackendFailure);
  EXPECT_EQ(std::count(journal.places.begin(), journal.places.end(), "done to 1024"), 1);
}

}  // namespace
}  // namespace livens::ensembles
