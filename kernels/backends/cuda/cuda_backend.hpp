#pragma once
// One pair on one GPU, over a Batch in host memory. It has the functions of ensembles::Backend but does not
// derive from it, because kernels/ knows nothing of ensembles/; host/ wraps it. Needs no CUDA header.
//
// begin() makes room for parameters, steps and initial states on the device, draw() and the functions of the
// system make them there, and start() the records; all of it stays: fetch_initial() brings the initial values
// that are asked for, advance() moves nothing but counts of steps that the device has not made itself,
// observe() brings the statistics, failed() a number, fetch() columns and tiles of the records, and put()
// takes those of a checkpoint. Not for use by several threads at a time.

#include <memory>
#include <span>
#include <string>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"
#include "kernels/stepping/draws.hpp"
#include "kernels/stepping/statistics.hpp"

namespace livens {

class CudaBackend {
 public:
  /// `pair` is the same pair compiled for the CPU; node() runs it, on one record at a time, and advance() on
  /// the difficult steps that a large form leaves, which gives the same bits. Throws std::runtime_error when
  /// CUDA has no such pair.
  CudaBackend(const PairKernels& pair, const CudaDevice& device);
  /// With kernels of the same pair that are none of the program's own; they live as long as this.
  CudaBackend(const PairKernels& pair, const CudaPairKernels& kernels, const CudaDevice& device);
  ~CudaBackend();

  std::string name() const { return "cuda"; }
  std::string device() const;
  const SystemInfo& system() const { return *pair_.system->info; }
  const SchemeInfo& scheme() const { return *pair_.scheme; }
  std::string form() const { return pair_.form; }
  int unknowns() const { return pair_.unknowns; }
  int record_width() const { return pair_.record_width; }

  /// Loads the kernels and lets the driver reserve the stacks of their threads, once; begin() does so, too.
  void load();
  /// Instances of a batch that the memory of the device holds beside what is taken, kernels and their stacks
  /// included; a batch of any spec.
  std::int64_t most_instances();
  void begin(const Batch& batch);
  /// begin(), with everything as it stands in the batch.
  void take(const Batch& batch);
  void draw(const Batch& batch, const Draw& draw);
  void initial_states(const Batch& batch);
  void momenta(const Batch& batch);
  void velocities(const Batch& batch);
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status);
  void fetch_initial(const Batch& batch, const InitialPart& part);
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status);
  /// Launches of the steps, until all instances are there: a caller with a display on its GPU, whose driver
  /// ends kernels that take seconds, cuts its runs.
  void advance(const Batch& batch, const Settings& settings, std::int64_t to);
  /// The same for a copy of some instances, whose records stay where the batch has them.
  void advance_copy(const Batch& batch, const Settings& settings, std::int64_t to);

  /// The statistics that observe() will be asked for when the next advance() is done: their launch stands
  /// behind that of the steps, and the device does not wait in between.
  void announce(std::int64_t size, std::span<const Column> columns);
  /// Statistics of the first `size` instances: those of block b, column k are the part
  /// b * columns.size() + k. Valid until the next call.
  struct Observed {
    std::span<const BlockSummary> summaries;
    const double* values;
    std::span<const double> ascending(std::size_t part) const {
      return {values + part * block_size, static_cast<std::size_t>(summaries[part].moments.n)};
    }
  };
  Observed observe(std::int64_t size, std::span<const Column> columns);
  /// Instances among the first `size` whose status is not ok.
  std::int64_t failed(std::int64_t size);
  void fetch(const Batch& batch, const RecordPart& part);
  void put(const Batch& batch);
  /// Safe from several threads: touches host memory alone.
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) const;

  /// Seconds the device has spent in the kernels of advance().
  double device_seconds() const { return device_seconds_; }
  /// Seconds that load() took.
  double load_seconds() const { return load_seconds_; }

 private:
  struct Arrays;
  struct Answers;

  std::int64_t values(const Batch& batch) const { return batch.size * system().coordinates; }
  /// The batch with room for its parameters and steps on the device and every other array null.
  Batch make_room(const Batch& batch, Arrays& arrays) const;
  void upload_parameters(const Batch& batch, Arrays& arrays) const;
  /// Takes the instances of a batch of the device to beat `to`. False where some are left for the processor.
  bool step(const Batch& there, const Settings& settings, std::int64_t to);
  /// Takes the instances that were left of a batch, which the device has `there`, to beat `to` here: their
  /// tiles come into the batch's records and go back.
  void finish(const Batch& batch, const Batch& there, const Settings& settings, std::int64_t to);
  void summarize();

  const PairKernels& pair_;
  const CudaPairKernels& kernels_;
  CudaDevice device_;
  double device_seconds_ = 0.0, load_seconds_ = 0.0;
  bool loaded_ = false;
  /// Of the batch that began last; of a copy of some instances.
  std::unique_ptr<Arrays> arrays_, copy_;
  std::unique_ptr<Answers> answers_;
  Batch on_device_{};
  const std::int64_t* steps_per_beat_ = nullptr;  // of the batch that began; the device has the same
};

}  // namespace livens
