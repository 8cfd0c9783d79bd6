#include "ensembles/large_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace livens::ensembles {

void ask_for_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + page - 1) / page * page,
             last = (begin + bytes) / page * page;
  // The kernel may decline: then everything is as without.
  if (last >= first + huge_page) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

std::vector<double> SpareArrays::take(std::size_t count) {
  std::vector<double> array;
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(spare_.begin(), spare_.end(), [&](const auto& one) { return one.size() >= count; });
    if (found != spare_.end()) {
      array = std::move(*found);
      spare_.erase(found);
    }
  }
  if (array.empty()) make_large(array, count);
  return array;
}

void SpareArrays::give_back(std::vector<double> array) {
  const std::lock_guard lock(mutex_);
  if (!ended_) spare_.push_back(std::move(array));
}

void SpareArrays::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  spare_.clear();
}

}  // namespace livens::ensembles
