// livens show: one system, its parameters, coordinates and initial state; one scheme and its options; or one
// status of an instance.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "host/commands/commands.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/page.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/printable.hpp"
#include "host/results/remedies.hpp"
#include "host/spec/facts_json.hpp"
#include "host/spec/initial_state.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

std::string parameters_of(const SystemInfo& system) {
  Columns columns("lllll");
  columns.row({"parameter", "symbol", "default", "unit", "meaning"});
  for (const ParameterInfo& parameter : system.parameters) {
    const std::string values = parameter.derived ? parameter.derived
                               : parameter.size() == 1
                                   ? fmt::format("{}", parameter.defaults.front())
                                   : fmt::format("[{}]", fmt::join(parameter.defaults, ", "));
    columns.row({parameter.name, parameter.symbol, values, parameter.unit, parameter.meaning});
  }
  return columns.text();
}

std::string observables_of(const SystemInfo& system) {
  if (system.observables.empty() && system.sampled.empty()) return {};
  Columns columns("lll");
  columns.row({"observable", "unit", "meaning"});
  for (const ObservableInfo& own : system.observables) columns.row({own.name, own.unit, own.meaning});
  for (const ObservableInfo& own : system.sampled)
    columns.row({own.name, own.unit, fmt::format("{} (output.observe)", own.meaning)});
  return fmt::format("\n{}", columns.text());
}

/// How a system that is compiled on first use becomes one that is built in.
std::string how_to_build(const SystemInfo& system) {
  std::vector<std::string> built_in;
  for (const SystemKernels& entry : registered().systems)
    if (entry.initial_states) built_in.emplace_back(entry.info->name);
  built_in.emplace_back(system.name);
  return wrapped(
             fmt::format("\nnot built in: compiled on first use, or beforehand by livens compile SPEC. To "
                         "build it in, in the sources of livens:")) +
         fmt::format(
             "\n  cmake --preset demo \\\n    -DLIVENS_SYSTEMS=\"{}\"\n  cmake --build --preset demo\n",
             fmt::join(built_in, ";"));
}

/// `built_in`: or compiled on first use. `initial`: none where nothing here compiles it.
void print(const SystemInfo& system, const std::optional<InitialState>& initial,
           const std::vector<std::string>& schemes, bool built_in) {
  fmt::print("{}\n", wrapped(fmt::format("{}: {}", system.name, system.meaning), 2));
  if (*system.paper) fmt::print("{}\n", wrapped(fmt::format("from {}", system.paper), 2));
  fmt::print("\n{}\n",
             wrapped(fmt::format("d = {} coordinates, m = {} {}constraints, {} conserved momentum maps",
                                 system.coordinates, system.constraints,
                                 system.nonholonomic ? "nonholonomic " : "", system.momentum_maps)));
  fmt::print("{}\n\n{}{}\n", wrapped(fmt::format("q = {}", system.layout), 4), parameters_of(system),
             observables_of(system));
  if (initial)
    fmt::print("{}\n{}\n\n", wrapped(fmt::format("initial q = [{}]", fmt::join(initial->q, ", ")), 13),
               wrapped(fmt::format("initial v = [{}]", fmt::join(initial->v, ", ")), 13));
  fmt::print("default: scheme {}, step {} s, end {} s\n{}\n", system.default_scheme, system.default_step,
             system.default_end, wrapped(fmt::format("schemes: {}", fmt::join(schemes, ", ")), 9));
  if (!built_in) fmt::print("{}", how_to_build(system));
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

std::string options_of(const SchemeInfo& scheme) {
  if (scheme.options.begin() == scheme.options.end()) return {};
  Columns columns("llll");
  columns.row({"option", "default", "values", "meaning"});
  for (const SchemeOption& option : scheme.options)
    columns.row({option.name, standard_value(option), range_of(option), option.meaning});
  return fmt::format("\n{}", columns.text());
}

void print(const Catalogue& catalogue, const SchemeInfo& scheme) {
  fmt::print(
      "{}\n{}\n\n{}\n{}\n", wrapped(fmt::format("{}: {}", scheme.name, scheme.meaning), 2),
      wrapped(fmt::format("from {}", scheme.paper), 2),
      wrapped(fmt::format("order {}; needs {}\n{}", scheme.order, scheme.needs, orders_in_words(scheme)), 2),
      options_of(scheme));
  Columns systems("ll");
  systems.row({"system", "unknowns"});
  for (const RunsOn& on : systems_of(catalogue, scheme)) {
    std::vector<std::string> forms;
    for (const PairKernels* pair : on.forms)
      forms.push_back(fmt::format("{} ({}{})", pair->unknowns, pair->form,
                                  pair->fixed_options ? ", standard options" : ""));
    systems.row({on.system, fmt::format("{}", fmt::join(forms, ", "))});
  }
  fmt::print("{}", systems.text());
}

int show_status(const StatusRow& row, bool json) {
  const char* remedy = remedies[static_cast<std::size_t>(row.status)].text;
  if (json) {
    const nlohmann::ordered_json entry = {{"status", static_cast<int>(row.status)},
                                          {"name", row.name},
                                          {"meaning", row.meaning},
                                          {"to_try", remedy}};
    fmt::print("{}\n", entry.dump(2));
    return exit_done;
  }
  std::string text =
      fmt::format("{}: status {} of an instance: {}", row.name, static_cast<int>(row.status), row.meaning);
  if (*remedy)
    text += fmt::format(
        "\n\nto try: {}\n\n`livens failures FILE.h5 -o rerun.toml` makes a spec of the "
        "instances that failed, and only those.",
        remedy);
  std::erase(text, '`');
  fmt::print("{}\n", wrapped(text, 2));
  return exit_done;
}

int show_scheme(const Catalogue& catalogue, const SchemeInfo& scheme, bool json) {
  if (json) {
    fmt::print("{}\n", scheme_json(catalogue, scheme).dump(2));
  } else {
    print(catalogue, scheme);
  }
  return exit_done;
}

int show_system(const SystemInfo& system, const std::optional<InitialState>& initial,
                const std::vector<std::string>& schemes, bool built_in, bool json) {
  if (json) {
    nlohmann::ordered_json described = system_json(system, schemes);
    if (initial) described["initial"] = {{"q", initial->q}, {"v", initial->v}};
    fmt::print("{}\n", described.dump(2));
  } else {
    print(system, initial, schemes, built_in);
  }
  return exit_done;
}

/// Of a system that is not built in a compiler makes it; without one the rest is still worth showing.
std::optional<InitialState> initial_state_of(const SystemKernels& system) {
  try {
    return default_initial_state(compiled(system));
  } catch (const RequestError& problem) {
    tell(fmt::format("livens: {}\n", printable(problem.what())));
    return {};
  }
}

/// Nothing is compiled for that: the text says where it starts.
int show_text(const std::string& path, bool json, bool expanded) {
  const TextSystem text = read_text_file(path);
  for (const std::string& warning : text.warnings()) tell("livens: " + printable(warning) + '\n');
  if (expanded) {
    fmt::print("{}", text.expansion().empty() ? text.identity() : text.expansion());
    return exit_done;
  }
  const std::vector<double> parameters = default_parameters(text.info());
  const InitialState initial = {text.initial_position(parameters), text.initial_velocity(parameters)};
  show_system(text.info(), initial, with_text(registered(), text).schemes_of(text.name()), true, json);
  if (!json && !text.expansion().empty())
    fmt::print("\nstands for (alone, as a text that runs: --expanded)\n\n{}", text.expansion());
  return exit_done;
}

}  // namespace

int show(const std::string& name, bool json, bool expanded) {
  if (names_text_file(name)) return show_text(name, json, expanded);
  if (expanded)
    refuse({"", 0, "--expanded"}, fmt::format("'{}' is no text", name), "the file of a system as text");
  const Catalogue catalogue = registered();
  const SystemKernels* system = catalogue.system(name);
  if (!system) {
    if (const SchemeInfo* scheme = catalogue.scheme(name)) return show_scheme(catalogue, *scheme, json);
    for (const StatusRow& row : status_rows)
      if (name == row.name) return show_status(row, json);
    std::vector<std::string> names = catalogue.system_names();
    std::ranges::copy(catalogue.scheme_names(), std::back_inserter(names));
    refuse_unknown({}, fmt::format("unknown system or scheme '{}'", name), name, names);
  }
  return show_system(*system->info, initial_state_of(*system), catalogue.schemes_of(name),
                     system->initial_states != nullptr, json);
}

}  // namespace livens::host
