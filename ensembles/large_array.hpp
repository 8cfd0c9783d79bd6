#pragma once
// Arrays of a chunk, which take tens of megabytes each and are written as soon as they are made.

#include <cstddef>
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

}  // namespace livens::ensembles
