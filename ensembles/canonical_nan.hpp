#pragma once
// A stored NaN is 0x7ff8000000000000. x86 makes negative ones, a GPU others: files would differ in what has
// no value.

#include <cmath>
#include <limits>
#include <span>

namespace livens::ensembles {

inline void make_nan_canonical(std::span<double> values) {
  for (double& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace livens::ensembles
