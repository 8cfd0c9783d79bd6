#pragma once
// A system as its user wrote it, in strings: docs/equations/text.md. Whoever calls has read the file.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "table.hpp"

namespace livens::reference {

struct TextDescription {
  struct Coordinate {
    std::string name;
    int count = 1;
    bool vector = false;  // even of one entry
  };
  struct Constant {
    std::string name;
    int value;
  };
  struct Parameter {
    std::string name;
    std::vector<double> defaults;
    bool list = false;         // a vector in expressions, even of one entry
    std::string follows = {};  // an expression of the parameters before it, whose value is the default
  };
  /// A function of the text's own: of one expression, or of a list of them and then a vector.
  struct Function {
    std::string name;
    std::vector<std::string> of, is;
    bool vector = false;
  };
  struct NamedTable {
    std::string name;
    TableDescription table;
  };
  /// Section 5. What a joint does not have is empty; of `at` and `axis` the first is of the first body.
  struct Body {
    std::string name, mass;
    std::vector<std::string> inertia;  // planar: one
    bool planar = false;
  };
  struct Joint {
    std::string name, kind;
    std::array<std::string, 2> between;
    std::array<std::vector<std::string>, 2> at = {}, axis = {};
    std::string length = {}, angle = {}, position = {}, torque = {}, force = {};
  };
  struct Impact {
    std::string gap, restitution;
  };
  /// Expressions for the entries of a coordinate, one after the other; of a body also of its `force`, `torque`,
  /// `rotation` and `omega`, body.force and so on.
  struct Assignment {
    std::string coordinate;
    std::vector<std::string> expressions;
  };

  std::string name;
  std::vector<Constant> constants = {};
  std::vector<Coordinate> coordinates;
  std::vector<Parameter> parameters;
  std::string kinetic, potential, rayleigh, action_damping;  // empty: absent
  std::vector<std::string> constraints, nonholonomic, momentum;
  std::vector<Assignment> force, initial_position, initial_velocity;  // zero for a coordinate left out
  std::vector<Function> functions = {};
  std::vector<NamedTable> tables = {};
  std::vector<Body> bodies = {};
  std::vector<Joint> joints = {};
  bool drop_redundant = false;  // redundant = "drop"
  std::vector<Impact> impacts = {};
};

class TextSystem;

/// The system for Model::text. Throws std::invalid_argument, with the key and the column of an expression, for
/// what text.md refuses.
std::shared_ptr<const TextSystem> read_text(const TextDescription& text);

}  // namespace livens::reference
