#include "reference.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism.hpp"
#include "registry.hpp"
#include "run.hpp"
#include "text/text_system.hpp"
#include "watched_integrator.hpp"

namespace livens::reference {
namespace {

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
    case Failure::zeno:
      return "zeno";
    case Failure::inconsistent_initial:
      return "inconsistent_initial";
    case Failure::invalid_parameter:
      return "invalid_parameter";
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

double distance(const Node& a, const Node& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

/// The names of a table, in its order.
template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

template <class Entry>
const Entry* find(const std::vector<Entry>& entries, const std::string& name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

/// What an entry of a table, or a text, makes of the model's parameters, all of which it has to read.
template <class Maker>
auto made(const Maker& maker, const Model& model) {
  Parameters given(model);
  auto mechanism = maker.make(given);
  given.expect_no_more();
  return mechanism;
}

bool runs(const Scheme& scheme, const System& system) {
  return scheme.runs(system) && (scheme.meets_walls || !system.gap);
}
bool runs(const Scheme& scheme, const AssembledSystem&) { return scheme.assembled != nullptr; }

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

const Scheme& find_scheme(const std::string& name) {
  if (const Scheme* scheme = find(scheme_table(), name)) return *scheme;
  throw std::invalid_argument("no scheme is called " + name);
}

std::vector<std::string> systems() { return names_of(built_in_systems()); }
std::vector<std::string> assemblies() { return names_of(assembly_table()); }
std::vector<std::string> schemes() { return names_of(scheme_table()); }

System make_system(const Model& model) {
  if (model.text) return made(*model.text, model);
  if (const SystemEntry* entry = find(built_in_systems(), model.system)) return made(*entry, model);
  throw std::invalid_argument("no system is called " + model.system);
}

Mechanism make_mechanism(const Model& model) {
  const AssemblyEntry* entry = model.text ? nullptr : find(assembly_table(), model.system);
  if (entry) return AssembledSystem(made(*entry, model));
  return make_system(model);
}

bool applicable(const Model& model, const std::string& scheme) {
  return std::visit([&](const auto& it) { return runs(find_scheme(scheme), it); }, make_mechanism(model));
}

State default_state(const Model& model) {
  return std::visit([](const auto& it) { return initial_state(it); }, make_mechanism(model));
}

Eigen::MatrixXd mass(const Model& model, const VectorXd& q) {
  return std::visit([&](const auto& it) { return mass_matrix(it, q); }, make_mechanism(model));
}

State project(const Model& model, const State& given) try {
  return std::visit(
      [&](const auto& it) -> State {
        const VectorXd q = project_position(it, given.q);
        return {q, project_velocity(it, q, given.v)};
      },
      make_mechanism(model));
} catch (const NewtonFailure& failure) {
  throw StepFailure(0, failure.reason);
}

Integrator::Integrator(const Model& model, const Options& options, const State& initial) {
  const Scheme& scheme = find_scheme(options.scheme);
  run_ = std::visit(
      [&](const auto& it) {
        if (!runs(scheme, it)) throw std::invalid_argument(options.scheme + " does not run " + model.system);
        expect_known(scheme, options);
        if (!(options.step > 0.0)) throw std::invalid_argument("the step is not positive");
        const Eigen::Index d = initial_state(it).q.size();
        if (initial.q.size() != d || initial.v.size() != d)
          throw std::invalid_argument(model.system + " has " + std::to_string(d) + " coordinates");
        return begin(it, scheme, options, initial);
      },
      make_mechanism(model));
}

Integrator::Integrator(Integrator&&) noexcept = default;
Integrator& Integrator::operator=(Integrator&&) noexcept = default;
Integrator::~Integrator() = default;

const Node& Integrator::node() const { return run_->node(); }
const Node& Integrator::advance() { return run_->advance(); }
std::optional<Node> Integrator::after(const std::vector<double>& lengths) const {
  return run_->after(lengths);
}
VectorXd Integrator::handed_on() const { return run_->handed_on(); }
std::unique_ptr<Trajectory> Integrator::moved(const VectorXd& by) const { return run_->moved(by); }
double Integrator::condition() const { return run_->condition(); }

WatchedIntegrator::WatchedIntegrator(const Model& model, const Options& options, const State& initial)
    : Integrator(model, options, initial) {
  // A displacement with no symmetry of the system in it: a frequency that no coordinate shares.
  State displaced = initial;
  for (Eigen::Index i = 0; i < initial.q.size(); ++i) {
    const double k = static_cast<double>(i);
    displaced.q[i] += 1e-8 * std::sin(1.0 + 2.3 * k);
    displaced.v[i] += 1e-8 * std::cos(0.5 + 1.7 * k);
  }
  // Behind a wall there is no start: then to the other side.
  for (const double side : {1.0, -1.0}) {
    try {
      other_.emplace(model, options,
                     project(model, {initial.q + side * (displaced.q - initial.q), displaced.v}));
      largest_ = start_ = distance(node(), other_->node());
      failure_.reset();
      return;
    } catch (const StepFailure& failure) {
      failure_ = failure;
    }
  }
}

const Node& WatchedIntegrator::advance() {
  Integrator::advance();
  if (failure_) return node();
  try {
    largest_ = std::max(largest_, distance(node(), other_->advance()));
  } catch (const StepFailure& failure) {
    failure_ = failure;
  }
  return node();
}

double WatchedIntegrator::growth() const {
  if (failure_) throw *failure_;
  return largest_ / start_;
}

double growth(const Model& model, const Options& options, const State& initial, int steps) {
  WatchedIntegrator run(model, options, initial);
  for (int n = 0; n < steps; ++n) run.advance();
  return run.growth();
}

}  // namespace livens::reference
