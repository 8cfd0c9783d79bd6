#pragma once
// The words of an expression. Only what is listed here exists: letters, digits, operators and brackets of
// ASCII. A text that holds anything else is refused before it is looked at further.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace livens::expressions {

enum class Kind { number, name, symbol, end };

struct Token {
  Kind kind;
  std::size_t offset;     ///< in the text
  std::string_view text;  ///< of the text itself, which must live on
  double value = 0.0;     ///< of a number

  bool is(char symbol) const { return kind == Kind::symbol && text.front() == symbol; }
  /// < <= > >=
  bool is_comparison() const { return is('<') || is('>'); }
};

/// Longest expression, and longest name.
inline constexpr std::size_t longest_expression = 20000, longest_name = 64;

/// The tokens of a text, the last of kind `end`. Throws Slip.
std::vector<Token> tokens_of(std::string_view text);

/// True for what can be called by: a letter, then letters, digits and underscores.
bool is_name(std::string_view text);
/// Two of them with a dot between, such as a coordinate of a body has.
bool is_dotted_name(std::string_view text);

}  // namespace livens::expressions
