#pragma once
// An increment x with G(u) x = g, one of many, along the trees of joints. u need not be on the constraints.
//   (a) d_i.x_i = g_ii, d_i.x_j + d_j.x_i = g_ij:  x_i = sum over j of s_ij c_j,  c_j.d_i = delta_ij,
//       s_ii = g_ii, else s_ij = g_ij/2
//   (b) a body on a joint: phi follows by the places; on an axis its directors turn by omega as well, in the
//       plane of the other two, such that n.d_j changes by what is asked for
// Free bodies stay in their places.

#include "kernels/systems/assembly/null_space.hpp"

namespace livens::inline LIVENS_ISA {

template <class Assembled, class Scalar = typename Assembled::Scalar>
LIVENS_HD_COLD typename Assembled::Position onto_constraints(const Assembled& assembly,
                                                             const typename Assembled::Position& u,
                                                             const typename Assembled::Multiplier& g) {
  using Vector = Vec3<Scalar>;
  const auto& shape = Assembled::structure();
  const auto& table = UnknownsOf<Assembled::shape>::indexed();
  typename Assembled::Position x;
  const auto put = [&x](int first, const Vector& value) {
    for (int c = 0; c < 3; ++c) x[first + c] = value[c];
  };
  for (int n = 0; n < shape.bodies; ++n) {
    const int body = table.order[n], first = 12 * body;
    const BodyVectors<Scalar> at = body_of(u, body);
    const Scalar per_volume = Scalar(1.0) / dot(at.d[0], cross(at.d[1], at.d[2]));
    Vector dual[3];  // c_j of (a)
    for (int j = 0; j < 3; ++j) dual[j] = per_volume * cross(at.d[(j + 1) % 3], at.d[(j + 2) % 3]);
    for (int i = 0; i < 3; ++i) {
      Vector xi = g[6 * body + i] * dual[i];
      for (int j = 0; j < 3; ++j)
        if (j != i) xi = fma(Scalar(0.5) * g[6 * body + 2 + i + j], dual[j], xi);
      put(first + 3 + 3 * i, xi);
    }
    put(first, zero_vector<Scalar, 3>());
    const int j = table.carrier[body];
    if (j < 0) continue;
    const int on = shape.joint[j].on, axis = shape.joint[j].axis;
    int k = 6 * shape.bodies;
    for (int before = 0; before < j; ++before) k += shape.constraints_of(before);
    if (axis != spherical) {
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      const Vector normal = Assembled::director(u, on, axis);
      // The constraints of the axis stand in the order of the directors.
      const int k_a = k + 3 + (a < b ? 0 : 1), k_b = k + 3 + (a < b ? 1 : 0);
      const auto missing = [&](int i, int of_i) {
        Scalar rate = dot(normal, vector_at(x, first + 3 + 3 * i));
        if (on != ground) rate = rate + dot(Assembled::director(x, on, axis), at.d[i]);
        return g[of_i] - rate;
      };
      const Scalar miss_a = missing(a, k_a), miss_b = missing(b, k_b);
      // omega = alpha d_a + beta d_b: n.(omega x d_a) = beta n.(d_b x d_a), n.(omega x d_b) = alpha n.(d_a x
      // d_b).
      const Scalar per_area = Scalar(1.0) / dot(normal, cross(at.d[a], at.d[b]));
      const Vector omega = per_area * (miss_b * at.d[a] - miss_a * at.d[b]);
      for (int i = 0; i < 3; ++i)
        put(first + 3 + 3 * i, vector_at(x, first + 3 + 3 * i) + cross(omega, at.d[i]));
    }
    const Vector gap = {{g[k], g[k + 1], g[k + 2]}};
    put(first, (gap + Assembled::point_rate(x, on, assembly.place[j].on)) -
                   Assembled::point_rate(x, body, assembly.place[j].of));
  }
  return x;
}

}  // namespace livens::inline LIVENS_ISA
