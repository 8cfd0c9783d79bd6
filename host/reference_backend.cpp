#include "host/reference_backend.hpp"

#include <algorithm>
#include <limits>

namespace livens::host {
namespace {

reference::Variant variant_of(Variant variant) {
  switch (variant) {
    case Variant::endpoint:
      return reference::Variant::endpoint;
    case Variant::left_z:
      return reference::Variant::left_z;
    case Variant::symmetric:
      return reference::Variant::symmetric;
    default:
      return reference::Variant::standard;
  }
}

}  // namespace

reference::Options ReferenceBackend::options(const Instance& instance) const {
  const Settings& s = settings();
  return {scheme().name,
          instance.step,
          s.tolerance,
          s.max_iterations,
          s.alpha,
          s.theta,
          s.derivative == Derivative::invariants,
          variant_of(s.variant),
          s.start == Start::naive ? reference::Start::naive : reference::Start::legendre};
}

std::unique_ptr<reference::Trajectory> ReferenceBackend::begin(const Instance& instance) const {
  return std::make_unique<reference::Integrator>(instance.model, options(instance), instance.initial);
}

void ReferenceBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  for (std::int64_t block = 0; block < blocks; ++block) body(block);
}

double ReferenceBackend::round_off(std::int64_t i) const {
  const Instance& instance = instances()[i];
  if (!instance.trajectory) return 0.0;
  try {
    const auto steps = static_cast<int>(instance.steps);
    const double growth = reference::growth(instance.model, options(instance), instance.initial, steps);
    const auto& integrator = static_cast<const reference::Integrator&>(*instance.trajectory);  // of begin()
    return 64.0 * std::numeric_limits<double>::epsilon() * steps * growth *
           std::max(1.0, integrator.condition());
  } catch (const reference::StepFailure&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace livens::host
