#pragma once
// A backend whose values never leave the batch: they are always fetched, and always put.

#include "ensembles/backend.hpp"

namespace livens::ensembles {

/// Statistics of columns of records of `width` columns whose first is the status, of the instances of a block
/// among the first `size`.
BlockStatistics block_statistics(const double* records, int width, std::int64_t block, std::int64_t size,
                                 std::span<const Column> columns);

/// The same of all blocks of the first `size` instances, on the threads of a backend.
std::vector<BlockStatistics> block_statistics(Backend& backend, const double* records, int width,
                                              std::int64_t size, std::span<const Column> columns);

class HostRecords : public Backend {
 public:
  void begin(const Batch&) override {}
  void draw(const Batch& batch, const Draw& draw) override;
  void fetch_initial(const Batch&, const InitialPart&) override {}
  std::vector<BlockStatistics> observe(const Batch& batch, std::int64_t size,
                                       std::span<const Column> columns) override;
  std::int64_t failed(const Batch& batch, std::int64_t size) override;
  void fetch(const Batch&, const RecordPart&) override {}
  void put(const Batch&) override {}
};

}  // namespace livens::ensembles
