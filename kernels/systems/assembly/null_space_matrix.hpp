#pragma once
// Matrices of the null space method, body by body and element by element between twists: those of one body at
// u0 on the left, of one at u1 on the right. Where numbers s_ij stand between their vectors i and j (phi, d1,
// d2, d3), as they do in M and in the second derivatives of the strains:
//   (a) rows of omega, columns of omega:  sum (d_i.e_i) 1 - e_i d_i^T,  e_i = sum s_ij d_j+
//   (b) rows of phi, columns of omega:    -skew(sum s_0j d_j+)
//       rows of omega, columns of phi:    skew(sum s_i0 d_i)
//   (c) a strain s has D s(u_m) in twists at u0 times the same at u1

#include "kernels/systems/assembly/null_space.hpp"

namespace livens::inline LIVENS_ISA {

/// E += [(d.e) 1 - e d^T] in the rows and columns given.
template <class Scalar, int R, int C>
LIVENS_HD void add_turning_pair(Mat<Scalar, R, C>& E, int row, int column, const Vec3<Scalar>& d,
                                const Vec3<Scalar>& e) {
  const Scalar both = dot(d, e);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Scalar& entry = E(row + i, column + j);
      entry = fnma(e[i], d[j], i == j ? entry + both : entry);
    }
}
/// E += factor skew(f).
template <class Scalar, int R, int C>
LIVENS_HD void add_skew(Mat<Scalar, R, C>& E, int row, int column, const Scalar& factor,
                        const Vec3<Scalar>& f) {
  for (int c = 0; c < 3; ++c) {
    const int i = (c + 1) % 3, j = (c + 2) % 3;
    E(row + j, column + i) = fma(factor, f[c], E(row + j, column + i));
    E(row + i, column + j) = fnma(factor, f[c], E(row + i, column + j));
  }
}

/// The element's contribution between the twists of its nodes, `stride` rows each.
template <class Scalar, int Size>
LIVENS_HD_COLD void add_element(const Section<Scalar>& section, const Scalar& length,
                                const Scalar& per_length, const Strained<Scalar>& middle,
                                const BodyVectors<Scalar> (&left)[2], const BodyVectors<Scalar> (&right)[2],
                                const Scalar& share, Mat<Scalar, Size, Size>& E) {
  constexpr int stride = Size / 2;
  const Scalar half = Scalar(0.5), sixth = length * Scalar(1.0 / 6.0);
  const Scalar half_per_length = half * per_length;
  const BodyVectors<Scalar> at[2] = {middle.a, middle.b};

  // (a), (b): M and s D^2 s, where n and m are share times the forces and moments over 2.
  Vec3<Scalar> n, moment;
  for (int i = 0; i < 3; ++i) {
    n[i] = half * share * (section.force_stiffness[i] * middle.Gamma[i]);
    moment[i] = half * share * (section.moment_stiffness[i] * middle.K[i]);
  }
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y) {
      const int row = stride * x, column = stride * y;
      const Scalar weight = Scalar(x == y ? 2.0 : 1.0) * sixth;
      for (int c = 0; c < 3; ++c)
        E(row + c, column + c) = fma(weight, section.line_mass, E(row + c, column + c));
      Vec3<Scalar> on_right = zero_vector<Scalar, 3>(), on_left = zero_vector<Scalar, 3>();
      for (int i = 0; i < 3; ++i) {
        on_right = fma(n[i], right[y].d[i], on_right);
        on_left = fma(n[i], left[x].d[i], on_left);
      }
      add_skew(E, row, column + 3, Scalar(x == 0 ? 1.0 : -1.0), on_right);
      add_skew(E, row + 3, column, Scalar(y == 0 ? -1.0 : 1.0), on_left);
      Vec3<Scalar> e[3];
      for (int i = 0; i < 3; ++i) e[i] = (weight * section.line_inertia[i]) * right[y].d[i];
      if (x != y) {
        const Scalar sign = Scalar(x == 0 ? 1.0 : -1.0);
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          const Scalar signed_moment = sign * moment[i];
          e[k] = fma(signed_moment, right[y].d[j], e[k]);
          e[j] = fnma(signed_moment, right[y].d[k], e[j]);
        }
      }
      for (int i = 0; i < 3; ++i) add_turning_pair(E, row + 3, column + 3, left[x].d[i], e[i]);
    }

  // (c)
  const Vec3<Scalar> half_slope = half * middle.slope;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Vec<Scalar, 12> s0, s1;  // D s of Gamma_i
    for (int x = 0; x < 2; ++x) {
      const Scalar sign = x == 0 ? -per_length : per_length;
      const Vec3<Scalar> turns0 = cross(left[x].d[i], half_slope), turns1 = cross(right[x].d[i], half_slope);
      for (int c = 0; c < 3; ++c) {
        s0[6 * x + c] = s1[6 * x + c] = sign * middle.mean[i][c];
        s0[6 * x + 3 + c] = turns0[c];
        s1[6 * x + 3 + c] = turns1[c];
      }
    }
    const Scalar force_share = share * (length * section.force_stiffness[i]);
    for (int r = 0; r < 12; ++r) {
      const Scalar factor = force_share * s0[r];
      const int row = r / 6 * stride + r % 6;
      for (int c = 0; c < 12; ++c) {
        Scalar& entry = E(row, c / 6 * stride + c % 6);
        entry = fma(factor, s1[c], entry);
      }
    }
    Vec<Scalar, 6> t0, t1;  // of K_i, which no phi changes, times 2 le
    for (int x = 0; x < 2; ++x) {
      const BodyVectors<Scalar>& other = at[1 - x];
      const Scalar sign = Scalar(x == 0 ? 1.0 : -1.0);
      const Vec3<Scalar> turns0 = cross(left[x].d[k], other.d[j]) - cross(left[x].d[j], other.d[k]);
      const Vec3<Scalar> turns1 = cross(right[x].d[k], other.d[j]) - cross(right[x].d[j], other.d[k]);
      for (int c = 0; c < 3; ++c) {
        t0[3 * x + c] = sign * turns0[c];
        t1[3 * x + c] = sign * turns1[c];
      }
    }
    const Scalar moment_share = share * (half_per_length * half * section.moment_stiffness[i]);
    for (int r = 0; r < 6; ++r) {
      const Scalar factor = moment_share * t0[r];
      const int row = r / 3 * stride + 3 + r % 3;
      for (int c = 0; c < 6; ++c) {
        Scalar& entry = E(row, c / 3 * stride + 3 + c % 3);
        entry = fma(factor, t1[c], entry);
      }
    }
  }
}

template <class Assembled>
template <int nodes>
LIVENS_HD_COLD void AssemblyNullSpace<Assembled>::add_reduced(const int (&body)[nodes], Twists<nodes>& E,
                                                              const Columns& P, const Columns& motion,
                                                              const Reduced& w, Matrix& A) {
  const auto& table = Unknowns::indexed();
  for (int node = 0; node < nodes; ++node) {
    const int first = columns * node, j = table.carrier[body[node]];
    for (int other = 0; other < nodes; ++other)
      for (int r = 0; r < 6; ++r) {
        Scalar* const row = &E(columns * other + r, first);
        if (j < 0) {  // times H
          const Vector turn = vector_at(w, table.first_unknown[body[node]] + 3);
          const Vector x = {{row[3], row[4], row[5]}};
          const Vector y = shrink(turn) * fma(Scalar(0.5), cross(x, turn), x);
          for (int c = 0; c < 3; ++c) row[3 + c] = y[c];
          continue;
        }
        const Vec<Scalar, 6> x = {{row[0], row[1], row[2], row[3], row[4], row[5]}};
        for (int k = 0; k < table.columns[body[node]]; ++k) {
          row[k] = x[0] * motion.of[j](0, k);
          for (int c = 1; c < 6; ++c) row[k] = fma(x[c], motion.of[j](c, k), row[k]);
        }
      }
  }
  for (int node = 0; node < nodes; ++node) {
    const int first = columns * node, j = table.carrier[body[node]];
    for (int other = 0; other < nodes; ++other)
      for (int c = 0; c < table.columns[body[other]]; ++c) {
        const int column = columns * other + c, to = table.column[body[other]][c];
        for (int k = 0; k < table.columns[body[node]]; ++k) {
          Scalar& entry = A.at(table.column[body[node]][k], to);
          if (j < 0) {
            entry = entry + E(first + k, column);
            continue;
          }
          for (int r = 0; r < 6; ++r) entry = fma(P.of[j](r, k), E(first + r, column), entry);
        }
      }
  }
}

template <class Assembled>
LIVENS_HD_COLD void AssemblyNullSpace<Assembled>::matrix(const Columns& P, const Position& u0,
                                                         const Position& um, const Columns& motion,
                                                         const Position& u1, const Reduced& w,
                                                         const Scalar& share, Matrix& A) const {
  A.clear();
  for (int body = 0; body < shape.bodies; ++body) {
    const Vec<Scalar, 4>& mass = assembly_.own_mass[body];
    const BodyVectors<Scalar> left = body_of(u0, body), right = body_of(u1, body);
    Twists<1> E{};
    for (int c = 0; c < 3; ++c) E(c, c) = mass[0];
    for (int i = 0; i < 3; ++i) add_turning_pair(E, 3, 3, left.d[i], mass[1 + i] * right.d[i]);
    add_reduced<1>({body}, E, P, motion, w, A);
  }
  for (int e = 0; e < shape.elements; ++e) {
    const auto& [a, b, of_beam] = Assembled::structure().element[e];
    Twists<2> E{};
    add_element<Scalar, 2 * columns>(assembly_.section_of(e), assembly_.length[e], assembly_.per_length[e],
                                     assembly_.strained(um, e), {body_of(u0, a), body_of(u0, b)},
                                     {body_of(u1, a), body_of(u1, b)}, share, E);
    add_reduced<2>({a, b}, E, P, motion, w, A);
  }
}

}  // namespace livens::inline LIVENS_ISA
