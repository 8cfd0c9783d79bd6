#pragma once
// Taylor steps on a GPU, one thread an instance: what a launch takes. Needs no CUDA header.

#include "taylor/passage.hpp"

namespace livens::taylor {

/// All pointers, those of the lists and of the batch too, are to memory of the device that is current.
struct SeriesLaunch {
  Agenda agenda;
  Batch batch;
  int kept_columns;  ///< of a record, before its series
  Destination to;
  double* parameters;  ///< of each group of instances: those of all lanes, one parameter after another
  double* memory;      ///< of each group: room_entries() of them; it holds nothing between launches
};

/// Takes every instance of the batch to its destination or as far as it comes, and waits. Throws
/// std::runtime_error where that fails; `system` is its name in the message.
void advance_series(const char* system, const SeriesLaunch& launch);

}  // namespace livens::taylor
