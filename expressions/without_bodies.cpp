// What a body and a joint stand for: docs/equations/text.md, section 5, in its order.

#include "expressions/without_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "expressions/mechanics.hpp"
#include "expressions/text_table.hpp"
#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

/// The number that a text is, where it is one.
std::optional<double> number_of(const std::string& text) {
  double value = 0.0;
  const std::string_view digits = text.starts_with('-') ? std::string_view(text).substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return text.starts_with('-') ? -value : value;
}
bool is_number(const std::string& text, double value) {
  const auto number = number_of(text);
  return number && *number == value;
}

/// An operand of any operation.
std::string operand(const std::string& text) {
  const bool is_list = text.starts_with('[') && text.find_first_of("[]", 1) == text.size() - 1;
  const bool is_whole =
      is_list || is_name(text) || is_dotted_name(text) || (number_of(text) && !text.starts_with('-'));
  return is_whole ? text : "(" + text + ")";
}
std::string number(double value) { return number_text(value == 0.0 ? 0.0 : value); }
std::string negative(const std::string& text) {
  const auto value = number_of(text);
  return value ? number(-*value) : "-" + operand(text);
}
std::string product(const std::string& a, const std::string& b) {
  if (is_number(a, 0.0) || is_number(b, 0.0)) return "0";
  if (is_number(a, 1.0)) return b;
  if (is_number(b, 1.0)) return a;
  if (is_number(a, -1.0)) return negative(b);
  if (is_number(b, -1.0)) return negative(a);
  return operand(a) + "*" + operand(b);
}
std::string quotient(const std::string& a, const std::string& b) {
  return is_number(a, 0.0) ? "0" : operand(a) + "/" + operand(b);
}
std::string sum(const std::string& a, const std::string& b) {
  if (is_number(a, 0.0)) return b;
  if (is_number(b, 0.0)) return a;
  return a + (b.starts_with('-') ? " - " + b.substr(1) : " + " + b);
}
std::string difference(const std::string& a, const std::string& b) {
  if (is_number(b, 0.0)) return a;
  if (is_number(a, 0.0)) return negative(b);
  return a + " - " + operand(b);
}
std::string half(const std::string& a) { return product("1/2", a); }

/// The components of a vector.
using Components = std::vector<std::string>;
std::string listed(const Components& components) {
  std::string result;
  for (const std::string& component : components) result += (result.empty() ? "" : ", ") + component;
  return "[" + result + "]";
}
bool is_zero(const Components& components) {
  return std::ranges::all_of(components, [](const std::string& c) { return is_number(c, 0.0); });
}
std::string dot(const std::string& u, const std::string& w) { return "dot(" + u + ", " + w + ")"; }
std::string cross(const std::string& u, const std::string& w) { return "cross(" + u + ", " + w + ")"; }

/// The unit vectors e, b, c of an axis by their components in the own frame.
struct Axes {
  Components e, b, c;
};
Axes axes_of(const Components& a, std::size_t largest) {
  const std::size_t n = (largest + 1) % 3, j = (n + 1) % 3, k = (n + 2) % 3;
  Axes axes{Components(3), Components(3), Components(3)};
  if (std::ranges::all_of(a, [](const std::string& one) { return number_of(one).has_value(); })) {
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < 3; ++i) x[i] = *number_of(a[i]);
    const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]),
                 across = std::sqrt(x[j] * x[j] + x[k] * x[k]);
    for (std::size_t i = 0; i < 3; ++i) axes.e[i] = number(x[i] / length);
    axes.b[n] = number(across / length);
    axes.b[j] = number(-x[j] * x[n] / (across * length));
    axes.b[k] = number(-x[k] * x[n] / (across * length));
    axes.c[n] = "0";
    axes.c[j] = number(x[k] / across);
    axes.c[k] = number(-x[j] / across);
    return axes;
  }
  const std::string length = "norm(" + listed(a) + ")", across = "norm(" + listed({a[j], a[k]}) + ")",
                    both = across + "*" + length;
  for (std::size_t i = 0; i < 3; ++i) axes.e[i] = quotient(a[i], length);
  axes.b[n] = quotient(across, length);
  axes.b[j] = quotient(negative(product(a[j], a[n])), both);
  axes.b[k] = quotient(negative(product(a[k], a[n])), both);
  axes.c[n] = "0";
  axes.c[j] = quotient(a[k], across);
  axes.c[k] = quotient(negative(a[j]), across);
  return axes;
}
Axes axes_in_plane(const Components& a) {
  if (number_of(a[0]) && number_of(a[1])) {
    const double x = *number_of(a[0]), y = *number_of(a[1]), length = std::sqrt(x * x + y * y);
    return {{number(x / length), number(y / length)}, {}, {number(-y / length), number(x / length)}};
  }
  const std::string length = "norm(" + listed(a) + ")";
  return {{quotient(a[0], length), quotient(a[1], length)},
          {},
          {quotient(negative(a[1]), length), quotient(a[0], length)}};
}

/// A vector in space, made of a point and directors of a body, or of numbers where it is the ground's.
struct InSpace {
  std::string now, rate;  ///< and its derivative by the time; rate "0" where it stands still
};

class Expansion {
 public:
  explicit Expansion(const Description& typed) : typed_(typed), text_(typed) {}

  Description text() {
    text_.bodies.clear();
    text_.joints.clear();
    text_.body_force.clear();
    text_.body_q.clear();
    text_.body_v.clear();
    parameters_ = scope_of(text_);
    parameters_.positions = false;
    for (const Body& body : typed_.bodies) add(body);
    for (const Joint& joint : typed_.joints) add(joint);
    rows_.insert(rows_.end(), text_.constraints.begin(), text_.constraints.end());
    text_.constraints = std::move(rows_);
    forces();
    initial();
    check_functions(text_);
    return std::move(text_);
  }

 private:
  // --- What is typed ---

  Value read(const Expression& expression, const Scope& scope) {
    Graph graph;
    return read(graph, expression, scope);
  }
  static Value read(Graph& graph, const Expression& expression, const Scope& scope) {
    try {
      return parse(graph, scope, expression.text);
    } catch (const Slip& slip) {
      refuse(expression.place, slip, expression.text);
    } catch (const TooLarge&) {
      refuse(expression.place, "grows beyond " + std::to_string(most_nodes) + " operations");
    }
  }
  std::string scalar(const Expression& expression, const Scope& scope) {
    if (read(expression, scope).is_vector) refuse(expression.place, "is a vector", "a scalar");
    return expression.text;
  }
  Components vector(const TypedVector& typed, int size, const Scope& scope) {
    Components result;
    if (typed.one_by_one) {
      for (const Expression& entry : typed.entries) result.push_back(scalar(entry, scope));
      return result;
    }
    const Expression& all = typed.entries.front();
    const Value value = read(all, scope);
    const std::string count = std::to_string(size);
    if (!value.is_vector || static_cast<int>(value.entries.size()) != size)
      refuse(typed.place, "", "a list of " + count + " expressions, or such a vector");
    for (int i = 0; i < size; ++i) result.push_back(operand(all.text) + "[" + std::to_string(i) + "]");
    return result;
  }
  /// With the default parameters, at t = 0.
  double at_defaults(const std::string& expression, const Place& place) {
    Graph graph;
    Scope scope = parameters_;
    scope.time = true;
    const Value value = read(graph, {expression, {{place}}}, scope);
    const std::vector<double> parameters = default_parameters(typed_);
    Values values;
    values.parameters = parameters;
    return evaluate(graph, value.entries, values).front();
  }
  Scope of_time() const {
    Scope scope = parameters_;
    scope.time = true;
    return scope;
  }
  Scope of_motion() const {
    Scope scope = scope_of(text_);
    scope.velocities = scope.time = true;
    return scope;
  }

  // --- Bodies ---

  const Body* body(int place) const {
    return place == ground ? nullptr : &typed_.bodies[static_cast<std::size_t>(place)];
  }
  static std::string x(const Body& body) { return body.name + ".x"; }
  static std::string d(const Body& body, int k) { return body.name + ".d" + std::to_string(k + 1); }

  void add(const Body& body) {
    const int n = body.size();
    std::vector<std::string> names{x(body)};
    for (int k = 0; k < n; ++k) names.push_back(d(body, k));
    for (const std::string& name : names) {
      const int first = text_.coordinate_count();
      if (first + n > most_coordinates)
        refuse(body.place, "more than " + std::to_string(most_coordinates) + " coordinates in all");
      text_.coordinates.push_back({name, first, n, true});
    }
    kinetic(body);
    const auto row = [&](const std::string& g) { rows_.push_back({g, body.place}); };
    for (int k = 0; k < n; ++k) row("(" + dot(d(body, k), d(body, k)) + " - 1)/2");
    for (int k = 0; k < n; ++k)
      for (int l = k + 1; l < n; ++l) row(dot(d(body, k), d(body, l)));
  }
  void expect_positive(const std::string& expression, const Place& place, const std::string& what) {
    if (!(at_defaults(expression, place) > 0.0))
      refuse(place, what + " is not positive, with the default parameters");
  }
  void kinetic(const Body& body) {
    const std::string mass = scalar(body.mass, parameters_);
    expect_positive(mass, body.mass.place, "the mass");
    std::string& T = text_.kinetic.text;
    if (T.empty()) text_.kinetic.place = body.place;
    const auto add_term = [&](const std::string& factor, const std::string& of) {
      T += (T.empty() ? "" : " + ") + ("1/2*" + operand(factor)) + "*" + dot(of + "'", of + "'");
    };
    add_term(mass, x(body));
    const Place& place = body.inertia.place;
    if (body.planar) {
      const std::string J = scalar(body.inertia.entries.front(), parameters_);
      expect_positive(J, place, "the moment of inertia");
      for (int k = 0; k < 2; ++k) add_term(quotient(J, "2"), d(body, k));
      return;
    }
    const Components J = vector(body.inertia, 3, parameters_);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      const std::string twice = operand(J[j]) + " + " + operand(J[k]) + " - " + operand(J[i]);
      const auto name = [](std::size_t one) { return "J" + std::to_string(one + 1); };
      if (!(at_defaults(twice, place) > 0.0))
        refuse(place,
               name(i) + " is not less than " + name(j) + " + " + name(k) + ", with the default parameters",
               "moments of a body that has an extent along " + d(body, static_cast<int>(i)));
      const bool is_number = number_of(J[0]) && number_of(J[1]) && number_of(J[2]);
      add_term(is_number ? number((*number_of(J[j]) + *number_of(J[k]) - *number_of(J[i])) / 2)
                         : "(" + twice + ")/2",
               d(body, static_cast<int>(i)));
    }
  }

  /// The sum of s_k d_k.
  static InSpace along(const Body* of, const Components& s) {
    if (of == nullptr) return {listed(s), "0"};
    std::string now, rate;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (is_number(s[k], 0.0)) continue;
      const std::string director = d(*of, static_cast<int>(k));
      const auto add = [&](std::string& to, const std::string& term) {
        to = to.empty() ? term : sum(to, term);
      };
      add(now, product(s[k], director));
      // A prime belongs to the director.
      add(rate, is_number(s[k], 1.0)    ? director + "'"
                : is_number(s[k], -1.0) ? "-" + director + "'"
                                        : operand(s[k]) + "*" + director + "'");
    }
    return {now, rate};
  }
  static InSpace point(const Body* of, const Components& s) {
    if (of == nullptr) return {is_zero(s) ? "0" : listed(s), "0"};
    if (is_zero(s)) return {x(*of), x(*of) + "'"};
    const InSpace arm = along(of, s);
    return {sum(x(*of), arm.now), sum(x(*of) + "'", arm.rate)};
  }
  static InSpace between(const InSpace& from, const InSpace& to) {
    return {difference(to.now, from.now), difference(to.rate, from.rate)};
  }
  /// w, the angular velocity, in space; "0" of ground.
  static std::string turning(const Body* of) {
    if (of == nullptr) return "0";
    std::string result;
    for (int k = 0; k < of->size(); ++k) {
      const std::string a = d(*of, k);
      result = result.empty() ? "" : result + " + ";
      result += of->planar ? a + "[0]*" + a + "'[1] - " + a + "[1]*" + a + "'[0]" : cross(a, a + "'");
    }
    return "1/2*(" + result + ")";
  }

  // --- Joints ---

  void add(const Joint& joint) {
    const std::array<const Body*, 2> of{body(joint.between[0]), body(joint.between[1])};
    const int size = joint.planar ? 2 : 3;
    std::array<Components, 2> s;
    std::array<Axes, 2> axis;
    std::array<InSpace, 2> e, b, c, P;
    for (std::size_t side = 0; side < 2; ++side) {
      const bool may_move = of[side] == nullptr && !joint.slides();
      s[side] = vector(joint.at[side], size, may_move ? of_time() : parameters_);
      P[side] = point(of[side], s[side]);
      if (joint.has_axis()) axis[side] = axes(joint, side);
      if (joint.planar && joint.is(JointKind::revolute)) axis[side] = {{}, {"1", "0"}, {"0", "1"}};
      e[side] = along(of[side], axis[side].e);
      b[side] = along(of[side], axis[side].b);
      c[side] = along(of[side], axis[side].c);
    }
    const InSpace D = between(P[0], P[1]);
    const auto row = [&](const std::string& g) { rows_.push_back({g, joint.place}); };
    const auto in_line = [&] {
      row(dot(b[0].now, D.now));
      row(dot(c[0].now, D.now));
    };
    const auto parallel = [&] {
      row(dot(b[0].now, e[1].now));
      row(dot(c[0].now, e[1].now));
    };
    using enum JointKind;
    switch (joint.kind) {
      case spherical:
        row(D.now);
        break;
      case revolute:
        row(D.now);
        if (!joint.planar) parallel();
        break;
      case universal:
        row(D.now);
        row(dot(e[0].now, e[1].now));
        break;
      case cylindrical:
        in_line();
        parallel();
        break;
      case prismatic:
        if (joint.planar) {
          row(dot(c[0].now, D.now));
          row(dot(c[0].now, e[1].now));
          break;
        }
        in_line();
        parallel();
        row(dot(b[0].now, c[1].now));
        break;
      case weld: {
        row(D.now);
        const auto director = [&](std::size_t side, std::size_t k) {
          Components unit(static_cast<std::size_t>(size), "0");
          unit[k] = "1";
          return along(of[side], unit).now;
        };
        row(dot(director(0, 0), director(1, 1)));
        if (joint.planar) break;
        row(dot(director(0, 1), director(1, 2)));
        row(dot(director(0, 2), director(1, 0)));
        break;
      }
      case distance:
        row("(" + dot(D.now, D.now) + " - " + operand(scalar(*joint.length, of_time())) + "^2)/2");
        break;
    }
    const std::string cosine = dot(b[0].now, b[1].now), sine = dot(c[0].now, b[1].now);
    const auto called = [&](const char* part, const std::string& is) {
      text_.abbreviations.push_back(
          {joint.name + "." + part, joint.place, {}, {{is, joint.place}}, false, nullptr});
    };
    if (joint.turns()) {
      called("angle", "atan2(" + sine + ", " + cosine + ")");
      const std::string w = difference(turning(of[1]), turning(of[0]));
      called("rate", joint.planar ? w : dot(e[0].now, w));
      if (joint.angle) {
        const std::string A = scalar(*joint.angle, of_time());
        rows_.push_back({"cos(" + A + ")*" + sine + " - sin(" + A + ")*" + cosine, joint.angle->place});
      }
    }
    if (joint.slides()) {
      called("position", dot(e[0].now, D.now));
      const std::string speed = sum(dot(e[0].now, D.rate), of[0] == nullptr ? "0" : dot(e[0].rate, D.now));
      called("speed", speed);
      if (joint.is(prismatic)) called("rate", speed);
      if (joint.position)
        rows_.push_back({dot(e[0].now, D.now) + " - " + operand(scalar(*joint.position, of_time())),
                         joint.position->place});
    }
    if (joint.torque || joint.force) loads_.push_back({&joint, of, s, e[0].now});
  }
  Axes axes(const Joint& joint, std::size_t side) {
    const TypedVector& typed = joint.axis[side];
    const Components a = vector(typed, joint.planar ? 2 : 3, parameters_);
    std::size_t largest = 0;
    double size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double entry = std::abs(at_defaults(a[i], typed.place));
      if (!std::isfinite(entry)) refuse(typed.place, "is not finite, with the default parameters");
      if (entry > size) {
        size = entry;
        largest = i;
      }
    }
    if (size == 0.0) refuse(typed.place, "has the length 0, with the default parameters");
    return joint.planar ? axes_in_plane(a) : axes_of(a, largest);
  }

  // --- Forces ---

  struct Load {
    const Joint* joint;
    std::array<const Body*, 2> of;
    std::array<Components, 2> at;
    std::string axis;
  };
  void push(const std::string& coordinate, const std::string& force, const Span& place) {
    Expression& all = forces_[coordinate];
    if (all.text.empty()) {
      all = {force, place};
    } else {
      all.text = sum(all.text, force);
    }
  }
  /// A force, or its opposite, at x + s1 d1 + s2 d2 + ...
  void push(const Body& on, const std::string& force, const Components& s, const Span& place) {
    push(x(on), force, place);
    for (std::size_t k = 0; k < s.size(); ++k)
      if (!is_number(s[k], 0.0)) push(d(on, static_cast<int>(k)), product(s[k], force), place);
  }
  void turn(const Body& on, const std::string& torque, const Span& place) {
    for (int k = 0; k < on.size(); ++k) {
      const std::string a = d(on, k);
      push(a, half(on.planar ? product(torque, "[-" + a + "[1], " + a + "[0]]") : cross(torque, a)), place);
    }
  }
  void forces() {
    // Names of joints have a place in all of them.
    const Scope scope = of_motion();
    for (const OfBody& one : typed_.body_force) {
      const Body& on = *body(one.body);
      if (on.planar && one.part == "torque") {
        turn(on, scalar(one.value.entries.front(), scope), one.value.place);
        continue;
      }
      const Components components = vector(one.value, on.size(), scope);
      const std::string value = one.value.one_by_one ? listed(components) : one.value.entries.front().text;
      if (one.part == "torque")
        turn(on, value, one.value.place);
      else
        push(on, operand(value), Components(static_cast<std::size_t>(on.size()), "0"), one.value.place);
    }
    for (const auto& [joint, of, at, axis] : loads_)
      for (std::size_t side = 0; side < 2; ++side) {
        if (of[side] == nullptr) continue;
        const auto signed_of = [&, s = side](const Expression& typed) {
          const std::string value = scalar(typed, scope);
          return s == 1 ? value : negative(value);
        };
        if (joint->torque) {
          const std::string torque = signed_of(*joint->torque);
          turn(*of[side], joint->planar ? torque : product(torque, axis), joint->torque->place);
        }
        if (joint->force)
          push(*of[side], product(signed_of(*joint->force), axis), at[side], joint->force->place);
      }
    for (const TextCoordinate& coordinate : text_.coordinates)
      if (const auto found = forces_.find(coordinate.name); found != forces_.end())
        text_.force.push_back({place_of(coordinate.name), {found->second}, false});
  }
  int place_of(const std::string& coordinate) const {
    return static_cast<int>(std::ranges::find(text_.coordinates, coordinate, &TextCoordinate::name) -
                            text_.coordinates.begin());
  }

  // --- The start ---

  const TypedVector* given(const std::vector<OfBody>& all, int of, const std::string& part) const {
    for (const OfBody& one : all)
      if (one.body == of && one.part == part) return &one.value;
    return nullptr;
  }
  static PerCoordinate entries_of(int coordinate, const Components& components, const Span& place) {
    PerCoordinate result{coordinate, {}, true};
    for (const std::string& component : components) result.entries.push_back({component, place});
    return result;
  }
  /// All directors where one is given.
  std::optional<std::vector<Components>> directors(const std::vector<OfBody>& all, int of,
                                                   const char* rather) {
    const Body& body = typed_.bodies[static_cast<std::size_t>(of)];
    std::vector<Components> result;
    const TypedVector* some = nullptr;
    for (int k = 0; k < body.size(); ++k)
      if (const TypedVector* one = given(all, of, "d" + std::to_string(k + 1))) {
        some = one;
        result.push_back(vector(*one, body.size(), parameters_));
      }
    if (some == nullptr) return std::nullopt;
    if (static_cast<int>(result.size()) != body.size())
      refuse(some->place, "is given without the other directors", "all of them, or " + std::string(rather));
    if (const TypedVector* other = given(all, of, rather))
      refuse(other->place, "is given beside the directors", "one of the two");
    return result;
  }
  /// e_k turned by the rotation vector r.
  static std::vector<Components> turned(const Components& r) {
    std::vector<Components> result(3, Components(3));
    std::vector<std::size_t> about;
    for (std::size_t i = 0; i < 3; ++i)
      if (!is_number(r[i], 0.0)) about.push_back(i);
    const std::string all = "norm(" + listed(r) + ")";
    std::string cosine = "cos(" + all + ")", sine, versine;
    if (about.size() > 1) {
      sine = "where(" + all + " > 0, sin(" + all + ")/" + all + ", 1)";
      versine = "where(" + all + " > 0, 2*(sin(" + all + "/2)/" + all + ")^2, 1/2)";
    }
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t left = 3 - k - i;  // where they differ
        const bool cyclic = (k + 1) % 3 == i;
        std::string& entry = result[k][i];
        if (about.empty()) {
          entry = i == k ? "1" : "0";
        } else if (about.size() == 1) {
          // r x e_k is along e_i where r is along the third axis.
          const std::string& angle = r[about.front()];
          if (k == i)
            entry = k == about.front() ? "1" : "cos(" + angle + ")";
          else if (left == about.front())
            entry = (cyclic ? "" : "-") + ("sin(" + angle + ")");
          else
            entry = "0";
        } else {
          const std::string across = product(versine, product(r[k], r[i]));
          if (i == k)
            entry = sum(cosine, across);
          else if (cyclic)
            entry = sum(across, product(sine, r[left]));
          else
            entry = difference(across, product(sine, r[left]));
        }
      }
    return result;
  }
  std::vector<Components> start_of_directors(int of, Span& place) {
    const Body& body = typed_.bodies[static_cast<std::size_t>(of)];
    if (auto all = directors(typed_.body_q, of, "rotation")) return *all;
    const TypedVector* rotation = given(typed_.body_q, of, "rotation");
    if (rotation) place = rotation->place;
    if (!body.planar) return turned(rotation ? vector(*rotation, 3, parameters_) : Components(3, "0"));
    if (!rotation) return {{"1", "0"}, {"0", "1"}};
    const std::string r = scalar(rotation->entries.front(), parameters_);
    return {{"cos(" + r + ")", "sin(" + r + ")"}, {"-sin(" + r + ")", "cos(" + r + ")"}};
  }
  /// What turns about the directors with O does to them.
  std::vector<Components> start_of_turning(const Body& body, const std::vector<Components>& directors,
                                           const TypedVector& omega) {
    std::vector<Components> result;
    const auto scaled = [](const std::string& factor, const Components& of) {
      Components all;
      for (const std::string& component : of) all.push_back(product(factor, component));
      return all;
    };
    if (body.planar) {
      const std::string O = scalar(omega.entries.front(), parameters_);
      return {scaled(O, directors[1]), scaled(negative(O), directors[0])};
    }
    const Components O = vector(omega, 3, parameters_);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      const Components plus = scaled(O[j], directors[i]), minus = scaled(O[i], directors[j]);
      result.emplace_back();
      for (std::size_t c = 0; c < 3; ++c) result.back().push_back(difference(plus[c], minus[c]));
    }
    return result;
  }
  void initial() {
    for (int of = 0; of < static_cast<int>(typed_.bodies.size()); ++of) {
      const Body& body = typed_.bodies[static_cast<std::size_t>(of)];
      const auto add = [&](std::vector<PerCoordinate>& to, const std::string& name,
                           const Components& components, const Span& place) {
        if (!is_zero(components)) to.push_back(entries_of(place_of(name), components, place));
      };
      for (const auto& [all, to] :
           {std::pair{&typed_.body_q, &text_.initial_q}, {&typed_.body_v, &text_.initial_v}})
        if (const TypedVector* place = given(*all, of, "x"))
          add(*to, x(body), vector(*place, body.size(), parameters_), place->place);
      Span place = body.place;
      const std::vector<Components> start = start_of_directors(of, place);
      for (int k = 0; k < body.size(); ++k)
        add(text_.initial_q, d(body, k), start[static_cast<std::size_t>(k)], place);
      auto moving = directors(typed_.body_v, of, "omega");
      const TypedVector* omega = given(typed_.body_v, of, "omega");
      if (omega) {
        place = omega->place;
        moving = start_of_turning(body, start, *omega);
      }
      if (!moving) continue;
      for (int k = 0; k < body.size(); ++k)
        add(text_.initial_v, d(body, k), (*moving)[static_cast<std::size_t>(k)], place);
    }
  }

  const Description& typed_;
  Description text_;
  Scope parameters_;
  std::vector<Expression> rows_;
  std::vector<Load> loads_;
  std::map<std::string, Expression> forces_;
};

}  // namespace

Description without_bodies(const Description& description) {
  return description.bodies.empty() ? description : Expansion(description).text();
}

std::string spelled_out(const std::string& text, const std::vector<Function>& abbreviations) {
  std::string result;
  std::size_t done = 0;
  for (const Token& token : tokens_of(text)) {
    const auto found = std::ranges::find(abbreviations, token.text, &Function::name);
    if (token.kind != Kind::name || found == abbreviations.end()) continue;
    result += text.substr(done, token.offset - done) + "(" + found->is.front().text + ")";
    done = token.offset + token.text.size();
  }
  return result + text.substr(done);
}

Description spelled_out(Description d) {
  const auto spell = [&](Expression& one) {
    try {
      one.text = spelled_out(one.text, d.abbreviations);
    } catch (const Slip& slip) {
      refuse(one.place, slip, one.text);
    }
  };
  if (!d.kinetic.text.empty()) spell(d.kinetic);
  for (auto* one : {&d.potential, &d.rayleigh, &d.dissipation_rate})
    if (*one) spell(**one);
  for (auto* rows : {&d.constraints, &d.nonholonomic, &d.momentum})
    for (Expression& row : *rows) spell(row);
  for (auto* all : {&d.force, &d.initial_q, &d.initial_v})
    for (PerCoordinate& one : *all)
      for (Expression& entry : one.entries) spell(entry);
  for (Function& function : d.functions)
    for (Expression& entry : function.is) spell(entry);
  d.abbreviations.clear();
  return d;
}

}  // namespace livens::expressions
