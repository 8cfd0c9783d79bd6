#include "host/spec/commented_spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ensembles/schedule.hpp"
#include "host/printable.hpp"
#include "host/spec/toml_writing.hpp"

namespace livens::host {
namespace {

constexpr std::size_t widest = 100;

/// Prose as lines of a comment, those after the first one indented.
std::string comment(const std::string& text, const std::string& indent = "") {
  std::istringstream words(printable(text));
  std::string lines, line = "#";
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > widest) {
      lines += line + '\n';
      line = "# " + indent;
    }
    line += (line.ends_with(' ') ? "" : " ") + word;
  }
  return lines + line + '\n';
}

/// A key with what it means, behind it or, where that is too long, above it.
std::string key(const std::string& setting, const std::string& meaning) {
  if (meaning.empty()) return setting + '\n';
  const std::string whole = setting + "  # " + printable(meaning);
  return whole.size() <= widest ? whole + '\n' : comment(meaning) + setting + '\n';
}

std::string numbers(std::span<const double> values) {
  std::vector<std::string> typed;
  for (const double value : values) typed.push_back(toml_number(value));
  return fmt::format("[{}]", fmt::join(typed, ", "));
}

const char* domain_in_words(Domain domain) {
  if (domain == Domain::positive) return "> 0";
  return domain == Domain::non_negative ? ">= 0" : "";
}

/// "m, kg: mass of the cart, > 0", as far as a text says it.
std::string meaning_of(const ParameterInfo& parameter) {
  std::string meaning;
  const auto add = [&](const char* before, const std::string& part) {
    if (!part.empty()) meaning += (meaning.empty() ? "" : before) + part;
  };
  if (std::string_view(parameter.symbol) != parameter.name) add("", parameter.symbol);
  add(", ", parameter.unit);
  add(": ", parameter.meaning);
  add(", ", domain_in_words(parameter.domain));
  return meaning;
}

std::string parameters_of(const SystemInfo& system) {
  std::string text = system.parameters.empty() ? "" : "# Parameters; without its line each has this value.\n";
  for (const ParameterInfo& parameter : system.parameters) {
    const std::string meaning = meaning_of(parameter);
    if (parameter.derived)
      text +=
          comment(fmt::format("{} ({}); until it is given: {}", parameter.name, meaning, parameter.derived));
    else
      text += key(fmt::format("{} = {}", parameter.name,
                              parameter.size() == 1 ? toml_number(parameter.defaults.front())
                                                    : numbers(parameter.defaults)),
                  meaning);
  }
  return text;
}

std::string values_of(const SchemeOption& option) {
  return option.is_word() ? fmt::format("\"{}\"", fmt::join(option.words, "\" or \"")) : option.expected;
}

/// The options of the scheme that is chosen, each a line to be switched on.
std::string options_of(const SchemeInfo& scheme) {
  std::string text;
  for (const SchemeOption& option : scheme.options) {
    const std::string meaning = fmt::format("{}: {}", option.meaning, values_of(option));
    if (option.is_word() && option.standard == of_system)
      text += comment(fmt::format("{}, of {}; {}", option.name, scheme.name, meaning));
    else if (option.is_word())
      text += key(fmt::format("#{} = {}", option.name,
                              toml_text(option.words[static_cast<std::size_t>(option.standard)])),
                  meaning);
    else
      text += key(fmt::format("#{} = {}", option.name, toml_number(option.standard)), meaning);
  }
  return text;
}

/// The schemes that run a system, in the order of the catalogue.
std::vector<const SchemeInfo*> schemes_of(const SystemInfo& system, const Catalogue& catalogue) {
  std::vector<const SchemeInfo*> schemes;
  for (const PairKernels& pair : catalogue.pairs)
    if (pair.system->info == &system && std::ranges::count(schemes, pair.scheme) == 0)
      schemes.push_back(pair.scheme);
  return schemes;
}

std::string scheme_section(const SystemInfo& system, const Catalogue& catalogue) {
  std::string text = fmt::format("\n[scheme]\nname = {}\n", toml_text(system.default_scheme));
  const std::vector<const SchemeInfo*> schemes = schemes_of(system, catalogue);
  for (const SchemeInfo* scheme : schemes)
    if (scheme->name == std::string_view(system.default_scheme)) text += options_of(*scheme);
  text += key("step = " + toml_number(system.default_step), "h, s");
  text += key("end = " + toml_number(system.default_end), "T, s; or steps = N");
  text += "# Schemes that run this system (livens show NAME says more of each):\n";
  for (const SchemeInfo* scheme : schemes) {
    std::vector<std::string> options;
    for (const SchemeOption& option : scheme->options) options.emplace_back(option.name);
    text += comment(fmt::format("- {}, order {}: {}{}", scheme->name, scheme->order, scheme->meaning,
                                options.empty() ? "" : fmt::format("; options {}", fmt::join(options, ", "))),
                    "  ");
  }
  return text;
}

std::string initial_section(const SystemInfo& system, const InitialState& initial) {
  return "\n[initial]\n" +
         comment(fmt::format("Without q and v the state follows from the parameters. With those above it is "
                             "this; q = {}.",
                             system.layout)) +
         fmt::format("#q = {}\n#v = {}\n", numbers(initial.q), numbers(initial.v));
}

/// A parameter to vary: one that has a value of its own, and is not to be 0.
const ParameterInfo* variable_parameter(const SystemInfo& system) {
  for (const ParameterInfo& parameter : system.parameters)
    if (!parameter.derived && parameter.domain == Domain::positive) return &parameter;
  return nullptr;
}

std::string ensemble_section(const SystemInfo& system) {
  std::string text =
      "\n[ensemble]\nsize = 64\nseed = 1\n\n"
      "# What differs from instance to instance; any number of these tables.\n"
      "[[ensemble.vary]]\n"
      "what = \"initial.v[0]\"  # or initial.q[i], initial.v[*], system.NAME, scheme.step\n"
      "law = \"normal\"  # or uniform: low, high; lognormal: mu, sigma; linspace: low, high, count; ...\n"
      "mode = \"add\"  # to what it is without this table; or set, multiply\n"
      "mean = 0.0\nstd = 0.01\n";
  const ParameterInfo* parameter = variable_parameter(system);
  if (!parameter) return text;
  return text + fmt::format(
                    "\n# A parameter within ten per cent:\n#[[ensemble.vary]]\n"
                    "#what = \"system.{}{}\"\n#law = \"uniform\"\n#mode = \"multiply\"\n"
                    "#low = 0.9\n#high = 1.1\n",
                    parameter->name, parameter->size() > 1 ? "[0]" : "");
}

std::string output_section(const SystemInfo& system, const Catalogue& catalogue) {
  const auto steps =
      static_cast<std::int64_t>(ensembles::pieces_of(system.default_end, system.default_step).count);
  std::string text = "\n[output]\n";
  text += key(fmt::format("every = {}", std::max<std::int64_t>(steps / 100, 1)), "steps between samples");
  text += key("trajectories = 4", "instances that are kept at every sample, in full");
  text += comment("Beside the errors: statistics, final values and trajectories of these.");
  text += "observe = [\"kinetic_energy\", \"potential_energy\", \"q[0]\"]\n";
  for (const ObservableInfo& own : system.sampled)
    text += comment(fmt::format("- {}, {}: {}", own.name, own.unit, own.meaning), "  ");
  text += key("#extremes = true", "also the least and the largest of them over all steps");
  const std::vector<std::string> schemes = catalogue.schemes_of(system.name);
  for (const char* truth : {"taylor", "reference_ode", "reference_dae"}) {
    if (std::ranges::count(schemes, truth) == 0) continue;
    text += key(fmt::format("#error_against = \"{}\"", truth), "also the distance to the true motion");
    break;
  }
  return text;
}

/// Nothing where derivatives are not carried.
std::string tangent_section(const SystemInfo& system, const Catalogue& catalogue) {
  const SystemKernels& known = *catalogue.system(system.name);
  if (known.capabilities.has(Capability::assembly)) return {};
  const ParameterInfo* parameter = variable_parameter(system);
  std::string of = "\"initial.v[0]\"";
  if (parameter) of += fmt::format(", \"system.{}{}\"", parameter->name, parameter->size() > 1 ? "[0]" : "");
  return "\n# Exact derivatives of the final state, and of what is observed there, by these:\n#[tangent]\n" +
         key(fmt::format("#of = [{}]", of), "or scheme.step, or \"state\": all of the initial state") +
         key("#covariance = \"initial\"",
             "of the final state, by the laws of what is drawn, which `of` names");
}

}  // namespace

std::string commented_spec(const SystemInfo& system, const Catalogue& catalogue, const InitialState& initial,
                           const std::string& text_file) {
  std::string text = comment(fmt::format("{}: {}", system.name, system.meaning));
  text +=
      "#\n"
      "# It runs as it stands. A line that begins with # and no space is switched on by removing the #.\n"
      "\n[system]\n";
  text += text_file.empty() ? fmt::format("name = {}\n", toml_text(system.name))
                            : fmt::format("file = {}\n", toml_text(text_file));
  text += parameters_of(system);
  text += scheme_section(system, catalogue);
  text += initial_section(system, initial);
  text += ensemble_section(system);
  return text + output_section(system, catalogue) + tangent_section(system, catalogue);
}

}  // namespace livens::host
