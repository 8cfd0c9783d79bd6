#pragma once
// The constraints of an assembly. docs/equations/assembly.md, section 2.
//   (a) of a body   (d_i.d_i - 1)/2 = 0, then d_i.d_j = 0 (i < j)
//   (b) of a joint  phi + sum rho_k d_k of `of` less that of `on` = 0
//   (c) on an axis  n.d_j = 0, n = d_axis of `on`, d_j of `of`, j other than the axis

#include "kernels/systems/assembly/beam.hpp"
#include "kernels/systems/assembly/shape.hpp"

namespace livens::inline LIVENS_ISA {

template <AssemblyShape shape, class Scalar>
struct AssemblyConstraints {
  static constexpr int bodies = shape.bodies, d = shape.coordinates, m = shape.constraints();
  using Vector = Vec3<Scalar>;
  using Position = Vec<Scalar, d>;
  using Multiplier = Vec<Scalar, m>;

  struct Places {
    Vector on, of;  ///< rho_k in either body; on the ground the point itself
  };
  Places place[shape.joints > 0 ? shape.joints : 1];

  /// The shape where it is indexed at run time: device code takes no address of a template's argument.
  static LIVENS_HD const auto& structure() {
    static constexpr auto copy = shape;
    return copy;
  }

  /// g(q).
  LIVENS_HD Multiplier constraints_at(const Position& q) const {
    Multiplier g;
    int k = 0;
    for (int body = 0; body < bodies; ++body) {
      const BodyVectors<Scalar> at = body_of(q, body);
      for (int i = 0; i < 3; ++i) g[k++] = Scalar(0.5) * (dot(at.d[i], at.d[i]) - Scalar(1.0));
      for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j) g[k++] = dot(at.d[i], at.d[j]);
    }
    for (int j = 0; j < shape.joints; ++j) {
      const auto& [on, of, axis] = structure().joint[j];
      const Vector gap = point(q, of, place[j].of) - point(q, on, place[j].on);
      for (int c = 0; c < 3; ++c) g[k++] = gap[c];
      if (axis == spherical) continue;
      for (int i = 0; i < 3; ++i)
        if (i != axis) g[k++] = dot(director(q, on, axis), director(q, of, i));
    }
    return g;
  }
  /// G(q) v.
  LIVENS_HD Multiplier constraint_rates(const Position& q, const Position& v) const {
    Multiplier rate;
    int k = 0;
    for (int body = 0; body < bodies; ++body) {
      const BodyVectors<Scalar> at = body_of(q, body), moves = body_of(v, body);
      for (int i = 0; i < 3; ++i) rate[k++] = dot(at.d[i], moves.d[i]);
      for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j) rate[k++] = dot(at.d[i], moves.d[j]) + dot(at.d[j], moves.d[i]);
    }
    for (int j = 0; j < shape.joints; ++j) {
      const auto& [on, of, axis] = structure().joint[j];
      const Vector gap = point_rate(v, of, place[j].of) - point_rate(v, on, place[j].on);
      for (int c = 0; c < 3; ++c) rate[k++] = gap[c];
      if (axis == spherical) continue;
      for (int i = 0; i < 3; ++i) {
        if (i == axis) continue;
        Scalar sum = dot(director(q, on, axis), director(v, of, i));
        if (on != ground) sum = sum + dot(director(v, on, axis), director(q, of, i));
        rate[k++] = sum;
      }
    }
    return rate;
  }

  /// phi + sum rho_k d_k of a body, and its rate, which is linear in x; of the ground the point itself.
  static LIVENS_HD Vector point(const Position& q, int body, const Vector& rho) {
    return body == ground ? rho : point_rate(q, body, rho);
  }
  static LIVENS_HD Vector point_rate(const Position& x, int body, const Vector& rho) {
    Vector sum = zero_vector<Scalar, 3>();
    if (body == ground) return sum;
    sum = vector_at(x, 12 * body);
    for (int k = 0; k < 3; ++k) sum = fma(rho[k], director(x, body, k), sum);
    return sum;
  }
  static LIVENS_HD Vector director(const Position& q, int body, int number) {
    if (body != ground) return vector_at(q, 12 * body + 3 + 3 * number);
    Vector e = zero_vector<Scalar, 3>();
    e[number] = Scalar(1.0);
    return e;
  }

  /// G(q), the rates of unit velocities; not for the stepping core.
  LIVENS_HD_COLD Mat<Scalar, m, d> constraint_jacobian(const Position& q) const {
    Mat<Scalar, m, d> G;
    Position unit;
    for (int i = 0; i < d; ++i) unit[i] = Scalar(0.0);
    for (int i = 0; i < d; ++i) {
      unit[i] = Scalar(1.0);
      const Multiplier rate = constraint_rates(q, unit);
      for (int k = 0; k < m; ++k) G(k, i) = rate[k];
      unit[i] = Scalar(0.0);
    }
    return G;
  }
};

/// mu of (G G^T) mu = G f: f - G^T mu is tangential. For one instance.
template <class System>
LIVENS_HD_COLD Vec<double, System::m> normal_multiplier(const System& system, const Vec<double, System::d>& q,
                                                        const Vec<double, System::d>& f) {
  constexpr int m = System::m;
  const auto G = system.constraint_jacobian(q);
  double S[m * m];
  Vec<double, m> mu = system.constraint_rates(q, f);
  for (int k = 0; k < m; ++k)
    for (int l = 0; l < m; ++l) {
      double sum = 0.0;
      for (int i = 0; i < System::d; ++i) sum = fma(G(k, i), G(l, i), sum);
      S[k * m + l] = sum;
    }
  if (!solve_pivoted<m>(S, mu.data))
    for (int k = 0; k < m; ++k) mu[k] = __builtin_nan("");
  return mu;
}

}  // namespace livens::inline LIVENS_ISA
