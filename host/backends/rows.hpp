#pragma once
// Rows of the arrays of a batch as vectors of the reference.

#include <Eigen/Core>
#include <cstdint>

namespace livens::host {

/// Row i of `rows`, which has `width` entries a row.
inline Eigen::VectorXd row(const double* rows, std::int64_t i, int width) {
  return Eigen::Map<const Eigen::VectorXd>(rows + i * width, width);
}

}  // namespace livens::host
