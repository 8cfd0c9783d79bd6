#pragma once
// The calls of a backend in the only order that compiles. A batch begins with its parameters, which make its
// initial states, which are made consistent and start its motion; each stage has the calls that make sense
// there and hands over to the next one:
//
//   Parameters --initial_states()--> InitialStates --make_consistent()--> ConsistentStates --start()-->
//   Motion --nodes()--> Nodes

#include <span>
#include <vector>

#include "ensembles/backend.hpp"

namespace livens::ensembles {

/// A batch on its backend; both outlive every stage. A stage that has handed over is not to be used again.
class Stage {
 public:
  Backend& backend() const { return *backend_; }
  const Batch& batch() const { return *batch_; }

 protected:
  Stage(Backend& backend, const Batch& batch) : backend_(&backend), batch_(&batch) {}

 private:
  Backend* backend_;
  const Batch* batch_;
};

/// Initial values can be drawn, and brought to where the batch has room for them.
class Drawing : public Stage {
 public:
  void draw(const Draw& draw) { backend().draw(batch(), draw); }
  void fetch(const InitialPart& part) { backend().fetch_initial(batch(), part); }

 protected:
  using Stage::Stage;
};

/// All records of a batch are where it has them, and its instances can be evaluated at their nodes.
class Nodes : public Stage {
 public:
  void node(const LastStep* last, std::int64_t instance, NodeView& view) const {
    backend().node(batch(), last, instance, view);
  }

 private:
  friend class Motion;
  using Stage::Stage;
};

/// The batch moves: its records know where they stand.
class Motion : public Stage {
 public:
  void advance(const Settings& settings, std::int64_t to) { backend().advance(batch(), settings, to); }
  /// Integrates instance i to its step steps[i]; as many as the batch has instances.
  void advance_each(const Settings& settings, std::int64_t* steps) {
    Batch by_steps = batch();
    by_steps.steps_per_beat = steps;
    backend().advance(by_steps, settings, 1);
  }
  std::vector<BlockStatistics> observe(std::int64_t size, std::span<const Column> columns) {
    return backend().observe(batch(), size, columns);
  }
  /// As Backend::announce().
  void announce(std::int64_t size, std::span<const Column> columns) {
    backend().announce(batch(), size, columns);
  }
  std::int64_t failed(std::int64_t size) const { return backend().failed(batch(), size); }
  void fetch(const RecordPart& part) { backend().fetch(batch(), part); }
  /// Brings all records.
  void fetch() { fetch({batch().size / tile_size, 0, backend().record_width()}); }
  /// The same; they are good until the batch moves on, or for good if it does not.
  Nodes nodes() {
    fetch();
    return {backend(), batch()};
  }
  void put() { backend().put(batch()); }
  void node(const LastStep* last, std::int64_t instance, NodeView& view) {
    backend().node(batch(), last, instance, view);
  }

 private:
  friend class ConsistentStates;
  using Stage::Stage;
};

/// q, v and p are what the spec wants, as far as the statuses of their instances are ok.
class ConsistentStates : public Stage {
 public:
  void fetch(const InitialPart& part) { backend().fetch_initial(batch(), part); }
  /// `status`: one of every instance, of make_consistent() or of a caller who knows of more that is wrong.
  Motion start(const Settings& settings, const std::uint8_t* status) && {
    backend().start(batch(), settings, status);
    return {backend(), batch()};
  }

 private:
  friend class InitialStates;
  using Stage::Stage;
};

/// q and v are the system's own to begin with.
class InitialStates : public Drawing {
 public:
  void momenta() { backend().momenta(batch()); }
  void velocities() { backend().velocities(batch()); }
  ConsistentStates make_consistent(Consistency consistency, std::uint8_t* status) && {
    backend().make_consistent(batch(), consistency, status);
    return {backend(), batch()};
  }

 private:
  friend class Parameters;
  using Drawing::Drawing;
};

/// Parameters and steps that vary. The batch that its backend had before is gone.
class Parameters : public Drawing {
 public:
  Parameters(Backend& backend, const Batch& batch) : Drawing(backend, batch) { backend.begin(batch); }
  InitialStates initial_states() && {
    backend().initial_states(batch());
    return {backend(), batch()};
  }
};

}  // namespace livens::ensembles
