#pragma once
// The states of a mechanism of any kind (systems/shared/general.hpp): measured at a time, and made consistent.
// Those that have no time of their own are those of t = 0.

#include "kernels/stepping/projection.hpp"
#include "kernels/systems/shared/general.hpp"
#include "kernels/systems/shared/lifted.hpp"

namespace livens::inline LIVENS_ISA {

/// measure_node() at a time. The energy is p.v - L = 1/2 v.M v - c + V, and T + V has a.v + 2 c beside that.
template <GeneralTerms System, class Scalar, int D>
LIVENS_HD Measured<Scalar, System::momentum_maps> measure_node_at(const System& system,
                                                                  const NodeState<Scalar, D>& n,
                                                                  const Scalar& t, Measuring what) {
  Measured<Scalar, System::momentum_maps> r{};
  r.kinetic = kinetic_at(system, n.q, n.v, t);
  r.energy = r.kinetic + system.potential(n.q, t);
  r.total_energy = lagrangian_kinetic(system, n.q, n.v, t) + system.potential(n.q, t);
  if (what == Measuring::energies) return r;
  if constexpr (System::position_rows > 0) r.constraint = norm_inf(positions_at(system, n.q, t));
  r.velocity_constraint = norm_inf(rates_at(system, n.q, n.v, t));
  r.momentum = system.momentum_map(n.q, n.p);
  return r;
}

template <GeneralSystem System, class Position>
LIVENS_HD Position momentum_of(const System& system, const Position& q, const Position& v) {
  return momentum_at(system, q, v, typename System::Scalar(0.0));
}
template <GeneralSystem System, class Position>
LIVENS_HD Position velocity_of(const System& system, const Position& q, const Position& p) {
  return velocity_at(system, q, p, typename System::Scalar(0.0));
}
template <GeneralSystem System, class Scalar, int D>
LIVENS_HD Measured<Scalar, System::momentum_maps> measure_node(const System& system,
                                                               const NodeState<Scalar, D>& n,
                                                               Measuring what) {
  return measure_node_at(system, n, Scalar(0.0), what);
}

template <Sampled quantity, GeneralSystem System, class Scalar, int D, int S>
LIVENS_HD auto value_at(const System& system, const NodeState<Scalar, D>& n, const Scalar& t,
                        const Measured<Scalar, S>& measured) {
  if constexpr (quantity == Sampled::energy) {
    return measured.energy;
  } else if constexpr (quantity == Sampled::kinetic_energy) {
    return lagrangian_kinetic(system, n.q, n.v, t);
  } else if constexpr (quantity == Sampled::potential_energy) {
    return system.potential(n.q, t);
  } else if constexpr (quantity == Sampled::total_energy) {
    return measured.total_energy;
  } else if constexpr (quantity == Sampled::q) {
    return n.q;
  } else if constexpr (quantity == Sampled::v) {
    return n.v;
  } else if constexpr (quantity == Sampled::p) {
    return n.p;
  } else if constexpr (quantity == Sampled::momentum) {
    return measured.momentum;
  } else if constexpr (quantity == Sampled::constraint) {  // without rows of velocities
    return positions_at(system, n.q, t);
  } else if constexpr (quantity == Sampled::velocity_constraint) {
    return rates_at(system, n.q, n.v, t);
  } else if constexpr (quantity == Sampled::own) {
    return system.sampled(n, t);
  }
}

/// The metric of a projection: M where it has an inverse, else the identity.
template <class Inertia>
LIVENS_HD double general_metric(const Inertia& M, int i, int j) {
  if constexpr (requires { M.solve(Vec<double, Inertia::size>{}); })
    return M.entry(i, j);
  else
    return i == j ? 1.0 : 0.0;
}

/// M (q - q^) + G^T mu = 0, g(q, 0) = 0, as for any system; D_q (G^T mu) by dual numbers.
template <GeneralSystem System>
LIVENS_HD bool project_position(const System& system, Vec<double, System::coordinates>& q) {
  constexpr int d = System::coordinates, m = System::position_rows, n = d + m;
  if constexpr (m > 0) {
    using D = Dual<d, double>;
    const auto given = q;
    const auto M = inertia_at(system, given, 0.0);
    Vec<double, m> mu = zero_vector<double, m>();
    for (int iteration = 0; iteration < projection_iterations; ++iteration) {
      const auto g = system.constraints_at(q, 0.0);
      if (iteration == 0 && norm_inf(g) == 0.0) return true;
      const auto G = system.constraint_jacobian(variables<D>(q), 0.0);
      double A[n * n], b[n];
      for (double& entry : A) entry = 0.0;
      for (double& entry : b) entry = 0.0;
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
          const double metric = general_metric(M, i, j);
          b[i] = fma(metric, q[j] - given[j], b[i]);
          A[i * n + j] = metric;
          for (int k = 0; k < m; ++k) A[i * n + j] = fma(mu[k], D(G(k, i)).partial[j], A[i * n + j]);
        }
      for (int k = 0; k < m; ++k) {
        b[d + k] = g[k];
        for (int i = 0; i < d; ++i) {
          const double entry = D(G(k, i)).value;
          b[i] = fma(entry, mu[k], b[i]);
          A[i * n + d + k] = A[(d + k) * n + i] = entry;
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
  } else {
    return true;
  }
}

/// The velocity nearest to v^ in the metric with G v + g_t = 0 and A v + b = 0.
template <GeneralSystem System>
LIVENS_HD bool project_velocity(const System& system, const Vec<double, System::coordinates>& q,
                                Vec<double, System::coordinates>& v) {
  constexpr int d = System::coordinates, m = System::constraints, n = d + m;
  if constexpr (m > 0) {
    const auto M = inertia_at(system, q, 0.0);
    const auto rates = rates_at(system, q, v, 0.0);
    double A[n * n], b[n];
    for (double& entry : A) entry = 0.0;
    for (double& entry : b) entry = 0.0;
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) A[i * n + j] = general_metric(M, i, j);
    const auto set_row = [&](int k, int i, double entry) { A[i * n + d + k] = A[(d + k) * n + i] = entry; };
    if constexpr (System::position_rows > 0) {
      const auto G = system.constraint_jacobian(q, 0.0);
      for (int k = 0; k < System::position_rows; ++k)
        for (int i = 0; i < d; ++i) set_row(k, i, G(k, i));
    }
    if constexpr (System::velocity_rows > 0) {
      const auto A_q = system.rate_matrix(q, 0.0);
      for (int k = 0; k < System::velocity_rows; ++k)
        for (int i = 0; i < d; ++i) set_row(System::position_rows + k, i, A_q(k, i));
    }
    for (int k = 0; k < m; ++k) b[d + k] = rates[k];
    if (!solve_pivoted<n>(A, b)) return false;
    for (int i = 0; i < d; ++i) v[i] = v[i] - b[i];
  }
  return true;
}

}  // namespace livens::inline LIVENS_ISA
