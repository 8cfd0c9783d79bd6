#pragma once
// What an assembly comes to: a constant mass matrix, an elastic energy, constraints, a load. n coordinates,
// m constraints. The formulas stand in assembled_system.cpp, and in docs/equations/assembly.md.

#include <Eigen/SparseCore>

#include "../reference.hpp"
#include "quadratic.hpp"

namespace livens::reference {

class AssembledSystem {
 public:
  /// Throws std::invalid_argument for a part that names a body there is not, an element without length or a
  /// load whose history is empty or not in the order of time.
  explicit AssembledSystem(const Assembly& assembly);

  const Assembly& assembly() const { return assembly_; }
  Eigen::Index coordinates() const { return mass_.rows(); }
  Eigen::Index constraints() const { return static_cast<Eigen::Index>(constraints_.size()); }

  /// Where the assembly stands undeformed, n entries.
  const VectorXd& assembled() const { return assembled_; }

  /// M, n x n; singular where there are nodes of beams, whose d3 has no inertia.
  const Eigen::SparseMatrix<double>& mass() const { return mass_; }

  /// V(q) in J, DV(q) and D^2 V(q), n and n x n. The pattern of the Hessian is the same for every q.
  double potential(const VectorXd& q) const;
  VectorXd potential_gradient(const VectorXd& q) const;
  Eigen::SparseMatrix<double> potential_hessian(const VectorXd& q) const;

  /// g(q), m entries, and G(q) = Dg(q), m x n, whose pattern is the same for every q.
  VectorXd constraint(const VectorXd& q) const;
  Eigen::SparseMatrix<double> constraint_jacobian(const VectorXd& q) const;

  /// sum of mu_k D^2 g_k, n x n: constant, for constraints are quadratic.
  Eigen::SparseMatrix<double> constraint_hessian(const VectorXd& mu) const;

  /// F(t), n entries.
  VectorXd load(double t) const;

  /// The angular momentum about each of the assembly's axes: that of the sum of u_k x p_k over points and
  /// directors.
  VectorXd angular_momentum(const VectorXd& q, const VectorXd& p) const;

 private:
  struct Strain {
    double stiffness;  // V = 1/2 sum of stiffness s(q)^2
    Quadratic s;
  };

  void add_beam(const Assembly& assembly, const BeamElement& element);
  void add_frame(int body);
  void add_joint(const Joint& joint);

  Assembly assembly_;
  VectorXd assembled_;
  Eigen::SparseMatrix<double> mass_;
  std::vector<Strain> strains_;
  std::vector<Quadratic> constraints_;
};

/// At rest as assembled.
State initial_state(const AssembledSystem& system);

/// M; the place does not matter.
MatrixXd mass_matrix(const AssembledSystem& system, const VectorXd& q);

/// The metric that lengths are measured with: the identity, for M need not have an inverse.
MatrixXd metric(const AssembledSystem& system, const VectorXd& q);

/// The nearest position with g(q) = 0. Throws NewtonFailure.
VectorXd project_position(const AssembledSystem& system, const VectorXd& q);

/// The nearest velocity with G(q) v = 0.
VectorXd project_velocity(const AssembledSystem& system, const VectorXd& q, const VectorXd& v);

}  // namespace livens::reference
