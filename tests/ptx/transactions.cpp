// What an access of a warp takes on a device: passes of shared memory, sectors of global memory.

#include <algorithm>

#include "ptx.hpp"

namespace livens::ptx {

/// Different words of a bank are passed one after the other; of 8 bytes and more a part of the warp at a
/// time.
int wavefronts(const std::array<char*, warp_size>& at, Mask active, std::int64_t bytes) {
  const int words = std::max(1, static_cast<int>(bytes) / 4), together = warp_size / words;
  std::size_t sum = 0;
  for (int first = 0; first < warp_size; first += together) {
    std::vector<Word> banks[32];
    std::size_t most = 0;
    each(active & (~Mask{0} >> (warp_size - together)) << first, [&](int l) {
      for (int k = 0; k < words; ++k) {
        const Word word = reinterpret_cast<Word>(at[l]) / 4 + static_cast<Word>(k);
        std::vector<Word>& bank = banks[word % 32];
        if (std::find(bank.begin(), bank.end(), word) == bank.end()) bank.push_back(word);
        most = std::max(most, bank.size());
      }
    });
    sum += most;
  }
  return static_cast<int>(sum);
}

/// Aligned as they are, the bytes of a lane lie in one.
int sectors(const std::array<char*, warp_size>& at, Mask active) {
  std::vector<Word> all;
  each(active, [&](int l) { all.push_back(reinterpret_cast<Word>(at[l]) / 32); });
  std::sort(all.begin(), all.end());
  return static_cast<int>(std::unique(all.begin(), all.end()) - all.begin());
}

}  // namespace livens::ptx
