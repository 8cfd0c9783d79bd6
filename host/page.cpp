#include "host/page.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace livens::host {
namespace {

constexpr std::size_t gap = 2;  // between columns

/// The text cut at line breaks, and between words where a line would be longer than its width: `first` of the
/// first one, `width` of the others. Spaces at the beginning of a line stay.
std::vector<std::string> lines_of(std::string_view text, std::size_t first, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view rest = text.substr(at, end - at);
    at = end + 1;
    std::string line;
    const std::size_t margin = std::min(rest.find_first_not_of(' '), rest.size());
    line = rest.substr(0, margin);
    rest.remove_prefix(margin);
    bool empty = true;
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, space);
      const std::size_t room = lines.empty() ? first : width;
      if (!empty && width_of(line) + 1 + width_of(word) > room) {
        lines.push_back(std::move(line));
        line.clear();
        empty = true;
      }
      if (!empty) line += ' ';
      line += word;
      empty = false;
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : lines_of(text, 1, 1)) longest = std::max(longest, width_of(word));
  return longest;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::size_t hanging, std::size_t used) {
  std::string result;
  const std::size_t first = page_width - std::min(used, page_width), width = page_width - hanging;
  for (const std::string& line : lines_of(text, first, width))
    result += line.empty() ? "\n" : std::string(hanging, ' ') + line + '\n';
  result.pop_back();
  return result.substr(std::min(hanging, result.find_first_not_of(' ')));
}

void Columns::row(std::vector<std::string> cells) {
  if (cells.size() != alignment_.size()) throw std::logic_error("a row of another number of columns");
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Columns::widths() const {
  std::vector<std::size_t> widths(alignment_.size(), 0), least(alignment_.size(), 0);
  for (const std::vector<std::string>& row : rows_)
    for (std::size_t k = 0; k < row.size(); ++k) {
      widths[k] = std::max(widths[k], width_of(row[k]));
      least[k] = std::max(least[k], longest_word(row[k]));
    }
  const std::size_t room = page_width - indent_ - gap * (widths.size() - 1);
  while (std::accumulate(widths.begin(), widths.end(), std::size_t{0}) > room) {
    std::size_t widest = widths.size();
    for (std::size_t k = 0; k < widths.size(); ++k)
      if (widths[k] > least[k] && (widest == widths.size() || widths[k] > widths[widest])) widest = k;
    if (widest == widths.size()) break;  // of words that are too long
    --widths[widest];
  }
  return widths;
}

std::string Columns::text() const {
  const std::vector<std::size_t> width = widths();
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t k = 0; k < row.size(); ++k) {
      cells.push_back(lines_of(row[k], width[k], width[k]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string line(indent_, ' ');
      for (std::size_t k = 0; k < cells.size(); ++k) {
        const std::string cell = at < cells[k].size() ? cells[k][at] : "";
        const std::string spaces(width[k] - std::min(width[k], width_of(cell)), ' ');
        line += std::string(k == 0 ? 0 : gap, ' ');
        line += alignment_[k] == 'r' ? spaces + cell : cell + spaces;
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
  }
  return text;
}

}  // namespace livens::host
