#include "expressions/description.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "expressions/nearest.hpp"
#include "expressions/parser.hpp"
#include "expressions/read_bodies.hpp"
#include "expressions/text_table.hpp"
#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

constexpr std::array<std::pair<const char*, Domain>, 3> domains = {
    {{"real", Domain::real}, {"non_negative", Domain::non_negative}, {"positive", Domain::positive}}};

void check_name(const Place& place, const std::string& name, const Description& so_far,
                bool is_coordinate = false) {
  if (!is_name(name) && !(is_coordinate && is_dotted_name(name)))
    refuse(place, "is no name",
           "a letter, then at most " + std::to_string(longest_name - 1) + " letters, digits and underscores");
  if (is_reserved(name))
    refuse(place, "'" + name + "' is the name of a function, of the time or of a number");
  for (const TextCoordinate& other : so_far.coordinates)
    if (other.name == name) refuse(place, "'" + name + "' is a coordinate as well");
  for (const Constant& other : so_far.constants)
    if (other.name == name) refuse(place, "'" + name + "' is a constant as well");
}

void read_constants(const Table& table, Description& result) {
  for (const std::string& name : table.keys()) {
    const Span place = table.place(name);
    check_name(place, name, result);
    const toml::node& node = *table.find(name);
    const auto value = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
    if (!value || *value < 0 || *value > largest_constant)
      refuse(place, "", "a whole number from 0 to " + std::to_string(largest_constant));
    result.constants.push_back({name, static_cast<int>(*value)});
  }
}

/// A number of entries, or a text with one.
std::optional<std::int64_t> read_count(const toml::node& node, const Span& place, const Description& so_far) {
  if (node.is_integer()) return node.value<std::int64_t>();
  if (!node.is_string()) return std::nullopt;
  const std::string& text = **node.as_string();
  try {
    return parse_count(so_far.constants, text);
  } catch (const Slip& slip) {
    refuse(place, slip, text);
  }
}

void read_coordinates(const Table& table, Description& result) {
  for (const std::string& name : table.keys()) {
    const Span place = table.place(name);
    check_name(place, name, result, true);
    const toml::node* node = table.find(name);
    std::string unit;
    if (node->is_table()) {
      const auto entry = table.table(name);
      entry->allow({"size", "unit"});
      node = entry->find("size");
      unit = entry->text("unit").value_or("");
      if (node == nullptr) refuse(place, "no size", "the number of its entries, 1 for a scalar");
    }
    const auto count = read_count(*node, place, result);
    if (!count || *count < 1) refuse(place, "", "the number of its entries, 1 for a scalar");
    const int first = result.coordinate_count();
    if (*count > most_coordinates - first)
      refuse(place, "more than " + std::to_string(most_coordinates) + " coordinates in all");
    result.coordinates.push_back(
        {name, first, static_cast<int>(*count), *count > 1 || node->is_string(), std::move(unit)});
  }
}

Domain read_domain(const Table& table) {
  const std::string typed = table.text("domain").value_or("real");
  std::vector<std::string> names;
  for (const auto& [name, domain] : domains) {
    if (typed == name) return domain;
    names.emplace_back(name);
  }
  refuse_unknown(table.place("domain"), "unknown domain '" + printable(typed) + "'", printable(typed), names);
}

void check_in_domain(const Place& place, Domain domain, double value) {
  if (domain == Domain::positive && !(value > 0.0)) refuse(place, "", "a positive number");
  if (domain == Domain::non_negative && !(value >= 0.0)) refuse(place, "", "no negative number");
}

/// What lists and pages show in a line of theirs.
std::string read_line(const Table& table, const char* key) {
  const std::string line = table.text(key).value_or("");
  if (std::ranges::any_of(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    refuse(table.place(key), "", "one line of text");
  return line;
}

Standard read_standard(const Table& table) {
  table.allow({"scheme", "step", "end"});
  Standard standard{table.text("scheme"), {}, {}, table.place("scheme")};
  for (const auto& [key, value] : {std::pair{"step", &standard.step}, {"end", &standard.end}})
    if (const toml::node* node = table.find(key)) {
      *value = Table::number_of(*node, table.place(key));
      if (!(**value > 0.0)) refuse(table.place(key), "", "a finite time > 0 (s)");
    }
  return standard;
}

/// With one space for every line break and what stands around it.
std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

/// The default as an expression of the parameters before it; what is a number whatever these are is that number.
double read_following(const std::string& text, const Span& place, const Description& so_far,
                      Parameter& parameter) {
  Scope scope = scope_of(so_far);
  std::erase_if(scope.names, [](const Scope::Name& name) { return name.leaf != Leaf::parameter; });
  try {
    Graph graph;
    const Value value = parse(graph, scope, text);
    if (value.is_vector) refuse(place, "is a vector", "a scalar");
    const NodeId node = value.scalar();
    if (!graph[node].is(Op::constant)) parameter.follows = Expression{in_one_line(text), place};
    Values values;
    const std::vector<double> parameters = default_parameters(so_far);
    values.parameters = parameters;
    const double number = evaluate(graph, std::span(&node, 1), values).front();
    if (!std::isfinite(number)) refuse(place, "is not finite, with the default parameters");
    return number;
  } catch (Slip& slip) {
    if (slip.problem.starts_with("unknown name")) slip.expected = "constants and parameters before it";
    refuse(place, slip, text);
  } catch (const TooLarge&) {
    refuse(place, "grows beyond " + std::to_string(most_nodes) + " operations");
  }
}

/// A number, a list of them, or an expression.
void read_defaults(const toml::node& node, const Span& place, const Description& so_far,
                   Parameter& parameter) {
  parameter.is_vector = node.is_array();
  if (node.is_string())
    parameter.defaults.push_back(read_following(**node.as_string(), place, so_far, parameter));
  else if (parameter.is_vector)
    for (const toml::node& entry : *node.as_array())
      parameter.defaults.push_back(Table::number_of(entry, place));
  else
    parameter.defaults.push_back(Table::number_of(node, place));
  if (parameter.defaults.empty()) refuse(place, "", "a number or a list of numbers");
  for (const double value : parameter.defaults) check_in_domain(place, parameter.domain, value);
}

/// A vector with one default for all its entries.
void repeat_default(const toml::node& node, const Span& place, const Description& so_far,
                    Parameter& parameter) {
  const auto count = read_count(node, place, so_far);
  if (parameter.is_vector) refuse(place, "the default is a list, which has its number of entries");
  if (parameter.follows) refuse(place, "the default follows from other parameters, which one number can");
  if (!count || *count < 1) refuse(place, "", "a number of entries");
  if (*count > most_parameters)
    refuse(place, "more than " + std::to_string(most_parameters) + " entries of parameters in all");
  parameter.defaults.assign(static_cast<std::size_t>(*count), parameter.defaults.front());
  parameter.is_vector = true;
}

void read_parameters(const Table& table, Description& result) {
  for (const std::string& name : table.keys()) {
    const Span place = table.place(name);
    check_name(place, name, result);
    Parameter parameter;
    parameter.name = name;
    parameter.place = place;
    if (!table.find(name)->is_table()) {
      read_defaults(*table.find(name), place, result, parameter);
    } else {
      const auto entry = table.table(name);
      entry->allow({"unit", "default", "domain", "meaning", "symbol", "count"});
      parameter.symbol = read_line(*entry, "symbol");
      parameter.unit = entry->text("unit").value_or("");
      parameter.meaning = entry->text("meaning").value_or("");
      parameter.domain = read_domain(*entry);
      if (entry->find("default") == nullptr) refuse(place, "", "a default, as in { default = 1.0 }");
      read_defaults(*entry->find("default"), entry->place("default"), result, parameter);
      if (const toml::node* count = entry->find("count"))
        repeat_default(*count, entry->place("count"), result, parameter);
    }
    result.parameters.push_back(std::move(parameter));
    if (result.parameter_count() > most_parameters)
      refuse(place, "more than " + std::to_string(most_parameters) + " entries of parameters in all");
  }
}

/// Expressions of coordinates, and what is said of bodies beside them.
std::vector<PerCoordinate> read_per_coordinate(const std::optional<Table>& table, const Description& so_far,
                                               const PartsOfBodies& parts, std::vector<OfBody>& of_bodies) {
  std::vector<PerCoordinate> result;
  if (!table) return result;
  std::vector<std::string> names;
  for (const TextCoordinate& coordinate : so_far.coordinates) names.push_back(coordinate.name);
  for (const std::string& name : table->keys()) {
    const Span place = table->place(name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      if (read_of_body(*table, name, so_far, parts, of_bodies)) continue;
      for (const Body& body : so_far.bodies) names.push_back(body.name);
      refuse_unknown(place, so_far.bodies.empty() ? "unknown coordinate" : "unknown coordinate or body",
                     printable(name), names);
    }
    const toml::node& node = *table->find(name);
    TypedVector value = table->vector_of(node, name);
    PerCoordinate entry{static_cast<int>(found - names.begin()), std::move(value.entries), value.one_by_one};
    const TextCoordinate& of = so_far.coordinates[static_cast<std::size_t>(entry.coordinate)];
    const auto count = static_cast<std::size_t>(of.count);
    if (node.is_array() && (!of.is_vector || entry.entries.size() != count))
      refuse(place, "",
             of.is_vector ? "a list of " + std::to_string(count) + " expressions" : "one expression");
    result.push_back(std::move(entry));
  }
  return result;
}

std::vector<double> numbers_of(const Table& table, const char* key) {
  const toml::node* node = table.find(key);
  if (node == nullptr || !node->is_array()) refuse(table.place(key), "", "a list of numbers");
  std::vector<double> numbers;
  for (const toml::node& entry : *node->as_array())
    numbers.push_back(Table::number_of(entry, table.place_of(&entry, key)));
  return numbers;
}
/// One of some words by its place.
template <std::size_t count>
std::size_t read_word(const Table& table, const char* key, const std::array<const char*, count>& words) {
  const std::string typed = table.text(key).value_or(words[0]);
  const std::vector<std::string> names(words.begin(), words.end());
  const auto found = std::ranges::find(names, typed);
  if (found == names.end())
    refuse_unknown(table.place(key), "unknown word '" + printable(typed) + "'", printable(typed), names);
  return static_cast<std::size_t>(found - names.begin());
}
constexpr std::array redundancies = {"refuse", "drop"};
constexpr std::array betweens = {"cubic", "linear"};
constexpr std::array beyonds = {"error", "hold", "linear"};

Columns read_columns(const Table& entry, const ColumnReader& reader) {
  if (entry.find("table") == nullptr) {
    if (entry.find("columns") != nullptr)
      refuse(entry.place("columns"), "are those of a file", "table = \"...csv\"");
    return {numbers_of(entry, "x"), numbers_of(entry, "y")};
  }
  const std::string file = *entry.text("table");
  for (const char* key : {"x", "y"})
    if (entry.find(key) != nullptr) refuse(entry.place(key), "is in the table already", "one of the two");
  const toml::node* names = entry.find("columns");
  const toml::array* list = names == nullptr ? nullptr : names->as_array();
  if (list == nullptr || list->size() != 2 || !list->get(0)->is_string() || !list->get(1)->is_string())
    refuse(entry.place("columns"), "", "the names of two columns, as in [\"t\", \"f\"]");
  if (!reader) refuse(entry.place("table"), "no file has a place here", "x and y in lists");
  try {
    return reader(file, {**list->get(0)->as_string(), **list->get(1)->as_string()});
  } catch (RequestError& error) {
    // What is wrong with the file as a whole is wrong where it is named.
    for (Mistake& mistake : error.mistakes)
      if (mistake.file == entry.place().file && mistake.line == 0)
        static_cast<Place&>(mistake) = entry.place("table");
    throw RequestError(error.mistakes);
  }
}

std::shared_ptr<const TableFunction> read_table(const Table& entry, const ColumnReader& reader) {
  entry.allow({"table", "columns", "x", "y", "between", "beyond", "periodic"});
  auto [x, y] = read_columns(entry, reader);
  const Place& place = entry.place();
  if (x.size() != y.size())
    refuse(place, std::to_string(x.size()) + " numbers x and " + std::to_string(y.size()) + " numbers y");
  if (x.size() < 2) refuse(place, "", "two points at least");
  if (x.size() > most_points) refuse(place, "more than " + std::to_string(most_points) + " points");
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      refuse(place, "point " + std::to_string(i) + " is not finite");
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1]))
      refuse(place, "x does not increase from " + number_text(x[i - 1]) + " to " + number_text(x[i]) +
                        ", point " + std::to_string(i));
  const toml::node* periodic = entry.find("periodic");
  if (periodic != nullptr && !periodic->is_boolean()) refuse(entry.place("periodic"), "", "true or false");
  const bool is_periodic = periodic != nullptr && **periodic->as_boolean();
  if (is_periodic && entry.find("beyond") != nullptr)
    refuse(entry.place("beyond"), "nothing is beyond a table with a period");
  if (is_periodic && x.size() < 3) refuse(place, "", "three points at least of a period");
  if (is_periodic && y.front() != y.back())
    refuse(place, "begins with " + number_text(y.front()) + " and ends with " + number_text(y.back()) + "",
           "the same, one period later");
  return std::make_shared<const TableFunction>(
      std::move(x), std::move(y), static_cast<Between>(read_word(entry, "between", betweens)),
      static_cast<Beyond>(read_word(entry, "beyond", beyonds)), is_periodic);
}

void check_argument(const Place& place, const std::string& name, const Function& so_far) {
  if (!is_name(name)) refuse(place, "'" + printable(name) + "' is no name");
  if (name != "t" && is_reserved(name)) refuse(place, "'" + name + "' is the name of a function or a number");
  if (std::ranges::find(so_far.arguments, name) != so_far.arguments.end())
    refuse(place, "'" + name + "' is there twice");
}

void read_expressions(const Table& entry, Function& function) {
  entry.allow({"of", "is"});
  const toml::node *of = entry.find("of"), *is = entry.find("is");
  if (of == nullptr || !of->is_array() || of->as_array()->empty())
    refuse(entry.place("of"), "", "the names of its arguments, as in of = [\"t\"]");
  for (const toml::node& name : *of->as_array()) {
    const Place place = entry.place_of(&name, "of");
    if (!name.is_string()) refuse(place, "", "the name of an argument in quotes");
    check_argument(place, **name.as_string(), function);
    function.arguments.push_back(**name.as_string());
  }
  if (is == nullptr) refuse(entry.place("is"), "", "an expression, or a list of them");
  function.one_by_one = is->is_array();
  function.is = function.one_by_one ? entry.expressions("is") : std::vector{*entry.expression("is")};
  if (function.is.empty()) refuse(entry.place("is"), "", "an expression at least");
}

void read_functions(const Table& table, const ColumnReader& reader, Description& result) {
  for (const std::string& name : table.keys()) {
    Function function{name, table.place(name), {}, {}, false, nullptr};
    check_name(function.place, name, result);
    if (std::ranges::find(result.parameters, name, &Parameter::name) != result.parameters.end())
      refuse(function.place, "'" + name + "' is a parameter as well");
    const auto entry = table.table(name);
    if (entry->find("of") != nullptr || entry->find("is") != nullptr) {
      read_expressions(*entry, function);
    } else {
      function.arguments = {"x"};
      function.table = read_table(*entry, reader);
    }
    result.functions.push_back(std::move(function));
  }
}

void read_impacts(const Table& root, Description& result) {
  const toml::node* const node = root.find("impact");
  if (node == nullptr) return;
  const char* const wanted = "[[impact]] with a gap and a restitution, for every wall one";
  if (!node->is_array()) refuse(root.place("impact"), "", wanted);
  for (const toml::node& one : *node->as_array()) {
    const std::string key = "impact[" + std::to_string(result.impacts.size()) + "]";
    if (!one.is_table()) refuse(root.place_of(&one, key), "", wanted);
    const Table entry(*one.as_table(), root.place_of(&one, key));
    entry.allow({"gap", "restitution"});
    const auto gap = entry.expression("gap"), restitution = entry.expression("restitution");
    if (!gap) refuse(entry.place(), "no gap", "an expression that is positive where the bodies are apart");
    if (!restitution)
      refuse(entry.place(), "no restitution", "a number from 0 to 1, or an expression of the parameters");
    result.impacts.push_back({*gap, *restitution});
  }
  if (result.impacts.size() > most_impacts)
    refuse(root.place("impact"), "more than " + std::to_string(most_impacts) + " of them");
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr const char* digits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(c);
      result += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string listed(const std::vector<Expression>& expressions) {
  std::string result = "[";
  for (const Expression& expression : expressions)
    result += (result.size() > 1 ? ", " : "") + quoted(expression.text);
  return result + "]";
}

std::string listed(const std::vector<double>& numbers) {
  std::string result;
  for (const double number : numbers) result += (result.empty() ? "" : ", ") + number_text(number);
  return "[" + result + "]";
}

/// A table is written with its numbers, wherever they have come from.
std::string written(const Function& function) {
  std::string text = function.name + " = { ";
  if (const TableFunction* table = function.table.get()) {
    text += "x = " + listed(table->x) + ", y = " + listed(table->y) + ", between = \"" +
            betweens[static_cast<std::size_t>(table->between)] + "\", ";
    return text +
           (table->periodic
                ? "periodic = true }\n"
                : "beyond = \"" + std::string(beyonds[static_cast<std::size_t>(table->beyond)]) + "\" }\n");
  }
  std::vector<Expression> arguments;
  for (const std::string& name : function.arguments) arguments.push_back({name, {}});
  return text + "of = " + listed(arguments) +
         ", is = " + (function.one_by_one ? listed(function.is) : quoted(function.is.front().text)) + " }\n";
}

/// A key; what has a dot is one in quotes.
std::string key_text(const std::string& name) { return name.find('.') == name.npos ? name : quoted(name); }

std::string typed(const TypedVector& value) {
  return value.one_by_one ? listed(value.entries) : quoted(value.entries.front().text);
}

std::string listed(const std::vector<PerCoordinate>& entries, const std::vector<OfBody>& of_bodies,
                   const Description& description) {
  std::string result;
  const auto add = [&](const std::string& name, const std::string& value) {
    result += (result.empty() ? " " : ", ") + key_text(name) + " = " + value;
  };
  for (const PerCoordinate& entry : entries) {
    const TextCoordinate& of = description.coordinates[static_cast<std::size_t>(entry.coordinate)];
    add(of.name,
        of.is_vector && entry.one_by_one ? listed(entry.entries) : quoted(entry.entries.front().text));
  }
  for (const OfBody& one : of_bodies)
    add(description.bodies[static_cast<std::size_t>(one.body)].name + "." + one.part, typed(one.value));
  return "{" + result + " }";
}

std::string written(const Body& body) {
  return "[bodies." + body.name + "]\nmass = " + quoted(body.mass.text) +
         "\ninertia = " + typed(body.inertia) + "\n" + (body.planar ? "planar = true\n" : "");
}

std::string written(const Joint& joint, const Description& d) {
  const auto name_of = [&](int body) {
    return quoted(body == ground ? "ground" : d.bodies[static_cast<std::size_t>(body)].name);
  };
  std::string text = "[joints." + joint.name +
                     "]\nkind = " + quoted(joint_kinds[static_cast<std::size_t>(joint.kind)]) +
                     "\nbetween = [" + name_of(joint.between[0]) + ", " + name_of(joint.between[1]) +
                     "]\nat = [" + typed(joint.at[0]) + ", " + typed(joint.at[1]) + "]\n";
  if (joint.has_axis()) text += "axis = [" + typed(joint.axis[0]) + ", " + typed(joint.axis[1]) + "]\n";
  for (const auto& [key, value] : {std::pair{"length", &joint.length},
                                   {"angle", &joint.angle},
                                   {"position", &joint.position},
                                   {"torque", &joint.torque},
                                   {"force", &joint.force}})
    if (*value) text += std::string(key) + " = " + quoted((*value)->text) + "\n";
  return text;
}

std::string written(const Drawing& drawing) {
  std::string text = "[drawing]\npoints = {";
  for (const Drawing::Point& point : drawing.points)
    text += (text.ends_with('{') ? " " : ", ") + quoted(point.name) + " = " + typed(point.at);
  text += " }\nlinks = [";
  for (const auto& [a, b] : drawing.links)
    text += (text.ends_with('[') ? "[" : ", [") + quoted(drawing.points[a].name) + ", " +
            quoted(drawing.points[b].name) + "]";
  text += "]\n";
  if (drawing.bodies) {
    text += "bodies = [";
    for (const std::string& name : *drawing.bodies) text += (text.ends_with('[') ? "" : ", ") + quoted(name);
    text += "]\n";
  }
  return text;
}

}  // namespace

int Description::coordinate_count() const {
  return coordinates.empty() ? 0 : coordinates.back().first + coordinates.back().count;
}
std::vector<double> default_parameters(const Description& description) {
  std::vector<double> result;
  for (const Parameter& p : description.parameters)
    result.insert(result.end(), p.defaults.begin(), p.defaults.end());
  return result;
}

int Description::parameter_count() const {
  int count = 0;
  for (const Parameter& parameter : parameters) count += static_cast<int>(parameter.defaults.size());
  return count;
}

Description describe(const toml::table& document, const std::string& source, const ColumnReader& columns) {
  const auto line = document.source().begin.line;
  const Table root(document, {{source, line}, line});
  root.allow({"name",     "meaning",          "paper",       "standard",     "kinetic",   "potential",
              "rayleigh", "dissipation_rate", "constraints", "nonholonomic", "momentum",  "force",
              "impact",   "constants",        "coordinates", "parameters",   "functions", "initial",
              "bodies",   "joints",           "redundant",   "drawing"});
  Description result;
  result.source = source;
  const auto want = [&](const char* key, const char* what) {
    if (root.find(key) == nullptr) refuse({source, line}, std::string("no ") + key, what);
  };
  const bool has_bodies = root.find("bodies") != nullptr;
  want("name", "a name for the system");
  if (!has_bodies) {
    want("coordinates", "[coordinates] with the number of entries of each, or [bodies]");
    want("kinetic", "the kinetic energy, as in \"1/2*mass*x'^2\"");
  }
  result.name = *root.text("name");
  if (!is_name(result.name))
    refuse(root.place("name"), "is no name", "a letter, then letters, digits and underscores");
  result.meaning = read_line(root, "meaning");
  result.paper = read_line(root, "paper");
  if (const auto standard = root.table("standard")) result.standard = read_standard(*standard);
  if (const auto constants = root.table("constants")) read_constants(*constants, result);
  if (const auto coordinates = root.table("coordinates")) read_coordinates(*coordinates, result);
  if (const auto parameters = root.table("parameters")) read_parameters(*parameters, result);
  if (const auto functions = root.table("functions")) read_functions(*functions, columns, result);
  if (const auto bodies = root.table("bodies")) read_bodies(*bodies, result);
  if (const auto joints = root.table("joints")) read_joints(*joints, result);
  if (result.coordinates.empty() && result.bodies.empty())
    refuse(root.place(has_bodies ? "bodies" : "coordinates"), "",
           has_bodies ? "at least one body, as in [bodies.crank]" : "at least one coordinate, as in x = 1");
  if (const auto kinetic = root.expression("kinetic"))
    result.kinetic = *kinetic;
  else if (!result.coordinates.empty())
    refuse({source, line}, "no kinetic", "the kinetic energy of the coordinates, as in \"1/2*mass*x'^2\"");
  result.potential = root.expression("potential");
  result.rayleigh = root.expression("rayleigh");
  result.dissipation_rate = root.expression("dissipation_rate");
  result.constraints = root.expressions("constraints");
  result.nonholonomic = root.expressions("nonholonomic");
  result.momentum = root.expressions("momentum");
  result.drops_redundant = read_word(root, "redundant", redundancies) == 1;
  result.force = read_per_coordinate(root.table("force"), result, {"force", "torque"}, result.body_force);
  read_impacts(root, result);
  if (const auto initial = root.table("initial")) {
    read_initial_of_bodies(*initial, result);
    result.initial_q =
        read_per_coordinate(initial->table("q"), result, {"x", "rotation", "d1", "d2", "d3"}, result.body_q);
    result.initial_v =
        read_per_coordinate(initial->table("v"), result, {"x", "omega", "d1", "d2", "d3"}, result.body_v);
  }
  for (const auto& [key, rows] : {std::pair{"constraints", &result.constraints},
                                  {"nonholonomic", &result.nonholonomic},
                                  {"momentum", &result.momentum}})
    if (rows->size() > most_constraints)
      refuse(root.place(key), "more than " + std::to_string(most_constraints) + " of them");
  if (const auto drawing = root.table("drawing")) result.drawing = read_drawing(*drawing, result.bodies);
  // With bodies they may be used in what these stand for.
  if (result.bodies.empty()) check_functions(result);
  return result;
}

std::string written(const Description& d) {
  std::string text = "name = " + quoted(d.name) + "\n";
  for (const auto& [key, words] : {std::pair{"meaning", &d.meaning}, {"paper", &d.paper}})
    if (!words->empty()) text += std::string(key) + " = " + quoted(*words) + "\n";
  std::string standard;
  const auto add_standard = [&](const char* key, const std::string& value) {
    standard += (standard.empty() ? "" : ", ") + std::string(key) + " = " + value;
  };
  if (d.standard.scheme) add_standard("scheme", quoted(*d.standard.scheme));
  if (d.standard.step) add_standard("step", number_text(*d.standard.step));
  if (d.standard.end) add_standard("end", number_text(*d.standard.end));
  if (!standard.empty()) text += "standard = { " + standard + " }\n";
  if (!d.kinetic.text.empty()) text += "kinetic = " + quoted(d.kinetic.text) + "\n";
  const auto optional = [&](const char* key, const std::optional<Expression>& expression) {
    if (expression) text += std::string(key) + " = " + quoted(expression->text) + "\n";
  };
  const auto list = [&](const char* key, const std::vector<Expression>& expressions) {
    if (!expressions.empty()) text += std::string(key) + " = " + listed(expressions) + "\n";
  };
  optional("potential", d.potential);
  optional("rayleigh", d.rayleigh);
  optional("dissipation_rate", d.dissipation_rate);
  list("constraints", d.constraints);
  list("nonholonomic", d.nonholonomic);
  list("momentum", d.momentum);
  if (d.drops_redundant) text += "redundant = \"drop\"\n";
  if (!d.force.empty() || !d.body_force.empty()) text += "force = " + listed(d.force, d.body_force, d) + "\n";
  std::string impacts;
  for (const Impact& impact : d.impacts)
    impacts += (impacts.empty() ? "{ gap = " : ", { gap = ") + quoted(impact.gap.text) +
               ", restitution = " + quoted(impact.restitution.text) + " }";
  if (!impacts.empty()) text += "impact = [" + impacts + "]\n";
  if (!d.constants.empty()) text += "[constants]\n";
  for (const Constant& c : d.constants) text += c.name + " = " + std::to_string(c.value) + "\n";
  text += "[coordinates]\n";
  // Where one is a table all are: whoever writes TOML anew puts tables behind what is none, and the order counts.
  const bool any_unit = std::ranges::any_of(d.coordinates, [](const auto& c) { return !c.unit.empty(); });
  for (const TextCoordinate& c : d.coordinates) {
    const std::string entries = std::to_string(c.count),
                      count = c.is_vector && c.count == 1 ? quoted(entries) : entries;
    text += key_text(c.name) + " = " +
            (any_unit ? "{ size = " + count + ", unit = " + quoted(c.unit) + " }" : count) + "\n";
  }
  text += "[parameters]\n";
  for (const Parameter& p : d.parameters) {
    std::string values;
    for (const double value : p.defaults) values += (values.empty() ? "" : ", ") + number_text(value);
    text += p.name + " = { unit = " + quoted(p.unit) + ", default = " +
            (p.follows     ? quoted(p.follows->text)
             : p.is_vector ? "[" + values + "]"
                           : values) +
            ", domain = \"" + domains[static_cast<std::size_t>(p.domain)].first +
            "\", meaning = " + quoted(p.meaning) +
            (p.symbol.empty() ? "" : ", symbol = " + quoted(p.symbol)) + " }\n";
  }
  if (!d.functions.empty()) text += "[functions]\n";
  for (const Function& function : d.functions) text += written(function);
  for (const Body& body : d.bodies) text += written(body);
  for (const Joint& joint : d.joints) text += written(joint, d);
  text += "[initial]\nq = " + listed(d.initial_q, d.body_q, d) + "\nv = " + listed(d.initial_v, d.body_v, d) +
          "\n";
  if (d.drawing) text += written(*d.drawing);
  return text;
}

}  // namespace livens::expressions
