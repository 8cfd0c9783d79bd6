// livens list: systems, schemes, and which scheme runs which system on which backend, or why one does not.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/page.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

/// The forms of a pair as one line of the matrix: the preferred form's unknowns, and those of every form.
struct PairLine {
  const PairKernels* preferred;
  std::vector<const PairKernels*> forms;
};

std::vector<PairLine> pair_lines(const Catalogue& catalogue) {
  std::vector<PairLine> lines;
  for (const PairKernels& pair : catalogue.pairs) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const PairLine& line) {
      return line.preferred->system == pair.system &&
             line.preferred->scheme->name == std::string_view(pair.scheme->name);
    });
    if (same == lines.end()) {
      lines.push_back({&pair, {&pair}});
      continue;
    }
    same->forms.push_back(&pair);
    if (std::string_view(pair.form) == "reduced") same->preferred = &pair;
  }
  return lines;
}

/// The values of scheme.precision that a form is offered with.
std::vector<std::string> precisions_of(const Catalogue& catalogue, const PairKernels& pair) {
  std::vector<std::string> names;
  for (const auto& [name, precision] : precisions)
    if (catalogue.offers(pair, precision)) names.emplace_back(name);
  return names;
}

nlohmann::ordered_json to_json(const Catalogue& catalogue) {
  nlohmann::ordered_json json = {{"systems", nlohmann::json::array()},
                                 {"schemes", nlohmann::json::array()},
                                 {"pairs", nlohmann::json::array()}};
  for (const SystemKernels& entry : catalogue.systems) {
    const SystemInfo& system = *entry.info;
    json["systems"].push_back({{"name", system.name},
                               {"d", system.coordinates},
                               {"m", system.constraints},
                               {"momentum", system.momentum_maps},
                               {"loaded", !entry.capabilities.has(Capability::unloaded)},
                               {"compiled", entry.initial_states != nullptr}});
  }
  for (const SchemeInfo* scheme : catalogue.schemes) {
    json["schemes"].push_back({{"name", scheme->name},
                               {"order", scheme->order},
                               {"orders", orders_of(*scheme, standard_settings(*scheme), true)}});
  }
  for (const PairLine& line : pair_lines(catalogue)) {
    nlohmann::ordered_json forms;
    for (const PairKernels* pair : line.forms) forms[pair->form] = pair->unknowns;
    json["pairs"].push_back({{"system", line.preferred->system->info->name},
                             {"scheme", line.preferred->scheme->name},
                             {"unknowns", line.preferred->unknowns},
                             {"backends", backends_of(*line.preferred)},
                             {"precisions", precisions_of(catalogue, *line.preferred)},
                             {"forms", forms},
                             {"compiled", is_built_in(*line.preferred)}});
  }
  return json;
}

/// The pairs of a system, below its name.
std::string pairs_of(const Catalogue& catalogue, const std::vector<PairLine>& lines,
                     const SystemInfo& system) {
  Columns pairs("llll", 2);
  pairs.row({"scheme", "unknowns", "backends", "precision"});
  bool any = false;
  for (const PairLine& line : lines) {
    if (line.preferred->system->info != &system) continue;
    std::string unknowns;
    for (const PairKernels* pair : line.forms)
      unknowns += fmt::format("{}{} ({})", unknowns.empty() ? "" : ", ", pair->unknowns, pair->form);
    pairs.row({line.preferred->scheme->name, unknowns,
               fmt::format("{}{}", fmt::join(backends_of(*line.preferred), ", "),
                           is_built_in(*line.preferred) ? "" : " *"),
               fmt::format("{}", fmt::join(precisions_of(catalogue, *line.preferred), ", "))});
    any = true;
  }
  return any ? fmt::format("{}\n{}\n", system.name, pairs.text()) : "";
}

/// A screen of it.
void print(const Catalogue& catalogue) {
  Columns systems("lrrl"), schemes("ll");
  systems.row({"system", "d", "m", "meaning"});
  for (const SystemKernels& entry : catalogue.systems) {
    const SystemInfo& system = *entry.info;
    systems.row({system.name, fmt::format("{}", system.coordinates), fmt::format("{}", system.constraints),
                 system.meaning});
  }
  schemes.row({"scheme", "meaning"});
  for (const SchemeInfo* scheme : catalogue.schemes) schemes.row({scheme->name, scheme->meaning});
  fmt::print("{}\n{}\nlivens list --pairs: which scheme runs which system; livens show NAME: more\n",
             systems.text(), schemes.text());
}

void print_pairs(const Catalogue& catalogue) {
  const std::vector<PairLine> lines = pair_lines(catalogue);
  for (const SystemKernels& entry : catalogue.systems)
    fmt::print("{}", pairs_of(catalogue, lines, *entry.info));
  if (!std::ranges::all_of(lines, [](const PairLine& line) { return is_built_in(*line.preferred); }))
    fmt::print("* compiled on first use\n");
}

/// The capabilities that the system lacks of the set it comes nearest to.
Capabilities missing_capabilities(const SystemKernels& system, const SchemeInfo& scheme) {
  Capabilities least = scheme.runs_on.front().without(system.capabilities);
  for (const Capabilities& wanted : scheme.runs_on) {
    const Capabilities lacks = wanted.without(system.capabilities);
    if (lacks.count() < least.count()) least = lacks;
  }
  return least;
}

/// Why the scheme does not run the system, in a sentence.
std::string reason_for_none(const SystemKernels& system, const SchemeInfo& scheme) {
  if (const TextSystem* text = text_of(*system.info)) return text->why_not(scheme);
  if (scheme.runs_on.empty()) return fmt::format("it needs {}", scheme.needs);
  const Capabilities lacks = missing_capabilities(system, scheme);
  if (lacks.empty())
    return "the system has what the scheme needs, but this program was built without the pair";
  std::vector<std::string> reasons;
  for (int i = 0; i < capability_count; ++i)
    if (lacks.has(static_cast<Capability>(i))) reasons.emplace_back(missing_capability[i]);
  return fmt::format("{}", fmt::join(reasons, "; and "));
}

/// The forms in which the scheme runs the system, or why it does not.
std::string explain(const Catalogue& catalogue, const SystemKernels& system, const SchemeInfo& scheme) {
  std::vector<std::string> forms;
  for (const PairKernels& pair : catalogue.pairs)
    if (pair.system->info == system.info && pair.scheme->name == std::string_view(scheme.name))
      forms.push_back(fmt::format("{} ({} unknown{}{}{})", pair.form, pair.unknowns,
                                  pair.unknowns == 1 ? "" : "s", pair.damped ? "" : ", no viscous damping",
                                  pair.fixed_options ? ", standard options only" : ""));
  if (forms.empty())
    return fmt::format("{} does not run {}: {}", scheme.name, system.info->name,
                       reason_for_none(system, scheme));
  std::string parts;
  if (const TextSystem* text = text_of(*system.info)) parts = parts_of(*text, scheme);
  return fmt::format("{} runs {}: {}{}{}", scheme.name, system.info->name, fmt::join(forms, ", "),
                     parts.empty() ? "" : "; found in the text: ", parts);
}

}  // namespace

int why(const std::string& system_name, const std::string& scheme_name) {
  Catalogue catalogue = registered();
  std::string name = system_name;
  if (names_text_file(system_name)) {
    const TextSystem text = read_text_file(system_name);
    catalogue = with_text(catalogue, text);
    name = text.name();
  }
  const SystemKernels* system = catalogue.system(name);
  const SchemeInfo* scheme = catalogue.scheme(scheme_name);
  if (!system)
    refuse_unknown({}, fmt::format("unknown system '{}'", system_name), system_name,
                   catalogue.system_names());
  if (!scheme)
    refuse_unknown({}, fmt::format("unknown scheme '{}'", scheme_name), scheme_name,
                   catalogue.scheme_names());
  fmt::print("{}\n", wrapped(explain(catalogue, *system, *scheme), 2));
  return exit_done;
}

std::string names_of_all() {
  const Catalogue catalogue = registered();
  std::string text;
  for (const std::string& name : catalogue.system_names()) text += name + '\n';
  for (const std::string& name : catalogue.scheme_names()) text += name + '\n';
  for (const StatusRow& status : status_rows) text += std::string(status.name) + '\n';
  return text;
}

int list(bool json, bool pairs) {
  const Catalogue catalogue = registered();
  if (json) {
    fmt::print("{}\n", to_json(catalogue).dump(2));
  } else if (pairs) {
    print_pairs(catalogue);
  } else {
    print(catalogue);
  }
  return exit_done;
}

}  // namespace livens::host
