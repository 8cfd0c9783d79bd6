#pragma once
// The systems and pairs that this program knows: those it was built with, and those that it has in source and
// compiles on first use (host/compilation). The only part of host/ that knows the generated tables.

#include <span>
#include <string>
#include <vector>

#include "host/pairs/catalogue.hpp"
#include "kernels/backends/known_pairs.hpp"

namespace livens::host {

/// Systems and pairs in the best instruction set of this processor; those that are not compiled in have no
/// functions.
Catalogue registered();

/// Name of that instruction set.
std::string instruction_set();
/// Names of all that this program was built for and this processor has, the best one last.
std::vector<std::string> instruction_sets();

/// True for a pair whose functions are part of this program, or of one of its libraries.
bool is_built_in(const PairKernels& pair);

/// A system of the sources, or null.
const KnownSystem* known_system(std::string_view name);
/// The form of a pair in the sources, or null.
const KnownPair* known_pair(const PairKernels& pair);

/// True for a pair that can be compiled on first use: of a text, or in the sources.
bool is_compiled_on_first_use(const PairKernels& pair);

/// Backends that run the pair in this build, for `list`.
std::vector<std::string> backends_of(const PairKernels& pair);

}  // namespace livens::host
