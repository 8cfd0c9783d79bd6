#pragma once
// The pairs this program was built with. The only part of host/ that knows the generated table.

#include <span>
#include <string>
#include <vector>

#include "host/spec/catalogue.hpp"

namespace livens::host {

/// Systems and pairs in the best instruction set of this processor.
Catalogue registered();

/// Name of that instruction set.
std::string instruction_set();

/// Backends that run the pair in this build, for `list`.
std::vector<std::string> backends_of(const PairKernels& pair);

}  // namespace livens::host
