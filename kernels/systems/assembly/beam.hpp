#pragma once
// A beam element between two bodies a and b, straight between its nodes, one point of integration in its
// middle. docs/equations/assembly.md, (b) to (d). d_i is the mean of the directors a_i and b_i of a and b:
//   (a) Gamma_i = d_i.phi' - delta_i3,   phi' = (phi_b - phi_a)/le
//       K_i = (a_k.b_j - a_j.b_k)/(2 le),   (i, j, k) cyclic, which is (d_k.d_j' - d_j.d_k')/2
//   (b) V = le/2 [GA (Gamma_1^2 + Gamma_2^2) + EA Gamma_3^2 + EI1 K_1^2 + EI2 K_2^2 + GJ K_3^2]
//   (c) le/6 [2 1; 1 2] (x) diag(A rho, M1, M2, 0) of (phi, d1, d2, d3)

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// A beam's cross-section, in the plane of d1 and d2; d3 is along the beam.
template <class Scalar>
struct Section {
  Vec3<Scalar> force_stiffness;   ///< GA, GA, EA, N
  Vec3<Scalar> moment_stiffness;  ///< EI1, EI2, GJ, N m^2
  Scalar line_mass;               ///< A rho, kg/m
  Vec3<Scalar> line_inertia;      ///< M1, M2, 0 of d1, d2, d3, kg m
};

/// A body's point and directors: its coordinates, a velocity or a momentum.
template <class Scalar>
struct BodyVectors {
  Vec3<Scalar> phi, d[3];
};
template <class Scalar, int N>
LIVENS_HD Vec3<Scalar> vector_at(const Vec<Scalar, N>& x, int first) {
  return {{x[first], x[first + 1], x[first + 2]}};
}
template <class Scalar, int N>
LIVENS_HD void add_vector(Vec<Scalar, N>& x, int first, const Vec3<Scalar>& value) {
  for (int c = 0; c < 3; ++c) x[first + c] = x[first + c] + value[c];
}
template <class Scalar, int N>
LIVENS_HD BodyVectors<Scalar> body_of(const Vec<Scalar, N>& q, int body) {
  return {vector_at(q, 12 * body),
          {vector_at(q, 12 * body + 3), vector_at(q, 12 * body + 6), vector_at(q, 12 * body + 9)}};
}

/// (a), and what its derivatives are made of.
template <class Scalar>
struct Strained {
  BodyVectors<Scalar> a, b;
  Vec3<Scalar> mean[3], slope;  ///< d_i, phi'
  Vec3<Scalar> Gamma, K;

  template <int N>
  LIVENS_HD Strained(const Vec<Scalar, N>& q, int start, int end, const Scalar& per_length)
      : a(body_of(q, start)), b(body_of(q, end)), slope(per_length * (b.phi - a.phi)) {
    for (int i = 0; i < 3; ++i) mean[i] = Scalar(0.5) * (a.d[i] + b.d[i]);
    const Scalar half_per_length = Scalar(0.5) * per_length;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      Gamma[i] = dot(mean[i], slope);
      K[i] = half_per_length * (dot(a.d[k], b.d[j]) - dot(a.d[j], b.d[k]));
    }
    Gamma[2] = Gamma[2] - Scalar(1.0);
  }
};

/// V of (b), J.
template <class Scalar>
LIVENS_HD Scalar strain_energy(const Section<Scalar>& section, const Scalar& length,
                               const Strained<Scalar>& at) {
  Scalar sum = Scalar(0.0);
  for (int i = 0; i < 3; ++i) {
    sum = fma(section.force_stiffness[i] * at.Gamma[i], at.Gamma[i], sum);
    sum = fma(section.moment_stiffness[i] * at.K[i], at.K[i], sum);
  }
  return Scalar(0.5) * length * sum;
}

/// Adds DV to `to`, coordinates of all bodies.
template <class Scalar, int N>
LIVENS_HD void add_strain_force(const Section<Scalar>& section, const Strained<Scalar>& at, int start,
                                int end, Vec<Scalar, N>& to) {
  const Scalar half = Scalar(0.5);
  // le dV/dphi' = le sum n_i d_i, and dphi' = (dphi_b - dphi_a)/le
  Vec3<Scalar> force = zero_vector<Scalar, 3>();
  Vec3<Scalar> on_a[3], on_b[3];
  for (int i = 0; i < 3; ++i) on_a[i] = on_b[i] = zero_vector<Scalar, 3>();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Scalar n = section.force_stiffness[i] * at.Gamma[i];
    const Scalar m = half * (section.moment_stiffness[i] * at.K[i]);
    force = fma(n, at.mean[i], force);
    const Vec3<Scalar> shared = (half * n) * (at.b.phi - at.a.phi);
    on_a[i] = on_a[i] + shared;
    on_b[i] = on_b[i] + shared;
    on_a[k] = fma(m, at.b.d[j], on_a[k]);
    on_a[j] = fnma(m, at.b.d[k], on_a[j]);
    on_b[j] = fma(m, at.a.d[k], on_b[j]);
    on_b[k] = fnma(m, at.a.d[j], on_b[k]);
  }
  add_vector(to, 12 * end, force);
  add_vector(to, 12 * start, Scalar(-1.0) * force);
  for (int i = 0; i < 3; ++i) {
    add_vector(to, 12 * start + 3 + 3 * i, on_a[i]);
    add_vector(to, 12 * end + 3 + 3 * i, on_b[i]);
  }
}

/// Adds D^2 V x to `to`: the change of what add_strain_force() adds.
template <class Scalar, int N>
LIVENS_HD void add_strain_force_change(const Section<Scalar>& section, const Scalar& per_length,
                                       const Strained<Scalar>& at, const Vec<Scalar, N>& x, int start,
                                       int end, Vec<Scalar, N>& to) {
  const Scalar half = Scalar(0.5), half_per_length = half * per_length;
  const BodyVectors<Scalar> a = body_of(x, start), b = body_of(x, end);
  const Vec3<Scalar> stretch = b.phi - a.phi, slope = per_length * stretch, length = at.b.phi - at.a.phi;
  Vec3<Scalar> force = zero_vector<Scalar, 3>();
  Vec3<Scalar> on_a[3], on_b[3];
  for (int i = 0; i < 3; ++i) on_a[i] = on_b[i] = zero_vector<Scalar, 3>();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Vec3<Scalar> mean = half * (a.d[i] + b.d[i]);
    const Scalar Gamma = dot(mean, at.slope) + dot(at.mean[i], slope);
    const Scalar K = half_per_length * ((dot(a.d[k], at.b.d[j]) - dot(a.d[j], at.b.d[k])) +
                                        (dot(at.a.d[k], b.d[j]) - dot(at.a.d[j], b.d[k])));
    const Scalar n = section.force_stiffness[i] * at.Gamma[i], n_change = section.force_stiffness[i] * Gamma;
    const Scalar m = half * (section.moment_stiffness[i] * at.K[i]);
    const Scalar m_change = half * (section.moment_stiffness[i] * K);
    force = fma(n, mean, fma(n_change, at.mean[i], force));
    const Vec3<Scalar> shared = half * fma(n, stretch, n_change * length);
    on_a[i] = on_a[i] + shared;
    on_b[i] = on_b[i] + shared;
    on_a[k] = fma(m, b.d[j], fma(m_change, at.b.d[j], on_a[k]));
    on_a[j] = fnma(m, b.d[k], fnma(m_change, at.b.d[k], on_a[j]));
    on_b[j] = fma(m, a.d[k], fma(m_change, at.a.d[k], on_b[j]));
    on_b[k] = fnma(m, a.d[j], fnma(m_change, at.a.d[j], on_b[k]));
  }
  add_vector(to, 12 * end, force);
  add_vector(to, 12 * start, Scalar(-1.0) * force);
  for (int i = 0; i < 3; ++i) {
    add_vector(to, 12 * start + 3 + 3 * i, on_a[i]);
    add_vector(to, 12 * end + 3 + 3 * i, on_b[i]);
  }
}

/// Adds (c) times x to `to`.
template <class Scalar, int N>
LIVENS_HD void add_beam_momentum(const Section<Scalar>& section, const Scalar& length,
                                 const Vec<Scalar, N>& x, int start, int end, Vec<Scalar, N>& to) {
  const Scalar sixth = length * Scalar(1.0 / 6.0);
  for (int block = 0; block < 3; ++block) {  // d3 has no inertia
    const Scalar share = sixth * (block == 0 ? section.line_mass : section.line_inertia[block - 1]);
    for (int c = 0; c < 3; ++c) {
      const int a = 12 * start + 3 * block + c, b = 12 * end + 3 * block + c;
      const Scalar sum = x[a] + x[b];
      to[a] = fma(share, sum + x[a], to[a]);
      to[b] = fma(share, sum + x[b], to[b]);
    }
  }
}

}  // namespace livens::inline LIVENS_ISA
