#include "host/pairs/catalogue.hpp"

#include <algorithm>

#include "expressions/nearest.hpp"
#include "host/pairs/text_pairs.hpp"

namespace livens::host {
namespace {

/// By entry of the parameters: not zero, or varied, or what derivatives are taken by.
std::vector<bool> set_entries(const ensembles::Request& request) {
  std::vector<bool> set;
  for (const double value : request.parameters) set.push_back(value != 0.0);
  if (request.tangent)  // what is zero has a derivative
    for (const Direction& one : request.tangent->of)
      if (one.of == WithRespectTo::parameter) set[static_cast<std::size_t>(one.entry)] = true;
  for (const auto* variations : {&request.variations, &request.taken_over})
    for (const ensembles::Variation& variation : *variations)
      if (variation.target == ensembles::Target::parameter)
        std::fill_n(set.begin() + variation.first, variation.count, true);
  return set;
}

/// A parameter by which damping is asked for, or null.
const ParameterInfo* damping_asked(const SystemInfo& system, const ensembles::Request& request) {
  const std::vector<bool> set = set_entries(request);
  const TextSystem* text = text_of(system);
  if (text && !text->may_damp(set)) return nullptr;
  // A text may damp where its parameters are zero, too; what is positive anyhow is not asked for.
  const ParameterInfo* found = nullptr;
  for (const ParameterInfo& parameter : system.parameters) {
    if (!parameter.damps) continue;
    const auto first = set.begin() + parameter_offset(system, parameter), last = first + parameter.size();
    const bool is_set = std::find(first, last, true) != last;
    if (is_set && (!text || parameter.domain != Domain::positive)) return &parameter;
    if (text && !found) found = &parameter;
  }
  return found;
}

}  // namespace

const SystemKernels* Catalogue::system(std::string_view name) const {
  const auto found = std::find_if(systems.begin(), systems.end(),
                                  [&](const auto& entry) { return name == entry.info->name; });
  return found == systems.end() ? nullptr : &*found;
}

const SchemeInfo* Catalogue::scheme(std::string_view name) const {
  const auto found =
      std::find_if(schemes.begin(), schemes.end(), [&](const auto* scheme) { return name == scheme->name; });
  return found == schemes.end() ? nullptr : *found;
}

const PairKernels* Catalogue::single(const PairKernels& pair) const {
  const auto found = std::find_if(single_pairs.begin(), single_pairs.end(), [&](const PairKernels& other) {
    return std::string_view(other.system->info->name) == pair.system->info->name &&
           std::string_view(other.scheme->name) == pair.scheme->name &&
           std::string_view(other.form) == pair.form;
  });
  return found == single_pairs.end() ? nullptr : &*found;
}

bool Catalogue::offers(const PairKernels& pair, Precision precision) const {
  // Without unknowns there is nothing to mix.
  const bool mixed = precision == Precision::mixed && (pair.unknowns == 0 || pair.advance_mixed != nullptr);
  return precision == Precision::full || mixed || single(pair) != nullptr;
}

std::vector<std::string> Catalogue::system_names() const {
  std::vector<std::string> names;
  for (const SystemKernels& entry : systems) names.emplace_back(entry.info->name);
  return names;
}

std::vector<std::string> Catalogue::scheme_names() const {
  std::vector<std::string> names;
  for (const SchemeInfo* scheme : schemes) names.emplace_back(scheme->name);
  return names;
}

std::vector<std::string> Catalogue::schemes_of(std::string_view system) const {
  std::vector<std::string> names;
  for (const PairKernels& pair : pairs) {
    const std::string name = pair.scheme->name;
    const bool listed = std::find(names.begin(), names.end(), name) != names.end();
    if (system == pair.system->info->name && !listed) names.push_back(name);
  }
  return names;
}

int parameter_offset(const SystemInfo& system, const ParameterInfo& parameter) {
  int offset = 0;
  for (const ParameterInfo* before = system.parameters.data(); before != &parameter; ++before) {
    offset += before->size();
  }
  return offset;
}

std::vector<double> default_parameters(const SystemInfo& system) {
  std::vector<double> values;
  for (const ParameterInfo& parameter : system.parameters)
    values.insert(values.end(), parameter.defaults.begin(), parameter.defaults.end());
  return values;
}

const ParameterInfo* find_parameter(const SystemInfo& system, std::string_view name) {
  for (const ParameterInfo& parameter : system.parameters) {
    if (name == parameter.name) return &parameter;
  }
  return nullptr;
}

std::vector<int> orders_of(const SchemeInfo& scheme, const Settings& settings, bool regular_mass) {
  std::vector<int> orders = {own_order(scheme, settings)};
  for (const ComposedOrder& composed : composed_orders)
    if (composed.order <= scheme.composable(settings, regular_mass).highest) orders.push_back(composed.order);
  return orders;
}

PairChoice choose_pair(const Catalogue& catalogue, const ensembles::Request& request) {
  std::vector<const PairKernels*> forms;
  for (const PairKernels& pair : catalogue.pairs) {
    if (request.system == pair.system->info->name && request.scheme == pair.scheme->name)
      forms.push_back(&pair);
  }
  const std::string pair_name = request.scheme + " on " + request.system;
  if (forms.empty()) {
    const SchemeInfo* scheme = catalogue.scheme(request.scheme);
    const SystemKernels* system = catalogue.system(request.system);
    const TextSystem* text = system ? text_of(*system->info) : nullptr;
    std::string reason;
    if (scheme) reason = text ? ": " + text->why_not(*scheme) : std::string(": it needs ") + scheme->needs;
    return {nullptr, "scheme.name", request.scheme + " does not run " + request.system + reason,
            enumerate(catalogue.schemes_of(request.system))};
  }
  const auto keep = [&forms](auto&& suitable) {
    std::erase_if(forms, [&](const PairKernels* pair) { return !suitable(*pair); });
    return !forms.empty();
  };
  if (request.form != "auto" && !keep([&](const PairKernels& pair) { return request.form == pair.form; })) {
    return {nullptr, "scheme.form", pair_name + " has no " + request.form + " form", {}};
  }
  const std::string where =
      request.form == "auto" ? pair_name : "the " + request.form + " form of " + pair_name;
  const SystemInfo& system = *forms.front()->system->info;
  if (request.consistency == Consistency::keep && system.constraints > 0 && !system.nonholonomic &&
      !keep([](const PairKernels& pair) { return std::string_view(pair.form) == "full"; })) {
    return {nullptr, "initial.consistency",
            where + " stays as far off the constraints as it starts, and \"keep\" needs a full form",
            "\"project\" or \"require\""};
  }
  const ParameterInfo* damping = damping_asked(system, request);
  if (damping && !keep([](const PairKernels& pair) { return pair.damped; })) {
    return {nullptr, std::string("system.") + damping->name, where + " has no viscous damping", {}};
  }
  if (request.settings.compensated && !keep([](const PairKernels& pair) { return pair.compensated; })) {
    return {nullptr, "scheme.compensated", where + " has no compensated updates", {}};
  }
  const bool standard = std::all_of(
      forms.front()->scheme->options.begin(), forms.front()->scheme->options.end(),
      [&](const SchemeOption& option) { return request.settings.options[option.place] == option.standard; });
  if (!standard && !keep([](const PairKernels& pair) { return !pair.fixed_options; })) {
    return {nullptr, "scheme.form", where + " has only the standard options", {}};
  }
  const Precision precision = request.settings.precision;
  if (!keep([&](const PairKernels& pair) { return catalogue.offers(pair, precision); })) {
    return {nullptr, "scheme.precision",
            where + " is not offered in " + precision_name(precision) + " precision",
            "double ('livens list' shows what is)"};
  }
  // The fewest unknowns, for the same motion.
  const auto rank = [](const PairKernels* pair) {
    return pair->form == std::string_view("reduced")     ? 0
           : pair->form == std::string_view("condensed") ? 1
                                                         : 2;
  };
  const PairKernels* chosen = *std::ranges::min_element(forms, {}, rank);
  return {precision == Precision::single ? catalogue.single(*chosen) : chosen, {}, {}, {}};
}

}  // namespace livens::host
