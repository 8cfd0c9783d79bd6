#include "host/pairs/registry.hpp"

#include <algorithm>

#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "kernels/backends/registry.hpp"
#if defined(LIVENS_WITH_CUDA)
#include "kernels/backends/cuda/cuda_registry.hpp"
#endif

namespace livens::host {
namespace {

bool same_names(const PairKernels& pair, const KnownPair& known) {
  return known.system->info->name == std::string_view(pair.system->info->name) &&
         known.scheme->name == std::string_view(pair.scheme->name) &&
         known.form == std::string_view(pair.form);
}

/// What was compiled, and behind it what the sources have beside that, without functions.
struct CompiledPairTables {
  std::vector<SystemKernels> systems;
  std::vector<PairKernels> pairs, single_pairs;

  explicit CompiledPairTables(Isa isa)
      : systems(cpu_systems(isa).begin(), cpu_systems(isa).end()),
        pairs(cpu_pairs(isa).begin(), cpu_pairs(isa).end()),
        single_pairs(cpu_pairs(isa, Precision::single).begin(), cpu_pairs(isa, Precision::single).end()) {
    systems.reserve(systems.size() + known_systems().size());
    for (const KnownSystem& known : known_systems())
      if (!system(known.info->name)) {
        systems.emplace_back();
        systems.back().info = known.info;
        systems.back().capabilities = known.capabilities;
      }
    for (const KnownPair& known : known_pairs()) {
      const SystemKernels& of = *system(known.system->info->name);
      add(pairs, pair_without_functions(of, known, Precision::full), known);
      if (known.lower) add(single_pairs, pair_without_functions(of, known, Precision::single), known);
    }
  }

  const SystemKernels* system(std::string_view name) const {
    const auto found = std::ranges::find_if(systems, [&](const auto& one) { return name == one.info->name; });
    return found == systems.end() ? nullptr : &*found;
  }
  static void add(std::vector<PairKernels>& to, const PairKernels& pair, const KnownPair& known) {
    if (std::ranges::none_of(to, [&](const PairKernels& one) { return same_names(one, known); }))
      to.push_back(pair);
  }
};

}  // namespace

Catalogue registered() {
  static const CompiledPairTables tables(best_isa());
  return with_true_motion({tables.systems, schemes(), tables.pairs, tables.single_pairs});
}

std::string instruction_set() { return isa_name(best_isa()); }
std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512})
    if (usable(isa)) names.push_back(isa_name(isa));
  return names;
}

bool is_built_in(const PairKernels& pair) {
  return pair.system->initial_states != nullptr && (pair.start != nullptr || is_true_motion(pair));
}

const KnownSystem* known_system(std::string_view name) {
  const auto found =
      std::ranges::find_if(known_systems(), [&](const auto& known) { return name == known.info->name; });
  return found == known_systems().end() ? nullptr : &*found;
}

const KnownPair* known_pair(const PairKernels& pair) {
  const auto found =
      std::ranges::find_if(known_pairs(), [&](const KnownPair& known) { return same_names(pair, known); });
  return found == known_pairs().end() ? nullptr : &*found;
}

bool is_compiled_on_first_use(const PairKernels& pair) {
  return text_of(*pair.system->info) != nullptr || known_pair(pair) != nullptr;
}

std::vector<std::string> backends_of(const PairKernels& pair) {
  std::vector<std::string> backends = {"cpu"};
  if (is_true_motion(pair) && !is_taylor(pair)) return backends;
#if defined(LIVENS_WITH_CUDA)
  const bool on_device = is_taylor(pair) || is_compiled_on_first_use(pair) || cuda_pair(pair);
  if (on_device && !has_impacts(*pair.system->info)) backends.push_back("cuda");
#endif
#if defined(LIVENS_WITH_CHECKS)
  if (!is_taylor(pair)) backends.push_back("reference");
#endif
  return backends;
}

}  // namespace livens::host
