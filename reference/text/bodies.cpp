#include "bodies.hpp"

#include "walk.hpp"

namespace livens::reference {
namespace {

using Trees = std::vector<Expression>;

/// The unit vector of an axis.
Expression unit(int axis, int dimension) {
  Trees entries(static_cast<std::size_t>(dimension), constant_of(0.0));
  entries[static_cast<std::size_t>(axis)] = constant_of(1.0);
  return list_of(entries);
}
Expression zeros(int dimension) {
  return list_of(Trees(static_cast<std::size_t>(dimension), constant_of(0.0)));
}

/// a1 d1 + a2 d2 + a3 d3
Expression combined(const Expression& a, const Trees& d) {
  Expression sum = entry_of(a, 0) * d[0];
  for (std::size_t k = 1; k < d.size(); ++k) sum = sum + entry_of(a, static_cast<int>(k)) * d[k];
  return sum;
}

Frame ground_frame(bool planar) {
  const int dimension = planar ? 2 : 3;
  Frame frame{"ground", zeros(dimension), zeros(dimension), {}, {}};
  for (int k = 0; k < dimension; ++k) {
    frame.d.push_back(unit(k, dimension));
    frame.d_rate.push_back(zeros(dimension));
  }
  return frame;
}

std::string director(const std::string& body, std::size_t k) { return body + ".d" + std::to_string(k + 1); }

Frame body_frame(const std::string& name, bool planar, const Names& names) {
  const auto leaf = [&](const std::string& coordinate, Operation operation) {
    const Symbol& symbol = *std::ranges::find(names.coordinates, coordinate, &Symbol::name);
    return tree_of(operation, {}, true, symbol.size, symbol.place);
  };
  using enum Operation;
  Frame frame{name, leaf(name + ".x", position), leaf(name + ".x", velocity), {}, {}};
  for (std::size_t k = 0; k < (planar ? 2 : 3); ++k) {
    frame.d.push_back(leaf(director(name, k), position));
    frame.d_rate.push_back(leaf(director(name, k), velocity));
  }
  return frame;
}

/// w = 1/2 sum d_k x d_k', planar a scalar.
Expression angular_velocity(const Frame& frame) {
  if (!frame.moves()) return frame.planar() ? constant_of(0.0) : zeros(3);
  const auto product = [&](std::size_t k) {
    const Expression &d = frame.d[k], &u = frame.d_rate[k];
    if (!frame.planar()) return cross_of(d, u);
    return entry_of(d, 0) * entry_of(u, 1) - entry_of(d, 1) * entry_of(u, 0);
  };
  Expression sum = product(0);
  for (std::size_t k = 1; k < frame.d.size(); ++k) sum = sum + product(k);
  return 0.5 * sum;
}

Expression take(Given& given, const std::string& name) {
  const auto found = given.find(name);
  return found == given.end() ? nullptr : given.extract(found).mapped();
}

/// One entry is a scalar.
void expect_size(const Expression& a, int size, const std::string& what) {
  if (a->size != size || (size == 1 && a->vector))
    throw std::invalid_argument(what + ": has " + std::to_string(size) + " entries");
}

/// Components in the own frame of the unit vectors e, b, c of an axis.
struct Axis {
  Expression e, b, c;
};

/// What an axis is where there is no key for it.
Axis planar_axis() { return {nullptr, unit(0, 2), unit(1, 2)}; }

Axis axis_of(const Expression& a, const std::vector<double>& defaults) {
  const Expression length = tree_of(Operation::norm, {a});
  Axis axis{.e = a / length, .b = nullptr, .c = nullptr};
  const auto component = [&](int i) { return entry_of(axis.e, i); };
  if (a->size == 2) {
    axis.c = list_of({-component(1), component(0)});
    return axis;
  }
  const std::vector<double> given = walk(*a, Leaves<double>{.parameters = defaults});
  int largest = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(given[static_cast<std::size_t>(k)]) > std::abs(given[static_cast<std::size_t>(largest)]))
      largest = k;
  }
  const Expression u = unit((largest + 1) % 3, 3), across = u - dot_of(u, axis.e) * axis.e;
  axis.b = across / tree_of(Operation::norm, {across});
  axis.c = cross_of(axis.e, axis.b);
  return axis;
}

struct Kind {
  bool planar, axis, turns, slides;  // exists in the plane; has an axis there is a key for; angle, position
};
const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"spherical", {false, false, false, false}}, {"revolute", {true, true, true, false}},
      {"universal", {false, true, false, false}},  {"cylindrical", {false, true, true, true}},
      {"prismatic", {true, true, false, true}},    {"weld", {true, false, false, false}},
      {"distance", {true, false, false, false}}};
  return all;
}

/// exp(S(r)) e_k
Expression turned(const Expression& r, int k) {
  const auto of = [](Operation function, const Expression& a) { return tree_of(function, {a}); };
  const Expression square = dot_of(r, r), angle = of(Operation::sqrt, square), e = unit(k, 3),
                   cosine = of(Operation::cos, angle), sine = of(Operation::sin, angle);
  const Expression rotated = cosine * e + (sine / angle) * cross_of(r, e) +
                             ((constant_of(1.0) - cosine) / square) * entry_of(r, k) * r;
  auto choice =
      std::make_shared<Tree>(*tree_of(Operation::where, {square, constant_of(0.0), rotated, e}, true, 3));
  choice->comparison = Comparison::greater;
  return choice;
}

Trees directors_of(const Expression& rotation, bool planar) {
  if (!planar) return {turned(rotation, 0), turned(rotation, 1), turned(rotation, 2)};
  const Expression cosine = tree_of(Operation::cos, {rotation}), sine = tree_of(Operation::sin, {rotation});
  return {list_of({cosine, sine}), list_of({-sine, cosine})};
}

Trees director_rates(const Expression& omega, const Trees& d) {
  if (d.size() == 2) return {omega * d[1], -(omega * d[0])};
  const auto O = [&](int k) { return entry_of(omega, k); };
  return {O(2) * d[1] - O(1) * d[2], O(0) * d[2] - O(2) * d[0], O(1) * d[0] - O(0) * d[1]};
}

/// All directors of a body, or none.
Trees given_directors(const Given& given, const Frame& body, const std::string& key) {
  Trees directors;
  for (std::size_t k = 0; k < body.d.size(); ++k) {
    const auto found = given.find(director(body.name, k));
    if (found == given.end()) continue;
    expect_size(found->second, body.planar() ? 2 : 3, key + "." + found->first);
    directors.push_back(found->second);
  }
  if (!directors.empty() && directors.size() < body.d.size())
    throw std::invalid_argument(key + "." + body.name + ": not all of its directors are given");
  return directors;
}

}  // namespace

void Forces::add(const std::string& coordinate, const Expression& force) {
  Expression& sum = by_coordinate_[coordinate];
  sum = sum ? sum + force : force;
}

void Forces::push(const Frame& body, const Expression& F, const Expression& point) {
  if (!body.moves()) return;
  add(body.name + ".x", F);
  if (!point) return;
  for (std::size_t k = 0; k < body.d.size(); ++k)
    add(director(body.name, k), entry_of(point, static_cast<int>(k)) * F);
}

void Forces::turn(const Frame& body, const Expression& torque) {
  if (!body.moves()) return;
  for (std::size_t k = 0; k < body.d.size(); ++k) {
    const Expression& d = body.d[k];
    const Expression lever =
        body.planar() ? torque * list_of({-entry_of(d, 1), entry_of(d, 0)}) : cross_of(torque, d);
    add(director(body.name, k), 0.5 * lever);
  }
}

Expression parse_entries(const std::vector<std::string>& texts, int size, const std::string& key,
                         const Names& names, const std::set<Operation>& allowed) {
  Trees parts;
  for (const std::string& text : texts) parts.push_back(parse(text, key, names, allowed));
  if (parts.empty()) throw std::invalid_argument(key + ": is needed");
  const Expression all = joined(parts);
  expect_size(all, size, key);
  return all;
}

Bodies::Bodies(const TextDescription& text, const Names& names) {
  for (const TextDescription::Body& body : text.bodies) add_body(body, names);
  std::vector<double> defaults;
  for (const TextDescription::Parameter& parameter : text.parameters)
    defaults.insert(defaults.end(), parameter.defaults.begin(), parameter.defaults.end());
  for (const TextDescription::Joint& joint : text.joints) add_joint(joint, names, defaults);
}

void Bodies::add_body(const TextDescription::Body& body, const Names& names) {
  const std::string key = "bodies." + body.name;
  const Frame& frame = frames_.emplace_back(body_frame(body.name, body.planar, names));
  const Expression m = parse_entries({body.mass}, 1, key + ".mass", names, {}),
                   J = parse_entries(body.inertia, body.planar ? 1 : 3, key + ".inertia", names, {});
  Trees E;
  if (body.planar) {
    E = {J / constant_of(2.0), J / constant_of(2.0)};
  } else {
    const Expression J1 = entry_of(J, 0), J2 = entry_of(J, 1), J3 = entry_of(J, 2), two = constant_of(2.0);
    E = {(J2 + J3 - J1) / two, (J3 + J1 - J2) / two, (J1 + J2 - J3) / two};
  }
  Expression T = 0.5 * m * dot_of(frame.x_rate, frame.x_rate);
  for (std::size_t k = 0; k < E.size(); ++k) T = T + 0.5 * E[k] * dot_of(frame.d_rate[k], frame.d_rate[k]);
  kinetic_ = kinetic_ ? kinetic_ + T : T;

  const Trees& d = frame.d;
  for (const Expression& axis : d)
    constraints_.push_back((dot_of(axis, axis) - constant_of(1.0)) / constant_of(2.0));
  for (std::size_t k = 0; k < d.size(); ++k) {
    for (std::size_t l = k + 1; l < d.size(); ++l) constraints_.push_back(dot_of(d[k], d[l]));
  }
}

Frame Bodies::frame_of(const std::string& name, bool planar, const std::string& key) const {
  if (name == "ground") return ground_frame(planar);
  const auto found = std::ranges::find(frames_, name, &Frame::name);
  if (found == frames_.end()) throw std::invalid_argument(key + ": no body is called '" + name + "'");
  return *found;
}

void Bodies::add_joint(const TextDescription::Joint& joint, const Names& names,
                       const std::vector<double>& defaults) {
  const std::string key = "joints." + joint.name;
  const auto& [name_i, name_j] = joint.between;
  if (name_i == name_j) throw std::invalid_argument(key + ".between: the bodies are one");
  const bool planar = frame_of(name_i == "ground" ? name_j : name_i, false, key + ".between").planar();
  const Frame i = frame_of(name_i, planar, key + ".between"), j = frame_of(name_j, planar, key + ".between");
  const auto known = kinds().find(joint.kind);
  if (known == kinds().end() || (planar && !known->second.planar) || i.planar() != j.planar())
    throw std::invalid_argument(key + ".kind: there is no such joint between these bodies");
  const Kind kind = known->second;
  if ((!kind.turns && !(joint.angle + joint.torque).empty()) ||
      (!kind.slides && !(joint.position + joint.force).empty()) ||
      (joint.kind != "distance" && !joint.length.empty()))
    throw std::invalid_argument(key + ": has a key that a joint of its kind does not have");
  const int dimension = planar ? 2 : 3;

  const auto point = [&](const Frame& body, const std::vector<std::string>& texts) {
    const bool may_move = !body.moves() && !kind.slides;
    const Expression s = parse_entries(texts, dimension, key + ".at", names,
                                       may_move ? std::set{Operation::time} : std::set<Operation>());
    expect_continuous(*s, key + ".at");
    return s;
  };
  const Expression s_i = point(i, joint.at[0]), s_j = point(j, joint.at[1]);
  const auto axis = [&](const std::vector<std::string>& texts) {
    if (!kind.axis) return Axis();
    if (planar && !kind.slides) return planar_axis();
    return axis_of(parse_entries(texts, dimension, key + ".axis", names, {}), defaults);
  };
  const Axis own_i = axis(joint.axis[0]), own_j = axis(joint.axis[1]);
  const auto in_space = [](const Expression& own, const Frame& body) {
    return own ? combined(own, body.d) : nullptr;
  };
  const Expression e_i = in_space(own_i.e, i), b_i = in_space(own_i.b, i), c_i = in_space(own_i.c, i),
                   e_j = in_space(own_j.e, j), b_j = in_space(own_j.b, j), c_j = in_space(own_j.c, j);
  const Expression D = (j.x + combined(s_j, j.d)) - (i.x + combined(s_i, i.d));
  const Trees &d_i = i.d, &d_j = j.d;

  Trees& g = constraints_;
  const auto add_difference = [&] {
    for (int k = 0; k < dimension; ++k) g.push_back(entry_of(D, k));
  };
  const auto moving = [&](const std::string& text, const std::string& which) {
    const Expression value = parse_entries({text}, 1, key + "." + which, names, {Operation::time});
    expect_continuous(*value, key + "." + which);
    return value;
  };
  if (joint.kind == "spherical") {
    add_difference();
  } else if (joint.kind == "revolute") {
    add_difference();
    if (!planar) g.insert(g.end(), {dot_of(b_i, e_j), dot_of(c_i, e_j)});
  } else if (joint.kind == "universal") {
    add_difference();
    g.push_back(dot_of(e_i, e_j));
  } else if (joint.kind == "cylindrical") {
    g.insert(g.end(), {dot_of(b_i, D), dot_of(c_i, D), dot_of(b_i, e_j), dot_of(c_i, e_j)});
  } else if (joint.kind == "prismatic" && planar) {
    g.insert(g.end(), {dot_of(c_i, D), dot_of(c_i, e_j)});
  } else if (joint.kind == "prismatic") {
    g.insert(g.end(), {dot_of(b_i, D), dot_of(c_i, D), dot_of(b_i, e_j), dot_of(c_i, e_j), dot_of(b_i, c_j)});
  } else if (joint.kind == "weld") {
    add_difference();
    g.push_back(dot_of(d_i[0], d_j[1]));
    if (!planar) g.insert(g.end(), {dot_of(d_i[1], d_j[2]), dot_of(d_i[2], d_j[0])});
  } else {  // distance; the square is read as of any text
    moving(joint.length, "length");
    const Expression square = moving("(" + joint.length + ")^2", "length");
    g.push_back((dot_of(D, D) - square) / constant_of(2.0));
  }

  if (kind.turns) {
    const Expression sine = dot_of(c_i, b_j), cosine = dot_of(b_i, b_j);
    quantities_[joint.name + ".angle"] = tree_of(Operation::atan2, {sine, cosine});
    const Expression w = angular_velocity(j) - angular_velocity(i);
    quantities_[joint.name + ".rate"] = planar ? w : dot_of(e_i, w);
    if (!joint.angle.empty()) {
      const Expression A = moving(joint.angle, "angle");
      g.push_back(tree_of(Operation::cos, {A}) * sine - tree_of(Operation::sin, {A}) * cosine);
    }
  }
  if (kind.slides) {
    const Expression position = dot_of(e_i, D),
                     D_rate = (j.x_rate + combined(s_j, j.d_rate)) - (i.x_rate + combined(s_i, i.d_rate)),
                     speed = dot_of(e_i, D_rate) + dot_of(combined(own_i.e, i.d_rate), D);
    quantities_[joint.name + ".position"] = position;
    quantities_[joint.name + ".speed"] = speed;
    if (!kind.turns) quantities_[joint.name + ".rate"] = speed;
    if (!joint.position.empty()) g.push_back(position - moving(joint.position, "position"));
  }
  joints_.push_back({joint, i, j, s_i, s_j, e_i});
}

Forces Bodies::forces(Given& given, const Names& names) const {
  Forces forces;
  for (const Frame& body : frames_) {
    const auto taken = [&](const std::string& what, int size) {
      const Expression value = take(given, body.name + what);
      if (value) expect_size(value, size, "force." + body.name + what);
      return value;
    };
    if (const Expression F = taken(".force", body.planar() ? 2 : 3)) forces.push(body, F);
    if (const Expression torque = taken(".torque", body.planar() ? 1 : 3)) forces.turn(body, torque);
  }
  const std::set<Operation> allowed = {Operation::position, Operation::velocity, Operation::time};
  for (const auto& [text, i, j, point_i, point_j, axis_i] : joints_) {
    const std::string key = "joints." + text.name;
    if (!text.torque.empty()) {
      const Expression size = parse_entries({text.torque}, 1, key + ".torque", names, allowed),
                       torque = i.planar() ? size : size * axis_i;
      forces.turn(j, torque);
      forces.turn(i, -torque);
    }
    if (!text.force.empty()) {
      const Expression F = parse_entries({text.force}, 1, key + ".force", names, allowed) * axis_i;
      forces.push(j, F, point_j);
      forces.push(i, -F, point_i);
    }
  }
  return forces;
}

void Bodies::start(Given& q, Given& v) const {
  for (const Frame& body : frames_) {
    const int size = body.planar() ? 1 : 3;
    Trees directors = given_directors(q, body, "initial.q");
    const Expression rotation = take(q, body.name + ".rotation");
    if (directors.empty()) {
      if (rotation) expect_size(rotation, size, "initial.q." + body.name + ".rotation");
      directors = rotation ? directors_of(rotation, body.planar()) : ground_frame(body.planar()).d;
      for (std::size_t k = 0; k < directors.size(); ++k) q[director(body.name, k)] = directors[k];
    } else if (rotation) {
      throw std::invalid_argument("initial.q." + body.name + ": has a rotation and directors");
    }
    const Trees rates = given_directors(v, body, "initial.v");
    const Expression omega = take(v, body.name + ".omega");
    if (!omega) continue;
    if (!rates.empty())
      throw std::invalid_argument("initial.v." + body.name + ": has an angular velocity and directors");
    expect_size(omega, size, "initial.v." + body.name + ".omega");
    const Trees of_omega = director_rates(omega, directors);
    for (std::size_t k = 0; k < of_omega.size(); ++k) v[director(body.name, k)] = of_omega[k];
  }
}

}  // namespace livens::reference
