#include "host/run/failures_allowed.hpp"

#include <fmt/format.h>

namespace livens::host {

std::string too_many_failed(const ensembles::Request& request, std::int64_t failed, std::int64_t size) {
  if (request.on_failure == ensembles::OnFailure::error && failed > 0)
    return fmt::format("{} of {} instances failed, and ensemble.on_failure is \"error\"", failed, size);
  if (static_cast<double>(failed) / static_cast<double>(size) > request.max_failed_fraction)
    return fmt::format("{} of {} instances failed, more than ensemble.max_failed_fraction = {}", failed, size,
                       request.max_failed_fraction);
  return {};
}

}  // namespace livens::host
