// Building a spec: everything becomes TOML, so that one reader checks it and one kind of message complains.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "host/library/boundary.hpp"
#include "host/library/checked.hpp"
#include "host/pairs/registry.hpp"
#include "host/spec/toml_writing.hpp"

namespace livens {

using host::toml_number;
using host::toml_text;

namespace {

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
  return bare ? name : toml_text(name);
}

}  // namespace

Value::Value(double number) : toml_(toml_number(number)) {}
Value::Value(const std::string& text) : toml_(toml_text(text)) {}
Value::Value(const std::vector<double>& numbers) : toml_(list(numbers, toml_number)) {}
Value::Value(const std::vector<std::int64_t>& numbers)
    : toml_(list(numbers, [](std::int64_t number) { return fmt::format("{}", number); })) {}
Value::Value(const std::vector<std::string>& texts) : toml_(list(texts, toml_text)) {}

Distribution Distribution::normal(double mean, double std) {
  return Distribution({{"law", "normal"}, {"mean", mean}, {"std", std}});
}
Distribution Distribution::uniform(double low, double high) {
  return Distribution({{"law", "uniform"}, {"low", low}, {"high", high}});
}
Distribution Distribution::lognormal(double mu, double sigma) {
  return Distribution({{"law", "lognormal"}, {"mu", mu}, {"sigma", sigma}});
}
Distribution Distribution::triangular(double low, double peak, double high) {
  return Distribution({{"law", "triangular"}, {"low", low}, {"peak", peak}, {"high", high}});
}
Distribution Distribution::exponential(double mean) {
  return Distribution({{"law", "exponential"}, {"mean", mean}});
}
Distribution Distribution::truncated_normal(double mean, double std, double low, double high) {
  return Distribution(
      {{"law", "truncated_normal"}, {"mean", mean}, {"std", std}, {"low", low}, {"high", high}});
}
Distribution Distribution::linspace(double low, double high, std::int64_t count) {
  return Distribution({{"law", "linspace"}, {"low", low}, {"high", high}, {"count", count}});
}
Distribution Distribution::logspace(double low, double high, std::int64_t count) {
  return Distribution({{"law", "logspace"}, {"low", low}, {"high", high}, {"count", count}});
}
Distribution Distribution::values(const std::vector<double>& values) {
  return Distribution({{"law", "values"}, {"values", values}});
}

Distribution Distribution::with(const char* key, const Value& value) const {
  Distribution other = *this;
  other.keys_.emplace_back(key, value);
  return other;
}

Ensemble::Ensemble(const std::string& system) : name_("ensemble") { set("system.name", system); }

Ensemble Ensemble::from_toml(const std::string& text, const std::string& name) { return {text, name}; }

Ensemble Ensemble::from_file(const std::string& path) {
  return host::at_boundary([&] { return Ensemble(host::read_text(path), path); });
}

Ensemble::Section& Ensemble::section(const std::string& name) {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(), [&](const Section& one) { return one.name == name; });
  return found != sections_.end() ? *found : sections_.emplace_back(Section{name, {}});
}

Ensemble& Ensemble::set(const std::string& key, const Value& value) {
  if (text_) {
    std::erase_if(replaced_, [&](const std::string& one) { return one.starts_with(key + "="); });
    replaced_.push_back(key + "=" + value.toml());
    return *this;
  }
  const std::size_t dot = key.rfind('.');
  const std::string last = key_of(key.substr(dot == std::string::npos ? 0 : dot + 1));
  auto& values = section(dot == std::string::npos ? "" : key.substr(0, dot)).values;
  const auto same =
      std::find_if(values.begin(), values.end(), [&](const auto& other) { return other.first == last; });
  if (same == values.end())
    values.emplace_back(last, value.toml());
  else
    same->second = value.toml();
  return *this;
}

Ensemble& Ensemble::vary(const std::string& what, const Distribution& law) {
  Section entry{"ensemble.vary", {{"what", toml_text(what)}}};
  for (const auto& [key, value] : law.keys_) entry.values.emplace_back(key, value.toml());
  variations_.push_back(std::move(entry));
  return *this;
}

Ensemble& Ensemble::table(const std::vector<std::string>& columns, std::span<const double> values,
                          const std::string& name) {
  const std::size_t width = columns.size(), rows = width == 0 ? 0 : values.size() / width;
  if (rows * width != values.size())
    throw SpecError({Mistake{
        {}, fmt::format("{} values in rows of {} columns", values.size(), width), "as many in every row"}});
  std::vector<std::vector<double>> split(width, std::vector<double>(rows));
  std::vector<TableColumn> arrays;
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < rows; ++i) split[k][i] = values[i * width + k];
    arrays.push_back({columns[k], {static_cast<std::int64_t>(rows)}, split[k]});
  }
  return table(arrays, name);
}

Ensemble& Ensemble::table(const std::vector<TableColumn>& columns, const std::string& name) {
  auto table = std::make_shared<host::Table>();
  host::at_boundary([&] {
    for (const TableColumn& column : columns) {
      const Place place{name, 0, column.name};
      const auto [rows, width] = host::rows_and_width(place, column.shape);
      if (static_cast<std::int64_t>(column.values.size()) != rows * width)
        refuse(place, fmt::format("has {} values", column.values.size()),
               fmt::format("{} rows of {}", rows, width));
      auto values = std::make_shared<const std::vector<double>>(column.values.begin(), column.values.end());
      table->add(place, {column.name, width, std::move(values)}, rows);
    }
  });
  table_ = std::move(table);
  return table_file(name);
}

std::string Ensemble::to_toml() const {
  std::string toml = text_.value_or("");
  if (!toml.empty() && toml.back() != '\n' && !variations_.empty()) toml += '\n';
  const auto write = [&](const std::string& header, const Section& section) {
    if (!toml.empty()) toml += '\n';
    if (!section.name.empty()) toml += header + '\n';
    for (const auto& [key, value] : section.values) toml += fmt::format("{} = {}\n", key, value);
  };
  std::vector<Section> ordered = sections_;
  // Keys without a table stand before all tables.
  std::stable_partition(ordered.begin(), ordered.end(), [](const Section& one) { return one.name.empty(); });
  for (const Section& section : ordered) write("[" + section.name + "]", section);
  for (const Section& variation : variations_) write("[[ensemble.vary]]", variation);
  return toml;
}

void Ensemble::check() const {
  host::at_boundary([&] { host::checked(*this, host::registered(), nullptr); });
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

Spec checked(const Ensemble& ensemble, const Catalogue& catalogue, const Hdf5Inputs* hdf5, bool adjoint) {
  Overrides overrides;
  overrides.settings = ensemble.replaced();
  return parse_spec(ensemble.to_toml(), ensemble.name(), catalogue, overrides,
                    {hdf5, ensemble.table_in_memory(), adjoint});
}

}  // namespace host
}  // namespace livens
