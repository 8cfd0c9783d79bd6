#pragma once
// A trial that decides how a large dataset is stored.

#include <cstddef>

namespace livens::host {

/// True where deflate brings a sample of values, `count` of `size` bytes each, below a quarter of its length,
/// after shuffle: bytes of the same significance side by side. Codes, counts and what is the same for most
/// instances shrink to a few percent at once. Of measured numbers a tenth goes, of small multiples of the
/// rounding error more than half, in a second for 50 to 100 MB: far less than a disk takes meanwhile.
bool compression_pays(const void* values, std::size_t count, std::size_t size);

}  // namespace livens::host
