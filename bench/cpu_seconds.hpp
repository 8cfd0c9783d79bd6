#pragma once
// Time of the processor, to which others on the same core add nothing but their share of the caches.

#include <ctime>

namespace livens::bench {

/// Seconds that this process has computed, all threads together; a microsecond or better on POSIX systems.
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace livens::bench
