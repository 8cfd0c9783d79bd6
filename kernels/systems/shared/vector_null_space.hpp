#pragma once
// The null space of the constraints of a system in vector form: z' = N(z) w, affine in z, with G(z) N(z) = 0.
// A free vector has its own velocity; a unit vector and the three vectors of a frame turn together with an
// angular velocity, that of a unit vector being perpendicular to it where it starts. The Cayley step
//   Dz = N(z0 + Dz/2) w
// is exact on g = 0 and needs no trigonometry (equations/reduced.md, section 1).

#include "kernels/systems/shared/vector_form.hpp"

namespace livens::inline LIVENS_ISA {

/// omega x z: in space, and in the plane, where omega has one entry.
template <class Scalar>
LIVENS_HD Vec<Scalar, 3> turned(const Vec<Scalar, 3>& omega, const Vec<Scalar, 3>& z) {
  return cross(omega, z);
}
template <class Scalar>
LIVENS_HD Vec<Scalar, 2> turned(const Vec<Scalar, 1>& omega, const Vec<Scalar, 2>& z) {
  return {{-(omega[0] * z[1]), omega[0] * z[0]}};
}
/// z x f.
template <class Scalar>
LIVENS_HD Vec<Scalar, 3> torque(const Vec<Scalar, 3>& z, const Vec<Scalar, 3>& f) {
  return cross(z, f);
}
template <class Scalar>
LIVENS_HD Vec<Scalar, 1> torque(const Vec<Scalar, 2>& z, const Vec<Scalar, 2>& f) {
  return {{fma(z[0], f[1], -(z[1] * f[0]))}};
}

/// The rotation (I - omega/2 x)^-1 (I + omega/2 x).
template <class Scalar, int Spins>
struct CayleyRotation {
  Vec<Scalar, Spins> omega;
  Scalar per_s;     ///< 1/s, s = 1 + |omega|^2/4
  Scalar shortage;  ///< 1 - 1/s

  CayleyRotation() = default;
  LIVENS_HD explicit CayleyRotation(const Vec<Scalar, Spins>& w)
      : omega(w),
        per_s(Scalar(1.0) / fma(Scalar(0.25), dot(w, w), Scalar(1.0))),
        shortage(Scalar(0.25) * dot(w, w) * per_s) {}
  /// z1 - z0 = (omega x z0 + omega x (omega x z0)/2)/s. A steady rotation has the same s in every step: what
  /// rounds 1/s would add up (equations/reduced.md, section 3).
  template <int D>
  LIVENS_HD Vec<Scalar, D> increment(const Vec<Scalar, D>& z0) const {
    const auto y = turned(omega, z0);
    const auto s_times = fma(Scalar(0.5), turned(omega, y), y);
    return fnma(shortage, s_times, s_times);
  }
  /// (I - omega/2 x)^-1 y.
  template <int D>
  LIVENS_HD Vec<Scalar, D> resolved(const Vec<Scalar, D>& y) const {
    auto r = fma(Scalar(0.5), turned(omega, y), y);
    if constexpr (D == 3) r = fma(Scalar(0.25) * dot(omega, y), omega, r);
    return per_s * r;
  }
};

template <class Form>
class NullSpace {
 public:
  using Scalar = typename Form::Scalar;
  using Flat = typename Form::Flat;
  static constexpr int D = Form::dimension, spins = D == 3 ? 3 : 1;
  static constexpr int unknowns = Form::degrees_of_freedom, rotors = Form::unit + Form::frames;
  using Reduced = Vec<Scalar, unknowns>;
  using Spin = Vec<Scalar, spins>;

  NullSpace() = default;
  /// Around z0: the axes of unit vectors in space are perpendicular to them there.
  LIVENS_HD explicit NullSpace(const Flat& z0) {
    if constexpr (spheres)
      unroll<Form::unit>([&](auto u) {
        tangent_basis(Form::template at<Form::first_unit + u.value>(z0), tangent_[2 * u],
                      tangent_[2 * u + 1]);
      });
  }

  /// N(z) w, for what turns in the plane or as frames.
  LIVENS_HD Flat along(const Flat& z, const Reduced& w) const {
    static_assert(!spheres && Form::free == 0);
    Flat r = zero_vector<Scalar, Form::size>();
    unroll<rotors>([&](auto n) {
      const Spin omega = part<first_unknown(n.value), spins>(w);
      unroll<vectors_of(n.value)>([&](auto i) {
        constexpr int b = first_vector(n.value) + i.value;
        set_block<b>(r, turned(omega, Form::template at<b>(z)));
      });
    });
    return r;
  }
  /// N(z)^T f, likewise.
  LIVENS_HD Reduced project(const Flat& z, const Flat& f) const {
    static_assert(!spheres && Form::free == 0);
    Reduced r;
    unroll<rotors>([&](auto n) { set_part<first_unknown(n.value)>(r, total_torque<n.value>(z, f)); });
    return r;
  }
  /// Column j of N(z), likewise.
  template <int J>
  LIVENS_HD Flat column(const Flat& z) const {
    Reduced w = zero_vector<Scalar, unknowns>();
    w[J] = Scalar(1.0);
    return along(z, w);
  }
  /// N(z0)^T f, for every kind of vector.
  LIVENS_HD Reduced project_at_start(const Flat& z0, const Flat& f) const {
    Reduced r;
    unroll<Form::free>(
        [&](auto i) { set_part<D * i.value>(r, Form::template at<Form::first_free + i.value>(f)); });
    unroll<rotors>([&](auto n) {
      if constexpr (spheres && n.value < Form::unit) {
        const Vec3<Scalar> on_unit = Form::template at<first_vector(n.value)>(f);
        for (int i = 0; i < 2; ++i) r[first_unknown(n.value) + i] = dot(tangent_[2 * n + i], on_unit);
      } else {
        set_part<first_unknown(n.value)>(r, total_torque<n.value>(z0, f));
      }
    });
    return r;
  }
  /// N(z0) w, for every kind of vector.
  LIVENS_HD Flat along_at_start(const Flat& z0, const Reduced& w) const {
    Flat r = zero_vector<Scalar, Form::size>();
    unroll<Form::free>([&](auto f) { set_part<D*(Form::first_free + f.value)>(r, part<D * f.value, D>(w)); });
    unroll<rotors>([&](auto n) {
      constexpr int first = first_unknown(n.value);
      if constexpr (spheres && n.value < Form::unit) {
        set_block<first_vector(n.value)>(r,
                                         fma(w[first], tangent_[2 * n], w[first + 1] * tangent_[2 * n + 1]));
      } else {
        const Spin omega = part<first, spins>(w);
        unroll<vectors_of(n.value)>([&](auto i) {
          constexpr int b = first_vector(n.value) + i.value;
          set_block<b>(r, turned(omega, Form::template at<b>(z0)));
        });
      }
    });
    return r;
  }
  /// w without the axes of this place: of a unit vector in space, whose axes are others at every node, the
  /// tangent that it stands for.
  static constexpr int spun = D * Form::free + spins * rotors;
  LIVENS_HD Vec<Scalar, spun> about_space(const Reduced& w) const {
    Vec<Scalar, spun> r;
    set_part<0>(r, part<0, D * Form::free>(w));
    unroll<rotors>([&](auto n) {
      constexpr int first = first_unknown(n.value), place = D * Form::free + spins * n.value;
      if constexpr (spheres && n.value < Form::unit)
        set_part<place>(r, fma(w[first], tangent_[2 * n], w[first + 1] * tangent_[2 * n + 1]));
      else
        set_part<place>(r, part<first, spins>(w));
    });
    return r;
  }
  /// And back, about the axes here.
  LIVENS_HD Reduced about_axes(const Vec<Scalar, spun>& turns) const {
    Reduced r;
    set_part<0>(r, part<0, D * Form::free>(turns));
    unroll<rotors>([&](auto n) {
      constexpr int first = first_unknown(n.value), place = D * Form::free + spins * n.value;
      const Spin turn = part<place, spins>(turns);
      if constexpr (spheres && n.value < Form::unit) {
        for (int i = 0; i < 2; ++i) r[first + i] = dot(tangent_[2 * n + i], turn);
      } else {
        set_part<first>(r, turn);
      }
    });
    return r;
  }
  /// (N^T N)^-1 w: 1/2 for a frame, whose three vectors turn together, 1 for the rest.
  static LIVENS_HD Reduced per_square(Reduced w) {
    unroll<3 * Form::frames>([&](auto i) {
      constexpr int j = unknowns - 3 * Form::frames + i.value;
      w[j] = Scalar(0.5) * w[j];
    });
    return w;
  }
  /// N(z)^T A N(y).
  template <class Metric>
  LIVENS_HD DenseMatrix<Scalar, unknowns> metric_between(const Metric& A, const Flat& z,
                                                         const Flat& y) const {
    DenseMatrix<Scalar, unknowns> B;
    unroll<unknowns>([&](auto j) {
      const Reduced r = project(z, A.times(column<j.value>(y)));
      for (int i = 0; i < unknowns; ++i) B.at(i, j) = r[i];
    });
    return B;
  }

  /// The rotations that w stands for; of a unit vector in space only w and 1/s.
  struct Step {
    CayleyRotation<Scalar, spins> rotation[rotors > 0 ? rotors : 1];
    Reduced w;
  };
  LIVENS_HD Step step(const Reduced& w) const {
    Step s;
    s.w = w;
    unroll<rotors>([&](auto n) {
      constexpr int first = first_unknown(n.value);
      if constexpr (spheres && n.value < Form::unit)
        s.rotation[n] = CayleyRotation<Scalar, spins>(across<first>(w));
      else
        s.rotation[n] = CayleyRotation<Scalar, spins>(part<first, spins>(w));
    });
    return s;
  }
  /// Dz; zero on what drifts. A unit vector moves by (t - |w|^2/2 z0)/s with its tangent t = w1 e1 + w2 e2.
  LIVENS_HD Flat increment(const Step& s, const Flat& z0) const {
    Flat r = along_at_start(z0, s.w);
    unroll<rotors>([&](auto n) {
      if constexpr (spheres && n.value < Form::unit) {
        constexpr int b = first_vector(n.value);
        const auto& omega = s.rotation[n].omega;
        const Scalar half_square = Scalar(0.5) * fma(omega[0], omega[0], omega[1] * omega[1]);
        set_block<b>(
            r, s.rotation[n].per_s * fnma(half_square, Form::template at<b>(z0), Form::template at<b>(r)));
      } else {
        unroll<vectors_of(n.value)>([&](auto i) {
          constexpr int b = first_vector(n.value) + i.value;
          set_block<b>(r, s.rotation[n].increment(Form::template at<b>(z0)));
        });
      }
    });
    return r;
  }
  /// dDz/dw_j, with z_m = z0 + Dz/2; of a unit vector (e_j - w_j z_m)/s.
  template <int J>
  LIVENS_HD Flat tangent(const Step& s, const Flat& z_m) const {
    Flat r = zero_vector<Scalar, Form::size>();
    if constexpr (J < D * Form::free) r[D * Form::first_free + J] = Scalar(1.0);
    unroll<rotors>([&](auto n) {
      constexpr int first = first_unknown(n.value);
      if constexpr (J >= first && J < first + axes_of(n.value)) {
        if constexpr (spheres && n.value < Form::unit) {
          constexpr int b = first_vector(n.value);
          set_block<b>(
              r, s.rotation[n].per_s * fnma(s.w[J], Form::template at<b>(z_m), tangent_[2 * n + J - first]));
        } else {
          Spin axis = zero_vector<Scalar, spins>();
          axis[J - first] = Scalar(1.0);
          unroll<vectors_of(n.value)>([&](auto i) {
            constexpr int b = first_vector(n.value) + i.value;
            set_block<b>(r, s.rotation[n].resolved(turned(axis, Form::template at<b>(z_m))));
          });
        }
      }
    });
    return r;
  }

  /// Sum of the masses that unknown j moves.
  static LIVENS_HD Scalar mass_of(const Form& form, int j) {
    if (j < D * Form::free) return form.inertia.mass(Form::first_free + j / D, Form::first_free + j / D);
    int n = 0;
    while (j >= first_unknown(n) + axes_of(n)) ++n;
    Scalar sum = Scalar(0.0);
    for (int i = 0; i < vectors_of(n); ++i)
      sum = sum + form.inertia.mass(first_vector(n) + i, first_vector(n) + i);
    return sum;
  }

  static constexpr int first_vector(int rotor) {
    return rotor < Form::unit ? Form::first_unit + rotor : Form::first_frame + 3 * (rotor - Form::unit);
  }
  static constexpr int vectors_of(int rotor) { return rotor < Form::unit ? 1 : 3; }
  static constexpr int axes_of(int rotor) { return rotor < Form::unit ? D - 1 : 3; }
  static constexpr int first_unknown(int rotor) {
    const int units = rotor < Form::unit ? rotor : Form::unit;
    return D * Form::free + (D - 1) * units + 3 * (rotor - units);
  }

 private:
  /// Unit vectors in space turn about two axes of their own.
  static constexpr bool spheres = D == 3 && Form::unit > 0;

  /// The spin of a unit vector in space about its two axes.
  template <int First>
  static LIVENS_HD Spin across(const Reduced& w) {
    Spin omega = zero_vector<Scalar, spins>();
    set_part<0>(omega, part<First, 2>(w));
    return omega;
  }
  template <int Rotor>
  static LIVENS_HD Spin total_torque(const Flat& z, const Flat& f) {
    constexpr int first = first_vector(Rotor);
    Spin total = torque(Form::template at<first>(z), Form::template at<first>(f));
    unroll<vectors_of(Rotor) - 1>([&](auto i) {
      constexpr int b = first + 1 + i.value;
      total = total + torque(Form::template at<b>(z), Form::template at<b>(f));
    });
    return total;
  }

  Vec3<Scalar> tangent_[spheres ? 2 * Form::unit : 1];
};

}  // namespace livens::inline LIVENS_ISA
