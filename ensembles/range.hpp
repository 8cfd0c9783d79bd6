#pragma once
// The instances of an ensemble a run takes, and in what portions. Every cut is at a multiple of the block
// of the statistics, so that no dataset depends on where it is.

#include <cstdint>
#include <vector>

namespace livens::ensembles {

/// Instances [first, last) of an ensemble.
struct Range {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return last - first; }
  bool operator==(const Range&) const = default;
};

/// Part `index` of `count` of an ensemble of `size` instances: whole blocks, their numbers differing by at
/// most one. Throws std::invalid_argument unless 0 <= index < count <= blocks.
Range shard(std::int64_t size, std::int64_t index, std::int64_t count);

/// Consecutive ranges of at most `most` instances that make up `range`; `most` is rounded down to whole
/// blocks, but to one at least.
std::vector<Range> chunks(Range range, std::int64_t most);

}  // namespace livens::ensembles
