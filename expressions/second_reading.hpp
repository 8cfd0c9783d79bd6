#pragma once
// An expression evaluated from its words, with dual numbers and without a graph: the judge of what the parser
// and the derivatives make of it, wherever a text is read. Nothing is shared with them but the words.

#include <span>
#include <string_view>

#include "expressions/parser.hpp"

namespace livens::expressions {

/// Throws Slip where the graph that the parser makes of the text has another value, or another derivative,
/// at random states, than the text itself has, beyond what rounding explains: an error of livens, not of the
/// text. The text is one that the parser has accepted.
void expect_agreement(const Scope& scope, std::string_view text);

/// A number with a bound of its error. Neither is finite where rounding decides what it is, at a kink.
struct Bounded {
  double value, error;
  bool is_known() const;
};
/// The slope of a scalar along a direction of the velocities, which the parser has accepted with its scope.
Bounded slope_by_velocity(const Scope& scope, std::string_view text, const Values& at,
                          std::span<const double> along);

}  // namespace livens::expressions
