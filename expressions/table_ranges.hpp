#pragma once
// Whether a state lies where a table of a text has no value: one that is `beyond = "error"`, outside of its
// points.

#include <span>
#include <vector>

#include "expressions/text_system.hpp"

namespace livens::expressions {

class TableRanges {
 public:
  explicit TableRanges(const TextSystem& text);

  /// No table of the motion ends with an error.
  bool empty() const { return tables_.empty(); }
  /// The argument of one is outside of it.
  bool left(std::span<const double> q, std::span<const double> v, double t,
            std::span<const double> parameters) const;

 private:
  TextSystem text_;
  std::vector<int> arguments_;  ///< nodes of the text's graph
  std::vector<int> tables_;     ///< of each, its table there
};

}  // namespace livens::expressions
