#pragma once
// Counts of the imitated GPUs that real ones do not tell.

#include <cstdint>

namespace livens {

/// Bytes that have gone from the host to the devices.
std::int64_t imitated_uploads();

}  // namespace livens
