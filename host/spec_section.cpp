#include "host/spec_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "host/errors.hpp"
#include "host/nearest.hpp"

namespace livens::host {

void refuse(const Place& place, const std::string& problem) {
  std::string line = place.where + ": " + (place.key.empty() ? "" : place.key + ": ") + problem;
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
  throw RequestError(line);
}

Section::Section(const toml::table* table, std::string file, std::string path, unsigned line)
    : table_(table), file_(std::move(file)), path_(std::move(path)), line_(std::max(line, 1u)) {}

void Section::allow(std::span<const std::string> known) const {
  for (const std::string& key : keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    refuse(place(key),
           fmt::format("unknown key '{}'; the nearest known key is '{}'", key, nearest(key, known)));
  }
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> names;
  if (!table_) return names;
  for (auto&& [key, value] : *table_) names.emplace_back(key.str());
  return names;
}

bool Section::has(std::string_view key) const { return node(key) != nullptr; }

Place Section::place(std::string_view key) const {
  unsigned line = line_;
  if (table_) {
    for (auto&& [name, value] : *table_) {
      if (name.str() == key) line = std::max<unsigned>(name.source().begin.line, 1);
    }
  }
  return {fmt::format("{}:{}", file_, line), dotted(key)};
}

std::optional<double> Section::number(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_number()) wrong_type(key, "a number");
  return found->value<double>();
}

std::optional<std::int64_t> Section::integer(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_integer()) wrong_type(key, "an integer");
  return found->value_exact<std::int64_t>();
}

std::optional<std::string> Section::text(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_string()) wrong_type(key, "a string");
  return found->value_exact<std::string>();
}

std::optional<bool> Section::truth(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_boolean()) wrong_type(key, "true or false");
  return found->value_exact<bool>();
}

std::optional<std::vector<double>> Section::numbers(std::string_view key, bool finite) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::array* array = found->as_array();
  if (!array) wrong_type(key, "an array of numbers");
  std::vector<double> values;
  for (const toml::node& entry : *array) {
    const unsigned line = entry.source().begin.line;
    const Place entry_place{fmt::format("{}:{}", file_, line),
                            fmt::format("{}[{}]", dotted(key), values.size())};
    if (!entry.is_number()) refuse(entry_place, "wrong type; expected a number");
    values.push_back(*entry.value<double>());
    if (finite && !std::isfinite(values.back())) refuse(entry_place, "not finite; expected a finite number");
  }
  return values;
}

Section Section::section(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return {nullptr, file_, dotted(key), line_};
  if (!found->is_table()) wrong_type(key, "a table");
  return {found->as_table(), file_, dotted(key), found->source().begin.line};
}

std::vector<Section> Section::sections(std::string_view key) const {
  std::vector<Section> found;
  const toml::node* entries = node(key);
  if (!entries) return found;
  const toml::array* array = entries->as_array();
  if (!array) wrong_type(key, "an array of tables");
  for (const toml::node& entry : *array) {
    if (!entry.is_table()) wrong_type(key, "an array of tables");
    found.emplace_back(entry.as_table(), file_, fmt::format("{}[{}]", dotted(key), found.size()),
                       entry.source().begin.line);
  }
  return found;
}

double Section::number_or(std::string_view key, double otherwise, bool (*valid)(double),
                          const char* expected) const {
  const std::optional<double> typed = number(key);
  if (typed && !valid(*typed))
    refuse(place(key), fmt::format("{} is out of range; expected {}", *typed, expected));
  return typed.value_or(otherwise);
}

std::int64_t Section::integer_or(std::string_view key, std::int64_t otherwise, std::int64_t low,
                                 std::int64_t high) const {
  const std::optional<std::int64_t> typed = integer(key);
  if (typed && (*typed < low || *typed > high)) {
    refuse(place(key),
           fmt::format("{} is out of range; expected an integer from {} to {}", *typed, low, high));
  }
  return typed.value_or(otherwise);
}

void Section::refuse_word(std::string_view key, const std::string& typed,
                          std::span<const std::string> names) const {
  refuse(place(key), fmt::format("unknown value '{}'; {}", typed, suggestion(typed, names)));
}

void Section::wrong_type(std::string_view key, const char* expected) const {
  refuse(place(key), fmt::format("wrong type; expected {}", expected));
}

std::string Section::dotted(std::string_view key) const {
  return path_.empty() || key.empty() ? path_ + std::string(key) : path_ + "." + std::string(key);
}

const toml::node* Section::node(std::string_view key) const { return table_ ? table_->get(key) : nullptr; }

}  // namespace livens::host
