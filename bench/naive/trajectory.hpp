// One trajectory: a scheme, its Newton solver, and what is measured at every node.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cpu_seconds.hpp"
#include "naive.hpp"
#include "newton.hpp"

namespace livens::naive {

template <class System, template <class> class Scheme>
class Trajectory {
 public:
  Trajectory(double h, double tolerance)
      : h_(h),
        scheme_(system_, h),
        newton_(scheme_.unknowns(), tolerance),
        p_(System::d),
        v_(System::d),
        c_(System::m),
        momentum_(System::s),
        momentum0_(System::s),
        GT_(Eigen::MatrixXd::Zero(System::d, System::m)) {
    start();
  }

  void start() {
    scheme_.start();
    newton_.x.setZero();
    measure();
    energy0_ = energy_;
    momentum0_ = momentum_;
  }

  void advance(Result& result) {
    scheme_.predict(newton_.x);
    result.newton_iterations += newton_.solve(scheme_);
    scheme_.accept(newton_.x);
    measure();
    result.max_energy_error = std::max(result.max_energy_error, std::abs(energy_ - energy0_));
    result.max_constraint = std::max(result.max_constraint, constraint_);
    result.max_velocity_constraint = std::max(result.max_velocity_constraint, velocity_constraint_);
    if constexpr (System::s > 0) {
      const double change = (momentum_ - momentum0_).template lpNorm<Eigen::Infinity>();
      result.max_momentum_error = std::max(result.max_momentum_error, change);
    }
    ++result.steps;
  }

  const Eigen::VectorXd& position() const { return scheme_.position(); }

 private:
  /// The scheme says which node it knows in full: y = h M^-1 p there.
  void measure() {
    const auto& q = scheme_.node_position();
    v_ = scheme_.node_increment() / h_;
    p_.noalias() = system_.mass() * v_;
    energy_ = 0.5 * v_.dot(p_) + system_.potential(q) + scheme_.energy_balance();
    if constexpr (requires { system_.constraint_rates(q, v_, c_); }) {
      system_.constraint_rates(q, v_, c_);
      velocity_constraint_ = c_.template lpNorm<Eigen::Infinity>();
      constraint_ = velocity_constraint_;
    } else {
      system_.constraint_gradients(q, GT_);
      system_.constraint(q, c_);
      constraint_ = c_.template lpNorm<Eigen::Infinity>();
      c_.noalias() = GT_.transpose() * v_;
      velocity_constraint_ = c_.template lpNorm<Eigen::Infinity>();
    }
    if constexpr (System::s > 0) system_.momentum_map(q, p_, momentum_);
  }

  System system_;
  double h_;
  Scheme<System> scheme_;
  Newton newton_;
  Eigen::VectorXd p_, v_, c_, momentum_, momentum0_;
  Eigen::MatrixXd GT_;
  double energy_ = 0, energy0_ = 0, constraint_ = 0, velocity_constraint_ = 0;
};

/// Eigen's own guard against allocation, when it is compiled in.
inline void allow_allocation([[maybe_unused]] bool allowed) {
#ifdef EIGEN_RUNTIME_NO_MALLOC
  Eigen::internal::set_is_malloc_allowed(allowed);
#endif
}

template <class System, template <class> class Scheme>
Result integrate(double step, std::int64_t steps, double tolerance) {
  const double h = step > 0 ? step : System::default_step;
  const auto steps_to_end = std::max<std::int64_t>(1, static_cast<std::int64_t>(System::end / h + 1e-9));
  Trajectory<System, Scheme> trajectory(h, tolerance);
  Result result;

  allow_allocation(false);
  const double begin = bench::cpu_seconds();
  for (std::int64_t n = 0; n < steps; ++n) {
    if (n > 0 && n % steps_to_end == 0) trajectory.start();
    trajectory.advance(result);
  }
  result.seconds = bench::cpu_seconds() - begin;
  allow_allocation(true);

  result.final_q.assign(trajectory.position().begin(), trajectory.position().end());
  return result;
}

template <class System, template <class> class Scheme>
constexpr Pair pair(std::string_view system, std::string_view scheme) {
  return {system, scheme, System::default_step, System::end, &integrate<System, Scheme>};
}

}  // namespace livens::naive
