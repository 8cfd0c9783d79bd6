#include "expressions/complaint.hpp"

#include <algorithm>

namespace livens::expressions {

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return shown;
}

std::string complaint(const Place& place, const std::string& problem) {
  std::string text = place.source;
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (!place.key.empty()) text += ": " + place.key;
  return text + ": " + problem;
}

void refuse(const Place& place, const std::string& problem) {
  throw TextError(complaint(place, problem), "");
}

void refuse(const Place& place, const std::string& problem, std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const auto before = text.substr(0, offset);
  Place exact = place;
  // A line break may have been typed as an escape: then the line is that of the value's end.
  exact.line += static_cast<unsigned>(std::count(before.begin(), before.end(), '\n'));
  exact.line = std::min(exact.line, std::max(place.line, place.last_line));
  const std::size_t begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  // Of a long line, what stands around the place.
  constexpr std::size_t around = 60;
  const std::size_t first = std::max(begin, offset > around ? offset - around : 0);
  const std::size_t last = std::min(end, offset + around);
  throw TextError(complaint(exact, problem), "  " + printable(text.substr(first, last - first)) + "\n  " +
                                                 std::string(offset - first, ' ') + "^");
}

}  // namespace livens::expressions
