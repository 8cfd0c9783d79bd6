#pragma once
// Growth in time of an observable's root mean square over an ensemble: the exponent b of rms(t) ~ t^b, with
// a confidence interval. Round-off that is a random walk gives 1/2 (Brouwer's law), a systematic drift 1, a
// bounded error 0.

#include <vector>

#include "ensembles/statistics.hpp"

namespace livens::ensembles {

/// Mean square over all groups but one, or over all. NaN of nobody.
inline constexpr int no_group = -1;
double mean_square(const GroupedSquares& squares, int without = no_group);

/// NaN where it is not determined: fewer than 8 samples in the window, less than a decade, or an rms of 0.
struct Growth {
  double exponent, low, high;  ///< the estimate, and the ends of its 95 % confidence interval
  double from, to;             ///< s, the window of the fit
};

/// Least squares for log rms against log t over the last two decades of the samples, each sample with the
/// part of log t that it stands for as its weight, so that linear and logarithmic sampling ask the same.
/// Instances are independent, the samples of one are not: the interval is the jackknife over the groups of
/// instances (B. Efron, The jackknife, the bootstrap and other resampling plans, 1982), 2.0395 standard
/// errors for 31 degrees of freedom. `time`: K, s; `squares`: K.
Growth growth(const std::vector<double>& time, const std::vector<GroupedSquares>& squares);

}  // namespace livens::ensembles
