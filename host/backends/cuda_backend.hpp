#pragma once
// A GPU as a backend: the kernels' CudaBackend behind the ensembles' interface, with host threads for what is
// done instance by instance.

#include "ensembles/backend.hpp"
#include "host/backends/workers.hpp"
#include "kernels/backends/cuda/cuda_backend.hpp"

namespace livens::host {

class CudaBackend : public ensembles::Backend {
 public:
  /// `pair` compiled for the CPU, and the same for the device.
  CudaBackend(const PairKernels& pair, const CudaPairKernels& kernels, const CudaDevice& device, int threads)
      : gpu_(pair, kernels, device), workers_(threads) {}

  std::string name() const override { return gpu_.name(); }
  std::string device() const override { return gpu_.device(); }
  const SystemInfo& system() const override { return gpu_.system(); }
  const SchemeInfo& scheme() const override { return gpu_.scheme(); }
  std::string form() const override { return gpu_.form(); }
  int unknowns() const override { return gpu_.unknowns(); }
  int record_width() const override { return gpu_.record_width(); }

  std::int64_t most_instances() override { return gpu_.most_instances(); }
  void begin(const Batch& batch) override { gpu_.begin(batch); }
  void draw(const Batch& batch, const Draw& draw) override { gpu_.draw(batch, draw); }
  void initial_states(const Batch& batch) override { gpu_.initial_states(batch); }
  void momenta(const Batch& batch) override { gpu_.momenta(batch); }
  void velocities(const Batch& batch) override { gpu_.velocities(batch); }
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override {
    gpu_.make_consistent(batch, consistency, status);
  }
  void fetch_initial(const Batch& batch, const InitialPart& part) override {
    gpu_.fetch_initial(batch, part);
  }
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override {
    gpu_.start(batch, settings, status);
  }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    gpu_.advance(batch, settings, to);
  }
  void announce(const Batch&, std::int64_t size, std::span<const Column> columns) override {
    gpu_.announce(size, columns);
  }
  std::vector<ensembles::BlockStatistics> observe(const Batch&, std::int64_t size,
                                                  std::span<const Column> columns) override {
    const auto observed = gpu_.observe(size, columns);
    std::vector<ensembles::BlockStatistics> blocks(ensembles::block_count(size));
    workers_.for_each_block(ensembles::block_count(size), [&](std::int64_t at) {
      ensembles::BlockStatistics& block = blocks[at];
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::size_t part = static_cast<std::size_t>(at) * columns.size() + k;
        const BlockSummary& summary = observed.summaries[part];
        block.ok = summary.ok;
        block.summaries.push_back(
            {summary.moments, ensembles::distribution_of(observed.ascending(part)), summary.squares});
      }
    });
    return blocks;
  }
  std::int64_t failed(const Batch&, std::int64_t size) override { return gpu_.failed(size); }
  void fetch(const Batch& batch, const RecordPart& part) override { gpu_.fetch(batch, part); }
  void put(const Batch& batch) override { gpu_.put(batch); }
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) override {
    gpu_.node(batch, last, instance, view);
  }
  bool nodes_outlive_batch() const override { return true; }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override {
    workers_.for_each_block(blocks, body);
  }

 private:
  livens::CudaBackend gpu_;
  Workers workers_;
};

}  // namespace livens::host
