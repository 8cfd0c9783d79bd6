// [[ensemble.vary]]: what differs from instance to instance.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensembles/draws.hpp"
#include "expressions/nearest.hpp"
#include "host/spec/quantity_name.hpp"
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
  static const std::vector<LawWords> all = {
      {"normal", Law::normal, {"mean", "std"}},
      {"uniform", Law::uniform, {"low", "high"}},
      {"lognormal", Law::lognormal, {"mu", "sigma"}},
      {"triangular", Law::triangular, {"low", "peak", "high"}},
      {"exponential", Law::exponential, {"mean"}},
      {"truncated_normal", Law::truncated_normal, {"mean", "std", "low", "high"}},
      {"linspace", Law::linspace, {"low", "high", "count"}},
      {"logspace", Law::logspace, {"low", "high", "count"}},
      {"values", Law::values, {"values"}}};
  return all;
}

void read_what(const Section& entry, const SystemInfo& system, Variation& variation) {
  const Place place = entry.place("what");
  if (!entry.has("what")) refuse(place, "missing", "the quantity to vary, e.g. 'initial.q[0]'");
  variation.what = *entry.text("what");
  const QuantityName quantity = read_quantity_name(place, variation.what, system);
  variation.target = quantity.target;
  variation.first = quantity.first;
  variation.count = quantity.count;
  if (entry.truth("shared").value_or(false) || quantity.count == 1) return;
  const std::string &what = variation.what, name = what.substr(0, what.find('['));
  if (quantity.index == QuantityName::Index::none)
    refuse(place, fmt::format("'{}' has {} entries", what, quantity.count),
           fmt::format("'{}[*]', an independent draw for each of them, or shared = true, one draw for all",
                       name));
  if (variation.is_grid())
    refuse(place,
           fmt::format("'{}' has {} entries, and a law of points gives each an axis of the grid", what,
                       quantity.count),
           "an entry [[ensemble.vary]] for each, or shared = true, one point for all");
  variation.each = true;
}

const LawWords& read_law(const Section& entry) {
  std::vector<std::string> names;
  for (const LawWords& law : laws()) names.emplace_back(law.name);
  if (!entry.has("law")) refuse(entry.place("law"), "missing", enumerate(names));
  const std::string typed = *entry.text("law");
  for (const LawWords& law : laws()) {
    if (typed == law.name) return law;
  }
  refuse_unknown(entry.place("law"), fmt::format("unknown law '{}'", typed), typed, names);
}

/// Every parameter of the law has to be there, and none of another law.
void check_keys(const Section& entry, const LawWords& law) {
  std::vector<std::string> known = {"what", "law", "mode", "shared"};
  for (const LawWords& other : laws()) known.insert(known.end(), other.keys.begin(), other.keys.end());
  entry.allow(known);
  bool misspelt = false;
  for (const std::string& key : entry.keys()) {
    const bool known_key = std::ranges::find(known, key) != known.end();
    misspelt = misspelt || !known_key;
    const bool common = key == "what" || key == "law" || key == "mode" || key == "shared";
    if (!known_key || common || std::ranges::find(law.keys, key) != law.keys.end()) continue;
    entry.attempt([&] {
      refuse(entry.place(key), fmt::format("law {} has no '{}'", law.name, key),
             fmt::format("{}", fmt::join(law.keys, ", ")));
    });
  }
  for (const std::string& key : law.keys) {
    if (entry.has(key) || misspelt) continue;
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
    refuse(entry.place("high"), fmt::format("{} is below low = {}", variation.b, variation.a), "high >= low");
  }
}

void read_triangle(const Section& entry, Variation& variation) {
  read_range(entry, variation);
  variation.peak = finite(entry, "peak");
  if (!(variation.a <= variation.peak && variation.peak <= variation.b))
    refuse(entry.place("peak"),
           fmt::format("{} lies outside of low = {} and high = {}", variation.peak, variation.a, variation.b),
           "it between");
}

void read_truncated(const Section& entry, Variation& variation) {
  variation.a = finite(entry, "mean");
  variation.b = entry.number_or(
      "std", 1.0, [](double value) { return value > 0.0 && std::isfinite(value); }, "a finite number > 0");
  const auto no_nan = [](double value) { return !std::isnan(value); };
  variation.low = entry.number_or("low", 0.0, no_nan, "a number, or -inf");
  variation.high = entry.number_or("high", 0.0, no_nan, "a number, or inf");
  if (!(variation.low < variation.high))
    refuse(entry.place("high"), fmt::format("{} is not above low = {}", variation.high, variation.low),
           "high > low");
  // What lies so far out has no part of the law that a double could tell.
  const double low = (variation.low - variation.a) / variation.b,
               high = (variation.high - variation.a) / variation.b;
  constexpr double furthest = 37.0;
  if (low > furthest || high < -furthest)
    refuse(entry.place("low"), fmt::format("low and high are more than {} std from the mean", furthest),
           "them nearer");
}

/// Points from low to high, both exact, whatever the rounding in between; by equal factors where
/// `by_factors`.
void read_points(const Section& entry, Variation& variation, bool by_factors) {
  const std::int64_t count = entry.integer_or("count", 1, 1, most_points);
  const double low = variation.a, high = variation.b;
  if (by_factors && !(low > 0.0))
    refuse(entry.place("low"), fmt::format("{} is no number > 0, as law logspace needs", low));
  for (std::int64_t i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    const double between = by_factors ? low * exp_of_any(part * log(high / low)) : low + (high - low) * part;
    variation.points.push_back(i == 0 ? low : i + 1 == count ? high : between);
  }
}

}  // namespace

ensembles::Variation read_variation(const Section& entry, const SystemInfo& system) {
  Variation variation{};
  const LawWords& law = read_law(entry);
  variation.law = law.law;
  check_keys(entry, law);
  read_what(entry, system, variation);
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
    case Law::triangular:
      read_triangle(entry, variation);
      break;
    case Law::exponential:
      variation.a = entry.number_or(
          "mean", 1.0, [](double value) { return value > 0.0 && std::isfinite(value); },
          "a finite number > 0");
      break;
    case Law::truncated_normal:
      read_truncated(entry, variation);
      break;
    case Law::linspace:
    case Law::logspace:
      read_range(entry, variation);
      read_points(entry, variation, law.law == Law::logspace);
      break;
    case Law::values:
      variation.points = *entry.numbers("values", false);
      if (variation.points.empty()) refuse(entry.place("values"), "empty", "at least one value");
      break;
    case Law::table:  // has no word
      break;
  }
  return variation;
}

namespace {

/// Changes of a parameter that follows from others.
void refuse_what_follows(const Place& place, const Variation& variation,
                         const std::vector<double>& parameters) {
  if (variation.target != Target::parameter || variation.mode == ensembles::Mode::set) return;
  for (int i = variation.first; i < variation.first + variation.count; ++i) {
    if (std::isnan(parameters[i])) {
      refuse(place, fmt::format("'{}' follows from other parameters", variation.what),
             "mode = \"set\", or a value in [system]");
    }
  }
}

}  // namespace

void SpecReader::add_variation(const Place& place, Variation variation) {
  ensembles::Request& request = spec.request;
  std::vector<Variation>& variations = request.variations;
  const auto same = [&](const Variation& other) {
    return other.target == variation.target && other.first == variation.first &&
           other.count == variation.count;
  };
  if (std::any_of(variations.begin(), variations.end(), same))
    refuse(place, fmt::format("'{}' is varied twice", variation.what), "each quantity once");
  // What is set later would take the place of what was drawn.
  const auto meets = [&](const Variation& other) {
    return other.target == variation.target && other.first < variation.first + variation.count &&
           variation.first < other.first + other.count;
  };
  const auto met = std::ranges::find_if(variations, meets);
  if (variation.mode == Mode::set && met != variations.end())
    refuse(place, fmt::format("'{}' sets entries that '{}' varies", variation.what, met->what),
           "each entry once, or mode = \"add\" or \"multiply\" for what comes second");
  refuse_singular_momenta(place, variation.target, *system);
  refuse_what_follows(place, variation, request.parameters);
  const auto varies = [&](Target target, bool given) {
    return given || variation.target == target ||
           std::ranges::any_of(variations, [&](const Variation& other) { return other.target == target; });
  };
  if (varies(Target::v, request.v.has_value()) && varies(Target::p, request.p.has_value()))
    refuse(place, fmt::format("'{}' mixes initial.v and initial.p", variation.what), "only one of them");
  variations.push_back(std::move(variation));
}

void SpecReader::read_variations() {
  for (const Section& entry : document.section("ensemble").sections("vary"))
    entry.attempt([&] { add_variation(entry.place("what"), read_variation(entry, *system)); });
}

}  // namespace livens::host
