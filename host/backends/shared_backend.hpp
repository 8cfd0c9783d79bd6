#pragma once
// Several backends that share every batch: each takes whole blocks of it, on a thread of its own. What a
// block gives does not depend on who has it, so nothing shows in a result.

#include <algorithm>
#include <memory>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/batch_part.hpp"
#include "ensembles/range.hpp"
#include "host/backends/workers.hpp"

namespace livens::host {

/// All members are of the same pair. What one of them throws becomes a BackendFailure that names its device
/// and its instances.
class SharedBackend : public ensembles::Backend {
 public:
  explicit SharedBackend(std::vector<std::unique_ptr<ensembles::Backend>> members);

  std::string name() const override { return members_.front()->name(); }
  std::string device() const override;
  const SystemInfo& system() const override { return members_.front()->system(); }
  const SchemeInfo& scheme() const override { return members_.front()->scheme(); }
  std::string form() const override { return members_.front()->form(); }
  int unknowns() const override { return members_.front()->unknowns(); }
  int record_width() const override { return members_.front()->record_width(); }

  std::int64_t most_instances() override;
  void begin(const Batch& batch) override;
  void draw(const Batch& batch, const Draw& draw) override;
  void initial_states(const Batch& batch) override;
  void momenta(const Batch& batch) override;
  void velocities(const Batch& batch) override;
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override;
  void fetch_initial(const Batch& batch, const InitialPart& part) override;
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override;
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override;
  void announce(const Batch& batch, std::int64_t size, std::span<const Column> columns) override;
  std::vector<ensembles::BlockStatistics> observe(const Batch& batch, std::int64_t size,
                                                  std::span<const Column> columns) override;
  void fetch(const Batch& batch, const RecordPart& part) override;
  void put(const Batch& batch) override;
  std::int64_t failed(const Batch& batch, std::int64_t size) override;
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) override;
  bool nodes_outlive_batch() const override;
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

 private:
  /// A member's share of a batch.
  struct Share {
    ensembles::Backend& member;
    ensembles::Range range;  // of the batch
    ensembles::BatchPart part;
    /// Its instances among the first `all` of the batch; those behind are padding of the last block.
    std::int64_t size(std::int64_t all) const { return std::min(range.last, all) - range.first; }
  };
  std::int64_t shares(const Batch& batch) const;
  Share share_of(const Batch& batch, std::int64_t i) const;
  void for_each_share(const Batch& batch, const std::function<void(const Share&)>& body);

  std::vector<std::unique_ptr<ensembles::Backend>> members_;
  Workers workers_;
};

}  // namespace livens::host
