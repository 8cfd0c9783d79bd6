#pragma once
// Names of what may differ from instance to instance: "initial.v[10]", "initial.p[9:12]", "system.mass[*]",
// "scheme.step", in [[ensemble.vary]] and in the columns of a table.

#include <string>

#include "ensembles/request.hpp"
#include "host/spec/spec_section.hpp"

namespace livens::host {

struct QuantityName {
  ensembles::Target target;
  int first, count;  ///< scalar entries, as those of a Variation
  enum class Index { none, one, range } index;
};

/// Throws RequestError at `place`.
QuantityName read_quantity_name(const Place& place, const std::string& what, const SystemInfo& system);

/// Momenta of a system whose mass matrix is singular are refused.
void refuse_singular_momenta(const Place& place, ensembles::Target target, const SystemInfo& system);

}  // namespace livens::host
