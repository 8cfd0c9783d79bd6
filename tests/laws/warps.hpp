#pragma once
// The pairs whose Newton matrices the lanes of a warp eliminate together on a GPU, on emulated warps: the
// code that the device runs, behind the interface the laws know.

#include <vector>

#include "kernels/description/interface.hpp"

namespace livens::laws {

/// Of every system; each is filled in by an object of its own (warps.cpp), before main.
inline std::vector<PairKernels>& warps() {
  static std::vector<PairKernels> pairs;
  return pairs;
}

}  // namespace livens::laws
