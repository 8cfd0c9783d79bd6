// [scheme] and [scheme.newton]: which scheme, its step, and how a step is solved.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensembles/schedule.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/spec/spec_parts.hpp"
#include "kernels/description/standard_tolerance.hpp"

namespace livens::host {
namespace {

constexpr double step_limit = 0x1p53;  // counts of steps are kept in doubles

bool positive(double value) { return value > 0.0 && std::isfinite(value); }
bool non_negative(double value) { return value >= 0.0 && std::isfinite(value); }

std::string read_name(const Section& section, const Catalogue& catalogue, const SystemInfo& system) {
  const std::string name = section.text("name").value_or(system.default_scheme);
  if (section.has("name") && !catalogue.scheme(name)) {
    const std::vector<std::string> names = catalogue.scheme_names();
    refuse_unknown(section.place("name"), fmt::format("unknown scheme '{}'", name), name, names);
  }
  return name;
}

/// Names of the options of all schemes, each once.
std::vector<std::string> option_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const SchemeInfo* scheme : catalogue.schemes)
    for (const SchemeOption& option : scheme->options)
      if (std::ranges::find(names, option.name) == names.end()) names.emplace_back(option.name);
  return names;
}

double read_option(const Section& section, const SchemeOption& option) {
  if (!option.is_word())
    return section.number_or(option.name, option.standard, option.accepts, option.expected);
  std::vector<std::pair<const char*, double>> words;
  for (const char* word : option.words) words.emplace_back(word, static_cast<double>(words.size()));
  return section.choice<double>(option.name, option.standard, words);
}

/// The scheme's options; those of other schemes are refused, and a discrete gradient that a text does not have.
void read_options(const Section& section, const Catalogue& catalogue, const SchemeInfo& scheme,
                  const SystemInfo& system, Settings& settings) {
  for (const std::string& key : option_names(catalogue)) {
    const bool known = std::any_of(scheme.options.begin(), scheme.options.end(),
                                   [&](const SchemeOption& option) { return key == option.name; });
    if (!section.has(key) || known) continue;
    section.attempt(
        [&] { refuse(section.place(key), fmt::format("scheme {} has no option '{}'", scheme.name, key)); });
  }
  for (const SchemeOption& option : scheme.options) {
    settings.options[option.place] = read_option(section, option);
    if (text_of(system) && option.name == std::string_view("derivative") &&
        settings.options[option.place] != option.standard)
      refuse(section.place(option.name), "the discrete gradient of a text is the one along the text",
             "\"invariants\"");
  }
}

/// The damping of a nonholonomic system is a rate, and so there is a longest step for it.
void refuse_driving_stages(const Section& section, const SystemInfo& system, const ComposedOrder& composed,
                           const ensembles::Request& request) {
  if (!system.nonholonomic) return;
  std::size_t entry = 0;
  for (const ParameterInfo& parameter : system.parameters) {
    const double value = entry < request.parameters.size() ? request.parameters[entry] : 0.0;
    entry += static_cast<std::size_t>(parameter.size());
    if (!parameter.damps || !(value * request.step > composed.most_damping)) continue;
    refuse(section.place("order"),
           fmt::format("{} of the {} stages of order {} go back in time, where damping drives: with {}.{} = "
                       "{} a step may be at most {:.3g} s, and it is {} s",
                       std::ranges::count_if(composition_of(composed.order).factors,
                                             [](double factor) { return factor < 0.0; }),
                       composed.stages, composed.order, "system", parameter.name, value,
                       composed.most_damping / value, request.step),
           "a shorter step");
  }
}

/// `order`: the scheme's own, or higher by composition.
void read_order(const Section& section, const SchemeInfo& scheme, const SystemKernels& system,
                ensembles::Request& request) {
  if (!section.has("order")) return;
  const int own = own_order(scheme, request.settings);
  const std::int64_t order = section.integer_or("order", own, 1, 99);
  if (order == own) return;
  if (scheme.runs_on.empty())
    refuse(section.place("order"), fmt::format("{} chooses its order itself", scheme.name), "none");
  // Rows of velocities leave a step of livens off its adjoint as another mass matrix does.
  const bool regular = system.capabilities.has(Capability::regular_mass) && !system.info->nonholonomic;
  const Composable composable = scheme.composable(request.settings, regular);
  const ComposedOrder* composed = composed_order(static_cast<int>(order));
  if (!composed && composable.highest > 0)
    refuse(section.place("order"), fmt::format("{} is no order of {}", order, scheme.name),
           fmt::format("{}", fmt::join(orders_of(scheme, request.settings, regular), ", ")));
  if (!composed || order > composable.highest)
    refuse(section.place("order"), fmt::format("{} has no order {} on {}: {}", scheme.name, order,
                                               system.info->name, composable.why));
  request.settings.order = static_cast<std::uint8_t>(order);
  refuse_driving_stages(section, *system.info, *composed, request);
}

/// Steps and end time: `steps`, or `end`, or the system's own end; --steps replaces them.
void read_length(const Section& section, const SystemInfo& system, const Overrides& overrides,
                 ensembles::Request& request) {
  if (section.has("steps") && section.has("end")) {
    refuse(section.place("steps"), "scheme.end is given too", "scheme.end or scheme.steps");
  }
  constexpr std::int64_t most = static_cast<std::int64_t>(step_limit);
  request.steps = section.integer_or("steps", 0, 1, most);
  request.end = section.number_or("end", system.default_end, positive, "a finite time > 0 (s)");
  if (overrides.steps) {
    if (*overrides.steps < 1 || *overrides.steps > most) {
      refuse({.key = "--steps"}, fmt::format("{} is out of range", *overrides.steps), "an integer >= 1");
    }
    request.steps = *overrides.steps;
  }
  if (request.steps > 0) {
    request.end = static_cast<double>(request.steps) * request.step;
    if (!std::isfinite(request.end)) {
      refuse(overrides.steps ? Place{.key = "--steps"} : section.place("steps"),
             fmt::format("{} steps of {} s end at no finite time", request.steps, request.step),
             "fewer or shorter steps");
    }
    return;
  }
  const double steps = ensembles::pieces_of(request.end, request.step).count;
  const char* key = section.has("end") ? "end" : "step";
  if (steps < 1.0) {
    refuse(section.place(key),
           fmt::format("the end {} s comes before the first step of {} s", request.end, request.step),
           "end >= step");
  }
  if (steps > step_limit)
    refuse(section.place(key), "more than 2^53 steps", "a longer step or an earlier end");
  request.steps = static_cast<std::int64_t>(steps);
}

}  // namespace

void SpecReader::read_scheme() {
  ensembles::Request& request = spec.request;
  const Section section = document.section("scheme");
  request.scheme = system->default_scheme;
  section.attempt([&] {
    request.scheme = read_name(section, catalogue, *system);
    if (const SchemeInfo* scheme = catalogue.scheme(request.scheme))
      read_options(section, catalogue, *scheme, *system, request.settings);
  });
  std::vector<std::string> known = {"name",   "step",           "end",         "steps",
                                    "form",   "retry",          "compensated", "precision",
                                    "newton", "energy_balance", "order",       "max_impacts"};
  std::ranges::copy(option_names(catalogue), std::back_inserter(known));
  section.allow(known);
  request.step = section.number_or("step", system->default_step, positive, "a finite time > 0 (s)");
  section.attempt([&] {
    if (const SchemeInfo* scheme = catalogue.scheme(request.scheme))
      read_order(section, *scheme, *catalogue.system(system->name), request);
  });
  section.attempt([&] { read_length(section, *system, overrides, request); });

  constexpr std::pair<const char*, const char*> forms[] = {
      {"reduced", "reduced"}, {"condensed", "condensed"}, {"full", "full"}};
  request.form = section.choice<const char*>("form", "auto", forms);
  refuse_without_walls(section, "max_impacts");
  request.settings.max_impacts =
      static_cast<int>(section.integer_or("max_impacts", request.settings.max_impacts, 1, 1000000));
  request.settings.retry = static_cast<int>(section.integer_or("retry", request.settings.retry, 0, 16));
  request.settings.energy_balance =
      section.number_or("energy_balance", system->energy_balance, non_negative,
                        "a finite number >= 0 of the energy scale (0: instances are not watched)");
  section.attempt([&] { request.settings.compensated = section.truth("compensated").value_or(false); });
  request.settings.precision = section.choice<Precision>("precision", Precision::full, precisions);

  const Section newton = section.section("newton");
  newton.allow(std::vector<std::string>{"tolerance", "max_iterations"});
  request.settings.tolerance = newton.number_or("tolerance", request.settings.tolerance, non_negative,
                                                "a finite number >= 0 (0: to round-off)");
  request.settings.max_iterations = static_cast<int>(newton.integer_or(
      "max_iterations", request.settings.max_iterations, 1, std::numeric_limits<int>::max()));
}

void SpecReader::refuse_without_walls(const Section& section, const char* key) const {
  if (!section.has(key) || has_impacts(*system)) return;
  section.attempt([&] { refuse(section.place(key), system->name + std::string(" has no [[impact]]")); });
}

void SpecReader::settle_tolerance() {
  ensembles::Request& request = spec.request;
  const SchemeInfo* scheme = catalogue.scheme(request.scheme);
  if (!scheme || document.section("scheme").section("newton").has("tolerance")) return;
  request.settings.tolerance = ensembles::varies_step(request) || request.tangent || spec.adjoint
                                   ? 0.0
                                   : standard_tolerance(*system, *scheme, request.settings, request.step);
}

void SpecReader::check_pair() {
  const PairChoice choice = choose_pair(catalogue, spec.request);
  if (choice.pair) return;
  const std::string table = choice.key.substr(0, choice.key.find('.'));
  const std::string key = choice.key.substr(table.size() + 1);
  throw AbsentPair({Mistake{document.section(table).place(key), choice.problem, choice.expected}});
}

}  // namespace livens::host
