#include "host/spec/registry.hpp"

#include "host/backends/true_motion_pairs.hpp"
#include "kernels/backends/registry.hpp"
#if defined(LIVENS_WITH_CUDA)
#include "kernels/backends/cuda/cuda_registry.hpp"
#endif

namespace livens::host {

Catalogue registered() {
  const Isa isa = best_isa();
  return with_true_motion({cpu_systems(isa), schemes(), cpu_pairs(isa), cpu_pairs(isa, Precision::single)});
}

std::string instruction_set() { return isa_name(best_isa()); }

std::vector<std::string> backends_of(const PairKernels& pair) {
  std::vector<std::string> backends = {"cpu"};
  if (is_true_motion(pair)) return backends;
#if defined(LIVENS_WITH_CUDA)
  if (cuda_pair(pair)) backends.push_back("cuda");
#endif
#if defined(LIVENS_WITH_CHECKS)
  backends.push_back("reference");
#endif
  return backends;
}

}  // namespace livens::host
