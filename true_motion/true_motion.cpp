#include "true_motion.hpp"

#include <Eigen/LU>
#include <limits>

#include "reference/newton.hpp"
#include "solver.hpp"

namespace livens::true_motion {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The saddle-point matrix (M A^T; A 0) can be inverted where the system starts.
bool determines_accelerations(const System& system) {
  const VectorXd& q = system.initial.q;
  const Eigen::MatrixXd M = mass_matrix(system, q), A = velocity_rows(system, q).J;
  const Eigen::Index d = M.rows(), m = A.rows();
  Eigen::MatrixXd saddle(d + m, d + m);
  saddle << M, A.transpose(), A, Eigen::MatrixXd::Zero(m, m);
  return Eigen::FullPivLU<Eigen::MatrixXd>(saddle).isInvertible();
}

bool known(const reference::Model& model) {
  const auto names = reference::systems();
  return model.text || std::find(names.begin(), names.end(), model.system) != names.end();
}

/// The name by which equations are written out; none has a text.
std::string written_name(const reference::Model& model) { return model.text ? "" : model.system; }

std::unique_ptr<Motion> motion_of(const reference::Model& model, const System& system, const State& initial) {
  auto written = written_motion(written_name(model), system, initial);
  return written ? std::move(written) : automatic_motion(system);
}

}  // namespace

bool applicable(const reference::Model& model, const std::string& scheme) {
  if ((scheme != "reference_ode" && scheme != "reference_dae") || !known(model)) return false;
  const System system = reference::make_system(model);
  const bool constrained = constraint_count(system) > 0;
  return (scheme == "reference_ode" || constrained) && determines_accelerations(system);
}

int unknowns(const reference::Model& model, const std::string& scheme) {
  const System system = reference::make_system(model);
  const Eigen::Index d = system.initial.q.size();
  return static_cast<int>(scheme == "reference_dae" ? 2 * d + constraint_count(system) + 2
                                                    : motion_of(model, system, system.initial)->size());
}

Integrator::Integrator(const reference::Model& model, const Options& options, const State& initial)
    : system_(std::make_unique<System>(reference::make_system(model))), step_(options.step) {
  if (!true_motion::applicable(model, options.scheme))
    throw std::invalid_argument(options.scheme + " does not run " + model.system);
  if (!(step_ > 0.0)) throw std::invalid_argument("the step is not positive");
  const Eigen::Index d = system_->initial.q.size();
  if (initial.q.size() != d || initial.v.size() != d)
    throw std::invalid_argument(model.system + " has " + std::to_string(d) + " coordinates");
  node_.q = initial.q;
  node_.v = initial.v;
  measure();
  if (options.scheme == "reference_dae") {
    solver_ =
        dae_solver(*system_, equations_with_multipliers(written_name(model), *system_), options, initial);
  } else {
    solver_ = ode_solver(motion_of(model, *system_, initial), options, initial);
  }
}

Integrator::~Integrator() = default;

const reference::Node& Integrator::advance() {
  const double t = static_cast<double>(steps_ + 1) * step_;
  const long before = solver_->iterations();
  try {
    solver_->advance(t);
  } catch (const reference::NewtonFailure& failure) {
    throw reference::StepFailure(steps_, failure.reason);
  }
  ++steps_;
  const State state = solver_->state();
  node_.time = t;
  node_.q = state.q;
  node_.v = state.v;
  node_.dissipated = solver_->dissipated();
  node_.work = solver_->work();
  node_.newton_iterations = static_cast<int>(solver_->iterations() - before);
  measure();
  node_.lambda = equations_of_motion(*system_, state, t).lambda;
  return node_;
}

void Integrator::measure() {
  node_.p = momentum_of(*system_, node_.q, node_.v, node_.time);
  measure_state(*system_, node_);
  // Also where M is singular.
  node_.energy = node_.p.dot(node_.v) - node_.kinetic_energy + node_.potential_energy;
  node_.z = nan;
  node_.lambda = node_.gamma = VectorXd::Constant(constraint_count(*system_), nan);
}

}  // namespace livens::true_motion
