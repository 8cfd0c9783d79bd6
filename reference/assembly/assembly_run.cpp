// An assembly as a run of the reference: what stands at its nodes (docs/equations/assembly.md, section 7).
//   (a)  p = c, the momentum to the left of the node;  v = P (P^T M P)^-1 P^T c, at node 0 as given
//   (b)  the energy is that of the step that led there, at node 0 that of q and v

#include <Eigen/Cholesky>

#include "../condition.hpp"
#include "../run.hpp"
#include "assembly_integrator.hpp"
#include "reparametrisation.hpp"

namespace livens::reference {
namespace {

class AssemblyRun : public Run {
 public:
  AssemblyRun(const Assembly& assembly, const AssemblyOptions& options, const State& initial)
      : integrator_(assembly, options, initial), reparametrisation_(assembly) {
    measure();
  }

  const Node& node() const override { return node_; }

  const Node& advance() override {
    integrator_.advance();
    measure();
    return node_;
  }

  /// Of P^T (M + h^2/4 D^2 V(um)) P in unknowns of which each has the diagonal entry one. The updates of Du
  /// are its solutions in the multiplier form, too, whose Lambda P^T takes away.
  double condition() const override {
    const AssemblyNode& at = integrator_.node();
    if (at.length == 0.0) return 1.0;
    const VectorXd Du = at.length * at.velocity, u0 = at.q - Du;
    const AssembledStep step{system(), at.length, at.length, u0, {}, {}};
    const MatrixXd P = reparametrisation_.null_space(u0), A = P.transpose() * (step.stiffness(Du) * P);
    const VectorXd unit = A.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
    return condition_of(unit.asDiagonal() * A * unit.asDiagonal());
  }

 private:
  const AssembledSystem& system() const { return integrator_.system(); }

  VectorXd node_velocity(const AssemblyNode& at) const {
    if (at.length == 0.0) return at.velocity;
    const MatrixXd P = reparametrisation_.null_space(at.q), PtMP = P.transpose() * (system().mass() * P);
    return P * PtMP.ldlt().solve(P.transpose() * at.momentum);  // (a)
  }

  void measure() {
    const AssemblyNode& at = integrator_.node();
    const VectorXd none = VectorXd::Constant(system().constraints(), absent);
    node_.time = at.time;
    node_.q = at.q;
    node_.p = at.momentum;
    node_.v = node_velocity(at);
    node_.lambda = at.length == 0.0 ? none : at.lambda;
    node_.gamma = none;
    node_.energy = node_.total_energy = at.energy;  // (b)
    node_.kinetic_energy = 0.5 * node_.v.dot(system().mass() * node_.v);
    node_.potential_energy = system().potential(at.q);
    node_.potential_scale = node_.potential_energy + system().assembly().energy_of_loads;
    node_.z = absent;
    node_.constraints = system().constraint(at.q);
    node_.rates = system().constraint_jacobian(at.q) * node_.v;
    node_.constraint = node_.constraints.lpNorm<Eigen::Infinity>();
    node_.velocity_constraint = node_.rates.lpNorm<Eigen::Infinity>();
    node_.momentum = system().angular_momentum(at.q, at.momentum);
    node_.work = at.work;
    node_.newton_iterations = at.newton_iterations;
  }

  AssemblyIntegrator integrator_;
  Reparametrisation reparametrisation_;
  Node node_;
};

}  // namespace

std::unique_ptr<Run> begin(const AssembledSystem& system, const Scheme& scheme, const Options& options,
                           const State& initial) {
  return std::make_unique<AssemblyRun>(
      system.assembly(), AssemblyOptions{scheme.name, options.step, options.max_iterations, options.order},
      initial);
}

}  // namespace livens::reference
