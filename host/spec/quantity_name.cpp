#include "host/spec/quantity_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "expressions/nearest.hpp"
#include "host/pairs/catalogue.hpp"
#include "host/pairs/text_pairs.hpp"
#include "kernels/description/quantity_table.hpp"

namespace livens::host {
namespace {

using ensembles::Target;
using Index = QuantityName::Index;

/// "initial.q[3]" taken apart: [first, last) of the entries, `last` open where it is -1.
struct Parts {
  std::string name;
  Index index = Index::none;
  int first = 0, last = -1;
};

/// A whole number without leading zeros, up to `end_mark`, which goes.
std::optional<int> take_index(std::string_view& text, char end_mark) {
  int index = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const auto digits = static_cast<std::size_t>(last - text.data());
  const bool leading_zero = digits > 1 && text.front() == '0';
  if (error != std::errc() || index < 0 || leading_zero || digits == text.size() || text[digits] != end_mark)
    return {};
  text.remove_prefix(digits + 1);
  return index;
}

std::optional<Parts> take_apart(const std::string& what) {
  const std::size_t bracket = what.find('[');
  if (bracket == std::string::npos) return Parts{what};
  Parts parts{what.substr(0, bracket), Index::one};
  std::string_view rest = std::string_view(what).substr(bracket + 1);
  if (rest == "*]") return Parts{parts.name, Index::range};
  if (rest.find(':') != std::string_view::npos) {
    const std::optional<int> first = take_index(rest, ':'), last = take_index(rest, ']');
    if (!first || !last || !rest.empty()) return {};
    return Parts{parts.name, Index::range, *first, *last};
  }
  const std::optional<int> index = take_index(rest, ']');
  if (!index || !rest.empty()) return {};
  return Parts{parts.name, Index::one, *index, *index + 1};
}

[[noreturn]] void unknown_quantity(const Place& place, const std::string& what,
                                   const std::string& close = {}) {
  refuse(place, fmt::format("unknown quantity '{}'", what),
         "initial.q[i], initial.v[i], initial.p[i], system.<parameter>[i] or scheme.step", close);
}

/// The states by the names of a text's coordinates: initial.x, initial.x' and initial.p(x), with their entries.
std::vector<std::pair<std::string, QuantityName>> own_names(const SystemInfo& system) {
  std::vector<std::pair<std::string, QuantityName>> names;
  for (const CoordinateInfo& coordinate : system.names) {
    const std::array<std::string, 3> called = names_of(coordinate);
    for (const auto& [target, k] : {std::pair(Target::q, 0), {Target::v, 1}, {Target::p, 2}})
      names.emplace_back("initial." + called[static_cast<std::size_t>(k)],
                         QuantityName{target, coordinate.first, coordinate.size, Index::none});
  }
  return names;
}

/// Of entry k of q, v or p; empty where the text does not say it, or it is not one factor that a slash could divide by.
std::string unit_of_entry(const TextSystem& text, Target target, int k) {
  for (const TextCoordinate& one : text.coordinates()) {
    if (k < one.first || k >= one.first + one.count) continue;
    if (one.unit.empty() || target == Target::q) return one.unit;
    const bool none = one.unit == "1", simple = one.unit.find_first_of(" /") == std::string::npos;
    if (target == Target::v) return none ? "1/s" : one.unit + "/s";
    return none ? "J s" : simple ? "J s/" + one.unit : "";
  }
  return {};
}

/// Target, first entry and number of entries of a name without an index.
QuantityName locate(const Place& place, const std::string& what, const std::string& name,
                    const SystemInfo& system) {
  const int d = system.coordinates;
  if (name == "initial.q") return {Target::q, 0, d, Index::none};
  if (name == "initial.v") return {Target::v, 0, d, Index::none};
  if (name == "initial.p") return {Target::p, 0, d, Index::none};
  if (name == "scheme.step") return {Target::step, 0, 1, Index::none};
  std::vector<std::string> names = {"initial.q", "initial.v", "initial.p", "scheme.step"};
  for (const ParameterInfo& parameter : system.parameters) {
    names.push_back(std::string("system.") + parameter.name);
    if (name == names.back())
      return {Target::parameter, parameter_offset(system, parameter), parameter.size(), Index::none};
  }
  for (const auto& [own, quantity] : own_names(system)) {
    names.push_back(own);
    if (name == own) return quantity;
  }
  const std::string close = nearest(name, names);
  const bool misspelt = !close.empty() && (!system.names.empty() || name.substr(0, 8) != "initial.");
  unknown_quantity(place, what, misspelt ? close : "");
}

}  // namespace

QuantityName read_quantity_name(const Place& place, const std::string& what, const SystemInfo& system) {
  const std::optional<Parts> parts = take_apart(what);
  if (!parts) unknown_quantity(place, what, "");
  QuantityName quantity = locate(place, what, parts->name, system);
  quantity.index = parts->index;
  if (parts->index == Index::none) return quantity;
  if (quantity.target == Target::step) unknown_quantity(place, what, "");
  const int last = parts->last < 0 ? quantity.count : parts->last;
  if (parts->index == Index::one && last > quantity.count)
    refuse(place, fmt::format("index {} of '{}' is out of range", parts->first, what),
           fmt::format("0 to {}", quantity.count - 1));
  if (parts->first >= last || last > quantity.count)
    refuse(place,
           fmt::format("the range of '{}' is empty or goes beyond the {} entries", what, quantity.count),
           fmt::format("[first:end] with first < end <= {}", quantity.count));
  quantity.first += parts->first;
  quantity.count = last - parts->first;
  return quantity;
}

std::array<std::string, 3> names_of(const CoordinateInfo& coordinate) {
  const std::string name = coordinate.name;
  return {name, name + "'", "p(" + name + ")"};
}

std::vector<std::string> entry_names(const SystemInfo& system) {
  std::vector<std::string> names;
  for (const CoordinateInfo& one : system.names)
    for (int i = 0; i < one.size; ++i)
      names.push_back(one.is_vector ? fmt::format("{}[{}]", one.name, i) : one.name);
  return names;
}

std::string unit_of(const QuantityName& quantity, const SystemInfo& system) {
  const TextSystem* const text = text_of(system);
  std::string unit;
  for (int k = quantity.first; k < quantity.first + quantity.count; ++k) {
    const std::string of_entry = text ? unit_of_entry(*text, quantity.target, k) : "";
    if (of_entry.empty() || (!unit.empty() && unit != of_entry)) return "SI";
    unit = of_entry;
  }
  return unit;
}

std::map<std::string, std::string> units_at_nodes(const SystemInfo& system) {
  std::map<std::string, std::string> units;
  const TextSystem* const text = text_of(system);
  if (!text) return units;
  const auto add = [&](const std::string& name, Target target, int k) {
    if (const std::string unit = unit_of_entry(*text, target, k); !unit.empty()) units.emplace(name, unit);
  };
  // A name of a quantity is that (contract, section 2).
  std::vector<std::string> quantities;
  for (const ColumnRow& row : columns) quantities.emplace_back(row.name);
  for (const SampledRow& row : sampled_rows) quantities.emplace_back(row.name);
  for (const CoordinateInfo& one : system.names) {
    const std::array<std::string, 3> called = names_of(one);
    for (int i = 0; i < one.size; ++i)
      for (const auto& [target, k] : {std::pair(Target::q, 0), {Target::v, 1}, {Target::p, 2}}) {
        const std::string& name = called[static_cast<std::size_t>(k)];
        add(fmt::format("{}[{}]", "qvp"[k], one.first + i), target, one.first + i);
        if (std::ranges::find(quantities, name) == quantities.end())
          add(one.is_vector ? fmt::format("{}[{}]", name, i) : name, target, one.first + i);
      }
  }
  return units;
}

void refuse_singular_momenta(const Place& place, ensembles::Target target, const SystemInfo& system) {
  if (target == Target::p && system.singular_mass)
    refuse(place, fmt::format("the mass matrix of {} is singular", system.name), "initial.v");
}

}  // namespace livens::host
