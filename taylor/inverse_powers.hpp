#pragma once
// Powers s^(-3/2), s^(-5/2), ... of something that moves, as an inverse-square law has them: the text makes them of roots,
// products and quotients, each of which would be a series of its own.

#include "expressions/graph.hpp"

namespace livens::taylor {

/// The same expressions, with an Op::inverse_power for every product and quotient that is such a power times what does
/// not move.
std::vector<expressions::NodeId> with_inverse_powers(expressions::Graph& graph,
                                                     const std::vector<expressions::NodeId>& roots);

}  // namespace livens::taylor
