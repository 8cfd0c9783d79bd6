#include "host/pairs/true_motion_pairs.hpp"

#include <algorithm>

#include "host/pairs/built_in_texts.hpp"
#include "host/pairs/true_motion_options.hpp"

#if defined(LIVENS_WITH_SUNDIALS)
#include "true_motion/true_motion.hpp"
#endif

namespace livens::host {
namespace {

constexpr SchemeOption taylor_options[] = {taylor_tolerance};

constexpr SchemeInfo taylor_scheme = {
    .name = "taylor",
    .meaning = "the true motion to round-off: Taylor series with step and order control",
    .paper = "Jorba and Zou, Experimental Mathematics 14 (2005)",
    .needs =
        "equations that are a text: one of your own, or of those in examples/systems, where no assembly is",
    .order = 26,
    .options = taylor_options};

PairKernels pair_without_functions(const SystemKernels& system, const SchemeInfo& scheme, int unknowns) {
  PairKernels pair{};
  pair.system = &system;
  pair.scheme = &scheme;
  pair.form = "full";
  pair.unknowns = unknowns;
  pair.damped = true;
  return pair;
}

#if defined(LIVENS_WITH_SUNDIALS)
constexpr SchemeOption with_standard(SchemeOption option, double standard) {
  option.standard = standard;
  return option;
}

// IDA is of order five at most: there each further digit costs half as many steps again.
constexpr SchemeOption ode_options[] = {relative_tolerance, absolute_tolerance};
constexpr SchemeOption dae_options[] = {with_standard(relative_tolerance, 1e-10),
                                        with_standard(absolute_tolerance, 1e-12)};

constexpr SchemeInfo sundials_schemes[] = {
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

bool is_sundials(const PairKernels& pair) {
  return std::ranges::any_of(sundials_schemes, [&](const auto& scheme) { return pair.scheme == &scheme; });
}
#else
bool is_sundials(const PairKernels&) { return false; }
#endif

struct TrueMotionTables {
  std::vector<const SchemeInfo*> schemes;
  std::vector<PairKernels> pairs;

  explicit TrueMotionTables(const Catalogue& compiled)
      : schemes(compiled.schemes.begin(), compiled.schemes.end()),
        pairs(compiled.pairs.begin(), compiled.pairs.end()) {
    for (const SystemKernels& system : compiled.systems) {
      for (const PairKernels& pair : true_motion_pairs(system)) {
        pairs.push_back(pair);
        if (std::ranges::find(schemes, pair.scheme) == schemes.end()) schemes.push_back(pair.scheme);
      }
      if (has_text(system.info->name)) pairs.push_back(taylor_pair(system));
    }
    schemes.push_back(&taylor_scheme);  // also of texts, which come with a spec
  }
};

}  // namespace

std::vector<PairKernels> true_motion_pairs(
    [[maybe_unused]] const SystemKernels& system,
    [[maybe_unused]] const std::shared_ptr<const reference::TextSystem>& text) {
  std::vector<PairKernels> pairs;
#if defined(LIVENS_WITH_SUNDIALS)
  const reference::Model model{system.info->name, {}, text};
  for (const SchemeInfo& scheme : sundials_schemes)
    if (true_motion::applicable(model, scheme.name))
      pairs.push_back(pair_without_functions(system, scheme, true_motion::unknowns(model, scheme.name)));
#endif
  return pairs;
}

PairKernels taylor_pair(const SystemKernels& system) {
  return pair_without_functions(system, taylor_scheme, system.info->coordinates + system.info->constraints);
}

bool is_taylor(const PairKernels& pair) { return pair.scheme == &taylor_scheme; }

bool is_true_motion(const PairKernels& pair) { return is_taylor(pair) || is_sundials(pair); }

Catalogue with_true_motion(const Catalogue& compiled) {
  static const TrueMotionTables tables(compiled);
  return {compiled.systems, tables.schemes, tables.pairs, compiled.single_pairs};
}

}  // namespace livens::host
