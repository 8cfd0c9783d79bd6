#include "expressions/mass_kind.hpp"

namespace livens::expressions {
namespace {

bool has_blocks(const Mechanics& m, int dimension) {
  const int d = m.facts.coordinates;
  if (d % dimension != 0) return false;
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) {
      const NodeId entry = m.mass_entry(i, j);
      if (i % dimension != j % dimension) {
        if (!m.graph.is_zero(entry)) return false;
      } else if (entry != m.mass_entry(i - i % dimension, j - j % dimension)) {
        return false;
      }
    }
  return true;
}

}  // namespace

MassKind mass_kind(const Mechanics& m) {
  const int d = m.facts.coordinates;
  if (m.facts.singular_mass) return {MassKind::patterned, d, 1};
  int dimension = 1;
  for (const int size : {3, 2})
    if (dimension == 1 && has_blocks(m, size)) dimension = size;
  return {m.facts.diagonal_mass ? MassKind::diagonal : MassKind::coupled, d / dimension, dimension};
}

}  // namespace livens::expressions
