#include "host/pairs/text_reference.hpp"

#include "expressions/description.hpp"
#include "expressions/table_function.hpp"
#include "expressions/toml_text.hpp"
#include "reference/text/description.hpp"

namespace livens::host {
namespace {

using reference::TextDescription;

std::string text_of(const std::optional<expressions::Expression>& expression) {
  return expression ? expression->text : "";
}

std::vector<std::string> texts_of(const std::vector<expressions::Expression>& expressions) {
  std::vector<std::string> texts;
  for (const auto& expression : expressions) texts.push_back(expression.text);
  return texts;
}

std::vector<TextDescription::Assignment> assignments_of(
    const std::vector<expressions::PerCoordinate>& entries, const std::vector<TextCoordinate>& coordinates) {
  std::vector<TextDescription::Assignment> assignments;
  for (const auto& entry : entries)
    assignments.push_back(
        {coordinates[static_cast<std::size_t>(entry.coordinate)].name, texts_of(entry.entries)});
  return assignments;
}

reference::TableDescription table_of(const expressions::TableFunction& table) {
  using enum expressions::Beyond;
  return {table.x, table.y, table.between == expressions::Between::cubic ? "cubic" : "linear",
          table.beyond == error  ? "error"
          : table.beyond == hold ? "hold"
                                 : "linear",
          table.periodic};
}

std::vector<std::string> texts_of(const expressions::TypedVector& vector) { return texts_of(vector.entries); }

/// What is said of the parts of bodies, by names like crank.x.
void append(const std::vector<expressions::OfBody>& parts, const std::vector<expressions::Body>& bodies,
            std::vector<TextDescription::Assignment>& to) {
  for (const auto& part : parts)
    to.push_back({bodies[static_cast<std::size_t>(part.body)].name + "." + part.part, texts_of(part.value)});
}

TextDescription::Joint joint_of(const expressions::Joint& joint,
                                const std::vector<expressions::Body>& bodies) {
  TextDescription::Joint result{
      joint.name, expressions::joint_kinds[static_cast<std::size_t>(joint.kind)], {}};
  for (std::size_t side = 0; side < 2; ++side) {
    const int body = joint.between[side];
    result.between[side] =
        body == expressions::ground ? "ground" : bodies[static_cast<std::size_t>(body)].name;
    result.at[side] = texts_of(joint.at[side]);
    result.axis[side] = texts_of(joint.axis[side]);
  }
  result.length = text_of(joint.length);
  result.angle = text_of(joint.angle);
  result.position = text_of(joint.position);
  result.torque = text_of(joint.torque);
  result.force = text_of(joint.force);
  return result;
}

}  // namespace

std::shared_ptr<const reference::TextSystem> read_by_reference(const TextSystem& system) {
  const expressions::Description read =
      expressions::describe(parse_toml(system.identity(), system.name()), system.name());
  TextDescription text;
  text.name = read.name;
  for (const expressions::Constant& constant : read.constants)
    text.constants.push_back({constant.name, constant.value});
  for (const TextCoordinate& coordinate : read.coordinates)
    text.coordinates.push_back({coordinate.name, coordinate.count, coordinate.is_vector});
  for (const auto& parameter : read.parameters)
    text.parameters.push_back({parameter.name, parameter.defaults, parameter.is_vector,
                               parameter.follows ? parameter.follows->text : ""});
  text.kinetic = read.kinetic.text;
  text.potential = text_of(read.potential);
  text.rayleigh = text_of(read.rayleigh);
  text.action_damping = text_of(read.dissipation_rate);
  text.constraints = texts_of(read.constraints);
  text.nonholonomic = texts_of(read.nonholonomic);
  text.momentum = texts_of(read.momentum);
  text.force = assignments_of(read.force, read.coordinates);
  text.initial_position = assignments_of(read.initial_q, read.coordinates);
  text.initial_velocity = assignments_of(read.initial_v, read.coordinates);
  for (const expressions::Body& body : read.bodies)
    text.bodies.push_back({body.name, body.mass.text, texts_of(body.inertia), body.planar});
  for (const expressions::Joint& joint : read.joints) text.joints.push_back(joint_of(joint, read.bodies));
  append(read.body_force, read.bodies, text.force);
  append(read.body_q, read.bodies, text.initial_position);
  append(read.body_v, read.bodies, text.initial_velocity);
  text.drop_redundant = read.drops_redundant;
  for (const expressions::Impact& impact : read.impacts)
    text.impacts.push_back({impact.gap.text, impact.restitution.text});
  for (const expressions::Function& function : read.functions) {
    if (function.table)
      text.tables.push_back({function.name, table_of(*function.table)});
    else
      text.functions.push_back(
          {function.name, function.arguments, texts_of(function.is), function.one_by_one});
  }
  try {
    return reference::read_text(text);
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

}  // namespace livens::host
