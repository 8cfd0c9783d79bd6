#include "naive.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "schemes/contact_2.hpp"
#include "schemes/del_multiplier.hpp"
#include "schemes/ems.hpp"
#include "schemes/ggl_vi.hpp"
#include "schemes/rattle.hpp"
#include "systems/double_four_bar.hpp"
#include "systems/double_spherical_pendulum.hpp"
#include "systems/foucault_pendulum.hpp"
#include "systems/four_particle.hpp"
#include "systems/heavy_top.hpp"
#include "systems/unit_circle.hpp"
#include "trajectory.hpp"

namespace livens::naive {
namespace {

// del_nullspace is compared with the multiplier form: same trajectory, and what a loop written for one study
// uses.
template <class System>
void add_holonomic(std::string_view name, std::vector<Pair>& all) {
  all.push_back(pair<System, Ems>(name, "ems"));
  all.push_back(pair<System, GglVi>(name, "ggl_vi"));
  all.push_back(pair<System, Rattle>(name, "rattle"));
  all.push_back(pair<System, DelMultiplier>(name, "del_multiplier"));
  all.push_back(pair<System, DelMultiplier>(name, "del_nullspace"));
}

std::vector<Pair> collect() {
  std::vector<Pair> all;
  add_holonomic<FourParticle>("four_particle", all);
  add_holonomic<HeavyTop>("heavy_top", all);
  add_holonomic<DoubleFourBar>("double_four_bar", all);
  add_holonomic<DoubleSphericalPendulum>("double_spherical_pendulum", all);
  add_holonomic<UnitCircle>("unit_circle", all);
  all.push_back(pair<FoucaultPendulum, Contact2>("foucault_pendulum", "contact_2"));
  return all;
}

const Pair* find(std::string_view system, std::string_view scheme) {
  const auto found =
      std::ranges::find_if(pairs(), [&](const Pair& p) { return p.system == system && p.scheme == scheme; });
  return found == pairs().end() ? nullptr : &*found;
}

}  // namespace

std::span<const Pair> pairs() {
  static const std::vector<Pair> all = collect();
  return all;
}

bool available(std::string_view system, std::string_view scheme) { return find(system, scheme) != nullptr; }

Result run(std::string_view system, std::string_view scheme, double step, std::int64_t steps,
           double tolerance) {
  const Pair* found = find(system, scheme);
  if (found == nullptr) {
    throw std::invalid_argument("no naive loop for " + std::string(system) + " with " + std::string(scheme));
  }
  return found->integrate(step, steps, tolerance);
}

}  // namespace livens::naive
