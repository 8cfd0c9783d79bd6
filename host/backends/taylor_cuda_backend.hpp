#pragma once
// The scheme taylor with its steps on a GPU, one thread an instance: the same source as on a processor, and
// the same bits. Records are the host's; they go to the device for an advance(), and come back.

#include <cstddef>
#include <vector>

#include "host/backends/taylor_backend.hpp"
#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_memory.hpp"
#include "taylor/cuda/series_launch.hpp"

namespace livens::host {

class TaylorCudaBackend : public TaylorBackend {
 public:
  /// As TaylorBackend; a launch takes a quarter of the memory that the device says it has.
  TaylorCudaBackend(const PairKernels& pair, const TextSystem& text, const std::vector<bool>& zeros,
                    double tolerance, const CudaDevice& device, int threads, ensembles::StopAsked stop = {});

  std::string name() const override { return "cuda"; }
  std::string device() const override { return description_of(device_); }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override;

 private:
  /// The lists of the equations go to the device once.
  void send_lists();
  std::int64_t instances_at_a_time() const;
  void launch(const Batch& part, const taylor::Destination& to);
  double* upload_parameters(const Batch& part);

  CudaDevice device_;
  taylor::PackedLists lists_;
  taylor::Agenda agenda_{};  // on the device, as soon as `lists_there_` is
  CudaArray<std::byte> lists_there_;
  CudaArray<double> parameters_, steps_, records_, memory_;
  CudaArray<std::int64_t> steps_per_beat_;
  std::vector<double> packed_parameters_;
};

}  // namespace livens::host
