#pragma once
// A system as its user wrote it, in strings: docs/equations/text.md. Whoever calls has read the file.

#include <string>
#include <vector>

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
    bool list = false;  // a vector in expressions, even of one entry
  };
  /// Expressions for the entries of a coordinate, one after the other.
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
};

/// From now on a system of that name, for everything that looks one up by name, the true motion included; in
/// place of a text of the same name. Throws std::invalid_argument, with the key and the column of an
/// expression, for what text.md refuses, and for the name of a built-in system. Not while another thread
/// looks a system up.
void add_text_system(const TextDescription& text);

}  // namespace livens::reference
