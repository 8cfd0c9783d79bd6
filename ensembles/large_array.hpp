#pragma once
// Arrays of a chunk, which take tens of megabytes each.

#include <cstddef>
#include <mutex>
#include <vector>

namespace livens::ensembles {

/// `count` zeros in a vector that is empty. They stand in huge pages where the kernel has some: a fault for
/// every 2 MiB instead of every 4 KiB.
template <class T>
void make_large(std::vector<T>& values, std::size_t count);

/// Arrays that are used again: a chunk gets those that an earlier one has given back. The kernel clears a new
/// page, and a virtual machine may have to ask its host for it: that takes several times as long as writing
/// to memory that is there.
class LargeArrays {
 public:
  /// `count` zeros.
  std::vector<double> take(std::size_t count);
  /// On any thread.
  void give_back(std::vector<double> array) noexcept;

 private:
  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::vector<double>> free_;  // with room for all that were made
};

void ask_for_huge_pages(void* memory, std::size_t bytes);

template <class T>
void make_large(std::vector<T>& values, std::size_t count) {
  values.reserve(count);
  ask_for_huge_pages(values.data(), count * sizeof(T));
  values.resize(count);
}

}  // namespace livens::ensembles
