#pragma once
// What a comparison keeps of a run: the figures of its result, without the instances.

#include <array>
#include <cstdint>
#include <string>

#include "ensembles/growth.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {

/// Over the instances that have not failed, of the largest of each over all steps, as in the summary of a
/// run; NaN where there is none.
struct ErrorFigures {
  double mean, max, rms;
};

struct Measured {
  std::int64_t size;                                       ///< N
  std::array<std::int64_t, status_count> statuses;         ///< instances by status
  ErrorFigures energy;                                     ///< relative to the energy scale
  ErrorFigures momentum, constraint, velocity_constraint;  ///< SI
  ErrorFigures position;                                   ///< at the end, where output.error_against is set
  ensembles::Growth drift;                                 ///< of the rms of the energy error
  double largest_q;                                        ///< infinity norm over all final_q; SI
  double end, seconds;                                     ///< s: the last sample; of stepping
  std::string fates;  ///< SHA-256 of the statuses: the same where the same instances ended in the same way

  std::int64_t failed() const;
};

/// Reads a result without its trajectories. Throws FileError.
Measured measure(const ResultReader& result);

}  // namespace livens::host
