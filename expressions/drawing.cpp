#include "expressions/drawing.hpp"

#include <algorithm>

#include "expressions/observing_class.hpp"

namespace livens::expressions {
namespace {

std::vector<std::string> read_names(const Table& table, const toml::node& node, const std::string& key,
                                    const char* expected) {
  const auto is_text = [](const toml::node& one) { return one.is_string(); };
  if (!node.is_array() || !std::ranges::all_of(*node.as_array(), is_text))
    refuse(table.place_of(&node, key), "", expected);
  std::vector<std::string> names;
  for (const toml::node& one : *node.as_array()) names.push_back(**one.as_string());
  return names;
}

std::size_t place_among(const std::vector<std::string>& names, const std::string& name, const Place& place,
                        const char* kind) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    refuse_unknown(place, std::string("no ") + kind + " '" + printable(name) + "'", printable(name), names);
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<NodeId> read_point(Graph& graph, const Scope& scope, const Drawing::Point& point) {
  std::vector<NodeId> components;
  for (const Expression& entry : point.at.entries) try {
      const Value value = parse(graph, scope, entry.text);
      if (value.is_vector == point.at.one_by_one)
        refuse(
            entry.place, value.is_vector ? "is a vector" : "is a scalar",
            value.is_vector ? "a scalar" : "two or three components, or a vector in the plane or in space");
      components.insert(components.end(), value.entries.begin(), value.entries.end());
    } catch (const Slip& slip) {
      refuse(entry.place, slip, entry.text);
    } catch (const TooLarge&) {
      refuse(entry.place, "grows beyond " + std::to_string(most_nodes) + " operations");
    }
  if (components.size() != 2 && components.size() != 3)
    refuse(point.at.place, "has " + std::to_string(components.size()) + " components", "two, or three");
  components.resize(3, graph.constant(0.0));
  return components;
}

}  // namespace

Drawing read_drawing(const Table& table, const std::vector<Body>& bodies) {
  table.allow({"points", "links", "bodies"});
  Drawing drawing;
  std::vector<std::string> names, known;
  if (const auto points = table.table("points")) {
    names = points->keys();
    for (const std::string& name : names)
      drawing.points.push_back({name, points->vector_of(*points->find(name), name)});
  }
  if (names.size() > most_drawn)
    refuse(table.place("points"), "more than " + std::to_string(most_drawn) + " of them");
  const char* const wanted = "pairs of points, as in [[\"cart\", \"bob\"]]";
  if (const toml::node* links = table.find("links")) {
    if (!links->is_array()) refuse(table.place("links"), "", wanted);
    for (const toml::node& link : *links->as_array()) {
      const std::string key = "links[" + std::to_string(drawing.links.size()) + "]";
      const std::vector<std::string> ends = read_names(table, link, key, wanted);
      if (ends.size() != 2) refuse(table.place_of(&link, key), "", wanted);
      const Place place = table.place_of(&link, key);
      drawing.links.push_back(
          {place_among(names, ends[0], place, "point"), place_among(names, ends[1], place, "point")});
    }
  } else {
    for (std::size_t k = 1; k < names.size(); ++k) drawing.links.push_back({k - 1, k});
  }
  for (const Body& body : bodies) known.push_back(body.name);
  if (const toml::node* drawn = table.find("bodies")) {
    drawing.bodies = read_names(table, *drawn, "bodies", "names of bodies, as in [\"crank\"]");
    for (const std::string& name : *drawing.bodies) place_among(known, name, table.place("bodies"), "body");
  }
  if (drawing.points.empty() && (drawing.bodies ? drawing.bodies->empty() : bodies.empty()))
    refuse(table.place(), "", "points, as in points = { bob = [\"x\", \"y\"] }, or bodies");
  return drawing;
}

DrawnPoints::DrawnPoints(const Drawing& drawing, const SystemInfo& system, const TextSystem* text) {
  Scope scope = names_at_nodes(system, text);
  scope.velocities = scope.momenta = false;
  std::erase_if(scope.names, [](const Scope::Name& name) {
    return name.leaf != Leaf::position && name.leaf != Leaf::parameter;
  });
  for (const Drawing::Point& point : drawing.points) {
    const std::vector<NodeId> components = read_point(graph_, scope, point);
    roots_.insert(roots_.end(), components.begin(), components.end());
  }
}

}  // namespace livens::expressions
