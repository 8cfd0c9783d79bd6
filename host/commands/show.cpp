// livens show: one system, its parameters, coordinates and initial state; or one scheme and its options.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "expressions/nearest.hpp"
#include "host/commands/commands.hpp"
#include "host/commands/show_json.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"
#include "host/spec/initial_state.hpp"
#include "host/spec/registry.hpp"
#include "host/spec/spec_text.hpp"
#include "host/spec/text_pairs.hpp"

namespace livens::host {
namespace {

void print(const SystemInfo& system, const InitialState& initial, const std::vector<std::string>& schemes) {
  fmt::print("{}: {}\n", system.name, system.meaning);
  if (*system.paper) fmt::print("from {}\n", system.paper);
  fmt::print("\n");
  fmt::print("d = {} coordinates, m = {} {}constraints, {} conserved momentum maps\n", system.coordinates,
             system.constraints, system.nonholonomic ? "nonholonomic " : "", system.momentum_maps);
  fmt::print("q = {}\n\n", system.layout);
  fmt::print("{:<22}{:<10}{:<24}{:<12}{}\n", "parameter", "symbol", "default", "unit", "meaning");
  for (const ParameterInfo& parameter : system.parameters) {
    const std::string values = parameter.derived ? parameter.derived
                               : parameter.size() == 1
                                   ? fmt::format("{}", parameter.defaults.front())
                                   : fmt::format("[{}]", fmt::join(parameter.defaults, ", "));
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

std::string range_of(const SchemeOption& option) {
  return option.is_word() ? fmt::format("{}", fmt::join(option.words, " or ")) : option.expected;
}

/// What `scheme.order` may be with standard options where M is constant and regular, and why no more.
std::string orders_in_words(const SchemeInfo& scheme) {
  if (scheme.runs_on.empty()) return "it chooses its order itself";
  const Settings standard = standard_settings(scheme);
  const Composable composable = scheme.composable(standard, true);
  std::string words =
      fmt::format("scheme.order may be {}", fmt::join(orders_of(scheme, standard, true), ", "));
  if (composable.why != nullptr) words += fmt::format(": {}", composable.why);
  return words;
}

void print_options(const SchemeInfo& scheme) {
  if (scheme.options.begin() == scheme.options.end()) return;
  std::size_t standards = std::size("default"), ranges = std::size("values");
  for (const SchemeOption& option : scheme.options) {
    standards = std::max(standards, standard_value(option).size() + 2);
    ranges = std::max(ranges, range_of(option).size() + 2);
  }
  const auto line = [&](const auto& name, const auto& standard, const auto& range, const auto& meaning) {
    fmt::print("{:<22}{:<{}}{:<{}}{}\n", name, standard, standards, range, ranges, meaning);
  };
  fmt::print("\n");
  line("option", "default", "values", "meaning");
  for (const SchemeOption& option : scheme.options)
    line(option.name, standard_value(option), range_of(option), option.meaning);
}

void print(const Catalogue& catalogue, const SchemeInfo& scheme) {
  fmt::print("{}: {}\nfrom {}\n\norder {}; needs {}\n{}\n", scheme.name, scheme.meaning, scheme.paper,
             scheme.order, scheme.needs, orders_in_words(scheme));
  print_options(scheme);
  fmt::print("\n{:<28}{}\n", "system", "unknowns");
  for (const RunsOn& on : systems_of(catalogue, scheme)) {
    std::vector<std::string> forms;
    for (const PairKernels* pair : on.forms)
      forms.push_back(fmt::format("{} ({}{})", pair->unknowns, pair->form,
                                  pair->fixed_options ? ", standard options" : ""));
    fmt::print("{:<28}{}\n", on.system, fmt::join(forms, ", "));
  }
}

int show_scheme(const Catalogue& catalogue, const SchemeInfo& scheme, bool json) {
  if (json) {
    fmt::print("{}\n", scheme_json(catalogue, scheme).dump(2));
  } else {
    print(catalogue, scheme);
  }
  return exit_done;
}

int show_system(const SystemInfo& system, const InitialState& initial,
                const std::vector<std::string>& schemes, bool json) {
  if (json) {
    nlohmann::ordered_json described = system_json(system, schemes);
    described["initial"] = {{"q", initial.q}, {"v", initial.v}};
    fmt::print("{}\n", described.dump(2));
  } else {
    print(system, initial, schemes);
  }
  return exit_done;
}

/// Nothing is compiled for that: the text says where it starts.
int show_text(const std::string& path, bool json) {
  const TextSystem text = read_text_file(path);
  for (const std::string& warning : text.warnings()) tell("livens: " + printable(warning) + '\n');
  const std::vector<double> parameters = default_parameters(text.info());
  const InitialState initial = {text.initial_position(parameters), text.initial_velocity(parameters)};
  return show_system(text.info(), initial, with_text(registered(), text).schemes_of(text.name()), json);
}

}  // namespace

int show(const std::string& name, bool json) {
  if (names_text_file(name)) return show_text(name, json);
  const Catalogue catalogue = registered();
  const SystemKernels* system = catalogue.system(name);
  if (!system) {
    if (const SchemeInfo* scheme = catalogue.scheme(name)) return show_scheme(catalogue, *scheme, json);
    std::vector<std::string> names = catalogue.system_names();
    std::ranges::copy(catalogue.scheme_names(), std::back_inserter(names));
    throw RequestError(fmt::format("unknown system or scheme '{}'; {}", name, suggestion(name, names)));
  }
  return show_system(*system->info, default_initial_state(compiled(*system)), catalogue.schemes_of(name),
                     json);
}

}  // namespace livens::host
