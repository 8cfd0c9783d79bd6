#pragma once
// The functions of systems and pairs that a catalogue lists without them: compiled on first use, or found in
// the cache.

#include <string>

#include "host/compilation/unit.hpp"
#include "host/spec/catalogue.hpp"

namespace livens::host {

/// The pair with its functions: itself where they are compiled into the program. It lives as long as the
/// program. Throws as ObjectCache::provide().
const PairKernels& compiled(const PairKernels& pair, Precision precision);
/// The pair with the functions of its system alone, for a backend whose steps are its own.
const PairKernels& with_compiled_system(const PairKernels& pair);
const SystemKernels& compiled(const SystemKernels& system);

/// What happened to a unit that a run needs, for `livens compile`.
struct Compilation {
  Unit unit;
  bool built_in;   ///< it is compiled into the program
  double seconds;  ///< of compilation; 0: it was there
};
/// Has the units of a pair, its system first, in the cache.
std::vector<Compilation> compile_ahead(const PairKernels& pair, Precision precision);

}  // namespace livens::host
