#pragma once
// The structure of a mechanism as a constant of the compiler: which bodies its beam elements and joints join.
// Whatever is a number (masses, stiffnesses, places, loads) stands in assembly.hpp. Each body has the
// coordinates (phi, d1, d2, d3) in R^12; a beam's nodes are bodies, too. docs/equations/assembly.md.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// In the place of a body: at rest at the origin, its directors the inertial axes.
inline constexpr int ground = -1;
/// In the place of a joint's axis: it has none.
inline constexpr int spherical = -1;

/// A beam between two nodes, linear in between; elements of one beam share a section.
struct ElementShape {
  int start, end, section;
};

/// Places of two bodies are one; with an axis, 0 to 2, the director of that number is common to both, too.
/// `of` hangs on `on`, on the ground in the end.
struct JointShape {
  int on, of, axis;
};

/// The history of every load has `Corners` points. Structural: an assembly is a class template over it.
template <int Bodies, int Elements, int Sections, int Joints, int Loads, int Corners>
struct AssemblyShape {
  static constexpr int bodies = Bodies, elements = Elements, sections = Sections, joints = Joints,
                       loads = Loads, corners = Corners;
  static constexpr int coordinates = 12 * Bodies;
  ElementShape element[Elements > 0 ? Elements : 1] = {};
  JointShape joint[Joints > 0 ? Joints : 1] = {};
  int loaded[Loads > 0 ? Loads : 1] = {};  ///< bodies

  constexpr int constraints_of(int j) const { return joint[j].axis == spherical ? 3 : 5; }
  /// m: six for the directors of each body, then those of the joints.
  constexpr int constraints() const {
    int m = 6 * Bodies;
    for (int j = 0; j < Joints; ++j) m += constraints_of(j);
    return m;
  }
  /// The joint that carries a body, -1 for a free one.
  constexpr int carrier(int body) const {
    for (int j = 0; j < Joints; ++j)
      if (joint[j].of == body) return j;
    return -1;
  }
  constexpr bool is_free(int body) const { return carrier(body) < 0; }
  /// Unknowns of a body in the null space, in the order of the bodies: a translation and a rotation, a
  /// rotation, or an angle.
  constexpr int own_unknowns(int body) const {
    if (is_free(body)) return 6;
    return joint[carrier(body)].axis == spherical ? 3 : 1;
  }
  constexpr int first_unknown(int body) const {
    int first = 0;
    for (int b = 0; b < body; ++b) first += own_unknowns(b);
    return first;
  }
  constexpr int unknowns() const { return first_unknown(Bodies); }

  /// Joints may not carry each other, nor two of them one body: the null space is that of trees.
  constexpr bool is_of_trees() const {
    for (int j = 0; j < Joints; ++j) {
      if (carrier(joint[j].of) != j) return false;
      int above = joint[j].on;
      for (int climbed = 0; above != ground; ++climbed) {
        if (climbed == Joints) return false;
        above = is_free(above) ? ground : joint[carrier(above)].on;
      }
    }
    return true;
  }
};

/// The unknowns of the null space method, as tables.
template <AssemblyShape shape>
struct UnknownsOf {
  static_assert(shape.is_of_trees(), "the joints of an assembly form trees from the ground");
  static constexpr int bodies = shape.bodies, count = shape.unknowns();

  /// A body moves with its own unknowns, which stand last, and those of the bodies that carry it.
  static constexpr int columns_of(int body) {
    const int own = shape.own_unknowns(body);
    if (shape.is_free(body)) return own;
    const int on = shape.joint[shape.carrier(body)].on;
    return own + (on == ground ? 0 : columns_of(on));
  }
  static constexpr int most_columns = [] {
    int most = 6;
    for (int b = 0; b < bodies; ++b) most = columns_of(b) > most ? columns_of(b) : most;
    return most;
  }();

  struct Table {
    int order[bodies] = {};    ///< bodies, each behind the one that carries it
    int carrier[bodies] = {};  ///< joints, -1 for a free body
    int first_unknown[bodies] = {};
    int columns[bodies] = {};
    int column[bodies][most_columns] = {};  ///< the numbers of these unknowns
    int half_bandwidth = 0;
  };
  static constexpr Table table = [] {
    Table t;
    for (int b = 0; b < bodies; ++b) {
      t.carrier[b] = shape.carrier(b);
      t.first_unknown[b] = shape.first_unknown(b);
    }
    bool placed[bodies] = {};
    for (int n = 0; n < bodies;)
      for (int b = 0; b < bodies; ++b) {
        if (placed[b]) continue;
        const int on = shape.is_free(b) ? ground : shape.joint[shape.carrier(b)].on;
        if (on != ground && !placed[on]) continue;
        placed[b] = true;
        t.order[n++] = b;
        int& k = t.columns[b];
        if (on != ground)
          for (; k < t.columns[on]; ++k) t.column[b][k] = t.column[on][k];
        for (int own = 0; own < shape.own_unknowns(b); ++own) t.column[b][k++] = shape.first_unknown(b) + own;
      }
    const auto couple = [&t](int a, int b) {
      for (int i = 0; i < t.columns[a]; ++i)
        for (int j = 0; j < t.columns[b]; ++j) {
          const int distance = t.column[a][i] - t.column[b][j];
          const int size = distance < 0 ? -distance : distance;
          if (size > t.half_bandwidth) t.half_bandwidth = size;
        }
    };
    for (int b = 0; b < bodies; ++b) couple(b, b);
    for (int e = 0; e < shape.elements; ++e) couple(shape.element[e].start, shape.element[e].end);
    return t;
  }();
  /// The table where it is indexed at run time: device code takes no address of a static member.
  static LIVENS_HD const Table& indexed() {
    static constexpr Table copy = table;
    return copy;
  }
};

}  // namespace livens::inline LIVENS_ISA
