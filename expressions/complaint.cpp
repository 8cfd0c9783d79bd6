#include "expressions/complaint.hpp"

#include <algorithm>

namespace livens::expressions {

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return shown;
}

void refuse(const Span& span, const Slip& slip, std::string_view text) {
  const std::size_t offset = std::min(slip.offset, text.size());
  const auto before = text.substr(0, offset);
  Mistake mistake{span, slip.problem, slip.expected, slip.suggestion};
  // A line break may have been typed as an escape: then the line is that of the value's end.
  mistake.line += std::count(before.begin(), before.end(), '\n');
  mistake.line = std::min(mistake.line, std::max(span.line, span.last_line));
  const std::size_t begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  // Of a long line, what stands around the place.
  constexpr std::size_t around = 60;
  const std::size_t first = std::max(begin, offset > around ? offset - around : 0);
  const std::size_t last = std::min(end, offset + around);
  mistake.excerpt = printable(text.substr(first, last - first));
  mistake.caret = offset - first;
  throw RequestError(std::vector{std::move(mistake)});
}

}  // namespace livens::expressions
