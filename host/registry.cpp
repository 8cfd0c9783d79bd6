#include "host/registry.hpp"

#include "kernels/backends/registry.hpp"

namespace livens::host {

Catalogue registered() { return {cpu_systems(best_isa()), schemes(), cpu_pairs(best_isa())}; }

std::string instruction_set() { return isa_name(best_isa()); }

std::vector<std::string> backends_of(const PairKernels&) { return {"cpu"}; }

}  // namespace livens::host
