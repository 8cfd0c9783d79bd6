#include "assembly_integrator.hpp"

#include "../composition.hpp"
#include "../newton.hpp"
#include "../registry.hpp"

namespace livens::reference {

static std::unique_ptr<AssembledSolver> make_solver(const Assembly& assembly,
                                                    const AssemblyOptions& options) {
  const Scheme& scheme = find_scheme(options.scheme);
  if (!scheme.assembled) throw std::invalid_argument(scheme.name + " does not run an assembly");
  return scheme.assembled(assembly, options.max_iterations);
}

bool keeps_directors(const VectorXd& u0, const VectorXd& u1) {
  for (Eigen::Index body = 0; body < u0.size(); body += 12) {
    for (Eigen::Index d = body + 3; d < body + 12; d += 3) {
      if (!(u1.segment<3>(d).dot(u0.segment<3>(d)) > 0.5)) return false;
    }
  }
  return true;
}

AssemblyIntegrator::AssemblyIntegrator(const Assembly& assembly, const AssemblyOptions& options,
                                       const State& initial)
    : system_(assembly),
      options_(options),
      solver_(make_solver(assembly, options)),
      lengths_(stage_lengths(options.order)) {
  if (!(options.step > 0.0)) throw std::invalid_argument("the step of an assembly is positive");
  if (initial.q.size() != system_.coordinates() || initial.v.size() != system_.coordinates()) {
    throw std::invalid_argument("a state of an assembly has 12 coordinates a body");
  }
  node_.q = initial.q;
  node_.velocity = initial.v;
  node_.momentum = system_.mass() * initial.v;
  node_.energy = 0.5 * initial.v.dot(node_.momentum) + system_.potential(initial.q);
}

/// One step of (a) to (c), of any length.
AssemblyNode AssemblyIntegrator::stage(const AssemblyNode& from, double h, const VectorXd& guess) const {
  const bool first = from.length == 0.0;
  const VectorXd load = system_.load(from.time + 0.5 * h), impulse = 0.5 * h * load;
  const double share = first ? system_.assembly().load_in_start : 1.0;
  const AssembledStep step{system_, h, first ? 0.5 * h : h, from.q, from.momentum, share * impulse};

  const AssembledRoot root = solver_->solve(step, guess);
  const VectorXd u1 = step.u0 + root.Du;
  if (!keeps_directors(step.u0, u1)) throw NewtonFailure{Failure::wrong_branch};

  const VectorXd um = step.middle(root.Du), vm = root.Du / h, pm = system_.mass() * vm;
  return {.time = from.time + h,
          .q = u1,
          .momentum = pm - 0.5 * h * system_.potential_gradient(um) + impulse,  // (c)
          .velocity = vm,
          .length = h,
          .lambda = root.lambda,
          .energy = 0.5 * vm.dot(pm) + system_.potential(um),
          .work = from.work + load.dot(root.Du),
          .newton_iterations = root.iterations};
}

const AssemblyNode& AssemblyIntegrator::advance() {
  return advance(lengths_.front() * options_.step * node_.velocity);
}

const AssemblyNode& AssemblyIntegrator::advance(const VectorXd& guess) try {
  AssemblyNode at = node_;
  VectorXd lambda = VectorXd::Zero(system_.constraints());
  int iterations = 0;
  for (std::size_t s = 0; s < lengths_.size(); ++s) {
    const double h = lengths_[s] * options_.step;
    at = stage(at, h, s == 0 ? guess : VectorXd(h * at.velocity));
    lambda += lengths_[s] * at.lambda;
    iterations += at.newton_iterations;
  }
  at.time = options_.step * static_cast<double>(++steps_);
  at.lambda = lambda;
  at.newton_iterations = iterations;
  node_ = at;
  return node_;
} catch (const NewtonFailure& failure) {
  throw StepFailure(steps_, failure.reason);
}

}  // namespace livens::reference
