#include "host/backends/true_motion_pairs.hpp"

#include <algorithm>

#if defined(LIVENS_WITH_SUNDIALS)
#include "host/backends/true_motion_backend.hpp"
#endif

namespace livens::host {

#if defined(LIVENS_WITH_SUNDIALS)
namespace {

constexpr SchemeOption with_standard(SchemeOption option, double standard) {
  option.standard = standard;
  return option;
}

// IDA is of order five at most: there each further digit costs half as many steps again.
constexpr SchemeOption ode_options[] = {relative_tolerance, absolute_tolerance};
constexpr SchemeOption dae_options[] = {with_standard(relative_tolerance, 1e-10),
                                        with_standard(absolute_tolerance, 1e-12)};

constexpr SchemeInfo true_motion_schemes[] = {
    {.name = "reference_ode",
     .meaning = "the true motion: CVODE, Adams' methods with step and order control",
     .paper = "Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005)",
     .needs = "equations that determine the accelerations",
     .order = 12,
     .options = ode_options},
    {.name = "reference_dae",
     .meaning = "the true motion: IDA on the equations with multipliers, index one",
     .paper = "Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005)",
     .needs = "constraints, and equations that determine the accelerations",
     .order = 5,
     .options = dae_options}};

struct Tables {
  std::vector<const SchemeInfo*> schemes;
  std::vector<PairKernels> pairs;

  explicit Tables(const Catalogue& compiled)
      : schemes(compiled.schemes.begin(), compiled.schemes.end()),
        pairs(compiled.pairs.begin(), compiled.pairs.end()) {
    for (const SystemKernels& system : compiled.systems)
      for (const PairKernels& pair : true_motion_pairs(system)) {
        pairs.push_back(pair);
        if (std::ranges::find(schemes, pair.scheme) == schemes.end()) schemes.push_back(pair.scheme);
      }
  }
};

}  // namespace

std::vector<PairKernels> true_motion_pairs(const SystemKernels& system) {
  std::vector<PairKernels> pairs;
  for (const SchemeInfo& scheme : true_motion_schemes) {
    if (!true_motion::applicable(system.info->name, scheme.name)) continue;
    PairKernels pair{};
    pair.system = &system;
    pair.scheme = &scheme;
    pair.form = "full";
    pair.unknowns = true_motion::unknowns(system.info->name, scheme.name);
    pair.damped = true;
    pairs.push_back(pair);
  }
  return pairs;
}

bool is_true_motion(const PairKernels& pair) {
  return std::ranges::any_of(true_motion_schemes, [&](const auto& scheme) { return pair.scheme == &scheme; });
}

Catalogue with_true_motion(const Catalogue& compiled) {
  static const Tables tables(compiled);
  return {compiled.systems, tables.schemes, tables.pairs, compiled.single_pairs};
}
#else
std::vector<PairKernels> true_motion_pairs(const SystemKernels&) { return {}; }

bool is_true_motion(const PairKernels&) { return false; }

Catalogue with_true_motion(const Catalogue& compiled) { return compiled; }
#endif

}  // namespace livens::host
