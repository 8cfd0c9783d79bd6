#include "expressions/nearest.hpp"

#include <algorithm>
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

int distance(std::string_view a, std::string_view b) { return edit_distance(lower(a), lower(b)); }

}  // namespace

bool is_near(std::string_view typed, std::string_view name) {
  const int letters = static_cast<int>(typed.size()), wrong = distance(typed, name);
  return !name.empty() && wrong < letters && wrong <= std::max(2, letters / 3);
}

std::string nearest(std::string_view typed, std::span<const std::string> names) {
  const auto closer = [&](const std::string& a, const std::string& b) {
    return distance(typed, a) < distance(typed, b);
  };
  const auto found = std::min_element(names.begin(), names.end(), closer);
  return found == names.end() ? std::string() : *found;
}

std::string enumerate(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string suggestion(std::string_view typed, std::span<const std::string> names) {
  const std::string name = nearest(typed, names);
  const std::string question = is_near(typed, name) ? "did you mean '" + name + "'? " : "";
  return question + "expected " + enumerate(names);
}

}  // namespace livens
