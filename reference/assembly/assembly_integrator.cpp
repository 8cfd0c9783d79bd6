#include "assembly_integrator.hpp"

#include "../newton.hpp"

namespace livens::reference {

static std::unique_ptr<AssembledSolver> make_solver(const Assembly& assembly,
                                                    const AssemblyOptions& options) {
  if (options.scheme == "del_multiplier") return assembled_multiplier_form(options.max_iterations);
  if (options.scheme == "del_nullspace") return assembled_null_space_form(assembly, options.max_iterations);
  throw std::invalid_argument("an assembly has del_multiplier and del_nullspace, not " + options.scheme);
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
    : system_(assembly), options_(options), solver_(make_solver(assembly, options)) {
  if (!(options.step > 0.0)) throw std::invalid_argument("the step of an assembly is positive");
  if (initial.q.size() != system_.coordinates() || initial.v.size() != system_.coordinates()) {
    throw std::invalid_argument("a state of an assembly has 12 coordinates a body");
  }
  node_.q = initial.q;
  node_.momentum = system_.mass() * initial.v;
  node_.energy = 0.5 * initial.v.dot(node_.momentum) + system_.potential(initial.q);
  guess_ = options.step * initial.v;
}

const AssemblyNode& AssemblyIntegrator::advance() { return advance(guess_); }

const AssemblyNode& AssemblyIntegrator::advance(const VectorXd& guess) try {
  const bool first = steps_ == 0;
  const double h = options_.step;
  const VectorXd impulse = 0.5 * h * system_.load(node_.time + 0.5 * h);
  AssembledStep step{system_, h, first ? 0.5 * h : h, node_.q, node_.momentum, impulse};
  if (first && !options_.load_in_start) step.F.setZero();

  const AssembledRoot root = solver_->solve(step, guess);
  const VectorXd u1 = step.u0 + root.Du;
  if (!keeps_directors(step.u0, u1)) throw NewtonFailure{Failure::wrong_branch};

  const VectorXd um = step.middle(root.Du), vm = root.Du / h, pm = system_.mass() * vm;
  node_ = {.time = h * static_cast<double>(++steps_),
           .q = u1,
           .momentum = pm - 0.5 * h * system_.potential_gradient(um) + impulse,  // (c)
           .increment = root.Du,
           .lambda = root.lambda,
           .energy = 0.5 * vm.dot(pm) + system_.potential(um),
           .newton_iterations = root.iterations};
  guess_ = root.Du;
  return node_;
} catch (const NewtonFailure& failure) {
  throw StepFailure(steps_, failure.reason);
}

}  // namespace livens::reference
