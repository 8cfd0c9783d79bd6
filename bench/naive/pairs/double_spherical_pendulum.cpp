#include "systems/double_spherical_pendulum.hpp"

#include "pairs/holonomic.hpp"
#include "pairs/pairs.hpp"

namespace livens::naive {

std::span<const Pair> double_spherical_pendulum_pairs() {
  static constexpr auto table = holonomic_pairs<DoubleSphericalPendulum>("double_spherical_pendulum");
  return table;
}

}  // namespace livens::naive
