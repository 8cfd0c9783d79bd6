#pragma once
// A mechanism of rigid bodies, beam elements and joints: a shape (shape.hpp) and its numbers. It comes to M,
// V, g (constraints.hpp) and a load, each a sum over the parts; no matrix of all coordinates is made.
// docs/equations/assembly.md, section 1.
//   (a) T = 1/2 sum over bodies of m |phi'|^2 + E_1 |d1'|^2 + E_2 |d2'|^2 + E_3 |d3'|^2, and of the beams
//   (b) a load's history is straight between its corners, constant before and after them

#include "kernels/systems/assembly/constraints.hpp"

namespace livens::inline LIVENS_ISA {

template <AssemblyShape shape_, class Scalar_>
struct Assembly : AssemblyConstraints<shape_, Scalar_> {
  static constexpr auto shape = shape_;
  using AssemblyConstraints<shape_, Scalar_>::structure;
  using Scalar = Scalar_;
  using Vector = Vec3<Scalar>;
  static constexpr int bodies = shape.bodies, d = shape.coordinates;
  using Position = Vec<Scalar, d>;

  struct Load {
    Vector direction;
    Vec<Scalar, shape.corners> time, size;  ///< s, N
  };
  template <class Part, int count>
  using Parts = Part[count > 0 ? count : 1];

  Position assembled;                      ///< undeformed
  Parts<Vec<Scalar, 4>, bodies> own_mass;  ///< m, E1, E2, E3 of a body; of a node what is fixed to it
  Parts<Section<Scalar>, shape.sections> section;
  Parts<Scalar, shape.elements> length, per_length;  ///< of the elements, as assembled: measure_elements()
  Parts<Load, shape.loads> loads;
  Scalar load_in_start;  ///< 1; 0: the load is left out of the first step's equation, as it is printed

  LIVENS_HD void set_body(int body, const Vector& phi, const Vector (&directors)[3],
                          const Vec<Scalar, 4>& mass) {
    for (int c = 0; c < 3; ++c) {
      assembled[12 * body + c] = phi[c];
      for (int i = 0; i < 3; ++i) assembled[12 * body + 3 + 3 * i + c] = directors[i][c];
    }
    own_mass[body] = mass;
  }
  LIVENS_HD void measure_elements() {
    for (int e = 0; e < shape.elements; ++e) {
      const auto& [start, end, of_beam] = structure().element[e];
      const Vector along = vector_at(assembled, 12 * end) - vector_at(assembled, 12 * start);
      length[e] = sqrt(dot(along, along));
      per_length[e] = Scalar(1.0) / length[e];
    }
  }
  LIVENS_HD Strained<Scalar> strained(const Position& q, int e) const {
    const auto& [start, end, of_beam] = structure().element[e];
    return {q, start, end, per_length[e]};
  }
  LIVENS_HD const Section<Scalar>& section_of(int e) const { return section[structure().element[e].section]; }

  /// M.
  struct Mass {
    const Assembly& of;
    LIVENS_HD Position times(const Position& v) const {
      Position p;
      for (int body = 0; body < bodies; ++body)
        for (int i = 0; i < 12; ++i) p[12 * body + i] = of.own_mass[body][i / 3] * v[12 * body + i];
      for (int e = 0; e < shape.elements; ++e) {
        const auto& [start, end, of_beam] = structure().element[e];
        add_beam_momentum(of.section_of(e), of.length[e], v, start, end, p);
      }
      return p;
    }
  };
  LIVENS_HD Mass inertia_of(const Position&) const { return {*this}; }

  LIVENS_HD Scalar potential(const Position& q) const {
    Scalar V = Scalar(0.0);
    for (int e = 0; e < shape.elements; ++e) V = V + strain_energy(section_of(e), length[e], strained(q, e));
    return V;
  }
  LIVENS_HD Scalar potential_scale(const Position& q) const { return potential(q); }
  LIVENS_HD Position gradient(const Position& q) const {
    Position DV;
    for (int i = 0; i < d; ++i) DV[i] = Scalar(0.0);
    for (int e = 0; e < shape.elements; ++e) {
      const auto& [start, end, of_beam] = structure().element[e];
      add_strain_force(section_of(e), strained(q, e), start, end, DV);
    }
    return DV;
  }

  /// D^2 V(q) x.
  LIVENS_HD Position hessian_times(const Position& q, const Position& x) const {
    Position change;
    for (int i = 0; i < d; ++i) change[i] = Scalar(0.0);
    for (int e = 0; e < shape.elements; ++e) {
      const auto& [start, end, of_beam] = structure().element[e];
      add_strain_force_change(section_of(e), per_length[e], strained(q, e), x, start, end, change);
    }
    return change;
  }

  /// (b), on phi of the loaded bodies.
  LIVENS_HD Position load(const Scalar& t) const {
    const Scalar none = Scalar(0.0), one = Scalar(1.0);
    Position F;
    for (int i = 0; i < d; ++i) F[i] = none;
    for (int l = 0; l < shape.loads; ++l) {
      const auto& [direction, time, size] = loads[l];
      Scalar now = size[0];
      for (int c = 0; c + 1 < shape.corners; ++c) {
        const Scalar passed = min(max((t - time[c]) / (time[c + 1] - time[c]), none), one);
        now = fma(passed, size[c + 1] - size[c], now);
      }
      add_vector(F, 12 * structure().loaded[l], now * direction);
    }
    return F;
  }
};

}  // namespace livens::inline LIVENS_ISA
