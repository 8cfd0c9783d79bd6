#include "reference.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "composition.hpp"
#include "registry.hpp"

namespace livens::reference {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const Scheme& find_scheme(const std::string& name) {
  for (const Scheme& scheme : scheme_table()) {
    if (scheme.name == name) return scheme;
  }
  throw std::invalid_argument("no scheme is called " + name);
}

std::string to_string(Failure reason) {
  switch (reason) {
    case Failure::newton_diverged:
      return "newton_diverged";
    case Failure::singular_matrix:
      return "singular_matrix";
    case Failure::not_finite:
      return "not_finite";
    case Failure::wrong_branch:
      return "wrong_branch";
  }
  return "unknown";
}

/// Throws std::invalid_argument for an option, or a word, that the scheme does not know.
void expect_known(const Scheme& scheme, const Options& options) {
  for (const auto& [name, value] : options.given) {
    const auto known = scheme.options.find(name);
    if (known == scheme.options.end()) throw std::invalid_argument(scheme.name + " has no option " + name);
    const std::vector<std::string>& words = known->second;
    const std::string* word = std::get_if<std::string>(&value);
    if (words.empty() ? word != nullptr
                      : !word || std::find(words.begin(), words.end(), *word) == words.end())
      throw std::invalid_argument(scheme.name + " has no such " + name);
  }
}

std::vector<SystemEntry>& all_systems() {
  static std::vector<SystemEntry> entries = built_in_systems();
  return entries;
}

double infinity_norm(const VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

double distance(const Node& a, const Node& b) {
  return std::max(infinity_norm(a.q - b.q), infinity_norm(a.v - b.v));
}

}  // namespace

StepFailure::StepFailure(long step, Failure reason)
    : std::runtime_error("step " + std::to_string(step) + ": " + to_string(reason)),
      step(step),
      reason(reason) {}

double Options::number(const std::string& name, double standard) const {
  const auto found = given.find(name);
  return found == given.end() ? standard : std::get<double>(found->second);
}

std::string Options::word(const std::string& name, const std::string& standard) const {
  const auto found = given.find(name);
  return found == given.end() ? standard : std::get<std::string>(found->second);
}

const std::vector<SystemEntry>& system_table() { return all_systems(); }

void add_system(const SystemEntry& entry) {
  std::vector<SystemEntry>& entries = all_systems();
  const auto place = std::ranges::find(entries, entry.name, &SystemEntry::name);
  if (place == entries.end()) {
    entries.push_back(entry);
  } else if (place - entries.begin() < std::ssize(built_in_systems())) {
    throw std::invalid_argument(entry.name + " is the name of a built-in system");
  } else {
    *place = entry;
  }
}

std::vector<std::string> systems() {
  std::vector<std::string> names;
  for (const SystemEntry& entry : system_table()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> schemes() {
  std::vector<std::string> names;
  for (const Scheme& scheme : scheme_table()) names.push_back(scheme.name);
  return names;
}

System make_system(const Model& model) {
  for (const SystemEntry& entry : system_table()) {
    if (entry.name != model.system) continue;
    Parameters given(model);
    System system = entry.make(given);
    given.expect_no_more();
    return system;
  }
  throw std::invalid_argument("no system is called " + model.system);
}

bool applicable(const std::string& system, const std::string& scheme) {
  return find_scheme(scheme).runs(make_system({system, {}}));
}

State default_state(const Model& model) { return make_system(model).initial; }

Eigen::MatrixXd mass(const Model& model, const VectorXd& q) { return mass_matrix(make_system(model), q); }

State project(const Model& model, const State& given) {
  const System system = make_system(model);
  try {
    const VectorXd q = project_position(system, given.q);
    return {q, project_velocity(system, q, given.v)};
  } catch (const NewtonFailure& failure) {
    throw StepFailure(0, failure.reason);
  }
}

void measure_state(const System& system, Node& node) {
  node.kinetic_energy = system.kinetic_energy(node.q, node.v);
  node.potential_energy = potential_energy(system, node.q);
  node.energy = 0.5 * node.p.dot(mass_matrix(system, node.q).inverse() * node.p) + node.potential_energy;
  node.total_energy = node.kinetic_energy + node.potential_energy;
  node.constraints = system.constraint(node.q);
  node.rates = system.velocity_constraint ? system.velocity_constraint(node.q, node.v)
                                          : constraint_rate(system, node.q, node.v);
  node.constraint = infinity_norm(node.constraints);
  node.velocity_constraint = infinity_norm(node.rates);
  if (system.momentum) node.momentum = system.momentum(node.q, node.p);
  if (system.own) node.own = system.own(node.q, node.v);
}

Integrator::Integrator(const Model& model, const Options& options, const State& initial)
    : system_(std::make_unique<System>(make_system(model))),
      scheme_(&find_scheme(options.scheme)),
      options_(options) {
  if (!scheme_->runs(*system_)) throw std::invalid_argument(options.scheme + " does not run " + model.system);
  expect_known(*scheme_, options);
  if (!(options.step > 0.0)) throw std::invalid_argument("the step is not positive");
  const Eigen::Index d = system_->initial.q.size(), m = constraint_count(*system_);
  if (initial.q.size() != d || initial.v.size() != d) {
    throw std::invalid_argument(model.system + " has " + std::to_string(d) + " coordinates");
  }
  Point start;
  start.q = initial.q;
  start.v = initial.v;
  start.p = mass_matrix(*system_, initial.q) * initial.v;
  start.lambda = start.gamma = VectorXd::Constant(m, nan);
  if (options.order != 0) composition_ = std::make_unique<Composition>(options.order);
  point_ = std::make_unique<Point>(start);
  measure();
}

Integrator::Integrator(Integrator&&) noexcept = default;
Integrator& Integrator::operator=(Integrator&&) noexcept = default;
Integrator::~Integrator() = default;

Point Integrator::step_from(const Point& point) const {
  try {
    Point next = composition_ ? composition_->step(*scheme_, *system_, options_, point)
                              : scheme_->step(*system_, options_, point);
    next.step = point.step + 1;
    next.time = static_cast<double>(next.step) * options_.step;
    next.first = next.first && composition_;
    return next;
  } catch (const NewtonFailure& failure) {
    throw StepFailure(point.step, failure.reason);
  }
}

const Node& Integrator::advance() {
  Point next = ahead_ ? *ahead_ : step_from(*point_);
  if (scheme_->looks_ahead && !composition_) ahead_ = std::make_unique<Point>(step_from(next));
  *point_ = std::move(next);
  measure();
  return node_;
}

void Integrator::measure() {
  const Point& point = *point_;
  const System& system = *system_;
  Node node;
  node.time = static_cast<double>(point.step) * options_.step;
  node.q = point.q;
  node.p = point.p;
  node.v = point.v;
  if (scheme_->legendre && !point.first) {
    const Point& ahead = scheme_->looks_ahead ? *ahead_ : point;
    const Momentum momentum = scheme_->legendre(system, options_.step, point, ahead);
    node.p = momentum.p;
    node.v = momentum.v;
  }
  node.lambda = point.lambda;
  node.gamma = point.gamma;
  measure_state(system, node);
  if (scheme_->kinetic_energy) {
    node.energy = scheme_->kinetic_energy(system, node.q, node.p, node.v) + potential_energy(system, node.q);
  }
  node.z = scheme_->has_action ? point.z : nan;
  node.dissipated = point.dissipated;
  node.work = point.work;
  node.newton_iterations = point.newton_iterations;
  node_ = std::move(node);
}

double Integrator::condition() const {
  if (point_->newton_matrix.size() == 0) return 1.0;
  const VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(point_->newton_matrix).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

double growth(const Model& model, const Options& options, const State& initial, int steps) {
  // A displacement with no symmetry of the system in it: a frequency that no coordinate shares.
  State displaced = initial;
  for (Eigen::Index i = 0; i < initial.q.size(); ++i) {
    const double k = static_cast<double>(i);
    displaced.q[i] += 1e-8 * std::sin(1.0 + 2.3 * k);
    displaced.v[i] += 1e-8 * std::cos(0.5 + 1.7 * k);
  }
  Integrator run(model, options, initial), other(model, options, project(model, displaced));
  const double start = distance(run.node(), other.node());
  double largest = start;
  for (int n = 0; n < steps; ++n) largest = std::max(largest, distance(run.advance(), other.advance()));
  return largest / start;
}

}  // namespace livens::reference
