#pragma once
// Matrices of the null space method, block by block between the twists of two bodies, which are one where it
// is no element's: those at u0 on the left, at u1 on the right. A block is small enough for the registers of
// a thread. Where numbers s_ij stand between vectors i and j of the bodies (phi, d1, d2, d3), as they do in M
// and in the second derivatives of the strains:
//   (a) rows of omega, columns of omega:  sum (d_i.e_i) 1 - e_i d_i^T,  e_i = sum s_ij d_j+
//   (b) rows of phi, columns of omega:    -skew(sum s_0j d_j+)
//       rows of omega, columns of phi:    skew(sum s_i0 d_i)
//   (c) a strain s has D s(u_m) in twists at u0 times the same at u1

#include "kernels/systems/assembly/null_space.hpp"

namespace livens::inline LIVENS_ISA {

/// E += [(d.e) 1 - e d^T] in the rows and columns of omega.
template <class Scalar>
LIVENS_HD void add_turning_pair(Mat<Scalar, 6, 6>& E, const Vec3<Scalar>& d, const Vec3<Scalar>& e) {
  const Scalar both = dot(d, e);
  unroll<3>([&](auto i) {
    unroll<3>([&](auto j) {
      Scalar& entry = E(3 + i, 3 + j);
      entry = fnma(e[i], d[j], i == j ? entry + both : entry);
    });
  });
}
/// E += factor skew(f), from the row and the column given.
template <int row, int column, class Scalar>
LIVENS_HD void add_skew(Mat<Scalar, 6, 6>& E, const Scalar& factor, const Vec3<Scalar>& f) {
  unroll<3>([&](auto c) {
    constexpr int i = (c.value + 1) % 3, j = (c.value + 2) % 3;
    E(row + j, column + i) = fma(factor, f[c], E(row + j, column + i));
    E(row + i, column + j) = fnma(factor, f[c], E(row + i, column + j));
  });
}

/// D s of (c) in the twist of one end of an element, which has these directors.
template <class Scalar>
struct StrainRates {
  Vec<Scalar, 6> Gamma[3];
  Vec3<Scalar> K[3];  ///< times 2 le, in omega: no phi changes K

  LIVENS_HD StrainRates(const Strained<Scalar>& middle, const Scalar& per_length,
                        const BodyVectors<Scalar>& at, bool is_start) {
    const Vec3<Scalar> half_slope = Scalar(0.5) * middle.slope;
    const Scalar along = is_start ? -per_length : per_length, sign = Scalar(is_start ? 1.0 : -1.0);
    const BodyVectors<Scalar>& other = is_start ? middle.b : middle.a;
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      const Vec3<Scalar> turning = cross(at.d[i], half_slope);
      const Vec3<Scalar> bending = cross(at.d[k], other.d[j]) - cross(at.d[j], other.d[k]);
      unroll<3>([&](auto c) {
        Gamma[i][c] = along * middle.mean[i][c];
        Gamma[i][3 + c] = turning[c];
        K[i][c] = sign * bending[c];
      });
    });
  }
};

/// An element on its way into a matrix.
template <class Scalar>
class ElementMatrix {
 public:
  LIVENS_HD ElementMatrix(const Section<Scalar>& section, const Scalar& length, const Scalar& per_length,
                          const Scalar& share, const Strained<Scalar>& middle)
      : section_(section), length_(length), per_length_(per_length), share_(share), middle_(middle) {
    for (int i = 0; i < 3; ++i) {
      force_[i] = Scalar(0.5) * share * (section.force_stiffness[i] * middle.Gamma[i]);
      moment_[i] = Scalar(0.5) * share * (section.moment_stiffness[i] * middle.K[i]);
    }
  }
  LIVENS_HD StrainRates<Scalar> rates(const BodyVectors<Scalar>& at, bool is_start) const {
    return {middle_, per_length_, at, is_start};
  }

  /// Adds the contribution between the twist of one end at u0 and that of one, perhaps the other, at u1.
  LIVENS_HD void add(const BodyVectors<Scalar>& left, const StrainRates<Scalar>& left_rates,
                     bool left_is_start, const BodyVectors<Scalar>& right,
                     const StrainRates<Scalar>& right_rates, bool right_is_start,
                     Mat<Scalar, 6, 6>& E) const {
    // (a), (b): M and s D^2 s
    const bool same = left_is_start == right_is_start;
    const Scalar weight = Scalar(same ? 2.0 : 1.0) * (length_ * Scalar(1.0 / 6.0));
    const Scalar sign = Scalar(left_is_start ? 1.0 : -1.0);
    unroll<3>([&](auto c) { E(c, c) = fma(weight, section_.line_mass, E(c, c)); });
    Vec3<Scalar> on_right = zero_vector<Scalar, 3>(), on_left = zero_vector<Scalar, 3>();
    Vec3<Scalar> e[3];
    unroll<3>([&](auto i) {
      on_right = fma(force_[i], right.d[i], on_right);
      on_left = fma(force_[i], left.d[i], on_left);
      e[i] = (weight * section_.line_inertia[i]) * right.d[i];
    });
    add_skew<0, 3>(E, sign, on_right);
    add_skew<3, 0>(E, Scalar(right_is_start ? -1.0 : 1.0), on_left);
    if (!same)
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        const Scalar signed_moment = sign * moment_[i];
        e[k] = fma(signed_moment, right.d[j], e[k]);
        e[j] = fnma(signed_moment, right.d[k], e[j]);
      });
    unroll<3>([&](auto i) { add_turning_pair(E, left.d[i], e[i]); });

    // (c)
    const Scalar quarter_per_length = Scalar(0.5) * per_length_ * Scalar(0.5);
    unroll<3>([&](auto i) {
      const Scalar force_share = share_ * (length_ * section_.force_stiffness[i]);
      unroll<6>([&](auto r) {
        const Scalar factor = force_share * left_rates.Gamma[i][r];
        unroll<6>([&](auto c) { E(r, c) = fma(factor, right_rates.Gamma[i][c], E(r, c)); });
      });
      const Scalar moment_share = share_ * (quarter_per_length * section_.moment_stiffness[i]);
      unroll<3>([&](auto r) {
        const Scalar factor = moment_share * left_rates.K[i][r];
        unroll<3>([&](auto c) { E(3 + r, 3 + c) = fma(factor, right_rates.K[i][c], E(3 + r, 3 + c)); });
      });
    });
  }

 private:
  const Section<Scalar>& section_;
  Scalar length_, per_length_, share_;
  const Strained<Scalar>& middle_;
  Vec3<Scalar> force_, moment_;  ///< share times those of the section, over 2
};

template <class Assembled>
LIVENS_HD void AssemblyNullSpace<Assembled>::add_reduced(int row_body, int column_body, Twists& E,
                                                         const Columns& P, const Columns& motion,
                                                         const Reduced& w, Matrix& A) {
  const auto& table = Unknowns::indexed();
  const int row_joint = table.carrier[row_body], column_joint = table.carrier[column_body];
  // Column k of the block, in twists on the left.
  const auto add_column = [&](int k, const Vec<Scalar, 6>& twist) {
    const int to = table.column[column_body][k];
    if (row_joint < 0) {
      unroll<6>([&](auto r) {
        Scalar& entry = A.at(table.first_unknown[row_body] + r, to);
        entry = entry + twist[r];
      });
      return;
    }
    for (int n = 0; n < table.columns[row_body]; ++n) {
      Scalar& entry = A.at(table.column[row_body][n], to);
      unroll<6>([&](auto r) { entry = fma(P.of[row_joint](r, n), twist[r], entry); });
    }
  };
  Vec<Scalar, 6> twist;
  if (column_joint < 0) {  // times H
    const Vector turn = vector_at(w, table.first_unknown[column_body] + 3);
    const Scalar rate = shrink(turn);
    unroll<6>([&](auto r) {
      const Vector x = {{E(r, 3), E(r, 4), E(r, 5)}};
      const Vector y = rate * fma(Scalar(0.5), cross(x, turn), x);
      unroll<3>([&](auto c) { E(r, 3 + c) = y[c]; });
    });
    unroll<6>([&](auto k) {
      unroll<6>([&](auto r) { twist[r] = E(r, k); });
      add_column(k, twist);
    });
    return;
  }
  for (int k = 0; k < table.columns[column_body]; ++k) {
    unroll<6>([&](auto r) {
      twist[r] = E(r, 0) * motion.of[column_joint](0, k);
      unroll<5>([&](auto c) { twist[r] = fma(E(r, c + 1), motion.of[column_joint](c + 1, k), twist[r]); });
    });
    add_column(k, twist);
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
    Twists E{};
    unroll<3>([&](auto c) { E(c, c) = mass[0]; });
    unroll<3>([&](auto i) { add_turning_pair(E, left.d[i], mass[1 + i] * right.d[i]); });
    add_reduced(body, body, E, P, motion, w, A);
  }
  for (int e = 0; e < shape.elements; ++e) {
    const auto& [start, end, of_beam] = Assembled::structure().element[e];
    const int ends[2] = {start, end};
    const Strained<Scalar> middle = assembly_.strained(um, e);
    const ElementMatrix<Scalar> element(assembly_.section_of(e), assembly_.length[e], assembly_.per_length[e],
                                        share, middle);
    for (int x = 0; x < 2; ++x) {
      const BodyVectors<Scalar> left = body_of(u0, ends[x]);
      const StrainRates<Scalar> left_rates = element.rates(left, x == 0);
      for (int y = 0; y < 2; ++y) {
        const BodyVectors<Scalar> right = body_of(u1, ends[y]);
        Twists E{};
        element.add(left, left_rates, x == 0, right, element.rates(right, y == 0), y == 0, E);
        add_reduced(ends[x], ends[y], E, P, motion, w, A);
      }
    }
  }
}

}  // namespace livens::inline LIVENS_ISA
