#pragma once
// The processor as a backend: compiled lanes of one pair, spread over threads in blocks of instances.

#include <string>

#include "ensembles/host_records.hpp"
#include "host/backends/workers.hpp"

namespace livens::host {

class CpuBackend : public ensembles::HostRecords {
 public:
  /// `instruction_set` is the one the pair was compiled for, for the device's name.
  CpuBackend(const PairKernels& pair, const std::string& instruction_set, int threads,
             ensembles::StopAsked stop = {});

  std::string name() const override { return "cpu"; }
  std::string device() const override { return device_; }
  const SystemInfo& system() const override { return *pair_.system->info; }
  const SchemeInfo& scheme() const override { return *pair_.scheme; }
  std::string form() const override { return pair_.form; }
  int unknowns() const override { return pair_.unknowns; }
  int record_width() const override { return pair_.record_width; }

  void initial_states(const Batch& batch) override;
  void momenta(const Batch& batch) override;
  void velocities(const Batch& batch) override;
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override;
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override;
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override;
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) override;
  bool nodes_outlive_batch() const override { return true; }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

 private:
  void for_each_range(std::int64_t size, const std::function<void(std::int64_t, std::int64_t)>& body);

  const PairKernels& pair_;
  Workers workers_;
  std::string device_;
  ensembles::StopAsked stop_;
};

/// Model name of the processor.
std::string processor_name();

}  // namespace livens::host
