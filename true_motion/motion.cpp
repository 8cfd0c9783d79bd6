#include "motion.hpp"

#include <limits>

namespace livens::true_motion {
namespace {

class AutomaticMotion : public Motion {
 public:
  explicit AutomaticMotion(const System& system) : system_(system), d_(system.initial.q.size()) {}

  Eigen::Index size() const override { return 2 * d_ + 2; }

  VectorXd variables(const State& state) const override {
    VectorXd y = VectorXd::Zero(size());
    y.head(2 * d_) << state.q, state.v;
    return y;
  }

  State state(const VectorXd& y) const override { return {y.head(d_), y.segment(d_, d_)}; }

  void derivative(double t, const double* y, double* dy) const override {
    const State now = state(Eigen::Map<const VectorXd>(y, size()));
    const auto [acceleration, lambda] = equations_of_motion(system_, now, t);
    Eigen::Map<VectorXd> rate(dy, size());
    rate.head(2 * d_) << now.v, acceleration;
    const reference::Power power = power_of(system_, now, lambda, t);
    rate.tail(2) << power.dissipated, power.work;
  }

 private:
  const System& system_;
  Eigen::Index d_;
};

struct Written {
  const char* name;
  std::unique_ptr<Motion> (*make)(const System&);
  bool consistent;  // needs A v + b = 0
};
constexpr Written written[] = {{"double_spherical_pendulum", double_spherical_pendulum, false},
                               {"foucault_pendulum", foucault_pendulum, true},
                               {"rolling_disk", rolling_disk, true}};

/// Up to the rounding of its terms, of which |v| (1 + |q|)^2 bounds each.
bool is_consistent(const System& system, const State& state) {
  const double terms = state.v.lpNorm<1>() * std::pow(1.0 + state.q.lpNorm<Eigen::Infinity>(), 2);
  const double violation = system.velocity_constraint(state.q, state.v).lpNorm<Eigen::Infinity>();
  return violation <= 64.0 * std::numeric_limits<double>::epsilon() * terms;
}

}  // namespace

std::unique_ptr<Motion> automatic_motion(const System& system) {
  return std::make_unique<AutomaticMotion>(system);
}

Equations equations_with_multipliers(const std::string& name, const System& system) {
  if (name == "foucault_pendulum") return foucault_pendulum_equations(system);
  if (name == "rolling_disk") return rolling_disk_equations(system);
  return [&system](const State& state, double t) { return linear_motion(system, state, t); };
}

std::unique_ptr<Motion> written_motion(const std::string& name, const System& system, const State& initial) {
  for (const Written& entry : written) {
    if (name != entry.name) continue;
    return entry.consistent && !is_consistent(system, initial) ? nullptr : entry.make(system);
  }
  return nullptr;
}

}  // namespace livens::true_motion
