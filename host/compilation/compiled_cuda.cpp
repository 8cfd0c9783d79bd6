#include "host/compilation/compiled_cuda.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "host/compilation/compiled.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/text_pairs.hpp"
#include "kernels/backends/cuda/cuda_library.hpp"

namespace livens::host {
namespace {

/// A pair as a device has it: the functions of its system, and its own, by the files they were loaded from
/// and by whose names they carry.
struct Loaded {
  CudaSystemKernels system;
  CudaPairKernels pair;
};
struct AllLoaded {
  std::mutex mutex;
  std::map<std::string, Loaded> by_name;
};
AllLoaded& loaded() {
  static AllLoaded* const all = new AllLoaded;  // used by whatever runs until the end
  return *all;
}

}  // namespace

const CudaPairKernels* built_in_cuda(const PairKernels& pair, Precision precision) {
  if (text_of(*pair.system->info) || observing_of(*pair.system->info)) return nullptr;
  // One kernel does for both: where the program was built with mixed precision.
  if (precision == Precision::mixed && pair.advance_mixed == nullptr && pair.unknowns > 0) return nullptr;
  return cuda_pair(pair);
}

const CudaPairKernels& compiled_for(const CudaDevice& device, const PairKernels& pair, Precision precision) {
  if (const CudaPairKernels* own = built_in_cuda(pair, precision)) return *own;
  const std::lock_guard guard(loaded().mutex);
  const CudaModules modules = compiled_modules(pair, precision, 10 * device.major + device.minor);
  // A library is loaded into every device that it is used on.
  const std::string name =
      fmt::format("{} {}", modules.pair.name, static_cast<const void*>(pair.system->info));
  const auto [place, is_new] = loaded().by_name.try_emplace(name);
  Loaded& kernels = place->second;
  if (is_new) {
    try {
      cuda_use(device);
      const PairKernels& on_processor = compiled(pair, precision);
      kernels.system = load_system(modules.system, *on_processor.system);
      kernels.pair = load_pair(modules.pair, kernels.system, on_processor);
    } catch (...) {
      loaded().by_name.erase(place);
      throw;
    }
  }
  return kernels.pair;
}

}  // namespace livens::host
