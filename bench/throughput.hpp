#pragma once
// Steps per second of a pair against the naive Eigen loop, one core, taken in turns so that both see the same
// machine.

#include <optional>

#include "kernels/backends/registry.hpp"

namespace livens::bench {

struct Throughput {
  double steps_per_second;            ///< median over the rounds
  double newton_iterations_per_step;  ///< over all steps
  std::optional<double> naive_steps_per_second;
  std::optional<double> ratio;  ///< median of the ratios round by round
};

/// Integrates an ensemble around the system's own initial state with its default step until its default end,
/// over and over, `rounds` times; before each round the naive loop runs for about as long, where there is
/// one.
Throughput measure(const PairKernels& pair, double tolerance, Precision precision, int rounds);

struct TangentCost {
  double steps_per_second;  ///< without directions, median over the rounds
  double direction;  ///< what each takes beside that, in such steps; median of the ratios round by round
};

/// The same ensemble with the pair and with one that carries `directions` beside it, in turns.
TangentCost measure_tangent(const PairKernels& plain, const PairKernels& moved, int directions,
                            double tolerance, int rounds);

/// Floating-point operations per second of independent fused multiply-adds on one core.
double peak_flops(Isa isa);

}  // namespace livens::bench
