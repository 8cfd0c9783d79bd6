#include "kernels/backends/cuda/cuda_library.hpp"

#include <cuda_runtime_api.h>

#include <stdexcept>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_launch.hpp"
#include "kernels/backends/cuda/module_facts.hpp"

namespace livens {
namespace {

#if CUDART_VERSION >= 12080

class Library {
 public:
  explicit Library(const CudaModule& module) : name_(module.name) {
    cuda_check(cudaLibraryLoadData(&library_, module.image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
               name_);
  }
  ModuleFacts facts() const {
    void* there = nullptr;
    std::size_t bytes = 0;
    cuda_check(cudaLibraryGetGlobal(&there, &bytes, library_, module_facts), name_);
    ModuleFacts facts;
    if (bytes != sizeof facts) refuse();
    cuda_check(cudaMemcpy(&facts, there, sizeof facts, cudaMemcpyDeviceToHost), name_);
    if (!facts.fits(ModuleFacts{})) refuse();
    return facts;
  }
  [[noreturn]] void refuse() const {
    throw std::runtime_error(
        name_ + ": was compiled for another version of livens; 'livens cache --clear' removes it");
  }
  /// The runtime takes the handle of a kernel where it takes the address of a function.
  template <class... Parameters>
  auto kernel(const char* name) const {
    cudaKernel_t found = nullptr;
    cuda_check(cudaLibraryGetKernel(&found, library_, name), name_ + ": " + name);
    return reinterpret_cast<void (*)(Parameters...)>(found);
  }

 private:
  std::string name_;
  cudaLibrary_t library_ = nullptr;
};

using First = std::int64_t;  ///< of the instances of a launch
using Last = std::int64_t;

}  // namespace

CudaSystemKernels load_system(const CudaModule& module, const SystemKernels& same) {
  const SystemInfo& system = *same.info;
  const Library library(module);
  const ModuleFacts facts = library.facts();
  if (facts.parameter_count != parameter_count(system)) library.refuse();
  const auto of = [&system, block = facts.block](const char* what, First first, Last last) {
    return CudaLaunch{what, system.name, nullptr, nullptr, first, last, block};
  };
  const auto on_batch = [&](const char* what, const char* kernel_name) {
    return [of, what, kernel = library.kernel<Batch, First, Last>(kernel_name)](const Batch& batch,
                                                                                First first, Last last) {
      of(what, first, last).run(kernel, batch, first, last);
    };
  };
  const auto consistent = library.kernel<Batch, Consistency, const std::uint8_t*, std::uint8_t*, First, Last>(
      "livens_make_consistent");
  return {
      &system,
      facts.parameter_count,
      on_batch("initial_states", "livens_initial_states"),
      on_batch("momenta", "livens_momenta"),
      on_batch("velocities", "livens_velocities"),
      [of, consistent](const Batch& batch, Consistency consistency, const std::uint8_t* domains,
                       std::uint8_t* status, First first, Last last) {
        of("make_consistent", first, last).run(consistent, batch, consistency, domains, status, first, last);
      }};
}

CudaPairKernels load_pair(const CudaModule& module, const CudaSystemKernels& system,
                          const PairKernels& pair) {
  const Library library(module);
  const ModuleFacts facts = library.facts();
  if (facts.unknowns != pair.unknowns || facts.record_width != pair.record_width) library.refuse();
  const auto of = [info = system.info, scheme = pair.scheme, form = pair.form](
                      const char* what, First first, Last last, int block, std::int64_t to) {
    return CudaLaunch{what, info->name, scheme->name, form, first, last, block, to};
  };
  CudaPairKernels kernels{&system, pair.scheme, pair.form, facts.unknowns, facts.record_width, pair.precision,
                          {},      {},          {}};
  kernels.start =
      [of, block = facts.block,
       kernel = library.kernel<Batch, Settings, const std::uint8_t*, First, Last>("livens_start")](
          const Batch& batch, const Settings& settings, const std::uint8_t* status, First first, Last last) {
        of("start", first, last, block, 0).run(kernel, batch, settings, status, first, last);
      };
  kernels.advance = [of, block = facts.advance_block,
                     kernel = library.kernel<Batch, Settings, std::int64_t, volatile int*, First, Last>(
                         "livens_advance")](const Batch& batch, const Settings& settings, std::int64_t to,
                                            volatile int* left, First first, Last last) {
    of("advance", first, last, block, to).start(kernel, batch, settings, to, left, first, last);
  };
  if (facts.difficult_on_device != 0)
    kernels.advance_difficult = [of, block = facts.block,
                                 kernel = library.kernel<Batch, Settings, std::int64_t, double, First, Last>(
                                     "livens_advance_difficult")](const Batch& batch,
                                                                  const Settings& settings, std::int64_t to,
                                                                  double steps, First first, Last last) {
      of("advance_difficult", first, last, block, to).start(kernel, batch, settings, to, steps, first, last);
    };
  return kernels;
}

#else

[[noreturn]] void refuse() {
  throw std::runtime_error(
      "CUDA: kernels that are compiled on first use are loaded by a runtime of CUDA 12.8 or newer; this "
      "program "
      "was built with an older one");
}

}  // namespace

CudaSystemKernels load_system(const CudaModule&, const SystemKernels&) { refuse(); }
CudaPairKernels load_pair(const CudaModule&, const CudaSystemKernels&, const PairKernels&) { refuse(); }

#endif

}  // namespace livens
