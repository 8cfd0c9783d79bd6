#pragma once
// Which runs of a comparison may tell the order of convergence, and what they tell.

#include <string>
#include <vector>

#include "host/compare/combinations.hpp"
#include "host/compare/convergence.hpp"
#include "host/compare/measured.hpp"

namespace livens::host {

inline constexpr const char* step_key = "scheme.step";

/// A run of a comparison, and what of its request bears on the errors.
struct ComparedRun {
  Combination combination;
  Measured measured;
  double step;             ///< h, s; NaN where it varies within the ensemble
  double steps;            ///< of an instance
  double tolerance;        ///< of Newton's method
  double truth_tolerance;  ///< relative, of the true motion; 0 without output.error_against
};

/// The order of runs that differ in scheme.step alone.
struct OrderOfRuns {
  std::vector<std::size_t> runs;  ///< their indices
  std::vector<std::size_t> used;  ///< those of them that count
  std::string error;              ///< the error it is of: "position_error" or "energy_error"
  ConvergenceOrder order;
  std::vector<std::string> left_out;  ///< why others do not count; empty where all do
};

/// An entry for every two runs or more that differ in scheme.step alone; none where that is not compared. The
/// error is the rms over the instances, of their position error at the end or, without output.error_against,
/// of the largest energy error relative to the scale. A run counts where the error is the scheme's:
///
///  * it ends when the run with the shortest step does, so that errors are those of the same time;
///  * each of its instances ended there as it did with the shortest step, and none was stopped, so that they
///    are errors of the same instances;
///  * the error is ten times what Newton's method and round-off may add, which moves a logarithm by less than
///    0.1: max(newton.tolerance, eps) relative in every step, and for a position error what the true motion
///    was integrated to from node to node.
std::vector<OrderOfRuns> orders_of(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs);

}  // namespace livens::host
