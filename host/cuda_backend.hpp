#pragma once
// A GPU as a backend: the kernels' CudaBackend behind the ensembles' interface, with host threads for the
// statistics.

#include "ensembles/backend.hpp"
#include "host/workers.hpp"
#include "kernels/backends/cuda_backend.hpp"

namespace livens::host {

class CudaBackend : public ensembles::Backend {
 public:
  CudaBackend(const PairKernels& pair, const CudaDevice& device, int threads)
      : gpu_(pair, device), workers_(threads) {}

  std::string name() const override { return gpu_.name(); }
  std::string device() const override { return gpu_.device(); }
  const SystemInfo& system() const override { return gpu_.system(); }
  const SchemeInfo& scheme() const override { return gpu_.scheme(); }
  std::string form() const override { return gpu_.form(); }
  int unknowns() const override { return gpu_.unknowns(); }
  int record_width() const override { return gpu_.record_width(); }

  void initial_states(const Batch& batch) override { gpu_.initial_states(batch); }
  void momenta(const Batch& batch) override { gpu_.momenta(batch); }
  void velocities(const Batch& batch) override { gpu_.velocities(batch); }
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override {
    gpu_.make_consistent(batch, consistency, status);
  }
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override {
    gpu_.start(batch, settings, status);
  }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    gpu_.advance(batch, settings, to);
  }
  void node(const Batch& batch, const double* before, std::int64_t instance, NodeView& view) override {
    gpu_.node(batch, before, instance, view);
  }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override {
    workers_.for_each_block(blocks, body);
  }

 private:
  livens::CudaBackend gpu_;
  Workers workers_;
};

}  // namespace livens::host
