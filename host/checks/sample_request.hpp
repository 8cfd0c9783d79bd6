#pragma once
// A small ensemble to try a pair on.

#include "ensembles/request.hpp"
#include "host/pairs/catalogue.hpp"

namespace livens::host {

/// Eight instances around the system's own initial state, in its own step: every parameter that must be
/// positive within ten per cent of its default, every velocity shifted by a normal draw of standard deviation
/// `velocity_spread`; Newton to round-off, no retries, one sample at the end. `text` is that of a system
/// written as text.
ensembles::Request sample_request(const PairKernels& pair, std::int64_t steps, double velocity_spread,
                                  const std::string& text = {});

}  // namespace livens::host
