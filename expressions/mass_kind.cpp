#include "expressions/mass_kind.hpp"

namespace livens::expressions {
bool has_blocks(const Graph& graph, const std::vector<NodeId>& matrix, int d, int dimension) {
  if (d % dimension != 0) return false;
  const auto entry = [&](int i, int j) { return matrix[static_cast<std::size_t>(i * d + j)]; };
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j)
      if (i % dimension != j % dimension ? !graph.is_zero(entry(i, j))
                                         : entry(i, j) != entry(i - i % dimension, j - j % dimension))
        return false;
  return true;
}

MassKind mass_kind(const Mechanics& m) {
  const int d = m.facts.coordinates;
  if (m.facts.singular_mass) return {MassKind::patterned, d, 1};
  int dimension = 1;
  for (const int size : {3, 2})
    if (dimension == 1 && has_blocks(m.graph, m.mass, d, size)) dimension = size;
  return {m.facts.diagonal_mass ? MassKind::diagonal : MassKind::coupled, d / dimension, dimension};
}

}  // namespace livens::expressions
