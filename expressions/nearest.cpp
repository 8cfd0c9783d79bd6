#include "expressions/nearest.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace livens {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substituted = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

namespace {

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Functions that people know from elsewhere: each means what it says, also where there is none of its name.
constexpr std::string_view known_words[] = {
    "acosh", "asinh", "atanh", "cbrt", "ceil", "cot",   "csc", "erf", "floor", "fmod", "hypot", "ln",
    "log10", "log1p", "log2",  "mod",  "pow",  "round", "sec", "sgn", "sinc",  "sqr",  "trunc"};

/// Letters of `typed` that are wrong if it was to be `name`; nothing where it was not.
std::optional<int> misspelling(std::string_view typed, std::string_view name) {
  if (typed.empty() || name.empty()) return {};
  const std::size_t most = std::min(std::max<std::size_t>(1, typed.size() / 3), typed.size() - 1);
  const auto [shorter, longer] = std::minmax({typed.size(), name.size()});  // values, in braces
  if (longer - shorter > most) return {};
  const int wrong = edit_distance(lower(typed), lower(name));
  if (wrong > static_cast<int>(most)) return {};
  const bool another = wrong > 0 && std::ranges::find(known_words, lower(typed)) != std::end(known_words);
  return another ? std::nullopt : std::optional(wrong);
}

}  // namespace

bool is_near(std::string_view typed, std::string_view name) { return misspelling(typed, name).has_value(); }

std::string nearest(std::string_view typed, std::span<const std::string> names) {
  std::string found;
  std::optional<int> least;
  for (const std::string& name : names) {
    const std::optional<int> wrong = misspelling(typed, name);
    if (!wrong || (least && *least <= *wrong)) continue;
    least = wrong;
    found = name;
  }
  return found;
}

std::string enumerate(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace livens
