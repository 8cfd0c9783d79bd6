#pragma once
// A table of a text as toml++ has it: entries by name, in the order in which they are written, each with its place.

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expressions/bodies.hpp"
#include "expressions/complaint.hpp"
#include "expressions/nearest.hpp"

namespace livens::expressions {

/// The shortest decimal that reads back as the same number.
inline std::string number_text(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

class Table {
 public:
  Table(const toml::table& table, Span place) : table_(table), place_(std::move(place)) {}

  const toml::node* find(std::string_view key) const { return table_.get(key); }
  Span place(std::string_view key) const { return place_of(find(key), key); }
  Span place_of(const toml::node* node, std::string_view key) const {
    Span result = place_;
    result.key += (place_.key.empty() ? "" : ".") + printable(key);
    if (node != nullptr && node->source().begin.line > 0) {
      result.line = node->source().begin.line;
      result.last_line = node->source().end.line;
    }
    return result;
  }

  void allow(std::initializer_list<const char*> known) const {
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [key, node] : table_)
      if (std::find(names.begin(), names.end(), key.str()) == names.end())
        refuse(place_of(&node, key.str()), "unknown key", enumerate(names),
               nearest(printable(key.str()), names));
  }
  /// Keys in the order of the text.
  std::vector<std::string> keys() const {
    std::vector<std::pair<toml::source_position, std::string>> found;
    for (const auto& [key, node] : table_) found.emplace_back(node.source().begin, std::string(key.str()));
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (auto& [position, key] : found) result.push_back(std::move(key));
    return result;
  }

  std::optional<std::string> text(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_string()) refuse(place(key), "", "a text in quotes");
    return **node->as_string();
  }
  std::optional<Expression> expression(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    return expression_of(*node, place(key));
  }
  /// A text, or a number that stands for itself.
  static Expression expression_of(const toml::node& node, Span place) {
    if (node.is_string()) return {**node.as_string(), std::move(place)};
    if (node.is_number()) {
      const double value = number_of(node, place);
      return {number_text(value), std::move(place)};
    }
    refuse(place, "", "an expression: a text in quotes, or a number");
  }
  static double number_of(const toml::node& node, const Place& place) {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) refuse(place, "", "a finite number");
    return *value;
  }
  std::vector<Expression> expressions(std::string_view key) const {
    std::vector<Expression> result;
    const toml::node* node = find(key);
    if (node == nullptr) return result;
    if (!node->is_array()) refuse(place(key), "", "a list of expressions, as in [\"x - y\"]");
    return entries_of(*node->as_array(), std::string(key));
  }
  /// Of a list in this table, whose key is for the places of its entries alone.
  std::vector<Expression> entries_of(const toml::array& list, const std::string& key) const {
    std::vector<Expression> result;
    for (const toml::node& entry : list)
      result.push_back(
          expression_of(entry, place_of(&entry, key + "[" + std::to_string(result.size()) + "]")));
    return result;
  }
  /// A list of expressions, or one.
  TypedVector vector_of(const toml::node& node, const std::string& key) const {
    TypedVector result{{}, node.is_array(), place_of(&node, key)};
    if (node.is_array())
      result.entries = entries_of(*node.as_array(), key);
    else
      result.entries = {expression_of(node, result.place)};
    return result;
  }
  std::optional<Table> table(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) refuse(place(key), "", "a table");
    return Table(*node->as_table(), place(key));
  }
  const Span& place() const { return place_; }

 private:
  const toml::table& table_;
  Span place_;
};

}  // namespace livens::expressions
