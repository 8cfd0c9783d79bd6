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
    text.parameters.push_back({parameter.name, parameter.defaults, parameter.is_vector});
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
