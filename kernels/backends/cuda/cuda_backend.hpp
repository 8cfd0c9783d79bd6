#pragma once
// One pair on one GPU, over a Batch in host memory. It has the functions of ensembles::Backend but does not
// derive from it, because kernels/ knows nothing of ensembles/; host/ wraps it. Needs no CUDA header.
//
// begin() makes room for parameters, steps and initial states on the device, draw() and the functions of the
// system make them there, and start() the records; all of it stays: fetch_initial() brings the initial values
// that are asked for, advance() moves nothing but the counts of steps where they differ, observe() brings the
// statistics, fetch() columns and tiles of the records, and put() takes those of a checkpoint. Not for use by
// several threads at a time.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"
#include "kernels/stepping/sampling.hpp"
#include "kernels/stepping/statistics.hpp"

namespace livens {

class CudaBackend {
 public:
  /// `pair` is the same pair compiled for the CPU; node() runs it, on one record at a time, and advance() on
  /// the difficult steps that a large form leaves, which gives the same bits. Throws std::runtime_error when
  /// CUDA has no such pair, or none in this variant.
  CudaBackend(const PairKernels& pair, const CudaDevice& device, std::string_view variant = {});
  ~CudaBackend();

  std::string name() const { return "cuda"; }
  std::string device() const;
  const SystemInfo& system() const { return *pair_.system->info; }
  const SchemeInfo& scheme() const { return *pair_.scheme; }
  std::string form() const { return pair_.form; }
  int unknowns() const { return pair_.unknowns; }
  int record_width() const { return pair_.record_width; }

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
  /// One launch: a caller with a display on its GPU, whose driver ends kernels that take seconds, cuts its
  /// runs.
  void advance(const Batch& batch, const Settings& settings, std::int64_t to);
  /// The same for a copy of some instances, whose records stay where the batch has them.
  void advance_copy(const Batch& batch, const Settings& settings, std::int64_t to);

  /// Statistics of the first `size` instances: block b, column k is summaries[b * columns.size() + k]. Valid
  /// until the next call.
  struct Observed {
    std::span<const BlockSummary> summaries;
    std::span<const Bin> bins;
  };
  Observed observe(std::int64_t size, std::span<const Column> columns);
  void fetch(const Batch& batch, const RecordPart& part);
  void put(const Batch& batch);
  /// Safe from several threads: touches host memory alone.
  void node(const Batch& batch, const double* before, std::int64_t instance, NodeView& view) const;

  /// Seconds the device has spent in the kernels of advance().
  double device_seconds() const { return device_seconds_; }

 private:
  struct Arrays;
  struct Statistics;

  std::int64_t values(const Batch& batch) const { return batch.size * system().coordinates; }
  /// The batch with room for its parameters and steps on the device and every other array null.
  Batch make_room(const Batch& batch, Arrays& arrays) const;
  void upload_parameters(const Batch& batch, Arrays& arrays) const;
  /// True if an instance of the tile at `first` stands before unit `to`, by the batch's own records.
  bool is_left(const Batch& batch, std::int64_t to, std::int64_t first) const;
  /// Takes the instances that the device left before a difficult step to unit `to`, here: their tiles come
  /// into the batch's records and go back.
  void finish(const Batch& batch, const Settings& settings, std::int64_t to);

  const PairKernels& pair_;
  const CudaPairKernels& kernels_;
  CudaDevice device_;
  double device_seconds_ = 0.0;
  /// Of the batch that began last; of a copy of some instances.
  std::unique_ptr<Arrays> arrays_, copy_;
  std::unique_ptr<Statistics> statistics_;
  Batch on_device_{};
};

}  // namespace livens
