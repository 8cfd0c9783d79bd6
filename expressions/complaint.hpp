#pragma once
// Where something stands in a text, and the message about it.

#include <cstddef>
#include <string>
#include <string_view>

#include "expressions/text_system.hpp"

namespace livens::expressions {

/// A value of the text: the file and line at which it begins, and the key that it belongs to.
struct Place {
  std::string source;
  unsigned line = 0;
  std::string key;         ///< "constraints[0]"; empty: the text as a whole
  unsigned last_line = 0;  ///< at which it ends
};

/// Throws TextError "source:line: key: problem".
[[noreturn]] void refuse(const Place& place, const std::string& problem);
/// The same with the line of `text` in which `offset` is and a caret below it, `text` beginning at `place`.
[[noreturn]] void refuse(const Place& place, const std::string& problem, std::string_view text,
                         std::size_t offset);
/// "source:line: key: problem".
std::string complaint(const Place& place, const std::string& problem);

/// A mistake inside an expression, which knows its own characters and nothing else.
struct Mistake {
  std::size_t offset;
  std::string problem;
};

/// The text with everything but printable ASCII as '?', for messages.
std::string printable(std::string_view text);

}  // namespace livens::expressions
