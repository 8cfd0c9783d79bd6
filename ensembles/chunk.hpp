#pragma once
// A range of instances on its way through all samples.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ensembles/ensemble.hpp"
#include "ensembles/journal_thread.hpp"
#include "ensembles/node_values.hpp"
#include "ensembles/population.hpp"
#include "ensembles/request.hpp"
#include "ensembles/schedule.hpp"
#include "ensembles/trajectories.hpp"

namespace livens::ensembles {

/// Time of a chunk in ticks: beats where all instances share h; where scheme.step varies a beat is an output
/// interval, cut into as many ticks as the instance with the most steps makes in it. No instance makes more
/// than one step in a tick, and each makes the last of its interval in the last: of s <= P steps an instance
/// has made floor((P - 1) s / P) = s - 1 one tick before the end of P ticks.
class Ticks {
 public:
  explicit Ticks(const Batch& batch);
  std::int64_t of_beats(std::int64_t beats) const { return beats * per_beat_; }
  /// Integrates a batch to a tick.
  void advance(Motion& motion, const Settings& settings, std::int64_t tick);

 private:
  std::int64_t per_beat_ = 1;
  std::vector<std::int64_t> steps_;  // of every instance, to the tick wanted; empty where all share h
};

class Chunk {
 public:
  /// The progress of the run as a whole, in instances times beats.
  struct Account {
    std::int64_t done = 0, total = 0;
    std::int64_t failed = 0;    ///< instances of the chunks before
    double wall_seconds = 0.0;  ///< of stepping, all chunks
  };

  /// At time 0; `spare` as of a Population. Throws as that.
  Chunk(const Request& request, const Schedule& schedule, Range range, Backend& backend, SpareArrays& spare,
        JournalThread& journal, const Progress& progress, Account& account);

  /// Goes to where it stood once. Throws std::invalid_argument where the Standing is not of this chunk.
  void resume(const Standing& standing);

  /// Integrates to the end and hands over all samples.
  void integrate();
  /// The rest, to be handed over: on any thread, once, while the backend is busy with another chunk.
  InstancesPart take_instances();

 private:
  using Clock = std::chrono::steady_clock;

  void take_sample();
  void advance_to(std::int64_t tick, bool interruptible);
  /// Hands over where it stands when stepping was stopped.
  void stoppable(const std::function<void()>& stepping);
  /// Between two pieces of stepping: hands over where it stands if that is wanted, and reports.
  void pause();
  void report();
  /// Columns [first, last) of all records.
  void fetch(int first, int last) const;
  void watch_bound();
  void collect();

  const Request& request_;
  const Schedule& schedule_;
  Range range_;
  JournalThread& journal_;
  const Progress& progress_;
  Account& account_;
  Population population_;
  mutable Motion motion_;  // a query of the records fetches them
  Ticks ticks_;
  const std::vector<Observable> observables_;  // with statistics
  TrajectoryRecorder trajectories_;
  Extremes extremes_;
  std::int64_t tick_ = 0, piece_ = 1;
  std::int64_t samples_ = 0;
  bool approached_ = false;  // the next sample: trajectories_ has the node before it
  std::vector<double> bound_exceeded_;
  std::optional<Nodes> nodes_;          // at the end
  std::optional<Instances> instances_;  // of these
  Clock::time_point reported_ = Clock::now();
};

}  // namespace livens::ensembles
