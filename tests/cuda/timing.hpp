#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/cuda/tally.hpp"

namespace livens::selftest {

struct TimingRequest {
  std::vector<std::int64_t> sizes = {262144, 16384,
                                     1024};  ///< instances; the first one is timed first, for all pairs
  double seconds = 0.1;                      ///< on the device, at least, for every pair and size
  std::string only;                          ///< part of the names of the pairs
  std::string file;                          ///< of the rows; empty: standard output
};

/// Times the steps and a sample of every pair in both precisions on the first device. A row is written as
/// soon as it is there, a JSON object a line, so that what has been timed is not lost when the time is over.
/// Wrong where a pair could not be run; one that does not fit the memory of the device is left out, with a
/// row that says so.
ExitStatus time_pairs(const TimingRequest& request);

/// Twice `beats` beats of a pair in the form taken by default, for a profiler to look at the second launch of
/// `advance`. `instances` 0: two full blocks of threads for every multiprocessor.
ExitStatus advance_pair(const std::string& system, const std::string& scheme, std::int64_t instances,
                        std::int64_t beats);

}  // namespace livens::selftest
