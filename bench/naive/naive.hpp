// The comparator of `livens bench`: one trajectory at a time, Eigen matrices of run-time size. One loop for
// each family of schemes: energy-momentum, GGL variational, RATTLE, discrete Euler-Lagrange, nonholonomic.
//
// Every step solves the discrete equations of one scheme with Newton's method, an analytic Jacobian and a
// pivoted LU, with p and v eliminated. Nothing is allocated inside a step (`naive_loops_checked` asserts it).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace livens::naive {

struct Result {
  double seconds = 0;  ///< of the processor, for the stepping alone
  std::int64_t steps = 0;
  std::int64_t newton_iterations = 0;  ///< linear solves
  std::vector<double> final_q;
  double max_energy_error = 0;
  double max_constraint = 0;  ///< |g|; |A v + b| where the constraints are nonholonomic
  double max_velocity_constraint = 0;
  double max_momentum_error = 0;
};

struct Pair {
  std::string_view system, scheme;
  double default_step, end;
  Result (*integrate)(double step, std::int64_t steps, double tolerance);
};

/// All pairs with a loop.
std::span<const Pair> pairs();

bool available(std::string_view system, std::string_view scheme);

/// Integrates one instance for `steps` steps, from the system's default initial state and again from there
/// whenever its default end is reached. `step` <= 0 takes the system's default; `tolerance` bounds the
/// infinity norm of the scaled residual. Throws std::invalid_argument for a pair without a loop,
/// std::runtime_error when Newton's method does not converge.
Result run(std::string_view system, std::string_view scheme, double step, std::int64_t steps,
           double tolerance);

}  // namespace livens::naive
