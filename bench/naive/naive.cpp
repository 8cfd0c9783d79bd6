#include "naive.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "schemes/contact_2.hpp"
#include "schemes/del_multiplier.hpp"
#include "schemes/ems.hpp"
#include "schemes/ggl_vi.hpp"
#include "systems/double_spherical_pendulum.hpp"
#include "systems/foucault_pendulum.hpp"
#include "systems/four_particle.hpp"
#include "trajectory.hpp"

namespace livens::naive {
namespace {

template <class System, template <class> class Scheme>
constexpr Pair pair(std::string_view system, std::string_view scheme) {
  return {system, scheme, System::default_step, System::end, &integrate<System, Scheme>};
}

// del_nullspace is compared with the multiplier form: same trajectory, and what a loop written for one study
// uses.
constexpr std::array table{
    pair<FourParticle, Ems>("four_particle", "ems"),
    pair<FourParticle, GglVi>("four_particle", "ggl_vi"),
    pair<FourParticle, DelMultiplier>("four_particle", "del_nullspace"),
    pair<DoubleSphericalPendulum, DelMultiplier>("double_spherical_pendulum", "del_nullspace"),
    pair<DoubleSphericalPendulum, Ems>("double_spherical_pendulum", "ems"),
    pair<DoubleSphericalPendulum, GglVi>("double_spherical_pendulum", "ggl_vi"),
    pair<FoucaultPendulum, Contact2>("foucault_pendulum", "contact_2"),
};

auto find(std::string_view system, std::string_view scheme) {
  return std::ranges::find_if(table, [&](const Pair& p) { return p.system == system && p.scheme == scheme; });
}

}  // namespace

std::span<const Pair> pairs() { return table; }

bool available(std::string_view system, std::string_view scheme) {
  return find(system, scheme) != table.end();
}

Result run(std::string_view system, std::string_view scheme, double step, std::int64_t steps,
           double tolerance) {
  const auto found = find(system, scheme);
  if (found == table.end()) {
    throw std::invalid_argument("no naive loop for " + std::string(system) + " with " + std::string(scheme));
  }
  return found->integrate(step, steps, tolerance);
}

}  // namespace livens::naive
