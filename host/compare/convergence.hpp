#pragma once
// The order of convergence: the exponent p of error ~ h^p, from runs that differ in their step alone.

#include <vector>

namespace livens::host {

/// One run as a point of the regression.
struct StepError {
  double step;   ///< h, s
  double error;  ///< of the ensemble
};

/// NaN where it is not determined.
struct ConvergenceOrder {
  double exponent, low, high;  ///< the estimate, and the ends of its 95 % confidence interval
};

/// Least squares for log error against log step. It takes the runs to be in the asymptotic range: log error =
/// log C + p log h, and what is left over to be independent between runs, normal, and of the same variance.
/// These deviations come of the next term, h^(p+1), and of where in its motion the end finds an instance. The
/// interval is then Student's with n - 2 degrees of freedom: it tells how well a power law fits, and knows
/// nothing of a law that all runs have missed by being too coarse. So two runs have an exponent and no
/// interval, and one run nothing.
ConvergenceOrder convergence_order(const std::vector<StepError>& runs);

}  // namespace livens::host
