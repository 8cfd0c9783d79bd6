#pragma once
// The machine an ensemble runs on: CPU lanes and threads, one GPU or several, or the Eigen reference. The
// arrays of a Batch are the caller's, but what stands in them belongs to the backend: parameters, steps and
// initial states from begin() on, records from start() on. A GPU keeps them, and only what is asked for
// crosses the bus.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ensembles/statistics.hpp"
#include "kernels/description/interface.hpp"
#include "kernels/stepping/draws.hpp"

namespace livens::ensembles {

/// A device did not do what it was asked. The message names it, the instances in question and the call.
struct BackendFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown when cancellation is requested during advance(). Each record stands at some step between the one before
/// the call and its target, so that the same call goes on from there.
struct Stopped {};

/// True once cancellation is requested. Called on any thread in the middle of its work, again and again; empty:
/// never.
using StopAsked = std::function<bool()>;

/// The statistics of a block at a sample.
struct BlockStatistics {
  std::int64_t ok = 0;             ///< instances whose status is ok
  std::vector<Summary> summaries;  ///< one a column
};

/// Integrates the instances of a Batch. Ranges are instances [first, last), multiples of tile_size.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;    ///< "cpu", "cuda", "reference"
  virtual std::string device() const = 0;  ///< e.g. "AMD EPYC, avx512, 2 threads"
  virtual const SystemInfo& system() const = 0;
  virtual const SchemeInfo& scheme() const = 0;
  virtual std::string form() const = 0;
  virtual int unknowns() const = 0;
  virtual int record_width() const = 0;

  /// Instances of a batch that its memory holds; a GPU has some of its own.
  virtual std::int64_t most_instances() { return std::numeric_limits<std::int64_t>::max(); }
  /// Another batch, whose parameters that vary, steps and initial states are to be made; p is zero until
  /// then. The calls below are for the batch that began last.
  virtual void begin(const Batch&) = 0;
  /// Lets a draw meet the values of every instance, padding included.
  virtual void draw(const Batch&, const Draw&) = 0;
  virtual void initial_states(const Batch&) = 0;
  virtual void momenta(const Batch&) = 0;
  virtual void velocities(const Batch&) = 0;
  virtual void make_consistent(const Batch&, Consistency, std::uint8_t* status) = 0;
  /// Brings a part of parameters, steps and initial states to where the batch has room for them. What the
  /// host reads afterwards has to be asked for: q, v and every parameter and step that varies.
  virtual void fetch_initial(const Batch&, const InitialPart&) = 0;

  /// Makes the records of the batch.
  virtual void start(const Batch&, const Settings&, const std::uint8_t* status) = 0;
  /// Integrates to beat `to`; the records know where they stand. May throw Stopped.
  virtual void advance(const Batch&, const Settings&, std::int64_t to) = 0;
  /// Says what observe() will be asked for when the next advance() is done: it can then be made right behind
  /// the steps, on a device without a wait, on a processor while a block is in its cache.
  virtual void announce(const Batch&, std::int64_t /*size*/, std::span<const Column>) {}
  /// Statistics of the first `size` instances, block by block. Of those that are ok a value that is not
  /// finite is left out.
  virtual std::vector<BlockStatistics> observe(const Batch&, std::int64_t size,
                                               std::span<const Column> columns) = 0;
  /// Instances among the first `size` whose status is not ok.
  virtual std::int64_t failed(const Batch&, std::int64_t size) = 0;
  /// Brings a part of the records to where the batch has room for them.
  virtual void fetch(const Batch&, const RecordPart&) = 0;
  /// Takes all records from there.
  virtual void put(const Batch&) = 0;

  /// State of an instance whose records have been fetched.
  virtual void node(const Batch&, const LastStep* last, std::int64_t instance, NodeView&) = 0;
  /// True where node() needs nothing but the batch that it is given: a batch at its end can then be
  /// evaluated, with for_each_block(), on another thread than the one that integrates the next.
  virtual bool nodes_outlive_batch() const { return false; }

  /// Calls body(block) for every block in [0, blocks), on the backend's host threads.
  virtual void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) = 0;
};

}  // namespace livens::ensembles
