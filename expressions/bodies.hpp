#pragma once
// Rigid bodies and joints as a text has them. What they stand for, docs/equations/text.md, section 5, is made of
// them by without_bodies.hpp.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "expressions/complaint.hpp"

namespace livens::expressions {

/// A vector as it was typed: a list of its entries, or one expression for all of them.
struct TypedVector {
  std::vector<Expression> entries;
  bool one_by_one = true;
  Span place = {};
};

struct Body {
  std::string name;
  Span place;
  Expression mass;
  TypedVector inertia;  ///< J1, J2, J3; planar J
  bool planar = false;

  int size() const { return planar ? 2 : 3; }  ///< of x and of a director, and the number of these
};

enum class JointKind { spherical, revolute, universal, cylindrical, prismatic, weld, distance };
inline constexpr std::array joint_kinds = {"spherical", "revolute", "universal", "cylindrical",
                                           "prismatic", "weld",     "distance"};

inline constexpr int ground = -1;

struct Joint {
  std::string name;
  Span place;
  JointKind kind = JointKind::spherical;
  bool planar = false;
  std::array<int, 2> between = {ground, ground};  ///< places among the bodies
  std::array<TypedVector, 2> at = {}, axis = {};
  std::optional<Expression> length = {}, angle = {}, position = {}, torque = {}, force = {};

  bool is(JointKind other) const { return kind == other; }
  bool turns() const { return is(JointKind::revolute) || is(JointKind::cylindrical); }
  bool slides() const { return is(JointKind::prismatic) || is(JointKind::cylindrical); }
  bool has_axis() const {
    return planar ? is(JointKind::prismatic) : turns() || slides() || is(JointKind::universal);
  }
};

/// What [force] and [initial] say of a part of a body: "force", "rotation", "d1".
struct OfBody {
  int body;
  std::string part;
  TypedVector value;
};

}  // namespace livens::expressions
