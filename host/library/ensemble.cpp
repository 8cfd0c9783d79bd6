// Building a spec: everything becomes TOML, so that one reader checks it and one kind of message complains.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "host/library/boundary.hpp"
#include "host/library/checked.hpp"
#include "host/spec/registry.hpp"

namespace livens {
namespace {

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

/// The shortest decimals that give the same double, and no integer.
std::string decimals(double number) {
  const std::string text = fmt::format("{}", number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

template <class T, class Write>
std::string list(const std::vector<T>& values, Write write) {
  std::vector<std::string> entries;
  for (const T& value : values) entries.push_back(write(value));
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

/// A key as TOML has it: bare where it may be.
std::string key_of(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  return bare ? name : quoted(name);
}

}  // namespace

Value::Value(double number) : toml_(decimals(number)) {}
Value::Value(const std::string& text) : toml_(quoted(text)) {}
Value::Value(const std::vector<double>& numbers) : toml_(list(numbers, decimals)) {}
Value::Value(const std::vector<std::int64_t>& numbers)
    : toml_(list(numbers, [](std::int64_t number) { return fmt::format("{}", number); })) {}
Value::Value(const std::vector<std::string>& texts) : toml_(list(texts, quoted)) {}

Distribution Distribution::normal(double mean, double std) {
  return Distribution({{"law", "normal"}, {"mean", mean}, {"std", std}});
}
Distribution Distribution::uniform(double low, double high) {
  return Distribution({{"law", "uniform"}, {"low", low}, {"high", high}});
}
Distribution Distribution::lognormal(double mu, double sigma) {
  return Distribution({{"law", "lognormal"}, {"mu", mu}, {"sigma", sigma}});
}
Distribution Distribution::linspace(double low, double high, std::int64_t count) {
  return Distribution({{"law", "linspace"}, {"low", low}, {"high", high}, {"count", count}});
}
Distribution Distribution::values(const std::vector<double>& values) {
  return Distribution({{"law", "values"}, {"values", values}});
}

Distribution Distribution::with_mode(const char* mode) const {
  Distribution other = *this;
  other.keys_.emplace_back("mode", mode);
  return other;
}

Ensemble::Ensemble(const std::string& system) : name_("ensemble") { set("system.name", system); }

Ensemble Ensemble::from_toml(const std::string& text, const std::string& name) { return {text, name}; }

Ensemble Ensemble::from_file(const std::string& path) {
  return host::at_boundary([&] { return Ensemble(host::read_text(path), path); });
}

Ensemble::Table& Ensemble::table(const std::string& name) {
  const auto found =
      std::find_if(tables_.begin(), tables_.end(), [&](const Table& table) { return table.name == name; });
  return found != tables_.end() ? *found : tables_.emplace_back(Table{name, {}});
}

Ensemble& Ensemble::set(const std::string& key, const Value& value) {
  if (text_) {
    replaced_.push_back(key + "=" + value.toml());
    return *this;
  }
  const std::size_t dot = key.rfind('.');
  const std::string last = key_of(key.substr(dot == std::string::npos ? 0 : dot + 1));
  auto& values = table(dot == std::string::npos ? "" : key.substr(0, dot)).values;
  const auto same =
      std::find_if(values.begin(), values.end(), [&](const auto& other) { return other.first == last; });
  if (same == values.end())
    values.emplace_back(last, value.toml());
  else
    same->second = value.toml();
  return *this;
}

Ensemble& Ensemble::vary(const std::string& what, const Distribution& law) {
  Table entry{"ensemble.vary", {{"what", quoted(what)}}};
  for (const auto& [key, value] : law.keys_) entry.values.emplace_back(key, value.toml());
  variations_.push_back(std::move(entry));
  return *this;
}

std::string Ensemble::to_toml() const {
  std::string toml = text_.value_or("");
  if (!toml.empty() && toml.back() != '\n' && !variations_.empty()) toml += '\n';
  const auto write = [&](const std::string& header, const Table& table) {
    if (!toml.empty()) toml += '\n';
    if (!table.name.empty()) toml += header + '\n';
    for (const auto& [key, value] : table.values) toml += fmt::format("{} = {}\n", key, value);
  };
  std::vector<Table> ordered = tables_;
  // Keys without a table stand before all tables.
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Table& table) { return table.name.empty(); });
  for (const Table& table : ordered) write("[" + table.name + "]", table);
  for (const Table& variation : variations_) write("[[ensemble.vary]]", variation);
  return toml;
}

void Ensemble::check() const {
  host::at_boundary([&] { host::checked(*this, host::registered()); });
}

std::vector<std::string> systems() {
  return host::at_boundary([] { return host::registered().system_names(); });
}

std::vector<std::string> schemes_of(const std::string& system) {
  return host::at_boundary([&] { return host::registered().schemes_of(system); });
}

std::vector<std::string> status_names() {
  std::vector<std::string> names;
  for (const StatusRow& row : status_rows) names.emplace_back(row.name);
  return names;
}

namespace host {

Spec checked(const Ensemble& ensemble, const Catalogue& catalogue) {
  Overrides overrides;
  overrides.settings = ensemble.replaced();
  return parse_spec(ensemble.to_toml(), ensemble.name(), catalogue, overrides);
}

}  // namespace host
}  // namespace livens
