#pragma once
// What a system looks like: points by expressions, and the lines between them, as [drawing] of a text has them.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "expressions/bodies.hpp"
#include "expressions/graph.hpp"
#include "expressions/text_table.hpp"
#include "kernels/description/system_info.hpp"

namespace livens {
class TextSystem;
}

namespace livens::expressions {

/// Most points of a drawing.
inline constexpr std::size_t most_drawn = 1000;

struct Drawing {
  struct Point {
    std::string name;
    TypedVector at;  ///< two or three components, or a vector
  };
  std::vector<Point> points;
  std::vector<std::array<std::size_t, 2>> links;   ///< places among the points; default: each with the next
  std::optional<std::vector<std::string>> bodies;  ///< those that are drawn by their joints; not given: all
};

/// Reads [drawing]; throws RequestError. What its expressions say is read by DrawnPoints.
Drawing read_drawing(const Table& table, const std::vector<Body>& bodies);

/// The points of a drawing as functions of coordinates, time and parameters.
class DrawnPoints {
 public:
  /// `text`: what the system is written as, or null. Throws RequestError for what is no point.
  DrawnPoints(const Drawing& drawing, const SystemInfo& system, const TextSystem* text);

  /// Where they are, three numbers a point; in the plane the third is 0.
  std::vector<double> at(const Values& values) const { return evaluate(graph_, roots_, values); }

 private:
  Graph graph_;
  std::vector<NodeId> roots_;
};

}  // namespace livens::expressions
