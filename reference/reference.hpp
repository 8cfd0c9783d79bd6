#pragma once
// The reference: every system and scheme straight from the papers, with dynamic sizes, the unknowns as
// printed and Jacobians by automatic differentiation. It shares no line with the fast kernels, which is
// what makes agreement between the two evidence. SI units throughout; d coordinates, m constraints. A model
// is a system of formulas or an assembly of parts.

#include <Eigen/Core>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace livens::reference {

using Eigen::VectorXd;

class TextSystem;

/// A system, or an assembly, by name; parameters left out take their defaults.
struct Model {
  std::string system;
  std::map<std::string, std::vector<double>> parameters;
  std::shared_ptr<const TextSystem> text = nullptr;  // the system itself, where a text says what it is
};

struct State {
  VectorXd q, v;  // d entries each
};

struct Options {
  std::string scheme;
  double step = 0.0;       // h, in s
  double tolerance = 0.0;  // infinity norm of the scaled residual; 0: to round-off, until Newton's updates
                           // no longer halve; of an assembly always to round-off
  int max_iterations = 25;
  int order = 0;  // 4, 6 or 8 by symmetric composition; 0: the scheme's own
  std::map<std::string, std::variant<double, std::string>> given = {};  // the scheme's own, by name
  int max_impacts = 32;  // on a wall in one step, before the mechanism rests there

  /// The number, or word, of that name; `standard` where it is not given.
  double number(const std::string& name, double standard) const;
  std::string word(const std::string& name, const std::string& standard) const;
};

/// The quantities measured at the time n h. Entries a scheme or system does not have are NaN (z, lambda,
/// gamma) or zero (the rest).
struct Node {
  double time = 0.0;
  VectorXd q, p, v;               // d
  VectorXd lambda, gamma;         // m, unscaled, of the step that ends here; NaN at node 0 and after a
                                  // naive start; of a composed step the weighted means of its stages
  double energy = 0.0;            // p.v - L with v = M^-1 (p - a), livens its own; of an assembly in its run
  double total_energy = 0.0;      // T + V, J
  double kinetic_energy = 0.0;    // T(q,v,t), J
  double potential_energy = 0.0;  // V(q,t), J
  double potential_scale = 0.0;   // sum of |V_k(q)|, J; of an assembly V(q) and what its loads bring
  double z = 0.0;                 // action variable of the contact schemes, J s
  double constraint = 0.0;        // infinity norm of g(q,t)
  double velocity_constraint = 0.0;    // infinity norm of the rates
  double redundant_constraints = 0.0;  // infinity norm of the rows of g that were dropped
  VectorXd constraints;                // g(q,t); no entries for constraints on the velocity alone
  VectorXd rates;                      // G v + g_t, then A v + b
  VectorXd momentum;                   // conserved maps J(q,p)
  VectorXd own;                        // what the system has of its own at a node
  double dissipated = 0.0;             // J, since node 0
  double work = 0.0;                   // J, since node 0: of forces, of rows that move, of what depends on t
  int newton_iterations = 0;           // linear systems solved in the step that ends here
  std::vector<std::vector<double>> impacts;  // times of the impacts on every wall, s
};

enum class Failure {
  newton_diverged,
  singular_matrix,
  not_finite,
  wrong_branch,
  zeno,
  inconsistent_initial,
  invalid_parameter
};

/// The step from node `step` to the next has no acceptable solution.
class StepFailure : public std::runtime_error {
 public:
  StepFailure(long step, Failure reason);
  long step;
  Failure reason;
};

std::vector<std::string> systems();  // of formulas
std::vector<std::string> assemblies();
std::vector<std::string> schemes();

/// True where the system offers what the scheme needs. Throws std::invalid_argument for an unknown name.
bool applicable(const Model& model, const std::string& scheme);

/// The system's own initial state, from its parameters; not projected.
State default_state(const Model& model);

/// M(q), d x d, at the start: p = M v, or M v + a(q).
Eigen::MatrixXd mass(const Model& model, const VectorXd& q);

/// The nearest consistent state at the start: q minimises 1/2 |q - q_given|_M^2 on g = 0, then v is projected
/// M-orthogonally onto G v + g_t = 0, A v + b = 0. Throws StepFailure (step 0) where Newton's method finds
/// none.
State project(const Model& model, const State& given);

class Run;

/// One instance on its way from node to node.
class Trajectory {
 public:
  virtual ~Trajectory() = default;
  virtual const Node& node() const = 0;

  /// To the next node. Throws StepFailure and then stays at its node.
  virtual const Node& advance() = 0;
  /// Where steps of these lengths (s) would lead from this node in place of the next one; nothing of an assembly.
  /// Throws StepFailure.
  virtual std::optional<Node> after(const std::vector<double>&) const { return std::nullopt; }
  /// What the next step begins with: q, and p and v as the scheme keeps them, 3d numbers. Nothing of an assembly.
  virtual VectorXd handed_on() const { return {}; }
  /// One at this node that goes on from that moved by so much. Throws StepFailure. Null of an assembly.
  virtual std::unique_ptr<Trajectory> moved(const VectorXd&) const { return nullptr; }
};

/// Integrates one instance with a scheme, a step at a time.
class Integrator : public Trajectory {
 public:
  /// `initial` is taken as it is; project() makes it consistent. Throws std::invalid_argument for an
  /// unknown name, a pair that makes no sense, an option or a word that the scheme does not know, a step that
  /// is not positive or a state of the wrong size.
  Integrator(const Model& model, const Options& options, const State& initial);
  Integrator(Integrator&&) noexcept;
  Integrator& operator=(Integrator&&) noexcept;
  ~Integrator() override;

  const Node& node() const override;

  /// A scheme whose momentum at a node needs the step after it (del_*) solves one step ahead, so it fails a
  /// node earlier than one that does not.
  const Node& advance() override;
  std::optional<Node> after(const std::vector<double>& lengths) const override;
  VectorXd handed_on() const override;
  std::unique_ptr<Trajectory> moved(const VectorXd& by) const override;

  /// 2-norm condition number of the last scaled Newton matrix of the step that ended at this node, or of its
  /// last stage.
  double condition() const;

 private:
  std::unique_ptr<Run> run_;
};

/// Largest growth over the run of the distance between two solutions, in the infinity norm of (q, v), that
/// start at the given state and at one displaced by about 1e-8 on the constraint manifold; at least 1.
double growth(const Model& model, const Options& options, const State& initial, int steps);

}  // namespace livens::reference
