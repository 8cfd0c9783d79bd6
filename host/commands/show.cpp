// livens show: one system, its parameters, coordinates and initial state.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/spec/initial_state.hpp"
#include "host/spec/nearest.hpp"
#include "host/spec/registry.hpp"

namespace livens::host {
namespace {

std::span<const double> defaults_of(const ParameterInfo& parameter) {
  return {parameter.defaults, static_cast<std::size_t>(parameter.size)};
}

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

nlohmann::ordered_json to_json(const SystemInfo& system, const InitialState& initial,
                               const std::vector<std::string>& schemes) {
  nlohmann::ordered_json json = {{"name", system.name},
                                 {"meaning", system.meaning},
                                 {"paper", system.paper},
                                 {"d", system.coordinates},
                                 {"m", system.constraints},
                                 {"momentum", system.momentum_maps},
                                 {"nonholonomic", system.nonholonomic},
                                 {"layout", system.layout}};
  json["parameters"] = nlohmann::json::array();
  for (const ParameterInfo& parameter : system.parameters) {
    const auto values = defaults_of(parameter);
    nlohmann::ordered_json entry = {{"name", parameter.name}, {"symbol", parameter.symbol}};
    if (parameter.derived) {
      entry["default"] = nullptr;
      entry["derived"] = parameter.derived;
    } else if (parameter.size == 1) {
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
  json["initial"] = {{"q", initial.q}, {"v", initial.v}};
  json["scheme"] = {
      {"name", system.default_scheme}, {"step", system.default_step}, {"end", system.default_end}};
  json["schemes"] = schemes;
  return json;
}

void print(const SystemInfo& system, const InitialState& initial, const std::vector<std::string>& schemes) {
  fmt::print("{}: {}\nfrom {}\n\n", system.name, system.meaning, system.paper);
  fmt::print("d = {} coordinates, m = {} {}constraints, {} conserved momentum maps\n", system.coordinates,
             system.constraints, system.nonholonomic ? "nonholonomic " : "", system.momentum_maps);
  fmt::print("q = {}\n\n", system.layout);
  fmt::print("{:<22}{:<10}{:<24}{:<12}{}\n", "parameter", "symbol", "default", "unit", "meaning");
  for (const ParameterInfo& parameter : system.parameters) {
    const std::string values = parameter.derived ? parameter.derived
                               : parameter.size == 1
                                   ? fmt::format("{}", *parameter.defaults)
                                   : fmt::format("[{}]", fmt::join(defaults_of(parameter), ", "));
    fmt::print("{:<22}{:<10}{:<24}{:<12}{}\n", parameter.name, parameter.symbol, values, parameter.unit,
               parameter.meaning);
  }
  if (!system.observables.empty() || !system.sampled.empty())
    fmt::print("\n{:<22}{:<10}{}\n", "observable", "unit", "meaning");
  for (const ObservableInfo& own : system.observables)
    fmt::print("{:<22}{:<10}{}\n", own.name, own.unit, own.meaning);
  for (const ObservableInfo& own : system.sampled)
    fmt::print("{:<22}{:<10}{} (output.observe)\n", own.name, own.unit, own.meaning);
  fmt::print("\ninitial q = [{}]\ninitial v = [{}]\n", fmt::join(initial.q, ", "),
             fmt::join(initial.v, ", "));
  fmt::print("\ndefault: scheme {}, step {} s, end {} s\nschemes: {}\n", system.default_scheme,
             system.default_step, system.default_end, fmt::join(schemes, ", "));
}

}  // namespace

int show(const std::string& name, bool json) {
  const Catalogue catalogue = registered();
  const SystemKernels* system = catalogue.system(name);
  if (!system) {
    throw RequestError(
        fmt::format("unknown system '{}'; {}", name, suggestion(name, catalogue.system_names())));
  }
  const InitialState initial = default_initial_state(*system);
  const std::vector<std::string> schemes = catalogue.schemes_of(name);
  if (json) {
    fmt::print("{}\n", to_json(*system->info, initial, schemes).dump(2));
  } else {
    print(*system->info, initial, schemes);
  }
  return exit_done;
}

}  // namespace livens::host
