#include "ensembles/large_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace livens::ensembles {

/// Of memory that nobody has touched yet. A range shorter than a huge page is left as it is.
void ask_for_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + page - 1) / page * page,
             last = (begin + bytes) / page * page;
  // The kernel may decline: then everything is as without.
  if (last >= first + huge_page) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

std::vector<double> LargeArrays::take(std::size_t count) {
  std::vector<double> array;
  {
    const std::lock_guard lock(mutex_);
    auto best = free_.end();  // the least of those that have the room
    for (auto one = free_.begin(); one != free_.end(); ++one)
      if (one->capacity() >= count && (best == free_.end() || one->capacity() < best->capacity())) best = one;
    if (best != free_.end()) {
      array = std::move(*best);
      free_.erase(best);
    } else {
      free_.reserve(++made_);
    }
  }
  if (array.capacity() < count)
    make_large(array, count);
  else
    array.assign(count, 0.0);
  return array;
}

void LargeArrays::give_back(std::vector<double> array) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(array));
}

}  // namespace livens::ensembles
