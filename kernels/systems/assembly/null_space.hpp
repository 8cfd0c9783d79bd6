#pragma once
// The nodal reparametrisation u1 = F_d(w, u0) of an assembly, the null space matrix P(u) = D_w F_d(0, u), and
// matrices between them; none of the three is ever formed. gamma-convergence-constrained, (16), (17);
// docs/equations/assembly.md, section 3. R(w) is Cayley's rotation, so that no step needs a sine:
//   (a) R(w) x = x + (w x y)/(1 + w.w/4), y = x + w x x/2
//       R' R^T = skew(H w'), H = (1 + skew(w)/2)/(1 + w.w/4)
//   (b) free:                v, w   phi+ = phi + v,                   d_i+ = R(w) d_i
//   (c) on a spherical joint:   w   phi+ by the places of the joint,  d_i+ = R(w) d_i
//   (d) on an axis n:       theta   phi+ by the places of the joint,  d_i+ = R_on R(theta n) d_i
// R(a) R(b) = R(c), c = (a + b + a x b/2)/(1 - a.b/4). A body's twist is (phi', omega), d_i' = omega x d_i;
// its columns are the twists that the unknowns give it.

#include "kernels/math/band_matrix.hpp"
#include "kernels/systems/assembly/assembly.hpp"

namespace livens::inline LIVENS_ISA {

/// F_d, P and matrices between them, part by part.
template <class Assembled>
class AssemblyNullSpace {
 public:
  using Scalar = typename Assembled::Scalar;
  using Vector = Vec3<Scalar>;
  using Position = typename Assembled::Position;
  static constexpr auto shape = Assembled::shape;
  using Unknowns = UnknownsOf<shape>;
  static constexpr int unknowns = Unknowns::count, columns = Unknowns::most_columns;
  using Reduced = Vec<Scalar, unknowns>;
  using Matrix = BandMatrix<Scalar, unknowns, Unknowns::table.half_bandwidth>;

  /// The columns of the bodies on joints, by joint; those of a free body are its own (phi', H w').
  struct Columns {
    typename Assembled::template Parts<Mat<Scalar, 6, columns>, shape.joints> of;
  };

  LIVENS_HD explicit AssemblyNullSpace(const Assembled& assembly) : assembly_(assembly) {}

  /// F_d(w, u0) - u0.
  LIVENS_HD_COLD Position increment(const Position& u0, const Reduced& w) const {
    const auto& table = Unknowns::indexed();
    const auto& joint = Assembled::structure().joint;
    Position Du;
    Vector turns[shape.bodies];
    for (int n = 0; n < shape.bodies; ++n) {
      const int body = table.order[n], own = table.first_unknown[body];
      const int j = table.carrier[body];
      if (j < 0) {
        turns[body] = vector_at(w, own + 3);
      } else if (joint[j].axis == spherical) {
        turns[body] = vector_at(w, own);
      } else {
        const int on = joint[j].on;
        const Vector turn = w[own] * Assembled::director(u0, on, joint[j].axis);
        turns[body] = on == ground ? turn : composed(turns[on], turn);
      }
      for (int i = 0; i < 3; ++i) {
        const int first = 12 * body + 3 + 3 * i;
        put(Du, first, turned(turns[body], vector_at(u0, first)));
      }
      if (j < 0) {
        put(Du, 12 * body, vector_at(w, own));
      } else {
        put(Du, 12 * body, zero_vector<Scalar, 3>());
        const int on = joint[j].on;
        const Vector carried = Assembled::point_rate(Du, on, assembly_.place[j].on);
        put(Du, 12 * body, carried - Assembled::point_rate(Du, body, assembly_.place[j].of));
      }
    }
    return Du;
  }

  /// The unknowns of a step that is like one from u0 by Du: where Newton's method starts.
  LIVENS_HD Reduced unknowns_of(const Position& u0, const Position& Du) const {
    const auto& table = Unknowns::indexed();
    const auto& joint = Assembled::structure().joint;
    Reduced w;
    for (int body = 0; body < shape.bodies; ++body) {
      const int own = table.first_unknown[body], j = table.carrier[body];
      Vector turn = turn_of(u0, Du, body);
      if (j < 0) {
        for (int c = 0; c < 3; ++c) w[own + c] = Du[12 * body + c], w[own + 3 + c] = turn[c];
      } else if (joint[j].axis == spherical) {
        for (int c = 0; c < 3; ++c) w[own + c] = turn[c];
      } else {
        const int on = joint[j].on;
        if (on != ground) turn = turn - turn_of(u0, Du, on);
        w[own] = dot(Assembled::director(u0, on, joint[j].axis), turn);
      }
    }
    return w;
  }

  /// P(u) for w = 0, else D_w F_d at u = F_d(w, u0).
  LIVENS_HD_COLD void columns_at(const Position& u, const Reduced& w, Columns& result) const {
    const auto& table = Unknowns::indexed();
    for (int n = 0; n < shape.bodies; ++n) {
      const int body = table.order[n], j = table.carrier[body];
      if (j < 0) continue;
      const auto& [on, of, axis] = Assembled::structure().joint[j];
      Mat<Scalar, 6, columns>& T = result.of[j];
      const Vector arm = Scalar(-1.0) * from_centre(u, body, assembly_.place[j].of);
      int k = 0;
      if (on != ground) {
        const Vector lever = from_centre(u, on, assembly_.place[j].on);
        for (; k < table.columns[on]; ++k) {
          Vector velocity, omega;
          column(result, w, on, k, velocity, omega);
          velocity = velocity + cross(omega, lever);
          if (axis == spherical)
            omega = zero_vector<Scalar, 3>();
          else
            velocity = velocity + cross(omega, arm);
          set_column(T, k, velocity, omega);
        }
      }
      const int own = table.first_unknown[body];
      if (axis == spherical) {
        for (int c = 0; c < 3; ++c) {
          const Vector omega = turning_column(vector_at(w, own), c);
          set_column(T, k++, cross(omega, arm), omega);
        }
      } else {
        const Scalar rate = Scalar(1.0) / fma(Scalar(0.25) * w[own], w[own], Scalar(1.0));
        const Vector omega = rate * Assembled::director(u, on, axis);
        set_column(T, k, cross(omega, arm), omega);
      }
    }
  }

  /// P(u)^T f, with the columns of P(u).
  LIVENS_HD_COLD Reduced project(const Columns& P, const Position& u, const Position& f) const {
    const auto& table = Unknowns::indexed();
    Reduced r;
    for (int j = 0; j < unknowns; ++j) r[j] = Scalar(0.0);
    for (int body = 0; body < shape.bodies; ++body) {
      const Vector force = vector_at(f, 12 * body);
      Vector torque = zero_vector<Scalar, 3>();
      for (int i = 0; i < 3; ++i) {
        const int first = 12 * body + 3 + 3 * i;
        torque = torque + cross(vector_at(u, first), vector_at(f, first));
      }
      if (table.carrier[body] < 0) {
        add_vector(r, table.first_unknown[body], force);
        add_vector(r, table.first_unknown[body] + 3, torque);
        continue;
      }
      const Mat<Scalar, 6, columns>& T = P.of[table.carrier[body]];
      for (int k = 0; k < table.columns[body]; ++k) {
        Scalar& sum = r[table.column[body][k]];
        for (int c = 0; c < 3; ++c) sum = fma(T(c, k), force[c], fma(T(3 + c, k), torque[c], sum));
      }
    }
    return r;
  }

  /// P(u) nu.
  LIVENS_HD_COLD Position along(const Columns& P, const Position& u, const Reduced& nu) const {
    const auto& table = Unknowns::indexed();
    Position v;
    for (int body = 0; body < shape.bodies; ++body) {
      Vector velocity = zero_vector<Scalar, 3>(), omega = velocity;
      if (table.carrier[body] < 0) {
        velocity = vector_at(nu, table.first_unknown[body]);
        omega = vector_at(nu, table.first_unknown[body] + 3);
      } else {
        const Mat<Scalar, 6, columns>& T = P.of[table.carrier[body]];
        for (int k = 0; k < table.columns[body]; ++k)
          for (int c = 0; c < 3; ++c) {
            velocity[c] = fma(T(c, k), nu[table.column[body][k]], velocity[c]);
            omega[c] = fma(T(3 + c, k), nu[table.column[body][k]], omega[c]);
          }
      }
      put(v, 12 * body, velocity);
      for (int i = 0; i < 3; ++i) {
        const int first = 12 * body + 3 + 3 * i;
        put(v, first, cross(omega, vector_at(u, first)));
      }
    }
    return v;
  }

  /// P(u0)^T (M + share D^2 V(um)) D_w F_d, where the columns P are of u0 and those of the motion of u1 =
  /// F_d(w, u0).
  LIVENS_HD_COLD void matrix(const Columns& P, const Position& u0, const Position& um, const Columns& motion,
                             const Position& u1, const Reduced& w, const Scalar& share, Matrix& A) const;

 private:
  static LIVENS_HD void put(Position& x, int first, const Vector& value) {
    for (int c = 0; c < 3; ++c) x[first + c] = value[c];
  }
  static LIVENS_HD void set_column(Mat<Scalar, 6, columns>& T, int k, const Vector& velocity,
                                   const Vector& omega) {
    for (int c = 0; c < 3; ++c) T(c, k) = velocity[c], T(3 + c, k) = omega[c];
  }

  /// sum rho_k d_k.
  static LIVENS_HD Vector from_centre(const Position& u, int body, const Vector& rho) {
    Vector sum = zero_vector<Scalar, 3>();
    for (int k = 0; k < 3; ++k) sum = fma(rho[k], Assembled::director(u, body, k), sum);
    return sum;
  }
  /// 1/(1 + w.w/4).
  static LIVENS_HD Scalar shrink(const Vector& w) {
    return Scalar(1.0) / fma(Scalar(0.25), dot(w, w), Scalar(1.0));
  }
  /// R(w) x - x, by (a).
  static LIVENS_HD Vector turned(const Vector& w, const Vector& x) {
    return shrink(w) * cross(w, fma(Scalar(0.5), cross(w, x), x));
  }
  static LIVENS_HD Vector composed(const Vector& a, const Vector& b) {
    const Scalar share = Scalar(1.0) / fnma(Scalar(0.25), dot(a, b), Scalar(1.0));
    return share * fma(Scalar(0.5), cross(a, b), a + b);
  }
  /// H e_c.
  static LIVENS_HD Vector turning_column(const Vector& w, int c) {
    Vector e = zero_vector<Scalar, 3>();
    e[c] = Scalar(1.0);
    return shrink(w) * fma(Scalar(0.5), cross(w, e), e);
  }
  /// omega of d_i' = omega x d_i, from increments of the directors: twice omega is the sum of d_i x d_i'.
  static LIVENS_HD Vector turn_of(const Position& u, const Position& Du, int body) {
    Vector sum = zero_vector<Scalar, 3>();
    for (int i = 0; i < 3; ++i) {
      const int first = 12 * body + 3 + 3 * i;
      sum = sum + cross(vector_at(u, first), vector_at(Du, first));
    }
    return Scalar(0.5) * sum;
  }
  /// Column k of any body.
  static LIVENS_HD void column(const Columns& known, const Reduced& w, int body, int k, Vector& velocity,
                               Vector& omega) {
    const auto& table = Unknowns::indexed();
    velocity = omega = zero_vector<Scalar, 3>();
    if (table.carrier[body] >= 0) {
      const Mat<Scalar, 6, columns>& T = known.of[table.carrier[body]];
      for (int c = 0; c < 3; ++c) velocity[c] = T(c, k), omega[c] = T(3 + c, k);
    } else if (k < 3) {
      velocity[k] = Scalar(1.0);
    } else {
      omega = turning_column(vector_at(w, table.first_unknown[body] + 3), k - 3);
    }
  }

  /// A matrix between the twists of one body or two, of `columns` places each.
  template <int nodes>
  using Twists = Mat<Scalar, columns * nodes, columns * nodes>;

  template <int nodes>
  static LIVENS_HD_COLD void add_reduced(const int (&body)[nodes], Twists<nodes>& E, const Columns& P,
                                         const Columns& motion, const Reduced& w, Matrix& A);

  const Assembled& assembly_;
};

}  // namespace livens::inline LIVENS_ISA

#include "kernels/systems/assembly/null_space_matrix.hpp"
