#include "ensembles/range.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "ensembles/statistics.hpp"

namespace livens::ensembles {

Range shard(std::int64_t size, std::int64_t index, std::int64_t count) {
  const std::int64_t blocks = block_count(size);
  if (count < 1 || count > blocks) {
    throw std::invalid_argument(std::to_string(count) + " shards of " + std::to_string(size) +
                                " instances; expected 1 to " + std::to_string(blocks) +
                                ", as they are cut at multiples of " + std::to_string(block_size));
  }
  if (index < 0 || index >= count) {
    throw std::invalid_argument("shard " + std::to_string(index) + " of " + std::to_string(count) +
                                "; expected 0 to " + std::to_string(count - 1));
  }
  const std::int64_t least = blocks / count, longer = blocks % count;
  const auto begin = [&](std::int64_t i) {
    return std::min(size, (i * least + std::min(i, longer)) * block_size);
  };
  return {begin(index), begin(index + 1)};
}

std::vector<Range> chunks(Range range, std::int64_t most) {
  const std::int64_t whole = std::max(most / block_size, std::int64_t{1}) * block_size;
  std::vector<Range> result;
  for (std::int64_t first = range.first; first < range.last; first += whole)
    result.push_back({first, std::min(first + whole, range.last)});
  return result;
}

}  // namespace livens::ensembles
