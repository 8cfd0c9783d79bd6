#pragma once
// Where something stands in a text, and what is wrong inside an expression.

#include <cstddef>
#include <string>
#include <string_view>

#include "expressions/refusal.hpp"

namespace livens::expressions {

/// A value of the text, from the line at which it begins.
struct Span : Place {
  std::int64_t last_line = 0;
  bool operator==(const Span&) const = default;
};

struct Expression {
  std::string text;
  Span place;
  bool operator==(const Expression&) const = default;
};

/// A mistake inside an expression, which knows its own characters and nothing else.
struct Slip {
  std::size_t offset;
  std::string problem, expected = {}, suggestion = {};
};

/// Throws a slip as the RequestError that has the line of `text` in which it is, `text` beginning at `span`.
[[noreturn]] void refuse(const Span& span, const Slip& slip, std::string_view text);
using livens::refuse;
using livens::refuse_unknown;

/// The text with everything but printable ASCII as '?', for messages.
std::string printable(std::string_view text);

}  // namespace livens::expressions
