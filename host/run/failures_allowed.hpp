#pragma once
// How many instances of a run may fail (ensemble.on_failure, ensemble.max_failed_fraction).

#include <cstdint>
#include <string>

#include "ensembles/request.hpp"

namespace livens::host {

/// In which respect `failed` of `size` instances are more than a request allows, e.g. "3 of 8 instances
/// failed, ..."; empty where they are not.
std::string too_many_failed(const ensembles::Request& request, std::int64_t failed, std::int64_t size);

}  // namespace livens::host
