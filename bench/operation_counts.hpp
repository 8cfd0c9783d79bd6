#pragma once
// Floating-point operations of one step of every pair, observables included, counted by an instrumented
// scalar.

#include <string>
#include <vector>

namespace livens::bench {

struct OperationCount {
  std::string system, scheme, form;
  double flops_per_step;  ///< a fused multiply-add counts as two; comparisons and selections as none
};

std::vector<OperationCount> operation_counts();

}  // namespace livens::bench
