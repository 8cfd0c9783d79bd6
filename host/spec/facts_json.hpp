#pragma once
// A system and a scheme as `livens show --json` has them: what other programs, and the Python package, know
// of them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/pairs/catalogue.hpp"

namespace livens::host {

/// All but the initial state, for which the system may have to be compiled.
nlohmann::ordered_json system_json(const SystemInfo& system, const std::vector<std::string>& schemes);
nlohmann::ordered_json scheme_json(const Catalogue& catalogue, const SchemeInfo& scheme);

/// The standard value as it is typed in a spec, or how it follows from the system.
std::string standard_value(const SchemeOption& option);

/// The forms in which a scheme runs a system, in the order of the catalogue.
struct RunsOn {
  const char* system;
  std::vector<const PairKernels*> forms;
};
std::vector<RunsOn> systems_of(const Catalogue& catalogue, const SchemeInfo& scheme);

}  // namespace livens::host
