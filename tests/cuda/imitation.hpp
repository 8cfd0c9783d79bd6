#pragma once
// Counts of the imitated GPUs that real ones do not tell, and what they find difficult.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace livens {

/// Bytes that have gone from the host to the devices.
std::int64_t imitated_uploads();

/// A launch of a kernel of advance(), or of the statistics.
struct ImitatedLaunch {
  std::string kernel;
  double steps;  ///< taken in it, over all instances that are ok
  bool operator==(const ImitatedLaunch&) const = default;
};
void note_imitated_launch(const char* kernel);
/// Those of this thread since the last call, in their order.
std::vector<ImitatedLaunch> take_imitated_launches();

/// True for the step of an instance that begins at node `step` and is difficult.
using DifficultStep = std::function<bool(std::int64_t instance, double step)>;
/// Null: as from the beginning, some steps of some tiles. Not while something is launched.
void imitate_difficult_steps(DifficultStep steps);

}  // namespace livens
