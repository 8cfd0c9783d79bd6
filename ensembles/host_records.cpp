#include "ensembles/host_records.hpp"

#include <algorithm>

namespace livens::ensembles {

void HostRecords::draw(const Batch& batch, const Draw& draw) {
  for_each_block(block_count(batch.size), [&](std::int64_t block) {
    const std::int64_t last = std::min((block + 1) * block_size, batch.size);
    for (std::int64_t i = block * block_size; i < last; ++i)
      vary_instance(batch, system().coordinates, draw, i);
  });
}

BlockStatistics block_statistics(const double* records, int width, std::int64_t block, std::int64_t size,
                                 std::span<const Column> columns) {
  static_assert(static_cast<int>(Column::status) == 0);
  const std::int64_t first = block * block_size;
  const auto count = static_cast<int>(std::min(block_size, size - first));
  BlockStatistics statistics;
  BlockScratch scratch;
  BlockSummary summary;
  std::vector<double> ascending(block_size);
  for (const Column column : columns) {
    summarize_block(Alone{}, records, width, static_cast<int>(column), first, count, scratch, summary,
                    ascending.data());
    statistics.ok = summary.ok;
    const std::span values(ascending.data(), static_cast<std::size_t>(summary.moments.n));
    statistics.summaries.push_back({summary.moments, distribution_of(values), summary.squares});
  }
  return statistics;
}

std::vector<BlockStatistics> block_statistics(Backend& backend, const double* records, int width,
                                              std::int64_t size, std::span<const Column> columns) {
  std::vector<BlockStatistics> blocks(block_count(size));
  backend.for_each_block(block_count(size), [&](std::int64_t block) {
    blocks[block] = block_statistics(records, width, block, size, columns);
  });
  return blocks;
}

std::vector<BlockStatistics> HostRecords::observe(const Batch& batch, std::int64_t size,
                                                  std::span<const Column> columns) {
  return block_statistics(*this, batch.records, record_width(), size, columns);
}

std::int64_t HostRecords::failed(const Batch& batch, std::int64_t size) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < size; ++i) count += has_failed(batch, record_width(), i) ? 1 : 0;
  return count;
}

}  // namespace livens::ensembles
