#pragma once

#include <memory>
#include <vector>

#include "kernels/backends/cuda/cuda_backend.hpp"

namespace livens::selftest {

/// An ensemble of any size that is made on the device, so that millions of instances take no time on the
/// host: the system's own initial state and parameters, each velocity moved by up to 0.3 either way. It
/// stands at its start.
class Ensemble {
 public:
  /// Throws std::runtime_error as CudaBackend does, also where the memory of the device does not suffice.
  Ensemble(const PairKernels& pair, const CudaDevice& device, std::int64_t size)
      : Ensemble(pair, device, size, standard_settings(*pair.scheme)) {}
  Ensemble(const PairKernels& pair, const CudaDevice& device, std::int64_t size, const Settings& settings);

  void advance(std::int64_t to) { gpu_.advance(batch_, settings_, to); }

  /// Sums over all instances.
  struct Totals {
    double steps, newton_iterations;
  };
  /// Brings two columns of the records.
  Totals totals();

  std::int64_t size() const { return batch_.size; }
  CudaBackend& gpu() { return gpu_; }

  /// The bytes that `size` instances take on the device.
  static double bytes(const PairKernels& pair, std::int64_t size);

 private:
  const Settings settings_;
  std::vector<double> parameters_;
  std::vector<double*> varied_;
  std::vector<std::uint8_t> status_;
  /// Not written before it is read from the device: pages that no column lies on are never touched.
  std::unique_ptr<double[]> records_;
  Batch batch_{};
  CudaBackend gpu_;
};

}  // namespace livens::selftest
