#include "host/backends/true_motion_pairs.hpp"

#if defined(LIVENS_WITH_SUNDIALS)
#include "true_motion/true_motion.hpp"
#endif

namespace livens::host {

#if defined(LIVENS_WITH_SUNDIALS)
namespace {

bool is_tolerance(double value) { return value > 0.0 && value < 1.0; }
constexpr const char* expected = "a number between 0 and 1";

// IDA is of order five at most: there each further digit costs half as many steps again.
constexpr SchemeOption ode_options[] = {
    {"relative_tolerance", expected, &Settings::relative_tolerance, 1e-12, is_tolerance},
    {"absolute_tolerance", expected, &Settings::absolute_tolerance, 1e-14, is_tolerance}};
constexpr SchemeOption dae_options[] = {
    {"relative_tolerance", expected, &Settings::relative_tolerance, 1e-10, is_tolerance},
    {"absolute_tolerance", expected, &Settings::absolute_tolerance, 1e-12, is_tolerance}};

constexpr SchemeInfo true_motion_schemes[] = {
    {"reference_ode", "the true motion: CVODE, Adams' methods with step and order control",
     "Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005)", "equations that determine the accelerations", 12,
     ode_options},
    {"reference_dae", "the true motion: IDA on the equations with multipliers, index one",
     "Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005)",
     "constraints, and equations that determine the accelerations", 5, dae_options}};

struct Tables {
  std::vector<const SchemeInfo*> schemes;
  std::vector<PairKernels> pairs;

  explicit Tables(const Catalogue& compiled)
      : schemes(compiled.schemes.begin(), compiled.schemes.end()),
        pairs(compiled.pairs.begin(), compiled.pairs.end()) {
    for (const SchemeInfo& scheme : true_motion_schemes) {
      for (const SystemKernels& system : compiled.systems)
        if (true_motion::applicable(system.info->name, scheme.name)) add(system, scheme);
      if (pairs.size() > compiled.pairs.size() && pairs.back().scheme == &scheme) schemes.push_back(&scheme);
    }
  }

  void add(const SystemKernels& system, const SchemeInfo& scheme) {
    PairKernels pair{};
    pair.system = &system;
    pair.scheme = &scheme;
    pair.form = "full";
    pair.unknowns = true_motion::unknowns(system.info->name, scheme.name);
    pair.damped = true;
    pairs.push_back(pair);
  }
};

}  // namespace

Catalogue with_true_motion(const Catalogue& compiled) {
  static const Tables tables(compiled);
  return {compiled.systems, tables.schemes, tables.pairs, compiled.single_pairs};
}
#else
Catalogue with_true_motion(const Catalogue& compiled) { return compiled; }
#endif

}  // namespace livens::host
