// Directors and geometrically exact beams after the paper gamma-convergence-constrained, section 4.2, which
// leaves the formulas to Betsch and Steinmann 2002. In full, with what was inferred:
// docs/equations/assembly.md. Body b: q_b = (phi, d1, d2, d3).
//   (a)  T = 1/2 sum of m |phi'|^2 + E_i |d_i'|^2
//   (b)  beam, linear between two nodes: line masses (A rho, M1, M2, 0) of (phi, d1, d2, d3), consistent
//   (c)  Gamma_i = d_i.phi' - delta_i3,  K_i = 1/2 (d_k.d_j' - d_j.d_k'),  (i, j, k) cyclic, ' along the beam
//   (d)  V = le/2 [GA (Gamma_1^2 + Gamma_2^2) + EA Gamma_3^2 + EI1 K_1^2 + EI2 K_2^2 + GJ K_3^2]
//        of the middle
//
//   (e)  (d_i.d_i - 1)/2 = 0,  d_i.d_j = 0
//
//   (f)  joint: difference of two places = 0; with an axis n of one body also n.d_j = 0 for the other's d_j

#include "assembled_system.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>

namespace livens::reference {

using Triplets = std::vector<Eigen::Triplet<double>>;

static Eigen::SparseMatrix<double> sparse(Eigen::Index rows, Eigen::Index columns, const Triplets& entries) {
  Eigen::SparseMatrix<double> result(rows, columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// M of (a) and (b).
static Eigen::SparseMatrix<double> assembled_mass(const Assembly& assembly) {
  Triplets entries;
  const auto couple = [&](int a, int b, const Eigen::Vector4d& weights) {  // of phi, d1, d2, d3
    for (int k = 0; k < 12; ++k) {
      if (weights[k / 3] != 0.0) entries.emplace_back(12 * a + k, 12 * b + k, weights[k / 3]);
    }
  };
  for (int body = 0; body < static_cast<int>(assembly.bodies.size()); ++body) {
    const auto& [phi, d, mass, E] = assembly.bodies[body];
    couple(body, body, {mass, E[0], E[1], E[2]});
  }
  for (const auto& [start, end, section] : assembly.elements) {
    const double le = (assembly.bodies[end].position - assembly.bodies[start].position).norm();
    const Eigen::Vector4d line{section.line_mass, section.line_inertia_1, section.line_inertia_2, 0.0};
    couple(start, start, le / 3.0 * line);
    couple(end, end, le / 3.0 * line);
    couple(start, end, le / 6.0 * line);
    couple(end, start, le / 6.0 * line);
  }
  const auto n = static_cast<Eigen::Index>(12 * assembly.bodies.size());
  return sparse(n, n, entries);
}

/// Throws for parts that do not fit together.
static void check(const Assembly& assembly) {
  const auto expect = [](bool holds, const std::string& otherwise) {
    if (!holds) throw std::invalid_argument("assembly: " + otherwise);
  };
  const auto is_body = [&](int body) { return body >= 0 && body < static_cast<int>(assembly.bodies.size()); };
  for (const auto& [start, end, section] : assembly.elements) {
    expect(is_body(start) && is_body(end), "a beam element ends at a body that is not there");
    expect(assembly.bodies[start].position != assembly.bodies[end].position, "a beam element without length");
  }
  for (const auto& [on, of, axis] : assembly.joints) {
    expect(on.body == ground || is_body(on.body), "a joint on a body that is not there");
    expect(is_body(of.body) && of.body != on.body, "a joint of a body that is not there, or with itself");
    expect(!axis || (*axis >= 0 && *axis < 3), "the axis of a joint is director 0, 1 or 2");
  }
  for (const auto& [body, direction, history] : assembly.loads) {
    expect(is_body(body), "a load on a body that is not there");
    expect(!history.empty() && std::is_sorted(history.begin(), history.end()),
           "the history of a load is empty or not in the order of time");
  }
}

AssembledSystem::AssembledSystem(const Assembly& assembly)
    : assembly_(assembly), assembled_(12 * assembly.bodies.size()) {
  check(assembly);
  mass_ = assembled_mass(assembly);
  for (std::size_t body = 0; body < assembly.bodies.size(); ++body) {
    assembled_.segment<12>(12 * body) << assembly.bodies[body].position,
        assembly.bodies[body].directors.reshaped();
    add_frame(static_cast<int>(body));
  }
  for (const BeamElement& element : assembly.elements) add_beam(assembly, element);
  for (const Joint& joint : assembly.joints) add_joint(joint);
}

void AssembledSystem::add_frame(int body) {  // (e)
  const auto d = [=](int i) { return director(body, i); };
  for (int i = 0; i < 3; ++i) constraints_.push_back(dot({{0.5 * d(i), d(i)}}, 0.5));
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) constraints_.push_back(dot({{d(i), d(j)}}, 0.0));
  }
}

void AssembledSystem::add_joint(const Joint& joint) {  // (f)
  const SpatialVector gap = point(joint.of) - point(joint.on);
  for (int k = 0; k < 3; ++k) constraints_.push_back(dot({{{Vector3d::Unit(k), {}}, gap}}, 0.0));
  if (!joint.axis) return;
  for (int j = 0; j < 3; ++j) {
    if (j == *joint.axis) continue;
    constraints_.push_back(dot({{director(joint.on.body, *joint.axis), director(joint.of.body, j)}}, 0.0));
  }
}

void AssembledSystem::add_beam(const Assembly& assembly, const BeamElement& element) {
  const auto& [a, b, section] = element;
  const double le = (assembly.bodies[b].position - assembly.bodies[a].position).norm();
  const SpatialVector Dphi = 1.0 / le * (position(b) - position(a));
  std::vector<SpatialVector> d, Dd;  // in the middle
  for (int i = 0; i < 3; ++i) {
    d.push_back(0.5 * (director(a, i) + director(b, i)));
    Dd.push_back(1.0 / le * (director(b, i) - director(a, i)));
  }
  const double force[] = {section.shear_stiffness, section.shear_stiffness, section.axial_stiffness};
  const double moment[] = {section.bending_stiffness_1, section.bending_stiffness_2,
                           section.torsional_stiffness};
  for (int i = 0; i < 3; ++i) {  // (c), (d)
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    strains_.push_back({le * force[i], dot({{d[i], Dphi}}, i == 2 ? 1.0 : 0.0)});
    strains_.push_back({le * moment[i], dot({{0.5 * d[k], Dd[j]}, {-0.5 * d[j], Dd[k]}}, 0.0)});
  }
}

double AssembledSystem::potential(const VectorXd& q) const {
  double V = 0.0;
  for (const auto& [stiffness, s] : strains_) V += 0.5 * stiffness * s.at(q) * s.at(q);
  return V;
}

VectorXd AssembledSystem::potential_gradient(const VectorXd& q) const {
  VectorXd DV = VectorXd::Zero(coordinates());
  for (const auto& [stiffness, s] : strains_) DV(s.variables) += stiffness * s.at(q) * s.gradient(q);
  return DV;
}

Eigen::SparseMatrix<double> AssembledSystem::potential_hessian(const VectorXd& q) const {
  Triplets entries;
  for (const auto& [stiffness, s] : strains_) {
    const VectorXd Ds = s.gradient(q);
    const MatrixXd K = stiffness * (Ds * Ds.transpose() + s.at(q) * s.A);
    for (Eigen::Index i = 0; i < K.rows(); ++i) {
      for (Eigen::Index j = 0; j < K.cols(); ++j) {
        entries.emplace_back(s.variables[i], s.variables[j], K(i, j));
      }
    }
  }
  return sparse(coordinates(), coordinates(), entries);
}

VectorXd AssembledSystem::constraint(const VectorXd& q) const {
  VectorXd g(constraints());
  for (Eigen::Index i = 0; i < g.size(); ++i) g[i] = constraints_[i].at(q);
  return g;
}

Eigen::SparseMatrix<double> AssembledSystem::constraint_jacobian(const VectorXd& q) const {
  Triplets entries;
  for (Eigen::Index i = 0; i < constraints(); ++i) {
    const VectorXd Dg = constraints_[i].gradient(q);
    for (Eigen::Index j = 0; j < Dg.size(); ++j) entries.emplace_back(i, constraints_[i].variables[j], Dg[j]);
  }
  return sparse(constraints(), coordinates(), entries);
}

Eigen::SparseMatrix<double> AssembledSystem::constraint_hessian(const VectorXd& mu) const {
  Triplets entries;
  for (Eigen::Index k = 0; k < constraints(); ++k) {
    const auto& [variables, A, b, c] = constraints_[k];
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        entries.emplace_back(variables[i], variables[j], mu[k] * A(i, j));
    }
  }
  return sparse(coordinates(), coordinates(), entries);
}

VectorXd AssembledSystem::load(double t) const {
  VectorXd F = VectorXd::Zero(coordinates());
  for (const auto& [body, direction, history] : assembly_.loads) {
    const auto next =
        std::find_if(history.begin(), history.end(), [&](const auto& at) { return at.first > t; });
    double size = 0.0;
    if (next == history.begin()) {
      size = history.front().second;
    } else if (next == history.end()) {
      size = history.back().second;
    } else {
      const auto& [t0, F0] = *(next - 1);
      const auto& [t1, F1] = *next;
      size = F0 + (F1 - F0) * (t - t0) / (t1 - t0);
    }
    F.segment<3>(12 * body) += size * direction;
  }
  return F;
}

VectorXd AssembledSystem::angular_momentum(const VectorXd& q, const VectorXd& p) const {
  Vector3d L = Vector3d::Zero();
  for (Eigen::Index k = 0; k < q.size(); k += 3) L += q.segment<3>(k).cross(p.segment<3>(k));
  VectorXd about(assembly_.axes.size());
  for (Eigen::Index i = 0; i < about.size(); ++i) about[i] = L.dot(assembly_.axes[i]);
  return about;
}

State initial_state(const AssembledSystem& system) {
  return {system.assembled(), VectorXd::Zero(system.coordinates())};
}

MatrixXd mass_matrix(const AssembledSystem& system, const VectorXd&) { return system.mass(); }

MatrixXd metric(const AssembledSystem& system, const VectorXd&) {
  return MatrixXd::Identity(system.coordinates(), system.coordinates());
}

}  // namespace livens::reference
