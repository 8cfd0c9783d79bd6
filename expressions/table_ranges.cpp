#include "expressions/table_ranges.hpp"

#include "expressions/mechanics.hpp"

namespace livens::expressions {
namespace {

std::vector<NodeId> of_the_motion(const Mechanics& m) {
  std::vector<NodeId> roots{m.kinetic, m.potential};
  if (m.dissipation != none) roots.push_back(m.dissipation);
  roots.insert(roots.end(), m.force.begin(), m.force.end());
  for (const Rows* rows : {&m.constraints, &m.rates})
    for (const Row& row : *rows) roots.push_back(row.node);
  return roots;
}

}  // namespace

TableRanges::TableRanges(const TextSystem& text) : text_(text) {
  const Graph& graph = text_.mechanics().graph;
  const std::vector<bool> needed = reachable(graph, of_the_motion(text_.mechanics()));
  for (std::size_t id = 0; id < needed.size(); ++id) {
    const Node& node = graph[static_cast<NodeId>(id)];
    if (!needed[id] || !node.is(Op::table)) continue;
    const TableFunction& table = *graph.tables()[static_cast<std::size_t>(node.table)];
    if (table.periodic || table.beyond != Beyond::error) continue;
    arguments_.push_back(node.a);
    tables_.push_back(node.table);
  }
}

bool TableRanges::left(std::span<const double> q, std::span<const double> v, double t,
                       std::span<const double> parameters) const {
  const Graph& graph = text_.mechanics().graph;
  Values at;
  at.position = q;
  at.velocity = v;
  std::vector<double> all(parameters.begin(), parameters.end());
  text_.complete(all);
  at.parameters = all;
  at.time = t;
  const std::vector<double> arguments = evaluate(graph, arguments_, at);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const TableFunction& table = *graph.tables()[static_cast<std::size_t>(tables_[k])];
    if (arguments[k] < table.x.front() || arguments[k] > table.x.back()) return true;
  }
  return false;
}

}  // namespace livens::expressions
