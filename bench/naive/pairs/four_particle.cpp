#include "systems/four_particle.hpp"

#include "pairs/holonomic.hpp"
#include "pairs/pairs.hpp"

namespace livens::naive {

std::span<const Pair> four_particle_pairs() {
  static constexpr auto table = holonomic_pairs<FourParticle>("four_particle");
  return table;
}

}  // namespace livens::naive
