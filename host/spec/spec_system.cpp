// [system] and [initial]: which system, its parameters, and where it starts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expressions/nearest.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/spec/quantity_name.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

/// The name of the system; a misspelt `name` is more likely than a missing one when a key is that close.
const SystemInfo* read_name(const Section& section, const Catalogue& catalogue) {
  const std::vector<std::string> names = catalogue.system_names();
  if (!section.has("name")) {
    for (const std::string& key : section.keys()) {
      if (is_near(key, "name")) refuse(section.place(key), fmt::format("unknown key '{}'", key), "", "name");
    }
    refuse(section.place("name"), "missing", enumerate(names));
  }
  const std::string name = *section.text("name");
  const SystemKernels* found = catalogue.system(name);
  if (!found) refuse_unknown(section.place("name"), fmt::format("unknown system '{}'", name), name, names);
  return found->info;
}

const char* words(Domain domain) {
  switch (domain) {
    case Domain::positive:
      return "a finite number > 0";
    case Domain::non_negative:
      return "a finite number >= 0";
    case Domain::real:
      break;
  }
  return "a finite number";
}

bool contains(Domain domain, double value) {
  if (!std::isfinite(value)) return false;
  return domain == Domain::real || value > 0.0 || (domain == Domain::non_negative && value == 0.0);
}

/// In place of what [initial] does not say.
constexpr double own_value = std::numeric_limits<double>::quiet_NaN();

/// Values of one parameter: a number where it has one entry, else an array.
std::vector<double> read_parameter(const Section& section, const ParameterInfo& parameter) {
  const Place place = section.place(parameter.name);
  std::vector<double> values;
  if (parameter.size() == 1) {
    values = {*section.number(parameter.name)};
  } else {
    values = *section.numbers(parameter.name, false, parameter.size());
    if (static_cast<int>(values.size()) != parameter.size()) {
      refuse(place, fmt::format("has {} values", values.size()), fmt::format("{}", parameter.size()));
    }
  }
  for (const double value : values) {
    if (!contains(parameter.domain, value)) {
      refuse(place, fmt::format("{} is out of range", value), words(parameter.domain));
    }
  }
  return values;
}

/// NaN where it follows from others.
std::vector<double> read_kept(const Section& section, const ParameterInfo& parameter) {
  const std::vector<double> values = *section.numbers(parameter.name, false);
  if (static_cast<int>(values.size()) == parameter.size()) return values;
  refuse(section.place(parameter.name), fmt::format("has {} values", values.size()),
         fmt::format("{}", parameter.size()));
}

}  // namespace

void SpecReader::read_system() {
  const Section section = document.section("system");
  const bool is_text = section.has("file") || section.has("text");
  const SystemInfo* const found = is_text ? read_text(section) : read_name(section, catalogue);
  // Of a run that went on from another: the parameters that it took over.
  Section kept = document.section("files");
  document.attempt([&] {
    const std::string from = document.section("initial").text("from").value_or("");
    kept = kept.section(from).section("parameters");
  });
  system = found;
  spec.request.system = system->name;
  label();
  std::vector<std::string> known = {"name"};
  if (is_text) known = {"file", "text"};
  for (const ParameterInfo& parameter : system->parameters) known.emplace_back(parameter.name);
  section.allow(known);
  for (const ParameterInfo& parameter : system->parameters) {
    std::vector<double> values(parameter.defaults.begin(), parameter.defaults.end());
    document.attempt([&] {
      if (section.has(parameter.name))
        values = read_parameter(section, parameter);
      else if (kept.has(parameter.name))
        values = read_kept(kept, parameter);
    });
    spec.request.parameters.insert(spec.request.parameters.end(), values.begin(), values.end());
  }
}

void SpecReader::read_named_initial(const Section& section) {
  const std::vector<std::string> keys = {"q", "v", "p", "from", "consistency"};
  std::vector<std::string> known = keys;
  for (const CoordinateInfo& one : system->names)
    for (const std::string& name : names_of(one)) known.push_back(name);
  // A name with a dot is one in quotation marks, or a table in TOML.
  const auto read = [&](const Section& table, const std::string& key, const std::string& name) {
    if (std::ranges::find(known, name.substr(0, name.find('['))) == known.end()) {
      const std::string close = nearest(name, known);
      refuse(table.place(key), fmt::format("unknown key '{}'", name), close.empty() ? enumerate(keys) : "",
             close);
    }
    const QuantityName quantity = read_quantity_name(table.place(key), "initial." + name, *system);
    std::optional<std::vector<double>>& state = quantity.target == ensembles::Target::q   ? spec.request.q
                                                : quantity.target == ensembles::Target::v ? spec.request.v
                                                                                          : spec.request.p;
    const char* const whole = quantity.target == ensembles::Target::q   ? "q"
                              : quantity.target == ensembles::Target::v ? "v"
                                                                        : "p";
    if (section.has(whole))
      refuse(table.place(key), fmt::format("initial.{} is given, too", whole), "one of the two");
    if (section.has("from")) refuse(table.place(key), "initial.from is given, too", "one of the two");
    if (!state) state.emplace(static_cast<std::size_t>(system->coordinates), own_value);
    const bool is_number = quantity.count == 1 && !table.is_array(key);
    const std::vector<double> values =
        is_number ? std::vector<double>{*table.number(key)} : *table.numbers(key, true, quantity.count);
    if (static_cast<int>(values.size()) != quantity.count)
      refuse(table.place(key), fmt::format("has {} values", values.size()),
             fmt::format("{}", quantity.count));
    for (std::size_t k = 0; k < values.size(); ++k) {
      double& entry = (*state)[static_cast<std::size_t>(quantity.first) + k];
      if (!std::isfinite(values[k])) refuse(table.place(key), "not finite", "a finite number");
      if (!std::isnan(entry)) refuse(table.place(key), fmt::format("'{}' is given twice", name), "it once");
      entry = values[k];
    }
  };
  for (const std::string& key : section.keys()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    section.attempt([&] {
      if (!section.is_table(key)) return read(section, key, key);
      const Section table = section.section(key);
      if (table.keys().empty()) refuse(section.place(key), "is empty", "values, or nothing of that name");
      for (const std::string& part : table.keys())
        table.attempt([&] { read(table, part, key + "." + part); });
    });
  }
}

void SpecReader::label() {
  spec.request.labels.coordinates = entry_names(*system);
  if (const TextSystem* const text = text_of(*system)) spec.request.labels.rows = text->row_names();
  spec.request.units = units_at_nodes(*system);
}

void SpecReader::read_initial() {
  const Section section = document.section("initial");
  const auto state = [&](const char* key) {
    std::optional<std::vector<double>> values;
    section.attempt([&] {
      values = section.numbers(key, true, system->coordinates);
      const std::size_t expected = static_cast<std::size_t>(system->coordinates);
      if (values && values->size() != expected)
        refuse(section.place(key), fmt::format("has {} values", values->size()), fmt::format("{}", expected));
    });
    return values;
  };
  spec.request.q = state("q");
  spec.request.v = state("v");
  spec.request.p = state("p");
  read_named_initial(section);
  if (spec.request.p && system->singular_mass) {
    refuse(section.place("p"),
           fmt::format("the mass matrix of {} is singular: momenta do not give velocities", system->name),
           "initial.v");
  }
  if (spec.request.v && spec.request.p) {
    refuse(section.place("p"), "initial.v is given too", "initial.v or initial.p");
  }
  constexpr std::pair<const char*, Consistency> consistencies[] = {
      {"project", Consistency::project}, {"require", Consistency::require}, {"keep", Consistency::keep}};
  spec.request.consistency = section.choice<Consistency>("consistency", Consistency::project, consistencies);
  spec.consistency_place = section.place("consistency");
}

}  // namespace livens::host
