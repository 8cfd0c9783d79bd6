#include "expressions/toml_text.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace livens {
namespace {

/// Walks over a text as the parser does, as far as strings, comments, brackets and dots go. Up to the first
/// place where the text is no TOML the two agree, and there the parser stops.
class Nesting {
 public:
  explicit Nesting(std::string_view text) : rest_(text) {}

  /// The line that goes too deep, from 1; 0 where none does.
  unsigned too_deep() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"' || c == '\'')
        skip_string(c);
      else if (c == '#')
        skip(std::min(rest_.find('\n'), rest_.size()));
      else
        read(c);
      if (brackets_ > most_levels || dots_ >= most_levels) return line_;
    }
    return 0;
  }

 private:
  void read(char c) {
    if (c == '[' || c == '{') ++brackets_;
    // A bracket that closes nothing is no TOML, and then nothing behind it matters.
    if (c == ']' || c == '}') brackets_ = std::max(brackets_ - 1, 0);
    if (c == '.') ++dots_;
    // The end of a key or a number.
    if (std::string_view("[]{}=,\n").find(c) != std::string_view::npos) dots_ = 0;
    skip(1);
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool lines = rest_.starts_with(three);
    const std::string_view end = lines ? std::string_view(three) : std::string_view(three).substr(2);
    skip(end.size());
    while (!rest_.empty() && !rest_.starts_with(end)) {
      if (!lines && rest_.front() == '\n') return;  // a string that does not end: no TOML
      skip(quote == '"' && rest_.front() == '\\' ? 2 : 1);
    }
    skip(end.size());
    // Up to two quotes may stand before the three that end a string of several lines.
    while (lines && rest_.starts_with(quote)) skip(1);
  }

  void skip(std::size_t count) {
    count = std::min(count, rest_.size());
    line_ += static_cast<unsigned>(std::count(rest_.begin(), rest_.begin() + count, '\n'));
    rest_.remove_prefix(count);
  }

  std::string_view rest_;
  unsigned line_ = 1;
  int brackets_ = 0, dots_ = 0;
};

}  // namespace

toml::table parse_toml(std::string_view text, std::string_view source) {
  if (const unsigned line = Nesting(text).too_deep(); line > 0) {
    const toml::source_position place{line, 1};
    throw toml::parse_error("nested too deep; expected at most 32 levels",
                            toml::source_region{place, place, std::make_shared<const std::string>(source)});
  }
  return toml::parse(text, source);
}

}  // namespace livens
