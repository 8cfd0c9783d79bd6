#pragma once
// An assembly on its way from node to node, by equations (a) to (c) of assembled_step.hpp.

#include "../reference.hpp"
#include "assembled_step.hpp"

namespace livens::reference {

struct AssemblyOptions {
  std::string scheme;         // del_multiplier or del_nullspace
  double step;                // h, in s
  bool load_in_start = true;  // false: (15) as printed
  int max_iterations = 25;
};

/// The values at the time n h, and of the step that ended there.
struct AssemblyNode {
  double time = 0.0;
  VectorXd q;                 // u, n entries
  VectorXd momentum;          // c, to the left of the node
  VectorXd increment;         // u_n - u_n-1
  VectorXd lambda;            // m entries; none at node 0
  double energy = 0.0;        // 1/2 Du.M Du/h^2 + V(um) of the step, in J
  int newton_iterations = 0;  // linear systems solved in it
};

/// The guard against roots that no motion has, as in the paper's example 3.1: they reverse directors. None
/// may turn by 60 degrees or more in a step, d_i(u1).d_i(u0) > 1/2. A law of this project, not of the paper.
bool keeps_directors(const VectorXd& u0, const VectorXd& u1);

class AssemblyIntegrator {
 public:
  /// `initial` is on the constraints, its velocity tangential; both are taken as they are. Throws
  /// std::invalid_argument for an unknown scheme, a step that is not positive or a state of the wrong size.
  AssemblyIntegrator(const Assembly& assembly, const AssemblyOptions& options, const State& initial);

  const AssembledSystem& system() const { return system_; }
  const AssemblyNode& node() const { return node_; }

  /// To the next node; Newton's method starts from the increment of the step before. Throws StepFailure and
  /// then stays at its node.
  const AssemblyNode& advance();

  /// The same from an increment given.
  const AssemblyNode& advance(const VectorXd& guess);

 private:
  AssembledSystem system_;
  AssemblyOptions options_;
  std::unique_ptr<AssembledSolver> solver_;
  AssemblyNode node_;
  VectorXd guess_;
  long steps_ = 0;
};

}  // namespace livens::reference
