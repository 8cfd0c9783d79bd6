#include "host/spec/spec_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "expressions/nearest.hpp"
#include "expressions/toml_text.hpp"
#include "host/errors.hpp"
#include "host/number_of.hpp"
#include "host/spec/hints.hpp"

namespace livens::host {

void refuse_together(std::vector<Mistake> mistakes, const std::string& file) {
  if (mistakes.empty()) return;
  std::ranges::stable_sort(mistakes, {},
                           [&](const Mistake& mistake) { return mistake.file == file ? mistake.line : 0; });
  mistakes.erase(std::unique(mistakes.begin(), mistakes.end()), mistakes.end());
  throw RequestError(std::move(mistakes));
}

namespace {

constexpr const char* set_option = "--set";

[[noreturn]] void refuse_setting(const std::string& setting, const char* expected) {
  refuse({.key = set_option}, fmt::format("'{}'", setting), expected);
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
  const std::string_view index = typed.substr(bracket + 1);
  if (index.ends_with(']')) step.entry = number_of<std::size_t>(index.substr(0, index.size() - 1));
  if (!step.entry) refuse_setting(setting, "a key like ensemble.vary[0].std");
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

Section::Section(const toml::table* table, std::string file, std::string path, std::int64_t line,
                 std::vector<Mistake>& mistakes)
    : table_(table),
      file_(std::move(file)),
      path_(std::move(path)),
      line_(std::max<std::int64_t>(line, 1)),
      mistakes_(&mistakes) {}

void Section::allow(std::span<const std::string> known) const {
  for (const std::string& key : keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string close = nearest(key, known);
    attempt([&] {
      refuse(place(key), fmt::format("unknown key '{}'", key), close.empty() ? enumerate(known) : "", close);
    });
  }
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> names;
  if (!table_) return names;
  for (auto&& [key, value] : *table_) names.emplace_back(key.str());
  return names;
}

bool Section::has(std::string_view key) const { return node(key) != nullptr; }

bool Section::is_text(std::string_view key) const {
  const toml::node* found = node(key);
  return found && found->is_string();
}

bool Section::is_array(std::string_view key) const {
  const toml::node* found = node(key);
  return found && found->is_array();
}

bool Section::is_table(std::string_view key) const {
  const toml::node* found = node(key);
  return found && found->is_table();
}

Place Section::place(std::string_view key) const {
  if (table_) {
    for (auto&& [name, value] : *table_)
      if (name.str() == key) return place_of(name.source(), dotted(key));
  }
  return {file_, line_, dotted(key)};
}

Place Section::place_of(const toml::source_region& source, std::string key) const {
  if (source.path && *source.path == set_option) return {set_option, 0, std::move(key)};
  return {file_, std::max<std::int64_t>(source.begin.line, 1), std::move(key)};
}

std::optional<double> Section::number(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_number()) wrong_type(key, "a number", hint_for_number(*found));
  return found->value<double>();
}

std::optional<std::int64_t> Section::integer(std::string_view key) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_integer()) wrong_type(key, "an integer", hint_for_integer(*found));
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

std::optional<std::vector<double>> Section::numbers(std::string_view key, bool finite, int count) const {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::array* array = found->as_array();
  if (!array) wrong_type(key, "an array of numbers", hint_for_numbers(*found, count));
  std::vector<double> values;
  values.reserve(array->size());
  for (const toml::node& entry : *array) {
    const auto place_of_entry = [&] {
      return place_of(entry.source(), fmt::format("{}[{}]", dotted(key), values.size()));
    };
    if (!entry.is_number()) refuse(place_of_entry(), "wrong type", "a number" + hint_for_number(entry));
    const double value = *entry.value<double>();
    if (finite && !std::isfinite(value)) refuse(place_of_entry(), "not finite", "a finite number");
    values.push_back(value);
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
  if (!found) return {nullptr, file_, dotted(key), line_, *mistakes_};
  if (!found->is_table()) wrong_type(key, "a table");
  return {found->as_table(), file_, dotted(key), found->source().begin.line, *mistakes_};
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
                       entry.source().begin.line, *mistakes_);
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
                                 entry.source().begin.line, *mistakes_));
    else
      wrong_type(key, "an array of texts and tables");
  }
  return found;
}

double Section::number_or(std::string_view key, double otherwise, bool (*valid)(double),
                          const char* expected) const {
  double value = otherwise;
  attempt([&] {
    const double typed = number(key).value_or(otherwise);
    if (has(key) && !valid(typed)) refuse(place(key), fmt::format("{} is out of range", typed), expected);
    value = typed;
  });
  return value;
}

std::int64_t Section::integer_or(std::string_view key, std::int64_t otherwise, std::int64_t low,
                                 std::int64_t high) const {
  std::int64_t value = otherwise;
  attempt([&] {
    const std::int64_t typed = integer(key).value_or(otherwise);
    if (has(key) && (typed < low || typed > high))
      refuse(place(key), fmt::format("{} is out of range", typed),
             fmt::format("an integer from {} to {}", low, high));
    value = typed;
  });
  return value;
}

void Section::refuse_word(std::string_view key, const std::string& typed,
                          std::span<const std::string> names) const {
  refuse_unknown(place(key), fmt::format("unknown value '{}'", typed), typed, names);
}

void Section::wrong_type(std::string_view key, const char* expected, const std::string& hint) const {
  refuse(place(key), "wrong type", fmt::format("{}{}", expected, hint));
}

std::string Section::dotted(std::string_view key) const {
  return path_.empty() || key.empty() ? path_ + std::string(key) : path_ + "." + std::string(key);
}

const toml::node* Section::node(std::string_view key) const { return table_ ? table_->get(key) : nullptr; }

}  // namespace livens::host
