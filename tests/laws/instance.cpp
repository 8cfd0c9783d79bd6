#include "tests/laws/instance.hpp"

#include <stdexcept>
#include <string>

#include "tests/laws/ensemble.hpp"

namespace livens::laws {
namespace {

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

double draw_value(const SystemInfo& system, const ParameterInfo& parameter, int i, std::mt19937_64& random,
                  Damping damping) {
  const std::string name = parameter.name;
  const double factor = uniform(random, 0.7, 1.5);
  if (parameter.damps) return damping == Damping::on ? 0.25 * factor : 0.0;
  // Loads are zero by default; these do not throw a disk over within a run.
  if (name == "force") return 0.5 * factor;
  if (name == "force_rate") return 0.1 * factor;
  // The Earth's own rotation turns the plane by 1e-6 in a step, which would hide an error in the constraint.
  if (system.name == std::string("foucault_pendulum") && name == "earth_rate") return 0.2 * factor;
  // Steady precession at 135 rad/s would hide what the weight does in a step; a slow, heavy top shows it.
  if (system.name == std::string("heavy_top") && name == "spin_rate") return 10.0 * factor;
  return factor * parameter.defaults[i];
}

}  // namespace

Instance draw(const SystemKernels& system, std::mt19937_64& random, Damping damping,
              double fraction_of_step) {
  const SystemInfo& info = *system.info;
  Instance instance;
  // The disk's own step is so long that a scheme of first order falls over with it.
  const double shorter = info.name == std::string("rolling_disk") ? 0.25 : 1.0;
  instance.h = fraction_of_step * info.default_step * shorter;
  for (const ParameterInfo& parameter : info.parameters)
    for (int i = 0; i < parameter.size(); ++i)
      instance.parameters.push_back(draw_value(info, parameter, i, random, damping));
  instance.q.assign(info.coordinates, 0.0);
  instance.v.assign(info.coordinates, 0.0);
  Arrays arrays(info, {instance});
  system.initial_states(arrays.batch(), 0, arrays.size());
  // The Foucault pendulum swings through the origin, where its scheme has no solution: it must not get there
  // soon.
  const double speed = info.nonholonomic ? 0.1 : 0.5;
  for (int c = 0; c < info.coordinates; ++c) {
    const double dq = length_scale(info) * uniform(random, -0.15, 0.15), dv = uniform(random, -speed, speed);
    for (int i = 0; i < arrays.size(); ++i) {
      arrays.q[i * info.coordinates + c] += dq;
      arrays.v[i * info.coordinates + c] += dv;
    }
  }
  std::vector<std::uint8_t> status(arrays.size());
  system.make_consistent(arrays.batch(), Consistency::project, status.data(), 0, arrays.size());
  if (status[0] != 0)
    throw std::runtime_error(std::string("no consistent state near the default of ") + info.name);
  instance.q.assign(arrays.q.begin(), arrays.q.begin() + info.coordinates);
  instance.v.assign(arrays.v.begin(), arrays.v.begin() + info.coordinates);
  return instance;
}

std::vector<Instance> draw_many(const SystemKernels& system, std::mt19937_64& random, Damping damping,
                                int count, double fraction_of_step) {
  std::vector<Instance> instances;
  for (int i = 0; i < count; ++i) instances.push_back(draw(system, random, damping, fraction_of_step));
  return instances;
}

}  // namespace livens::laws
