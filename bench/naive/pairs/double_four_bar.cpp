#include "systems/double_four_bar.hpp"

#include "pairs/holonomic.hpp"
#include "pairs/pairs.hpp"

namespace livens::naive {

std::span<const Pair> double_four_bar_pairs() {
  static constexpr auto table = holonomic_pairs<DoubleFourBar>("double_four_bar");
  return table;
}

}  // namespace livens::naive
