// usage: modules_of_texts smallest|all TEXT.toml...
// Compiles the modules of texts for a GPU of compute capability 9.0, which need not be there: with the
// scheme of fewest unknowns that runs a text, or with all of them. LIVENS_NVRTC, empty, has nvcc do it.
// Status 77 where there is no compiler for GPUs.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "host/compilation/compiled.hpp"
#include "host/compilation/compiler.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"

int main(int count, char** arguments) {
  using namespace livens;
  using namespace livens::host;
  if (count < 3) return 2;
  constexpr int architecture = 90;
  const auto compiler = find_cuda_compiler(architecture);
  if (!compiler) {
    fmt::print("neither NVRTC nor nvcc was found\n");
    return 77;
  }
  fmt::print("{}\n", compiler->name());
  const bool all = std::strcmp(arguments[1], "all") == 0;
  for (int k = 2; k < count; ++k) {
    std::ifstream file(arguments[k]);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const TextSystem system = read_text_system(text, arguments[k]);
    const Catalogue catalogue = with_text(registered(), system);
    std::vector<PairKernels> pairs;
    for (const PairKernels& pair : catalogue.pairs)
      if (pair.system->info->name == system.name() && is_compiled_on_first_use(pair) &&
          form_of(system, *pair.scheme, pair.form))
        pairs.push_back(pair);
    if (pairs.empty()) {
      fmt::print("{}: no scheme\n", arguments[k]);
      return 1;
    }
    if (!all) pairs = {*std::ranges::min_element(pairs, {}, &PairKernels::unknowns)};
    for (const PairKernels& pair : pairs)
      for (const Compilation& done : compile_ahead_for_cuda(pair, Precision::full, architecture))
        fmt::print("{}: {:.1f} s\n", done.unit.description(), done.seconds);
  }
}
