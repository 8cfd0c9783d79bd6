#pragma once
// Arrays of a chunk, which take tens of megabytes each and are written as soon as they are made.

#include <cstddef>
#include <mutex>
#include <vector>

namespace livens::ensembles {

/// Asks for huge pages under memory that nobody has touched yet: a fault for every 2 MiB instead of every
/// 4 KiB. A kernel that has none, or a range shorter than one of them, is left as it is.
void ask_for_huge_pages(void* memory, std::size_t bytes);

/// `count` zeros in a vector that is empty.
template <class T>
void make_large(std::vector<T>& values, std::size_t count) {
  values.reserve(count);
  ask_for_huge_pages(values.data(), count * sizeof(T));
  values.resize(count);
}

/// Arrays that one chunk has after another: new pages take longer than what is written to them. On any
/// thread.
class SpareArrays {
 public:
  /// `count` numbers, of an array that was given back where one is large enough: they may be any then.
  std::vector<double> take(std::size_t count);
  void give_back(std::vector<double> array);
  /// No more are asked for: those that are spare go, and those that come are not kept.
  void end();

 private:
  std::mutex mutex_;
  std::vector<std::vector<double>> spare_;
  bool ended_ = false;
};

}  // namespace livens::ensembles
