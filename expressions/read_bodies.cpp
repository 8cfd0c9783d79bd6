#include "expressions/read_bodies.hpp"

#include <algorithm>

#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

void check_new_name(const Place& place, const std::string& name, const Description& so_far) {
  if (!is_name(name))
    refuse(place, "is no name",
           "a letter, then at most " + std::to_string(longest_name - 1) + " letters, digits and underscores");
  if (is_reserved(name) || name == "ground" || name == "q" || name == "v")
    refuse(place, "'" + name + "' has a meaning already", "another name");
  const auto taken = [&](const auto& all, const char* what) {
    for (const auto& other : all)
      if (other.name == name) refuse(place, "'" + name + "' is " + what + " as well", "another name");
  };
  taken(so_far.coordinates, "a coordinate");
  taken(so_far.parameters, "a parameter");
  taken(so_far.constants, "a constant");
  taken(so_far.functions, "a function");
  taken(so_far.bodies, "a body");
  taken(so_far.joints, "a joint");
  for (const TextCoordinate& other : so_far.coordinates)
    if (other.name.starts_with(name + "."))
      refuse(place, "'" + other.name + "' is a coordinate, whose first name this is", "another name");
}

Expression wanted(const Table& entry, const char* key, const char* what) {
  const auto expression = entry.expression(key);
  if (!expression) refuse(entry.place(), std::string("no ") + key, what);
  return *expression;
}

std::vector<std::string> names_of_bodies(const Description& description) {
  std::vector<std::string> names{"ground"};
  for (const Body& body : description.bodies) names.push_back(body.name);
  return names;
}

std::array<int, 2> read_between(const Table& entry, const Description& so_far) {
  const toml::node* node = entry.find("between");
  const toml::array* list = node == nullptr ? nullptr : node->as_array();
  const Place place = entry.place("between");
  if (list == nullptr || list->size() != 2 || !list->get(0)->is_string() || !list->get(1)->is_string())
    refuse(place, "", "the names of two bodies, or of one and ground, as in [\"ground\", \"crank\"]");
  const std::vector<std::string> names = names_of_bodies(so_far);
  std::array<int, 2> result{};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string& typed = **list->get(side)->as_string();
    const auto found = std::ranges::find(names, typed);
    if (found == names.end()) refuse_unknown(place, "unknown body", printable(typed), names);
    result[side] = static_cast<int>(found - names.begin()) - 1;
  }
  if (result[0] == result[1]) refuse(place, "joins a body to itself", "two bodies");
  return result;
}

/// Two vectors of so many entries, one in the frame of either body.
std::array<TypedVector, 2> read_pair(const Table& entry, const char* key, int size) {
  const toml::node* node = entry.find(key);
  const toml::array* list = node == nullptr ? nullptr : node->as_array();
  const std::string count = std::to_string(size),
                    expected = "two lists of " + count + " expressions, in the frame of either body";
  if (list == nullptr || list->size() != 2) refuse(entry.place(key), "", expected);
  std::array<TypedVector, 2> result;
  for (std::size_t side = 0; side < 2; ++side) {
    result[side] = entry.vector_of(*list->get(side), std::string(key) + "[" + std::to_string(side) + "]");
    if (result[side].one_by_one && static_cast<int>(result[side].entries.size()) != size)
      refuse(result[side].place, "", "a list of " + count + " expressions, or a vector");
  }
  return result;
}

JointKind read_kind(const Table& entry) {
  const auto typed = entry.text("kind");
  const std::vector<std::string> names(joint_kinds.begin(), joint_kinds.end());
  if (!typed) refuse(entry.place(), "no kind", enumerate(names));
  const auto found = std::ranges::find(names, *typed);
  if (found == names.end())
    refuse_unknown(entry.place("kind"), "unknown kind of joint '" + printable(*typed) + "'",
                   printable(*typed), names);
  return static_cast<JointKind>(found - names.begin());
}

void refuse_in_plane(const Table& entry, const Joint& joint) {
  if (!joint.planar) return;
  for (const JointKind kind : {JointKind::spherical, JointKind::universal, JointKind::cylindrical})
    if (joint.is(kind))
      refuse(entry.place("kind"),
             std::string("a ") + joint_kinds[static_cast<std::size_t>(kind)] + " joint is of bodies in space",
             "revolute, prismatic, weld or distance", kind == JointKind::spherical ? "revolute" : "");
}

/// Keys that a joint of this kind does not have.
void refuse_other_keys(const Table& entry, const Joint& joint) {
  const bool turns = joint.turns(), slides = joint.slides(), measures = joint.is(JointKind::distance);
  for (const auto& [key, allowed, of] :
       {std::tuple{"axis", joint.has_axis(),
                   joint.planar ? "prismatic joints in the plane"
                                : "revolute, universal, cylindrical and prismatic joints"},
        {"length", measures, "joints of the kind distance"},
        {"angle", turns, "revolute and cylindrical joints"},
        {"torque", turns, "revolute and cylindrical joints"},
        {"position", slides, "prismatic and cylindrical joints"},
        {"force", slides, "prismatic and cylindrical joints"}})
    if (!allowed && entry.find(key) != nullptr)
      refuse(entry.place(key), std::string("is a key of ") + of, "no such key");
}

/// "crank.x" into its two names.
std::pair<std::string, std::string> halves(const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == key.npos) return {key, ""};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

void add_part(const Table& table, const toml::node& node, const std::string& key, int body,
              const std::string& part, const Description& so_far, const PartsOfBodies& parts,
              std::vector<OfBody>& result) {
  const Span place = table.place_of(&node, key);
  if (std::ranges::find(parts, part) == parts.end())
    refuse_unknown(place, "is nothing of a body here", printable(part), parts);
  for (const OfBody& other : result)
    if (other.body == body && other.part == part) refuse(place, "is given twice", "one of the two");
  const Body& of = so_far.bodies[static_cast<std::size_t>(body)];
  const bool is_number = of.planar && (part == "torque" || part == "rotation" || part == "omega");
  if (of.planar && part.starts_with("d3")) refuse(place, "a planar body has the directors d1 and d2");
  TypedVector value = table.vector_of(node, key);
  if (value.one_by_one && (is_number || static_cast<int>(value.entries.size()) != of.size()))
    refuse(place, "",
           is_number ? "one expression"
                     : "a list of " + std::to_string(of.size()) + " expressions, or such a vector");
  result.push_back({body, part, std::move(value)});
}

}  // namespace

void read_bodies(const Table& table, Description& result) {
  for (const std::string& name : table.keys()) {
    const auto entry = table.table(name);
    Body body{name, entry->place(), {}, {}};
    check_new_name(body.place, name, result);
    entry->allow({"mass", "inertia", "planar"});
    if (const toml::node* planar = entry->find("planar")) {
      if (!planar->is_boolean()) refuse(entry->place("planar"), "", "true or false");
      body.planar = **planar->as_boolean();
    }
    body.mass = wanted(*entry, "mass", "the mass of the body");
    const toml::node* inertia = entry->find("inertia");
    const std::string expected =
        body.planar ? "the moment of inertia about the centre of mass, one expression"
                    : "the principal moments of inertia about the centre of mass, a list of 3 expressions";
    if (inertia == nullptr) refuse(body.place, "no inertia", expected);
    body.inertia = entry->vector_of(*inertia, "inertia");
    if (body.planar ? body.inertia.one_by_one : body.inertia.one_by_one && body.inertia.entries.size() != 3)
      refuse(body.inertia.place, "", expected);
    result.bodies.push_back(std::move(body));
  }
}

void read_joints(const Table& table, Description& result) {
  for (const std::string& name : table.keys()) {
    const auto entry = table.table(name);
    Joint joint{name, entry->place()};
    check_new_name(joint.place, name, result);
    entry->allow({"kind", "between", "at", "axis", "length", "angle", "position", "torque", "force"});
    joint.kind = read_kind(*entry);
    joint.between = read_between(*entry, result);
    bool first = true;
    for (const int body : joint.between) {
      if (body == ground) continue;
      const bool planar = result.bodies[static_cast<std::size_t>(body)].planar;
      if (!first && planar != joint.planar)
        refuse(entry->place("between"), "one of them is planar, the other is not", "both of them, or none");
      joint.planar = planar;
      first = false;
    }
    refuse_in_plane(*entry, joint);
    refuse_other_keys(*entry, joint);
    const int size = joint.planar ? 2 : 3;
    joint.at = read_pair(*entry, "at", size);
    if (joint.has_axis()) joint.axis = read_pair(*entry, "axis", size);
    if (joint.is(JointKind::distance)) joint.length = wanted(*entry, "length", "the distance of the points");
    joint.angle = entry->expression("angle");
    joint.position = entry->expression("position");
    joint.torque = entry->expression("torque");
    joint.force = entry->expression("force");
    result.joints.push_back(std::move(joint));
  }
}

bool read_of_body(const Table& table, const std::string& key, const Description& so_far,
                  const PartsOfBodies& parts, std::vector<OfBody>& result) {
  const auto [name, part] = halves(key);
  const auto found = std::ranges::find(so_far.bodies, name, &Body::name);
  if (found == so_far.bodies.end()) return false;
  const int body = static_cast<int>(found - so_far.bodies.begin());
  if (!part.empty()) {
    add_part(table, *table.find(key), key, body, part, so_far, parts, result);
    return true;
  }
  const auto entry = table.table(key);
  for (const std::string& one : entry->keys())
    add_part(*entry, *entry->find(one), one, body, one, so_far, parts, result);
  return true;
}

void read_initial_of_bodies(const Table& table, Description& result) {
  const PartsOfBodies of_position{"x", "rotation", "d1", "d2", "d3"};
  PartsOfBodies all = of_position;
  for (const char* velocity : {"omega", "x'", "d1'", "d2'", "d3'"}) all.emplace_back(velocity);
  std::vector<OfBody> found;
  for (const std::string& key : table.keys()) {
    if (key == "q" || key == "v" || read_of_body(table, key, result, all, found)) continue;
    std::vector<std::string> names{"q", "v"};
    for (const Body& body : result.bodies) names.push_back(body.name);
    refuse_unknown(table.place(key), result.bodies.empty() ? "unknown key" : "unknown key or body",
                   printable(key), names);
  }
  for (OfBody& one : found) {
    const bool is_position = std::ranges::find(of_position, one.part) != of_position.end();
    if (one.part.ends_with('\'')) one.part.pop_back();
    (is_position ? result.body_q : result.body_v).push_back(std::move(one));
  }
}

}  // namespace livens::expressions
