#include <array>

#include "pairs/pairs.hpp"
#include "schemes/contact_2.hpp"
#include "schemes/livens.hpp"
#include "schemes/livens_variable_mass.hpp"
#include "systems/foucault_pendulum.hpp"
#include "systems/mass_spring.hpp"
#include "systems/spring_pendulum.hpp"
#include "trajectory.hpp"

namespace livens::naive {

std::span<const Pair> other_pairs() {
  static constexpr std::array table{
      pair<MassSpring, Livens>("mass_spring", "livens"),
      pair<SpringPendulum, LivensVariableMass>("spring_pendulum", "livens"),
      pair<FoucaultPendulum, Contact2>("foucault_pendulum", "contact_2"),
  };
  return table;
}

}  // namespace livens::naive
