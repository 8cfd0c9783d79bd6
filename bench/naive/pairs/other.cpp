#include <array>

#include "pairs/pairs.hpp"
#include "schemes/contact_constant_mass.hpp"
#include "schemes/contact_variable_mass.hpp"
#include "schemes/livens.hpp"
#include "schemes/livens_variable_mass.hpp"
#include "systems/foucault_pendulum.hpp"
#include "systems/mass_spring.hpp"
#include "systems/rolling_disk.hpp"
#include "systems/spring_pendulum.hpp"
#include "trajectory.hpp"

namespace livens::naive {

template <class System>
using PendulumContact1 = ContactConstantMass<System, Contact1Weights>;
template <class System>
using PendulumContact2 = ContactConstantMass<System, Contact2Weights>;
template <class System>
using PendulumLagrangeDalembert = ContactConstantMass<System, LagrangeDalembertWeights>;
template <class System>
using DiskContact1 = ContactVariableMass<System, Contact1Weights>;
template <class System>
using DiskContact2 = ContactVariableMass<System, Contact2Weights>;
template <class System>
using DiskLagrangeDalembert = ContactVariableMass<System, LagrangeDalembertWeights>;

std::span<const Pair> other_pairs() {
  static constexpr std::array table{
      pair<MassSpring, Livens>("mass_spring", "livens"),
      pair<SpringPendulum, LivensVariableMass>("spring_pendulum", "livens"),
      pair<FoucaultPendulum, PendulumContact1>("foucault_pendulum", "contact_1"),
      pair<FoucaultPendulum, PendulumContact2>("foucault_pendulum", "contact_2"),
      pair<FoucaultPendulum, PendulumLagrangeDalembert>("foucault_pendulum", "lagrange_dalembert"),
      pair<RollingDisk, DiskContact1>("rolling_disk", "contact_1"),
      pair<RollingDisk, DiskContact2>("rolling_disk", "contact_2"),
      pair<RollingDisk, DiskLagrangeDalembert>("rolling_disk", "lagrange_dalembert"),
  };
  return table;
}

}  // namespace livens::naive
