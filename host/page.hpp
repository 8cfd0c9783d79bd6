#pragma once
// Text that fits a terminal of 80 columns: lines that are broken between words, and tables whose cells are.

#include <string>
#include <string_view>
#include <vector>

namespace livens::host {

inline constexpr std::size_t page_width = 80;

/// Places that a text takes on a terminal: characters of UTF-8, none of which is a wide one.
std::size_t width_of(std::string_view text);

/// The text with line breaks in place of spaces, so that it fits; a word longer than a line stands alone.
/// `used`: columns before it on its first line; `hanging`: spaces before the others. Its own line breaks
/// stay.
std::string wrapped(std::string_view text, std::size_t hanging = 0, std::size_t used = 0);

/// Rows of cells, the first one the heading. Columns are as wide as their cells, as far as the page allows;
/// then the widest are broken between words.
class Columns {
 public:
  /// 'l' or 'r' for each column: aligned left or right. `indent`: spaces before every line.
  explicit Columns(std::string alignment, std::size_t indent = 0)
      : alignment_(std::move(alignment)), indent_(indent) {}
  void row(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::size_t> widths() const;

  std::string alignment_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace livens::host
