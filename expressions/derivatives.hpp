#pragma once
// Derivatives of expressions, exact ones and discrete ones, as expressions of the same graph.

#include "expressions/graph.hpp"

namespace livens::expressions {

/// d root/d leaf for leaves (kind, 0), ..., (kind, count - 1): one sweep from the root down.
std::vector<NodeId> gradient(Graph& graph, NodeId root, Leaf kind, int count);

/// d roots[i]/d leaf (kind, index), by one sweep up. Zero is the constant 0, and no node.
std::vector<NodeId> derivative(Graph& graph, std::span<const NodeId> roots, Leaf kind, int index);

/// The discrete gradient of V(q) by the discrete chain rule, from q0 (Leaf::position) to q1 (Leaf::end): the
/// gradient's sweep, with every operation's slopes replaced by its difference quotients in closed form.
///   (a) u v:   (v0 + v1)/2 along u, (u0 + u1)/2 along v;   u u: u0 + u1
///   (b) u/v:   (1/v0 + 1/v1)/2 along u, -(u0 + u1)/(2 v0 v1) along v
///   (c) sqrt u: 1/(sqrt u0 + sqrt u1);   |u|: (u0 + u1)/(|u0| + |u1|), 0 where both are 0;   the others:
///   kernels/math/quotients.hpp, tables: kernels/math/tables.hpp
///   (d) u^e, e > 1: that of the power, not of its root or exponential, and 0 where u0 = u1 = 0
///   (e) max(u, v), min(u, v): that of (u + v)/2 + |u - v|/2, (u + v)/2 - |u - v|/2
/// Summed over the nodes these telescope: Dbar V . (q1 - q0) = V(q1) - V(q0) exactly, and Dbar V(q, q) =
/// DV(q). Products are the only place with a choice, and the symmetric one is taken, in the order in which
/// the text multiplies. An expression that jumps, by a condition, a sign or atan2, has none.
std::vector<NodeId> discrete_gradient(Graph& graph, NodeId root, int count);

/// The same of f(q, t) from (q0, t0) to (q1, t1), t as one more leaf (Leaf::time, Leaf::end_time):
/// f1 - f0 = Dbar_q f . Dq + h Dbar_t f. count + 1 entries, Dbar_t f the last.
std::vector<NodeId> discrete_gradient_in_time(Graph& graph, NodeId root, int count);

}  // namespace livens::expressions
