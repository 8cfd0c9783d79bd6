#pragma once
// An Ensemble of livens.hpp as what the rest of host/ works with.

#include "host/livens.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

/// Throws RequestError.
Spec checked(const Ensemble& ensemble, const Catalogue& catalogue);

}  // namespace livens::host
