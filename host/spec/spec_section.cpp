#include "host/spec/spec_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "expressions/nearest.hpp"
#include "expressions/toml_text.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"

namespace livens::host {

void refuse(const Place& place, const std::string& problem) {
  throw RequestError(printable(place.where + ": " + (place.key.empty() ? "" : place.key + ": ") + problem));
}

namespace {

constexpr const char* set_option = "--set";

/// "file:line", or the option that a value came from.
std::string where(const toml::source_region& source, const std::string& file, unsigned line) {
  if (source.path && *source.path == set_option) return set_option;
  return fmt::format("{}:{}", file, line);
}

[[noreturn]] void refuse_setting(const std::string& setting, const char* expected) {
  refuse({set_option, ""}, fmt::format("'{}'; expected {}", setting, expected));
}

/// TOML, or else a string that was typed without its quotation marks.
toml::table parse_value(const std::string& value) {
  try {
    return parse_toml("value = " + value, set_option);
  } catch (const toml::parse_error&) {
    return toml::table{{"value", value}};
  }
}

/// "vary[1]" is entry 1 of "vary".
struct Step {
  std::string key;
  std::optional<std::size_t> entry;
};

Step read_step(const std::string& setting, std::string_view typed) {
  const std::size_t bracket = typed.find('[');
  Step step{std::string(typed.substr(0, bracket)), {}};
  if (step.key.empty()) refuse_setting(setting, "a key like scheme.step");
  if (bracket == std::string_view::npos) return step;
  std::size_t entry = 0;
  const char* end = typed.data() + typed.size();
  const auto [last, error] = std::from_chars(typed.data() + bracket + 1, end, entry);
  if (error != std::errc() || last + 1 != end || *last != ']')
    refuse_setting(setting, "a key like ensemble.vary[0].std");
  step.entry = entry;
  return step;
}

}  // namespace

void apply_setting(toml::table& root, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) refuse_setting(setting, "KEY=VALUE");
  toml::table* table = &root;
  std::string_view path = std::string_view(setting).substr(0, equals);
  if (std::count(path.begin(), path.end(), '.') >= most_levels)
    refuse_setting(setting, "a key of fewer levels");
  for (std::size_t dot; (dot = path.find('.')) != std::string_view::npos; path.remove_prefix(dot + 1)) {
    const Step step = read_step(setting, path.substr(0, dot));
    toml::node* next = table->get(step.key);
    if (!next && !step.entry) next = &table->insert(step.key, toml::table{}).first->second;
    if (next && step.entry) next = next->is_array() ? next->as_array()->get(*step.entry) : nullptr;
    if (!next || !next->is_table()) refuse_setting(setting, "a key of a table that is there");
    table = next->as_table();
  }
  const Step last = read_step(setting, path);
  if (last.entry) refuse_setting(setting, "the array as a whole");
  const toml::table typed = parse_value(setting.substr(equals + 1));
  const toml::source_region source{{1, 1}, {1, 1}, std::make_shared<const std::string>(set_option)};
  table->erase(last.key);
  table->insert(toml::key(last.key, toml::source_region(source)), *typed.get("value"));
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
  if (table_) {
    for (auto&& [name, value] : *table_) {
      if (name.str() == key)
        return {where(name.source(), file_, std::max<unsigned>(name.source().begin.line, 1)), dotted(key)};
    }
  }
  return {fmt::format("{}:{}", file_, line_), dotted(key)};
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
    const Place entry_place{where(entry.source(), file_, entry.source().begin.line),
                            fmt::format("{}[{}]", dotted(key), values.size())};
    if (!entry.is_number()) refuse(entry_place, "wrong type; expected a number");
    values.push_back(*entry.value<double>());
    if (finite && !std::isfinite(values.back())) refuse(entry_place, "not finite; expected a finite number");
  }
  return values;
}

std::vector<std::string> Section::texts(std::string_view key) const {
  std::vector<std::string> values;
  const toml::node* found = node(key);
  if (!found) return values;
  const toml::array* array = found->as_array();
  if (!array) wrong_type(key, "an array of texts");
  for (const toml::node& entry : *array) {
    if (!entry.is_string()) wrong_type(key, "an array of texts");
    values.push_back(*entry.value<std::string>());
  }
  return values;
}

std::vector<std::int64_t> Section::integers(std::string_view key) const {
  std::vector<std::int64_t> values;
  const toml::node* found = node(key);
  if (!found) return values;
  const toml::array* array = found->as_array();
  if (!array) wrong_type(key, "an array of integers");
  for (const toml::node& entry : *array) {
    if (!entry.is_integer()) wrong_type(key, "an array of integers");
    values.push_back(*entry.value<std::int64_t>());
  }
  return values;
}

Section Section::section(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return {nullptr, file_, dotted(key), line_};
  if (!found->is_table()) wrong_type(key, "a table");
  return {found->as_table(), file_, dotted(key), found->source().begin.line};
}

const toml::table* Section::table(std::string_view key) const {
  section(key);  // refuses what is no table
  const toml::node* found = node(key);
  return found ? found->as_table() : nullptr;
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

std::vector<std::variant<std::string, Section>> Section::texts_and_sections(std::string_view key) const {
  std::vector<std::variant<std::string, Section>> found;
  const toml::node* entries = node(key);
  if (!entries) return found;
  const toml::array* array = entries->as_array();
  if (!array) wrong_type(key, "an array of texts and tables");
  for (const toml::node& entry : *array) {
    if (entry.is_string())
      found.emplace_back(*entry.value<std::string>());
    else if (entry.is_table())
      found.emplace_back(Section(entry.as_table(), file_, fmt::format("{}[{}]", dotted(key), found.size()),
                                 entry.source().begin.line));
    else
      wrong_type(key, "an array of texts and tables");
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
