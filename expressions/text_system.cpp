#include "expressions/text_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>

#include "expressions/dimensions.hpp"
#include "expressions/header.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/toml_text.hpp"
#include "expressions/without_bodies.hpp"

namespace livens {

using namespace expressions;

/// Everything about a system that was read; the info's pointers are into it.
struct TextSystem::Content {
  Description description;
  Mechanics mechanics;
  std::vector<ParameterInfo> parameters;
  std::vector<CoordinateInfo> coordinates;
  std::string meaning, layout;
  std::vector<ObservableInfo> observables;
  SystemInfo info{};
  std::string identity, expansion, class_name, header;
  std::vector<std::string> warnings, own_expressions, row_names;
  bool uses_all;  ///< of its parameters
};

namespace {

constexpr ObservableInfo of_dropped_rows[] = {
    {"redundant_constraints", "SI", "largest |g| of the rows that are dropped since they depend on others"}};

constexpr double not_given[] = {std::numeric_limits<double>::quiet_NaN()};

const char* default_scheme(const TextFacts& facts) {
  if (facts.nonholonomic && !facts.singular_mass) return "contact_2";
  if (!facts.constant_mass || facts.singular_mass) return "livens";
  return facts.general || facts.quadratic_constraints ? "ems" : "del_multiplier";
}

void fill_info(TextSystem::Content& c) {
  const TextFacts& facts = c.mechanics.facts;
  std::size_t entry = 0;
  for (const Parameter& p : c.description.parameters) {
    bool damps = false;
    for (std::size_t k = 0; k < p.defaults.size(); ++k) damps = damps || c.mechanics.damps[entry++];
    c.parameters.push_back({.name = p.name.c_str(),
                            .symbol = (p.symbol.empty() ? p.name : p.symbol).c_str(),
                            .unit = p.unit.c_str(),
                            .meaning = p.meaning.c_str(),
                            .domain = p.domain,
                            .defaults = p.follows ? std::span<const double>(not_given) : p.defaults,
                            .derived = p.follows ? p.follows->text.c_str() : nullptr,
                            .damps = damps});
  }
  for (const TextCoordinate& coordinate : c.description.coordinates) {
    c.layout += (c.layout.empty() ? "" : ", ") + coordinate.name +
                (coordinate.count == 1 ? "" : " in R^" + std::to_string(coordinate.count)) +
                (coordinate.unit.empty() ? "" : " (" + coordinate.unit + ")");
    c.coordinates.push_back(
        {coordinate.name.c_str(), coordinate.first, coordinate.count, coordinate.is_vector});
  }
  c.meaning =
      c.description.meaning.empty() ? "from " + printable(c.description.source) : c.description.meaning;
  const Standard& standard = c.description.standard;
  c.info = {.name = c.description.name.c_str(),
            .meaning = c.meaning.c_str(),
            .paper = c.description.paper.c_str(),
            .layout = c.layout.c_str(),
            .coordinates = facts.coordinates,
            .constraints = facts.constraints,
            .momentum_maps = facts.momentum_maps,
            .nonholonomic = facts.nonholonomic,
            .parameters = c.parameters,
            .default_scheme = standard.scheme ? standard.scheme->c_str() : default_scheme(facts),
            .default_step = standard.step.value_or(0.01),
            .default_end = standard.end.value_or(10.0),
            .singular_mass = facts.singular_mass,
            .sampled = c.mechanics.dropped.empty() ? std::span<const ObservableInfo>() : of_dropped_rows,
            .names = c.coordinates};
  if (facts.impacts > 0) {
    const auto kept = impact_observables(facts.impacts, standard_kept_impacts);
    c.observables.assign(kept.begin(), kept.end());
    c.info.observables = c.observables;
  }
  if (c.mechanics.dropped.empty()) return;
  std::string largest = "0";
  for (const Row& row : c.mechanics.dropped) {
    const std::string entry = row.entry < 0 ? "" : "[" + std::to_string(row.entry) + "]";
    largest = "max(" + largest + ", abs((" + row.text->text + ")" + entry + "))";
  }
  c.own_expressions.push_back(std::move(largest));
}

/// Rows are said where a body, a joint or a list of rows is: "joints.hinge", "constraints[2]". They count anew for each.
std::vector<std::string> names_of_rows(const Mechanics& mechanics) {
  std::vector<std::string> names;
  std::map<std::string, int> so_far;
  for (const Rows* rows : {&mechanics.constraints, &mechanics.rates})
    for (const Row& row : *rows) {
      std::string of = row.text->place.key;
      for (const std::string_view section : {"bodies.", "joints."})
        if (of.starts_with(section)) of = of.substr(section.size());
      of = of.substr(0, of.find('['));
      names.push_back(of + "[" + std::to_string(so_far[of]++) + "]");
    }
  return names;
}

/// FNV-1a: a name, not a seal.
std::string class_name_of(std::string_view identity) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : identity) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::string name = "Text";
  for (int shift = 60; shift >= 0; shift -= 4) name += "0123456789abcdef"[hash >> shift & 15];
  return name;
}

/// In the words of who has written a text.
std::string lacks(Capability capability, const TextFacts& facts) {
  switch (capability) {
    case Capability::position_constraints:
    case Capability::viscosity:
      return "it has nonholonomic rows, and the scheme is for g(q) = 0 or for none";
    case Capability::regular_mass:
      if (facts.singular_mass) return "its mass matrix has no inverse";
      return "its mass matrix depends on the coordinates";
    case Capability::other_mass:
      return "its mass matrix is constant and has an inverse, for which there are other forms";
    case Capability::contact:
    case Capability::increment:
      if (facts.nonholonomic) return "its mass matrix has no inverse";
      return "it has no nonholonomic rows A(q) v + b(q) = 0";
    case Capability::general_rows:
      return "it has a dissipation_rate, and the scheme is not one for L = T - V - alpha z";
    case Capability::vectors:
      return "its null space is known of systems of livens alone";
    default:
      return "its potential is not linear, and the scheme is not made for that on this kind of system";
  }
}

Capability first_of(Capabilities capabilities) {
  for (int i = 0; i < capability_count; ++i)
    if (capabilities.has(static_cast<Capability>(i))) return static_cast<Capability>(i);
  return Capability::position_constraints;
}

/// Without bodies, and with the rows that are left.
std::string expansion_of(const TextSystem::Content& content, const Description& typed) {
  if (typed.bodies.empty() && content.mechanics.dropped.empty()) return {};
  Description expansion = content.description;
  expansion.drops_redundant = false;
  expansion.drawing.reset();
  expansion.constraints.clear();
  const auto is_whole = [&](const Expression* text) {
    return std::ranges::find(content.mechanics.dropped, text, &Row::text) == content.mechanics.dropped.end();
  };
  for (const Row& row : content.mechanics.constraints)
    if (row.entry < 0 || (is_whole(row.text) && row.entry == 0))
      expansion.constraints.push_back(*row.text);
    else if (!is_whole(row.text))
      expansion.constraints.push_back(
          {"(" + row.text->text + ")[" + std::to_string(row.entry) + "]", row.text->place});
  return written(spelled_out(std::move(expansion)));
}

/// A name for what is compiled, which words and a drawing do not change.
std::string class_name_of(Description typed) {
  typed.drawing.reset();
  typed.meaning = typed.paper = "";
  for (Parameter& parameter : typed.parameters) parameter.symbol = "";
  return class_name_of(written(typed));
}

/// The numbers of a system, and generated names in place of its words.
struct NamelessInfo {
  std::deque<std::string> names;
  std::vector<ParameterInfo> parameters;
  SystemInfo info;

  NamelessInfo(const SystemInfo& of, const std::string& name) : info(of) {
    for (ParameterInfo p : of.parameters) {
      p.name = p.symbol = names.emplace_back("p" + std::to_string(names.size())).c_str();
      p.unit = p.meaning = "";
      p.derived = nullptr;
      parameters.push_back(p);
    }
    info.parameters = parameters;
    info.name = names.emplace_back(name).c_str();
    info.meaning = info.paper = info.layout = info.default_scheme = "";
  }
};

TextSystem system_of(const Description& typed) {
  auto content = std::make_shared<TextSystem::Content>();
  content->description = without_bodies(typed);
  content->mechanics = mechanics_of(content->description);
  fill_info(*content);
  if (!typed.bodies.empty()) content->row_names = names_of_rows(content->mechanics);
  content->identity = written(typed);
  content->expansion = expansion_of(*content, typed);
  content->class_name = class_name_of(typed);
  content->uses_all = unused_parameters(content->description, {}).empty();
  try {
    content->header =
        header_of(content->mechanics, content->class_name,
                  NamelessInfo(content->info, content->class_name).info, Gradients::of_the_text);
    content->warnings = disagreeing_units(content->description, content->mechanics);
    for (std::string& warning : unconserved(content->description, content->mechanics))
      content->warnings.push_back(std::move(warning));
  } catch (const TooLarge&) {
    refuse({content->description.source},
           "the derivatives grow beyond " + std::to_string(most_nodes) + " operations");
  }
  TextSystem system(std::move(content));
  if (typed.drawing) DrawnPoints(*typed.drawing, system.info(), &system);
  return system;
}

/// All that is read of a node, what was typed and where. Dates no text has.
void append(const toml::node& node, std::string& all) {
  const auto add = [&all](const auto& value) {
    all.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const auto add_text = [&](std::string_view text) {
    add(text.size());
    all += text;
  };
  const auto add_place = [&](const toml::source_region& source) {
    add(source.begin.line);
    add(source.begin.column);
  };
  add(node.type());
  add_place(node.source());
  if (const auto* table = node.as_table()) {
    add(table->size());
    for (const auto& [key, value] : *table) {
      add_text(key.str());
      add_place(key.source());
      append(value, all);
    }
  } else if (const auto* array = node.as_array()) {
    add(array->size());
    for (const toml::node& one : *array) append(one, all);
  } else if (const auto* text = node.as_string()) {
    add_text(text->get());
  } else if (const auto* whole = node.as_integer()) {
    add(whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    add(number->get());
  } else if (const auto* truth = node.as_boolean()) {
    add(truth->get());
  }
}

}  // namespace

const SystemInfo& TextSystem::info() const { return content_->info; }
const std::string& TextSystem::name() const { return content_->description.name; }
const TextFacts& TextSystem::facts() const { return content_->mechanics.facts; }
const std::vector<TextCoordinate>& TextSystem::coordinates() const {
  return content_->description.coordinates;
}
const std::vector<std::string>& TextSystem::row_names() const { return content_->row_names; }
const std::string& TextSystem::header() const { return content_->header; }
std::string TextSystem::built_in_header(const std::string& name, const std::string& class_name,
                                        const std::string& beside) const {
  Mechanics mechanics = content_->mechanics;
  SystemInfo info = content_->info;
  info.name = name.c_str();
  // Who sets one asks for damping, and what is positive is set anyhow.
  std::vector<ParameterInfo> parameters = content_->parameters;
  for (ParameterInfo& parameter : parameters)
    parameter.damps = parameter.damps && parameter.domain != Domain::positive;
  info.parameters = parameters;
  if (beside.empty()) return header_of(mechanics, class_name, info, Gradients::chosen);
  return header_of(mechanics, class_name + "Text", info, Gradients::chosen) + "\n#include \"" + beside +
         "\"\n";
}
const std::string& TextSystem::class_name() const { return content_->class_name; }
const std::string& TextSystem::identity() const { return content_->identity; }
const std::vector<std::string>& TextSystem::own_expressions() const { return content_->own_expressions; }
const std::string& TextSystem::expansion() const { return content_->expansion; }
const Place* TextSystem::place_of_standard() const {
  const Standard& standard = content_->description.standard;
  return standard.scheme ? &standard.place : nullptr;
}
const std::vector<std::string>& TextSystem::warnings() const { return content_->warnings; }
std::vector<std::string> TextSystem::unused(std::span<const std::string> observed) const {
  if (content_->uses_all) return {};
  return unused_parameters(content_->description, observed);
}
const Mechanics& TextSystem::mechanics() const { return content_->mechanics; }

namespace {

/// What the class has by itself, without forms for any mechanism.
Capabilities own_faces(const TextFacts& f) {
  const bool regular = f.constant_mass && !f.singular_mass, holonomic = !f.nonholonomic;
  Capabilities capabilities;
  if (f.general) {
    capabilities.add(Capability::regular_mass, regular);
    capabilities.add(Capability::other_mass, !regular);
    capabilities.add(Capability::unloaded);
    return capabilities;
  }
  capabilities.add(Capability::position_constraints, holonomic);
  capabilities.add(Capability::regular_mass, regular);
  capabilities.add(Capability::other_mass, !regular);
  capabilities.add(Capability::known_forces, f.linear_potential || holonomic);
  capabilities.add(Capability::viscosity, holonomic);
  capabilities.add(Capability::duals, holonomic && !f.linear_potential);
  capabilities.add(Capability::contact, f.nonholonomic);
  capabilities.add(Capability::increment, f.nonholonomic);
  capabilities.add(Capability::quadratic, holonomic && f.quadratic_constraints);
  capabilities.add(Capability::unloaded, !f.forced);
  capabilities.add(Capability::vectors, f.vectors.freedoms() > 0);
  return capabilities;
}

/// With those that forms for any mechanism stand for, and without vectors: a scheme for these alone is judged by a null
/// space that the reference has of built-in systems.
Capabilities offered_faces(const TextFacts& f) {
  Capabilities capabilities = own_faces(f).without({Capability::vectors});
  if (!f.has_general_terms()) return capabilities;
  for (const Capability capability : {Capability::known_forces, Capability::viscosity, Capability::duals,
                                      Capability::quadratic, Capability::unloaded})
    capabilities.add(capability);
  capabilities.add(Capability::position_constraints, !f.nonholonomic);
  capabilities.add(Capability::contact, f.nonholonomic && !f.singular_mass);
  capabilities.add(Capability::increment, f.nonholonomic);
  capabilities.add(Capability::general_rows, f.nonholonomic && !f.contact_damping);
  return capabilities;
}

/// The fewest capabilities that the scheme misses in one of the sets that it runs on.
Capabilities missing_from(Capabilities capabilities, const SchemeInfo& scheme) {
  Capabilities least = scheme.runs_on.front().without(capabilities);
  for (const Capabilities& wanted : scheme.runs_on) {
    const Capabilities missing = wanted.without(capabilities);
    if (missing.count() < least.count()) least = missing;
  }
  return least;
}

}  // namespace

Capabilities TextSystem::capabilities() const {
  return facts().general && !facts().nonholonomic ? offered_faces(facts()) : own_faces(facts());
}

bool TextSystem::needs_general_form(const SchemeInfo& scheme) const {
  return !scheme.runs_on.empty() && !missing_from(own_faces(facts()), scheme).empty();
}

bool TextSystem::may_damp(const std::vector<bool>& set) const {
  const Mechanics& m = content_->mechanics;
  if (m.damping.empty()) return facts().damped || facts().nonholonomic;
  const std::vector<bool> vanishing = vanishing_without(m.graph, set);
  return std::ranges::any_of(m.damping,
                             [&](NodeId entry) { return !vanishing[static_cast<std::size_t>(entry)]; });
}

std::string TextSystem::why_not(const SchemeInfo& scheme) const {
  if (facts().impacts > 0 && scheme.no_impacts)
    return std::string("the text has impacts, and ") + scheme.no_impacts;
  if (scheme.runs_on.empty()) return "it needs " + std::string(scheme.needs);
  const Capabilities missing = missing_from(offered_faces(facts()), scheme);
  return missing.empty() ? "" : lacks(first_of(missing), facts());
}

void TextSystem::complete(std::vector<double>& parameters) const {
  // One may follow from one before.
  for (const auto& [entry, node] : mechanics().following) {
    double& parameter = parameters[static_cast<std::size_t>(entry)];
    if (!std::isnan(parameter)) continue;
    Values values;
    values.parameters = parameters;
    parameter = evaluate(mechanics().graph, std::span(&node, 1), values).front();
  }
}

namespace {

std::vector<double> at_start(const TextSystem& text, const std::vector<NodeId>& coordinates,
                             std::span<const double> parameters) {
  std::vector<double> all(parameters.begin(), parameters.end());
  text.complete(all);
  Values values;
  values.parameters = all;
  return evaluate(text.mechanics().graph, coordinates, values);
}

}  // namespace

std::vector<double> TextSystem::initial_position(std::span<const double> parameters) const {
  return at_start(*this, mechanics().initial_position, parameters);
}
std::vector<double> TextSystem::initial_velocity(std::span<const double> parameters) const {
  return at_start(*this, mechanics().initial_velocity, parameters);
}

TextSystem read_text_system(std::string_view text, const std::string& source, const ColumnReader& columns) {
  if (text.size() > longest_text)
    refuse({source}, "longer than " + std::to_string(longest_text) + " characters");
  try {
    const toml::table table = parse_toml(text, source);
    return read_text_system(table, source, columns);
  } catch (const toml::parse_error& error) {
    refuse({source, error.source().begin.line}, printable(error.description()));
  }
}

/// A program that runs a study again and again would spend most of its time here: what has been read lately is found again,
/// but where it has tables of numbers, whose files may have changed.
TextSystem read_text_system(const toml::table& table, const std::string& source,
                            const ColumnReader& columns) {
  constexpr std::size_t most_kept = 16;
  static std::mutex mutex;
  static auto* const lately = new std::deque<std::pair<std::string, TextSystem>>;
  std::string typed = source + '\n';
  append(table, typed);
  const std::lock_guard guard(mutex);
  for (const auto& [known, system] : *lately)
    if (known == typed) return system;
  const Description description = describe(table, source, columns);
  TextSystem system = system_of(description);
  if (std::ranges::any_of(description.functions, [](const Function& f) { return f.table != nullptr; }))
    return system;
  lately->emplace_front(std::move(typed), system);
  if (lately->size() > most_kept) lately->pop_back();
  return system;
}

}  // namespace livens
