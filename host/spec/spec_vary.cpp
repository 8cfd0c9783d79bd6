// [[ensemble.vary]]: what differs from instance to instance.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "expressions/nearest.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

using ensembles::Law;
using ensembles::Mode;
using ensembles::Target;
using ensembles::Variation;

constexpr std::int64_t most_points = std::int64_t{1} << 24;

struct LawWords {
  const char* name;
  Law law;
  std::vector<std::string> keys;
};

const std::vector<LawWords>& laws() {
  static const std::vector<LawWords> all = {{"normal", Law::normal, {"mean", "std"}},
                                            {"uniform", Law::uniform, {"low", "high"}},
                                            {"lognormal", Law::lognormal, {"mu", "sigma"}},
                                            {"linspace", Law::linspace, {"low", "high", "count"}},
                                            {"values", Law::values, {"values"}}};
  return all;
}

/// "initial.q[3]" taken apart: table and name, and the index when there is one.
struct Quantity {
  std::string name;
  std::optional<int> index;
};

std::optional<Quantity> take_apart(const std::string& what) {
  const std::size_t bracket = what.find('[');
  if (bracket == std::string::npos) return Quantity{what, std::nullopt};
  int index = 0;
  const char *first = what.data() + bracket + 1, *last = what.data() + what.size();
  const auto [end, error] = std::from_chars(first, last, index);
  const bool leading_zero = *first == '0' && end - first > 1;
  if (error != std::errc() || index < 0 || end + 1 != last || *end != ']' || leading_zero)
    return std::nullopt;
  return Quantity{what.substr(0, bracket), index};
}

[[noreturn]] void unknown_quantity(const Place& place, const std::string& what, const std::string& hint) {
  refuse(place, fmt::format("unknown quantity '{}'; {}expected initial.q[i], initial.v[i], initial.p[i], "
                            "system.<parameter>[i] or scheme.step",
                            what, hint));
}

/// Target and first entry of a name, and how many entries it has.
void locate(const Place& place, const std::string& what, const std::string& name, const SystemInfo& system,
            Variation& variation) {
  variation.first = 0;
  variation.count = system.coordinates;
  if (name == "initial.q") {
    variation.target = Target::q;
  } else if (name == "initial.v") {
    variation.target = Target::v;
  } else if (name == "initial.p") {
    variation.target = Target::p;
  } else if (name == "scheme.step") {
    variation.target = Target::step;
    variation.count = 1;
  } else {
    std::vector<std::string> names = {"initial.q", "initial.v", "initial.p", "scheme.step"};
    for (const ParameterInfo& parameter : system.parameters) {
      names.push_back(std::string("system.") + parameter.name);
      if (name != names.back()) continue;
      variation.target = Target::parameter;
      variation.first = parameter_offset(system, parameter);
      variation.count = parameter.size();
      return;
    }
    const std::string close = nearest(name, names);
    const bool misspelt = edit_distance(name, close) <= 2 && name.substr(0, 8) != "initial.";
    unknown_quantity(place, what, misspelt ? "did you mean '" + close + "'? " : "");
  }
}

void read_what(const Section& entry, const SystemInfo& system, Variation& variation) {
  const Place place = entry.place("what");
  if (!entry.has("what")) refuse(place, "missing; expected the quantity to vary, e.g. 'initial.q[0]'");
  variation.what = *entry.text("what");
  const std::optional<Quantity> quantity = take_apart(variation.what);
  if (!quantity) unknown_quantity(place, variation.what, "");
  locate(place, variation.what, quantity->name, system, variation);
  if (!quantity->index) return;
  if (variation.target == Target::step) unknown_quantity(place, variation.what, "");
  if (*quantity->index >= variation.count) {
    refuse(place, fmt::format("index {} of '{}' is out of range; expected 0 to {}", *quantity->index,
                              variation.what, variation.count - 1));
  }
  variation.first += *quantity->index;
  variation.count = 1;
}

const LawWords& read_law(const Section& entry) {
  std::vector<std::string> names;
  for (const LawWords& law : laws()) names.emplace_back(law.name);
  if (!entry.has("law")) refuse(entry.place("law"), "missing; expected " + enumerate(names));
  const std::string typed = *entry.text("law");
  for (const LawWords& law : laws()) {
    if (typed == law.name) return law;
  }
  refuse(entry.place("law"), fmt::format("unknown law '{}'; {}", typed, suggestion(typed, names)));
}

/// Every parameter of the law has to be there, and none of another law.
void check_keys(const Section& entry, const LawWords& law) {
  std::vector<std::string> known = {"what", "law", "mode"};
  for (const LawWords& other : laws()) known.insert(known.end(), other.keys.begin(), other.keys.end());
  entry.allow(known);
  for (const std::string& key : entry.keys()) {
    const bool common = key == "what" || key == "law" || key == "mode";
    if (common || std::find(law.keys.begin(), law.keys.end(), key) != law.keys.end()) continue;
    refuse(entry.place(key),
           fmt::format("law {} has no '{}'; expected {}", law.name, key, fmt::join(law.keys, ", ")));
  }
  for (const std::string& key : law.keys) {
    if (entry.has(key)) continue;
    refuse(entry.place(key), fmt::format("missing; law {} needs {}", law.name, fmt::join(law.keys, ", ")));
  }
}

double finite(const Section& entry, const char* key) {
  return entry.number_or(
      key, 0.0, [](double value) { return std::isfinite(value); }, "a finite number");
}

double spread(const Section& entry, const char* key) {
  return entry.number_or(
      key, 0.0, [](double value) { return value >= 0.0 && std::isfinite(value); }, "a finite number >= 0");
}

void read_range(const Section& entry, Variation& variation) {
  variation.a = finite(entry, "low");
  variation.b = finite(entry, "high");
  if (variation.b < variation.a) {
    refuse(entry.place("high"),
           fmt::format("{} is below low = {}; expected high >= low", variation.b, variation.a));
  }
}

void read_points(const Section& entry, Variation& variation) {
  const std::int64_t count = entry.integer_or("count", 0, 1, most_points);
  const double low = variation.a, high = variation.b;
  for (std::int64_t i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    // Both ends exact, whatever the rounding in between.
    variation.points.push_back(i + 1 == count && count > 1 ? high : low + (high - low) * part);
  }
}

}  // namespace

ensembles::Variation read_variation(const Section& entry, const SystemInfo& system) {
  Variation variation{};
  const LawWords& law = read_law(entry);
  check_keys(entry, law);
  read_what(entry, system, variation);
  variation.law = law.law;
  constexpr std::pair<const char*, Mode> modes[] = {
      {"set", Mode::set}, {"add", Mode::add}, {"multiply", Mode::multiply}};
  variation.mode = entry.choice<Mode>("mode", Mode::set, modes);
  switch (law.law) {
    case Law::normal:
      variation.a = finite(entry, "mean");
      variation.b = spread(entry, "std");
      break;
    case Law::lognormal:
      variation.a = finite(entry, "mu");
      variation.b = spread(entry, "sigma");
      break;
    case Law::uniform:
      read_range(entry, variation);
      break;
    case Law::linspace:
      read_range(entry, variation);
      read_points(entry, variation);
      break;
    case Law::values:
      variation.points = *entry.numbers("values", false);
      if (variation.points.empty()) refuse(entry.place("values"), "empty; expected at least one value");
      break;
  }
  return variation;
}

namespace {

/// Momenta of a system whose mass matrix is singular; changes of a parameter that follows from others.
void refuse_what_cannot_vary(const Section& entry, const Variation& variation, const SystemInfo& system,
                             const std::vector<double>& parameters) {
  if (variation.target == Target::p && system.singular_mass) {
    refuse(entry.place("what"),
           fmt::format("the mass matrix of {} is singular; expected initial.v", system.name));
  }
  if (variation.target != Target::parameter || variation.mode == ensembles::Mode::set) return;
  for (int i = variation.first; i < variation.first + variation.count; ++i) {
    if (std::isnan(parameters[i])) {
      refuse(entry.place("what"),
             fmt::format("'{}' follows from other parameters; expected mode = \"set\", or a "
                         "value in [system]",
                         variation.what));
    }
  }
}

}  // namespace

void SpecReader::read_variations() {
  std::vector<Variation>& variations = spec.request.variations;
  bool varies_v = spec.request.v.has_value(), varies_p = spec.request.p.has_value();
  for (const Section& entry : document.section("ensemble").sections("vary")) {
    const Variation variation = read_variation(entry, *system);
    const auto same = [&](const Variation& other) {
      return other.target == variation.target && other.first == variation.first &&
             other.count == variation.count;
    };
    if (std::any_of(variations.begin(), variations.end(), same)) {
      refuse(entry.place("what"),
             fmt::format("'{}' is varied twice; expected each quantity once", variation.what));
    }
    refuse_what_cannot_vary(entry, variation, *system, spec.request.parameters);
    varies_v = varies_v || variation.target == Target::v;
    varies_p = varies_p || variation.target == Target::p;
    if (varies_v && varies_p) {
      refuse(entry.place("what"),
             fmt::format("'{}' mixes initial.v and initial.p; expected only one of them", variation.what));
    }
    variations.push_back(variation);
  }
}

}  // namespace livens::host
