#pragma once
// Rigid bodies and joints as trees over the names of a text: what section 5 of docs/equations/text.md says that
// they stand for.

#include "trees.hpp"

namespace livens::reference {

/// A body, or ground: its centre of mass, its own axes, and their velocities. Planar ones have two axes.
struct Frame {
  std::string name;
  Expression x, x_rate;
  std::vector<Expression> d, d_rate;

  bool planar() const { return d.size() == 2; }
  bool moves() const { return name != "ground"; }
};

/// Forces by coordinate, those of one coordinate added.
class Forces {
 public:
  void add(const std::string& coordinate, const Expression& force);
  /// F at the point with these coordinates in the own frame; none: at the centre of mass.
  void push(const Frame& body, const Expression& F, const Expression& point = nullptr);
  void turn(const Frame& body, const Expression& torque);
  const std::map<std::string, Expression>& by_coordinate() const { return by_coordinate_; }

 private:
  std::map<std::string, Expression> by_coordinate_;
};

/// One after the other, `size` entries together. Throws std::invalid_argument, as parse(), too.
Expression parse_entries(const std::vector<std::string>& texts, int size, const std::string& key,
                         const Names& names, const std::set<Operation>& allowed);

/// Values given by name, each of which is taken once.
using Given = std::map<std::string, Expression>;

class Bodies {
 public:
  /// `names` are those of the text with the coordinates of its bodies. Throws std::invalid_argument for what
  /// makes no mechanism.
  Bodies(const TextDescription& text, const Names& names);

  const Expression& kinetic() const { return kinetic_; }  // null without a body
  const std::vector<Expression>& constraints() const { return constraints_; }
  /// hinge.angle and its like, for the names of all expressions.
  const std::map<std::string, Expression>& quantities() const { return quantities_; }

  /// Those of joints, and from `given` those of bodies. `names` has the quantities.
  Forces forces(Given& given, const Names& names) const;

  /// Takes rotations and angular velocities from what is given for q and v, and puts directors there.
  void start(Given& q, Given& v) const;

 private:
  struct Joint {
    TextDescription::Joint text;
    Frame i, j;
    Expression point_i, point_j, axis_i;  // of the torque and the force; axis_i: null where there is none
  };

  void add_body(const TextDescription::Body& body, const Names& names);
  void add_joint(const TextDescription::Joint& joint, const Names& names,
                 const std::vector<double>& defaults);
  Frame frame_of(const std::string& name, bool planar, const std::string& key) const;

  std::vector<Frame> frames_;
  std::vector<Joint> joints_;
  Expression kinetic_;
  std::vector<Expression> constraints_;
  std::map<std::string, Expression> quantities_;
};

}  // namespace livens::reference
