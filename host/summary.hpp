#pragma once
// A result in a dozen lines, for `run` and `info`.

#include <string>

#include "host/result_file.hpp"

namespace livens::host {

/// Mean, 95 % quantile and maximum over the instances that are ok.
struct Spread {
  double mean, high, max;  ///< NaN where there are none
};
Spread spread_of(std::vector<double> values);

/// The table of errors, failures by reason, and the cost.
std::string summary(const ensembles::Result& result);

/// What was run, on what.
std::string headline(const ensembles::Result& result, const Provenance& provenance);

/// Instances whose status is not ok.
std::int64_t failures(const ensembles::Result& result);

}  // namespace livens::host
