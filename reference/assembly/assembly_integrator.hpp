#pragma once
// An assembly on its way from node to node, by equations (a) to (c) of assembled_step.hpp.

#include "../reference.hpp"
#include "assembled_step.hpp"

namespace livens::reference {

struct AssemblyOptions {
  std::string scheme;  // del_multiplier or del_nullspace
  double step;         // h, in s
  int max_iterations = 25;
  int order = 0;  // 4, 6 or 8 by symmetric composition (composition.hpp); 0: the scheme's own
};

/// The values at the time n h, and of the step that ended there; of a composed one those of its last stage,
/// but for lambda, the mean over its stages with their lengths as weights, and the iterations, their sum.
struct AssemblyNode {
  double time = 0.0;
  VectorXd q;                 // u, n entries
  VectorXd momentum;          // c, to the left of the node
  VectorXd velocity;          // Du/h of the step; at node 0 as given
  double length = 0.0;        // its h, in s; 0 at node 0
  VectorXd lambda;            // m entries; none at node 0
  double energy = 0.0;        // 1/2 Du.M Du/h^2 + V(um) of the step, in J
  double work = 0.0;          // of the loads since node 0, F(tm).Du a step, in J
  int newton_iterations = 0;  // linear systems solved in it
};

/// The guard against roots that no motion has, as in the paper's example 3.1: they reverse directors. None
/// may turn by 60 degrees or more in a step, d_i(u1).d_i(u0) > 1/2. A law of this project, not of the paper.
bool keeps_directors(const VectorXd& u0, const VectorXd& u1);

class AssemblyIntegrator {
 public:
  /// `initial` is on the constraints, its velocity tangential; both are taken as they are. Throws
  /// std::invalid_argument for a scheme that is unknown or runs no assemblies, an order that there is not, a
  /// step that is not positive or a state of the wrong size.
  AssemblyIntegrator(const Assembly& assembly, const AssemblyOptions& options, const State& initial);

  const AssembledSystem& system() const { return system_; }
  const AssemblyNode& node() const { return node_; }

  /// To the next node; Newton's method starts from the velocity of the step before. Throws StepFailure and
  /// then stays at its node.
  const AssemblyNode& advance();

  /// The same from an increment given.
  const AssemblyNode& advance(const VectorXd& guess);

 private:
  AssemblyNode stage(const AssemblyNode& from, double h, const VectorXd& guess) const;

  AssembledSystem system_;
  AssemblyOptions options_;
  std::unique_ptr<AssembledSolver> solver_;
  std::vector<double> lengths_;  // of the stages, in steps
  AssemblyNode node_;
  long steps_ = 0;
};

}  // namespace livens::reference
