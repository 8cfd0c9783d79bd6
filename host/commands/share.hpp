#pragma once
// The share of an ensemble in which a number of /instances lies above or below a threshold: a probability,
// with its binomial interval.

#include <cstdint>
#include <string>

#include "ensembles/result.hpp"

namespace livens::host {

/// "name=value" as typed after --above or --below.
struct Threshold {
  bool above;
  std::string typed;
};

/// A count of n as a probability.
struct Share {
  std::int64_t count, n;
  double low, high;  ///< Wilson's interval at 95 %
  double fraction() const { return static_cast<double>(count) / static_cast<double>(n); }
  double deviation() const;  ///< standard deviation of the fraction
};
Share share_of(std::int64_t count, std::int64_t n);

/// One line: how many of the instances that are ok, or had met the threshold when they failed. NaN (never) is
/// neither above nor below. Throws RequestError where there is no such number.
std::string describe(const Threshold& threshold, const ensembles::Result& result);

}  // namespace livens::host
