#pragma once
// The derivatives that are compiled of a text against those of the reference.

#include <vector>

#include "expressions/text_system.hpp"
#include "host/checks/finding.hpp"

namespace livens::host {

/// A finding for every kind of derivative that the text has, at random states: what `expressions/` makes of
/// the graph, symbolically, against automatic differentiation on the trees of `judge`. Together these are the
/// blocks of which every residual and every Newton matrix of a scheme consists.
std::vector<Finding> derivatives_of_text(const TextSystem& text, const TextSystem& judge);

}  // namespace livens::host
