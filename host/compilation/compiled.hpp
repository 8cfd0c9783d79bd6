#pragma once
// The functions of systems and pairs that a catalogue lists without them: compiled on first use, or found in
// the cache.

#include <functional>
#include <string>

#include "host/compilation/translation_unit.hpp"
#include "host/pairs/catalogue.hpp"
#include "kernels/backends/cuda/cuda_library.hpp"
#include "kernels/description/adjoint.hpp"
#include "taylor/recurrences.hpp"

namespace livens::host {

/// While one lives, who called is told of what this thread begins to compile, in place of the standard error that is
/// told when it is done, where that is a terminal.
class Announcing {
 public:
  using Told = std::function<void(const std::string& what)>;
  explicit Announcing(const Told& told);
  ~Announcing();
  Announcing(const Announcing&) = delete;
  Announcing& operator=(const Announcing&) = delete;

 private:
  const Told* before_;
};

/// The pair with its functions: itself where they are compiled into the program. It lives as long as the
/// program. Throws as ObjectCache::provide().
const PairKernels& compiled(const PairKernels& pair, Precision precision);
/// The same in another instruction set that this processor has; always an object of its own.
const PairKernels& compiled_for(const PairKernels& pair, Precision precision, const std::string& isa);
/// The pair with the functions of its system alone, for a backend whose steps are its own.
const PairKernels& with_compiled_system(const PairKernels& pair);
const SystemKernels& compiled(const SystemKernels& system);

/// Steps of taylor on a system, written out for a plan of this text (taylor/fixed_plan.hpp).
const taylor::FixedSeries& compiled_series(const SystemInfo& system, const std::string& plan);

/// The adjoint of a pair on a system with Tangents.
const AdjointKernels& compiled_adjoint(const PairKernels& pair);

/// The modules of a pair for a GPU of this compute capability (10 major + minor), their names the paths of
/// their files. Throws as ObjectCache::provide().
struct CudaModules {
  CudaModule system, pair;
};
CudaModules compiled_modules(const PairKernels& pair, Precision precision, int architecture);

/// What happened to a unit that a run needs, for `livens compile`.
struct Compilation {
  TranslationUnit unit;
  bool built_in;   ///< it is compiled into the program
  double seconds;  ///< of compilation; 0: it was there
};
/// Has the units of a pair, its system first, in the cache.
std::vector<Compilation> compile_ahead(const PairKernels& pair, Precision precision);
/// Has the steps of a series there.
Compilation compile_series_ahead(const SystemInfo& system, const std::string& plan);
/// The same for a GPU; the program's own modules hold whatever it was built for.
std::vector<Compilation> compile_ahead_for_cuda(const PairKernels& pair, Precision precision,
                                                int architecture);

}  // namespace livens::host
