#include "host/spec/hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "host/spec/toml_writing.hpp"

namespace livens::host {
namespace {

/// Units that people write behind numbers, in those of the SI.
constexpr std::pair<std::string_view, double> units[] = {
    {"s", 1.0},   {"ms", 1e-3}, {"us", 1e-6}, {"min", 60.0}, {"h", 3600.0}, {"kg", 1.0},
    {"g", 1e-3},  {"t", 1e3},   {"m", 1.0},   {"mm", 1e-3},  {"cm", 1e-2},  {"km", 1e3},
    {"N", 1.0},   {"kN", 1e3},  {"J", 1.0},   {"kJ", 1e3},   {"rad", 1.0},  {"deg", std::numbers::pi / 180.0},
    {"m/s", 1.0}, {"N/m", 1.0}, {"Hz", 1.0},  {"kN/m", 1e3}, {"rad/s", 1.0}};

/// A text that is a number, with or without a unit.
struct Measure {
  double value;
  bool has_unit;
};

std::optional<Measure> measure(std::string_view text) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return {};
  std::string_view unit(last, static_cast<std::size_t>(end - last));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) return Measure{number, false};
  for (const auto& [name, size] : units)
    if (unit == name) return Measure{number * size, true};
  return {};
}

bool is_whole(double value) { return std::abs(value) < 0x1p53 && value == std::rint(value); }

}  // namespace

std::string hint_for_number(const toml::node& typed) {
  if (const toml::array* array = typed.as_array()) {
    if (array->size() != 1 || !(*array)[0].is_number()) return {};
    return fmt::format(", without brackets: {}", *(*array)[0].value<double>());
  }
  const std::optional<std::string> text = typed.value_exact<std::string>();
  const std::optional<Measure> found = text ? measure(*text) : std::nullopt;
  if (!found) return {};
  return fmt::format(", {}: {:.15g}",
                     found->has_unit ? "in SI units without their name" : "without quotation marks",
                     found->value);
}

std::string hint_for_integer(const toml::node& typed) {
  if (const std::optional<double> number = typed.value_exact<double>(); number && is_whole(*number))
    return fmt::format(", without point and exponent: {}", static_cast<std::int64_t>(*number));
  const std::optional<std::string> text = typed.value_exact<std::string>();
  const std::optional<Measure> found = text ? measure(*text) : std::nullopt;
  if (!found || found->has_unit || !is_whole(found->value)) return {};
  return fmt::format(", without quotation marks: {}", static_cast<std::int64_t>(found->value));
}

std::string hint_for_numbers(const toml::node& typed, int count) {
  if (!typed.is_number() || count == 0) return {};
  constexpr int most = 12;
  if (count > most) return fmt::format(", {} of them", count);
  const std::vector<std::string> same(static_cast<std::size_t>(count), toml_number(*typed.value<double>()));
  return fmt::format(", as in [{}]", fmt::join(same, ", "));
}

}  // namespace livens::host
