#include "ensembles/large_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace livens::ensembles {

void ask_for_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + page - 1) / page * page,
             last = (begin + bytes) / page * page;
  // The kernel may decline: then everything is as without.
  if (last >= first + huge_page) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace livens::ensembles
