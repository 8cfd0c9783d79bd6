#pragma once
// The processor as a backend: compiled lanes of one pair, spread over threads in blocks of instances.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ensembles/host_records.hpp"
#include "host/backends/workers.hpp"

namespace livens::host {

class CpuBackend : public ensembles::HostRecords {
 public:
  /// `instruction_set` is the one the pair was compiled for, for the device's name. `compiling` is told, on any thread, what
  /// begins to be compiled when the first difficult step of a text is taken.
  CpuBackend(const PairKernels& pair, const std::string& instruction_set, int threads,
             ensembles::StopAsked stop = {}, std::function<void(const std::string&)> compiling = {});

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
  void announce(const Batch&, std::int64_t size, std::span<const Column> columns) override;
  std::vector<ensembles::BlockStatistics> observe(const Batch& batch, std::int64_t size,
                                                  std::span<const Column> columns) override;
  void put(const Batch&) override;
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) override;
  bool nodes_outlive_batch() const override { return true; }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

 private:
  /// What is asked, and once it is made the answer and whose it is.
  struct Observed {
    std::int64_t size;
    std::vector<Column> columns;
    const double* records = nullptr;
    std::vector<ensembles::BlockStatistics> blocks = {};
    bool answers(const Batch& batch, std::int64_t asked, std::span<const Column> wanted) const;
  };

  template <class Body>
  void compiling(Body body) const;
  void for_each_range(std::int64_t size, const std::function<void(std::int64_t, std::int64_t)>& body);

  const PairKernels& pair_;
  Workers workers_;
  std::string device_;
  ensembles::StopAsked stop_;
  std::function<void(const std::string&)> compiling_;
  std::optional<Observed> announced_, observed_;  // by the next advance(), and by the last one
};

/// Model name of the processor.
std::string processor_name();

}  // namespace livens::host
