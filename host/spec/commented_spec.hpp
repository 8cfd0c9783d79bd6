#pragma once
// A spec to begin with, for `livens new`: every key that a user of a system is likely to set, with what it
// means.

#include <string>

#include "host/pairs/catalogue.hpp"
#include "host/spec/initial_state.hpp"

namespace livens::host {

/// The text of a spec that runs as it stands. A line that begins with "#" and no space is one that can be
/// switched on, alone or with the lines of its block, and the spec still runs. `text_file`: of a system
/// written as text, its path from the directory of the spec; empty for a system of livens. `initial`: the
/// state with the default parameters.
std::string commented_spec(const SystemInfo& system, const Catalogue& catalogue, const InitialState& initial,
                           const std::string& text_file);

}  // namespace livens::host
