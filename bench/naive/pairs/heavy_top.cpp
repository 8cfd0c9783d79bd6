#include "systems/heavy_top.hpp"

#include "pairs/holonomic.hpp"
#include "pairs/pairs.hpp"

namespace livens::naive {

std::span<const Pair> heavy_top_pairs() {
  static constexpr auto table = holonomic_pairs<HeavyTop>("heavy_top");
  return table;
}

}  // namespace livens::naive
