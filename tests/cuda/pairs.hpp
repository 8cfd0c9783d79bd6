#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "tests/cuda/tally.hpp"
#include "tests/digests/cases.hpp"
#include "tests/digests/digests.hpp"

namespace livens::selftest {

/// The cases of the pairs that are compared, and with what.
struct Selection {
  Extent extent = large;
  std::optional<Digests> expected;  ///< none: the processor integrates all of them, too
  std::string only;                 ///< part of the names
};

/// Every case of every pair that is selected, on the devices in turn. With digests the processor takes part
/// only where one differs, to say what is the first value that does.
void compare_pairs(const Selection& selection, const std::vector<CudaDevice>& devices, Tally& tally);

}  // namespace livens::selftest
