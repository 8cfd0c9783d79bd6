#include "ensembles/host_records.hpp"

#include <algorithm>

namespace livens::ensembles {
namespace {

/// Takes the fastest way to the one order there is.
struct OneThread : Alone {
  void sort(std::int32_t* keys, int count) const { std::sort(keys, keys + count); }
};

}  // namespace

void HostRecords::draw(const Batch& batch, const Draw& draw) {
  for_each_block(block_count(batch.size), [&](std::int64_t block) {
    const std::int64_t last = std::min((block + 1) * block_size, batch.size);
    for (std::int64_t i = block * block_size; i < last; ++i)
      vary_instance(batch, system().coordinates, draw, i);
  });
}

std::vector<BlockStatistics> block_statistics(Backend& backend, const double* records, int width,
                                              std::int64_t size, std::span<const Column> columns) {
  static_assert(static_cast<int>(Column::status) == 0);
  std::vector<BlockStatistics> blocks(block_count(size));
  backend.for_each_block(block_count(size), [&](std::int64_t block) {
    const std::int64_t first = block * block_size;
    const auto count = static_cast<int>(std::min(block_size, size - first));
    BlockScratch scratch;
    BlockSummary summary;
    for (const Column column : columns) {
      summarize_block(OneThread{}, records, width, static_cast<int>(column), first, count, scratch, summary);
      Histogram bins(list_bins(scratch.bins, summary.moments.n, nullptr));
      list_bins(scratch.bins, summary.moments.n, bins.data());
      blocks[block].ok = summary.ok;
      blocks[block].summaries.push_back({summary.moments, std::move(bins), summary.squares});
    }
  });
  return blocks;
}

std::vector<BlockStatistics> HostRecords::observe(const Batch& batch, std::int64_t size,
                                                  std::span<const Column> columns) {
  return block_statistics(*this, batch.records, record_width(), size, columns);
}

}  // namespace livens::ensembles
