#include "host/compare/combinations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "host/errors.hpp"

namespace livens::host {
namespace {

[[noreturn]] void refuse_sweep(const std::string& typed, const std::string& problem) {
  refuse({.key = "--over"}, fmt::format("'{}'{}", typed, problem), "KEY=A,B like scheme.step=0.1,0.05");
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Pieces between the commas that are in no bracket, brace or quotation mark.
std::vector<std::string> split(const std::string& text, const std::string& typed) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escaped = quote == '"' && c == '\\' && i + 1 < text.size();
    if (!quote && depth == 0 && c == ',') {
      pieces.emplace_back();
      continue;
    }
    pieces.back() += c;
    if (escaped)
      pieces.back() += text[++i];
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (depth < 0) refuse_sweep(typed, " closes a bracket that is not open");
  }
  if (quote || depth != 0) refuse_sweep(typed, " has a bracket or quotation mark that is not closed");
  return pieces;
}

/// The last part of a key, or all of it where two sweeps have the same last part.
std::string short_key(const std::vector<Sweep>& sweeps, const Sweep& sweep) {
  const auto last = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  const auto same =
      std::ranges::count_if(sweeps, [&](const Sweep& other) { return last(other.key) == last(sweep.key); });
  return same == 1 ? last(sweep.key) : sweep.key;
}

/// Letters, digits and what else no shell or file system minds; a run of other characters becomes '_'.
std::string plain(const std::string& value) {
  std::string result;
  for (const unsigned char c : value) {
    if (std::isalnum(c) || c == '.' || c == '-' || c == '+')
      result += static_cast<char>(c);
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (result.ends_with('_')) result.pop_back();
  return result;
}

/// Values as parts of names: as typed where that makes a name, else by their number.
std::vector<std::string> names_of(const Sweep& sweep) {
  constexpr std::size_t longest = 32;
  std::vector<std::string> names;
  for (const std::string& value : sweep.values) names.push_back(plain(value));
  const bool all_names = std::ranges::all_of(
      names, [&](const std::string& name) { return !name.empty() && name.size() <= longest; });
  if (!all_names || std::set<std::string>(names.begin(), names.end()).size() < names.size())
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("value{}", i);
  return names;
}

}  // namespace

Sweep read_sweep(const std::string& typed) {
  const std::size_t equals = typed.find('=');
  if (equals == std::string::npos || trimmed(typed.substr(0, equals)).empty()) refuse_sweep(typed, "");
  Sweep sweep{trimmed(typed.substr(0, equals)), {}};
  for (const std::string& piece : split(typed.substr(equals + 1), typed)) {
    const std::string value = trimmed(piece);
    if (value.empty()) refuse_sweep(typed, " has a value that is empty");
    if (std::ranges::count(sweep.values, value) > 0)
      refuse_sweep(typed, fmt::format(" has the value {} twice", value));
    sweep.values.push_back(value);
  }
  return sweep;
}

std::vector<Sweep> read_sweeps(const std::vector<std::string>& typed) {
  std::vector<Sweep> sweeps;
  for (const std::string& one : typed) {
    Sweep sweep = read_sweep(one);
    if (std::ranges::count(sweeps, sweep.key, &Sweep::key) > 0)
      refuse_sweep(one, fmt::format(" is not the only one for {}", sweep.key));
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

std::vector<Combination> combinations_of(const std::vector<Sweep>& sweeps) {
  std::vector<Combination> all(1);
  for (const Sweep& sweep : sweeps) {
    if (all.size() * sweep.values.size() > most_combinations)
      refuse({.key = "--over"}, fmt::format("more than {} combinations", most_combinations), "fewer values");
    const std::vector<std::string> names = names_of(sweep);
    std::vector<Combination> longer;
    for (const Combination& shorter : all)
      for (std::size_t i = 0; i < names.size(); ++i) {
        Combination& next = longer.emplace_back(shorter);
        next.values.push_back(sweep.values[i]);
        next.name +=
            fmt::format("{}{}={}", next.name.empty() ? "" : ",", plain(short_key(sweeps, sweep)), names[i]);
      }
    all = std::move(longer);
  }
  // File systems end names at 255 bytes, and a checkpoint's is longer than its result's.
  constexpr std::size_t longest = 200;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name.size() > longest) all[i].name = fmt::format("run{}", i);
  return all;
}

std::string described(const std::vector<Sweep>& sweeps, const Combination& combination) {
  std::string text;
  for (std::size_t i = 0; i < sweeps.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", sweeps[i].key, combination.values[i]);
  return text;
}

Overrides overrides_of(const std::vector<Sweep>& sweeps, const Combination& combination, Overrides common) {
  for (std::size_t i = 0; i < sweeps.size(); ++i)
    common.settings.push_back(sweeps[i].key + "=" + combination.values[i]);
  return common;
}

}  // namespace livens::host
