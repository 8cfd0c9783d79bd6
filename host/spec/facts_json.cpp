#include "host/spec/facts_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "host/spec/quantity_name.hpp"

namespace livens::host {
namespace {

const char* domain_name(Domain domain) {
  switch (domain) {
    case Domain::positive:
      return "positive";
    case Domain::non_negative:
      return "non_negative";
    case Domain::real:
      break;
  }
  return "real";
}

}  // namespace

nlohmann::ordered_json system_json(const SystemInfo& system, const std::vector<std::string>& schemes) {
  nlohmann::ordered_json json = {{"name", system.name},
                                 {"meaning", system.meaning},
                                 {"paper", system.paper},
                                 {"d", system.coordinates},
                                 {"m", system.constraints},
                                 {"momentum", system.momentum_maps},
                                 {"nonholonomic", system.nonholonomic},
                                 {"layout", system.layout}};
  json["coordinates"] = entry_names(system);
  json["parameters"] = nlohmann::json::array();
  for (const ParameterInfo& parameter : system.parameters) {
    const std::span<const double> values = parameter.defaults;
    nlohmann::ordered_json entry = {{"name", parameter.name}, {"symbol", parameter.symbol}};
    if (parameter.derived) {
      entry["default"] = nullptr;
      entry["derived"] = parameter.derived;
    } else if (parameter.size() == 1) {
      entry["default"] = values.front();
    } else {
      entry["default"] = std::vector<double>(values.begin(), values.end());
    }
    entry["unit"] = parameter.unit;
    entry["meaning"] = parameter.meaning;
    entry["domain"] = domain_name(parameter.domain);
    json["parameters"].push_back(entry);
  }
  json["observables"] = nlohmann::json::array();
  for (const ObservableInfo& own : system.observables)
    json["observables"].push_back({{"name", own.name}, {"unit", own.unit}, {"meaning", own.meaning}});
  json["sampled"] = nlohmann::json::array();
  for (const ObservableInfo& own : system.sampled)
    json["sampled"].push_back({{"name", own.name}, {"unit", own.unit}, {"meaning", own.meaning}});
  json["scheme"] = {
      {"name", system.default_scheme}, {"step", system.default_step}, {"end", system.default_end}};
  json["schemes"] = schemes;
  return json;
}

std::string standard_value(const SchemeOption& option) {
  if (!option.is_word()) return fmt::format("{}", option.standard);
  return option.standard == of_system ? option.expected
                                      : option.words[static_cast<std::size_t>(option.standard)];
}

std::vector<RunsOn> systems_of(const Catalogue& catalogue, const SchemeInfo& scheme) {
  std::vector<RunsOn> systems;
  for (const PairKernels& pair : catalogue.pairs) {
    if (pair.scheme->name != std::string_view(scheme.name)) continue;
    const char* system = pair.system->info->name;
    // Forms that are built in stand before those that are compiled on first use.
    const auto known = std::ranges::find(systems, std::string_view(system),
                                         [](const RunsOn& on) { return std::string_view(on.system); });
    RunsOn& on = known != systems.end() ? *known : systems.emplace_back(RunsOn{system, {}});
    on.forms.push_back(&pair);
  }
  return systems;
}

nlohmann::ordered_json scheme_json(const Catalogue& catalogue, const SchemeInfo& scheme) {
  nlohmann::ordered_json json = {
      {"name", scheme.name},   {"meaning", scheme.meaning},
      {"paper", scheme.paper}, {"needs", scheme.needs},
      {"order", scheme.order}, {"orders", orders_of(scheme, standard_settings(scheme), true)}};
  json["options"] = nlohmann::json::array();
  for (const SchemeOption& option : scheme.options) {
    nlohmann::ordered_json entry = {{"name", option.name}, {"meaning", option.meaning}};
    if (option.is_word() && option.standard == of_system) {
      entry["default"] = nullptr;
      entry["derived"] = option.expected;
    } else if (option.is_word()) {
      entry["default"] = standard_value(option);
    } else {
      entry["default"] = option.standard;
    }
    if (option.is_word())
      entry["words"] = std::vector<std::string>(option.words.begin(), option.words.end());
    else
      entry["range"] = option.expected;
    json["options"].push_back(entry);
  }
  json["systems"] = nlohmann::json::array();
  for (const RunsOn& on : systems_of(catalogue, scheme)) {
    nlohmann::ordered_json forms;
    for (const PairKernels* pair : on.forms) forms[pair->form] = pair->unknowns;
    json["systems"].push_back({{"name", on.system}, {"forms", forms}});
  }
  return json;
}

}  // namespace livens::host
