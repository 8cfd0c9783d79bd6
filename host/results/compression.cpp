#include "host/results/compression.hpp"

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace livens::host {

bool compression_pays(const void* values, std::size_t count, std::size_t size) {
  constexpr std::size_t sample = 1 << 14;  // values: 2 ms
  count = std::min(count, sample);
  const auto* bytes = static_cast<const Bytef*>(values);
  std::vector<Bytef> shuffled;
  for (std::size_t byte = 0; byte < size; ++byte)
    for (std::size_t i = 0; i < count; ++i) shuffled.push_back(bytes[i * size + byte]);
  uLongf length = compressBound(shuffled.size());
  std::vector<Bytef> deflated(length);
  if (compress2(deflated.data(), &length, shuffled.data(), shuffled.size(), 1) != Z_OK) return false;
  return 4 * length < shuffled.size();
}

}  // namespace livens::host
