#pragma once
// One pair on one GPU, over a Batch in host memory: copies in, launches, copies out. It has the functions of
// ensembles::Backend but does not derive from it, because kernels/ knows nothing of ensembles/; host/ wraps
// it. Needs no CUDA header.
//
// Between two calls the truth is the caller's Batch: records go to the device before advance() and come back
// after it, so that a checkpoint may be written from them, or loaded into them, at any time. Parameters and
// steps, which only change with the ensemble, go up once, in start(). Not for use by several threads at a
// time.

#include <memory>
#include <string>

#include "kernels/backends/cuda_device.hpp"
#include "kernels/backends/cuda_registry.hpp"

namespace livens {

class CudaBackend {
 public:
  /// `pair` is the same pair compiled for the CPU; node() runs it, on one record at a time, and advance() on
  /// the difficult steps that a large form leaves, which gives the same bits. Throws std::runtime_error when
  /// CUDA has no such pair.
  CudaBackend(const PairKernels& pair, const CudaDevice& device);
  ~CudaBackend();

  std::string name() const { return "cuda"; }
  std::string device() const;
  const SystemInfo& system() const { return *pair_.system->info; }
  const SchemeInfo& scheme() const { return *pair_.scheme; }
  std::string form() const { return pair_.form; }
  int unknowns() const { return pair_.unknowns; }
  int record_width() const { return pair_.record_width; }

  void initial_states(const Batch& batch);
  void momenta(const Batch& batch);
  void velocities(const Batch& batch);
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status);
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status);
  /// One launch: a caller with a display on its GPU, whose driver ends kernels that take seconds, cuts its
  /// runs.
  void advance(const Batch& batch, const Settings& settings, std::int64_t to);
  /// Safe from several threads: touches host memory alone.
  void node(const Batch& batch, const double* before, std::int64_t instance, NodeView& view) const;

  /// Seconds the device has spent in the kernels of advance(), without copies.
  double device_seconds() const { return device_seconds_; }

 private:
  struct Arrays;

  /// Selects the device and forgets which batch was started.
  void begin_setup();
  std::int64_t values(const Batch& batch) const { return batch.size * system().coordinates; }
  /// The batch with its parameters and steps on the device and everything else null.
  Batch upload_parameters(const Batch& batch, Arrays& arrays) const;
  /// Takes the instances that the device left before a difficult step to unit `to`, here.
  void finish(const Batch& batch, const Settings& settings, std::int64_t to) const;

  const PairKernels& pair_;
  const CudaPairKernels& kernels_;
  CudaDevice device_;
  double device_seconds_ = 0.0;
  /// Of the batch that was started last; of any other, such as the single tile a trajectory needs.
  std::unique_ptr<Arrays> started_, other_;
  Batch started_on_device_{}, started_batch_{};
};

}  // namespace livens
