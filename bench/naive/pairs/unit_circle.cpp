#include "systems/unit_circle.hpp"

#include "pairs/holonomic.hpp"
#include "pairs/pairs.hpp"

namespace livens::naive {

std::span<const Pair> unit_circle_pairs() {
  static constexpr auto table = holonomic_pairs<UnitCircle>("unit_circle");
  return table;
}

}  // namespace livens::naive
