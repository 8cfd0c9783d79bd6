#pragma once
// Consistent initial states (contract, section 2): the M-nearest q with g(q) = 0, then the velocity projected
// M-orthogonally onto G(q) v = 0, or A(q) v + b(q) = 0. One instance at a time; done once per instance.

#include "kernels/newton/scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// The metric of the projection: M where it has an inverse, else the identity.
template <class System>
LIVENS_HD double metric_entry(const System& system, const Vec<double, System::coordinates>& q, int i, int j) {
  const auto M = inertia_at(system, q);
  if constexpr (requires { M.solve(q); })
    return M.entry(i, j);
  else
    return i == j ? 1.0 : 0.0;
}

/// Entry (i, j) of D^2 g_k at a place.
template <class System>
class CurvatureAt {
 public:
  LIVENS_HD CurvatureAt(const System& system, const Vec<double, System::coordinates>& q)
      : value_(system.curvature_at(q)) {}
  LIVENS_HD double operator()(int k, int i, int j) const { return value_(System::coordinates * k + i, j); }

 private:
  Mat<double, System::constraints * System::coordinates, System::coordinates> value_;
};
template <QuadraticConstraints System>
class CurvatureAt<System> {
 public:
  LIVENS_HD CurvatureAt(const System& system, const Vec<double, System::coordinates>&) : system_(system) {}
  LIVENS_HD double operator()(int k, int i, int j) const { return system_.curvature(k, i, j); }

 private:
  const System& system_;
};

/// Newton iterations of a projection. Far from a unit vector's sphere, at |u| = r, an iteration halves r, as
/// that for a square root does; five more converge. So 50 bring back whatever is off by 1e13.
inline constexpr int projection_iterations = 50;

/// Newton's method on the KKT system  M (q - q^) + G(q)^T mu = 0,  g(q) = 0,  with W(mu) in its matrix; M at
/// the given q^.
template <PositionConstraints System>
requires(System::constraints > 0) LIVENS_HD
    bool project_position(const System& system, Vec<double, System::coordinates>& q) {
  constexpr int d = System::coordinates, m = System::constraints, n = d + m;
  const auto given = q;
  Vec<double, m> mu = zero_vector<double, m>();
  for (int iteration = 0; iteration < projection_iterations; ++iteration) {
    const auto g = system.constraints_at(q);
    if (iteration == 0 && norm_inf(g) == 0.0) return true;
    const auto G = system.constraint_jacobian(q);
    const CurvatureAt<System> curvature(system, q);
    double A[n * n], b[n];
    for (int i = 0; i < n * n; ++i) A[i] = 0.0;
    for (int i = 0; i < n; ++i) b[i] = 0.0;
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) {
        const double metric = metric_entry(system, given, i, j);
        b[i] = fma(metric, q[j] - given[j], b[i]);
        A[i * n + j] = metric;
        for (int k = 0; k < m; ++k)
          if (System::curved(k, i, j)) A[i * n + j] = fma(mu[k], curvature(k, i, j), A[i * n + j]);
      }
    for (int k = 0; k < m; ++k) {
      b[d + k] = g[k];
      for (int i = 0; i < d; ++i) {
        if (!System::constrains(k, i)) continue;
        b[i] = fma(G(k, i), mu[k], b[i]);
        A[i * n + d + k] = G(k, i);
        A[(d + k) * n + i] = G(k, i);
      }
    }
    if (!solve_pivoted<n>(A, b)) return false;
    double change = 0.0, size = 0.0;
    for (int i = 0; i < d; ++i) {
      q[i] = q[i] - b[i];
      change = max(abs(b[i]), change);
      size = max(abs(q[i]), size);
    }
    for (int k = 0; k < m; ++k) mu[k] = mu[k] - b[d + k];
    if (!finite(change)) return false;
    if (change <= RoundOff<double>::update * size) return true;
  }
  return false;
}
/// Nothing to project onto. An assembly has its own (kernels/systems/assembly/projection.hpp).
template <class System>
LIVENS_HD bool project_position(const System&, Vec<double, System::coordinates>&) {
  return true;
}

/// The velocity nearest to v^ in the metric with G v = 0: M (v - v^) + G^T mu = 0.
template <PositionConstraints System>
LIVENS_HD bool project_velocity(const System& system, const Vec<double, System::coordinates>& q,
                                Vec<double, System::coordinates>& v) {
  constexpr int d = System::coordinates, m = System::constraints, n = d + m;
  if constexpr (m > 0) {
    const auto G = system.constraint_jacobian(q);
    double A[n * n], b[n];
    for (int i = 0; i < n * n; ++i) A[i] = 0.0;
    for (int i = 0; i < n; ++i) b[i] = 0.0;
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) A[i * n + j] = metric_entry(system, q, i, j);
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < d; ++i) {
        if (!System::constrains(k, i)) continue;
        A[i * n + d + k] = G(k, i);
        A[(d + k) * n + i] = G(k, i);
        b[d + k] = fma(G(k, i), v[i], b[d + k]);
      }
    if (!solve_pivoted<n>(A, b)) return false;
    for (int i = 0; i < d; ++i) v[i] = v[i] - b[i];
  }
  return true;
}
template <ContactSystem System>
LIVENS_HD bool project_velocity(const System& system, const Vec<double, System::coordinates>& q,
                                Vec<double, System::coordinates>& v) {
  v = onto_constraint(system, q, v).v;
  return true;
}

/// True if |g|, and |G v| or |A v + b|, are small enough; false where one is not a number.
template <class System>
LIVENS_HD bool consistent(const System& system, const Vec<double, System::coordinates>& q,
                          const Vec<double, System::coordinates>& v) {
  const auto measured = measure_node(
      system, NodeState<double, System::coordinates>{q, momentum_of(system, q, v), v}, Measuring::all);
  return measured.constraint <= consistent_within && measured.velocity_constraint <= consistent_within;
}

/// Directors of every frame are right-handed: what turns a frame in its own coordinates would turn another one the other
/// way round, and no motion leads from one to the other.
template <class System>
LIVENS_HD bool right_handed(const System&, const Vec<double, System::coordinates>&) {
  return true;
}
template <VectorSystem System>
requires(System::Vectors::frames > 0) LIVENS_HD
    bool right_handed(const System& system, const Vec<double, System::coordinates>& q) {
  using Vectors = typename System::Vectors;
  bool all = true;
  if constexpr (Vectors::dimension == 3) {
    const auto z = system.to_vectors(q, q).z;
    unroll<Vectors::frames>([&](auto f) {
      constexpr int b = Vectors::first_frame + 3 * f.value;
      all = all && !(dot(cross(block<b>(z), block<b + 1>(z)), block<b + 2>(z)) <= 0.0);
    });
  }
  return all;
}

/// Makes q, v consistent as asked; ok or inconsistent_initial.
template <class System>
LIVENS_HD Status make_consistent(const System& system, Consistency consistency,
                                 Vec<double, System::coordinates>& q, Vec<double, System::coordinates>& v) {
  if (!right_handed(system, q)) return Status::inconsistent_initial;
  if (consistency == Consistency::keep) return Status::ok;
  if (consistency == Consistency::require)
    return consistent(system, q, v) ? Status::ok : Status::inconsistent_initial;
  if (!project_position(system, q) || !project_velocity(system, q, v)) return Status::inconsistent_initial;
  return consistent(system, q, v) ? Status::ok : Status::inconsistent_initial;
}

}  // namespace livens::inline LIVENS_ISA
