// output.observe, output.stop and output.event: what is observed of the motion, by name or as an expression,
// what ends an instance, and what is counted.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "ensembles/instances.hpp"
#include "ensembles/observables.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

using ensembles::ObservedExpression;

constexpr std::size_t most_expressions = 100, longest_expression = 20000, longest_name = 64;
/// Of the events of a name, and of the impacts on a wall.
constexpr std::int64_t most_kept = 10000;
/// Numbers of all events of an instance, which a step has on the stack of a thread, several times.
constexpr std::int64_t most_of_events = 1 << 17;
/// The same of derivatives of what is kept of them.
constexpr std::int64_t most_derivatives = 1 << 16;

/// The names that can be observed, a quantity of several entries as name[0..last].
std::vector<std::string> names_to_observe(const SystemInfo& system) {
  std::vector<std::string> names;
  for (const ensembles::Observable& one : ensembles::all_observables(system)) {
    const std::size_t bracket = one.name.find('[');
    const std::string several = one.name.substr(0, bracket) + "[0..";
    if (bracket == std::string::npos)
      names.push_back(one.name);
    else if (!names.empty() && names.back().starts_with(several))
      names.back() = several + one.name.substr(bracket + 1);
    else
      names.push_back(several + "0]");
  }
  return names;
}

bool can_be_observed(const SystemInfo& system, const std::string& name) {
  const std::vector<ensembles::Observable> all = ensembles::all_observables(system);
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

/// True for "lyapunov[k]" of a run that carries so many: names that only its own class of the system has.
bool is_exponent(int exponents, const std::string& name) {
  for (int k = 0; k < exponents; ++k)
    if (name == fmt::format("lyapunov[{}]", k)) return true;
  return false;
}

/// The name of an expression.
std::string read_name(const Section& entry, const SystemInfo& system) {
  if (!entry.has("name")) refuse(entry.place("name"), "missing", "a name for the expression");
  const std::string name = *entry.text("name");
  check_new_name(entry.place("name"), name);
  if (can_be_observed(system, name))
    refuse(entry.place("name"), fmt::format("'{}' is a name of livens'", name), "another");
  return name;
}

/// The text of an expression over the states of a system, checked.
class ExpressionReader {
 public:
  explicit ExpressionReader(const SystemInfo& system)
      : scope_(expressions::names_at_nodes(system, text_of(system))) {}

  std::string read(const Section& entry, const char* key, bool must_vary) const {
    if (!entry.has(key)) refuse(entry.place(key), "missing", "an expression, as in 'q[0] - 1'");
    const std::string text = *entry.text(key);
    const Place place = entry.place(key);
    if (text.size() > longest_expression)
      refuse(place, fmt::format("longer than {} characters", longest_expression));
    const expressions::Dependence found = expressions::dependence_of(scope_, text, {place});
    if (must_vary && found.of_reactions)
      refuse(place, fmt::format("'{}' has a reaction of a joint, which is observed and ends nothing", text),
             "an expression of the state");
    if (must_vary && !found.varies)
      refuse(place, fmt::format("'{}' does not depend on the motion", text), "an expression that does");
    return text;
  }
  /// Refuses, among the names to observe, what is an expression: `steer.angle` of a joint, `q[0] - q[1]`.
  void refuse_expression(const Place& place, const std::string& name) const {
    try {
      expressions::dependence_of(scope_, name, {place});
    } catch (const RequestError&) {
      return;
    }
    std::string own = name;
    std::ranges::replace_if(
        own, [](unsigned char c) { return !std::isalnum(c); }, '_');
    refuse(place, fmt::format("'{}' is an expression, and the result needs a name for it", name),
           fmt::format("{{ name = \"{}\", expression = \"{}\" }}", own, name));
  }

 private:
  expressions::Scope scope_;
};

}  // namespace

void check_observable(const Place& place, const std::string& name, const SystemInfo& system, int exponents) {
  if (can_be_observed(system, name) || is_exponent(exponents, name)) return;
  if (name == "position_error")
    refuse(place, "position_error has no statistics",
           "output.error_against, which writes it to /instances and /trajectories");
  std::vector<std::string> names = names_to_observe(system);
  if (exponents > 0) names.push_back(fmt::format("lyapunov[0..{}]", exponents - 1));
  const std::string several = name.substr(0, name.find('[')) + "[0..";
  const auto entries = std::find_if(names.begin(), names.end(),
                                    [&](const std::string& one) { return one.starts_with(several); });
  if (entries != names.end())
    refuse(place, fmt::format("'{}' is no entry", name), fmt::format("one of {}", *entries));
  refuse_unknown(place, fmt::format("'{}' cannot be observed on {}", name, system.name), name, names);
}

void check_new_name(const Place& place, const std::string& name) {
  const auto belongs = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (name.empty() || name.size() > longest_name || !std::all_of(name.begin(), name.end(), belongs) ||
      std::isdigit(static_cast<unsigned char>(name.front())))
    refuse(place, fmt::format("'{}' is no name", name),
           fmt::format("at most {} letters, digits and underscores", longest_name));
}

AddedNames SpecReader::added_names() const {
  AddedNames added;
  for (const ObservableInfo& own : system->observables) added.own.emplace_back(own.name);
  added.observed = spec.request.observe;
  if (!document.has("tangent")) return added;
  std::vector<std::string> followed = {"q", "p", "v"};
  for (const ObservableInfo& own : system->sampled) followed.emplace_back(own.name);
  for (const ensembles::ObservedExpression& one : spec.request.expressions) followed.push_back(one.name);
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(added.own, name) == added.own.end()) added.own.push_back(name);
  };
  for (const std::string& name : followed) add(ensembles::tangent_of_final + name);
  add(ensembles::tangent_covariance);
  return added;
}

/// A run that is computed to its end and cannot be written, or not be read by other tools, is of no use.
void SpecReader::refuse_doubled_name(const Place& place, const std::string& name) const {
  AddedNames added = added_names();
  // What can be observed can be an axis of a joint histogram.
  ensembles::Joint any{"0", {}, true};
  any.axes.resize(2);
  any.axes[0].name = name;
  any.axes[1].name = name + "0";
  added.joints.push_back(std::move(any));
  if (const std::string doubled = doubled_name(added); !doubled.empty())
    refuse(place, fmt::format("with '{}' the result would have {} twice", name, doubled), "another name");
}

void SpecReader::refuse_doubled_names(const Place& place) const {
  AddedNames added = added_names();
  added.varied = ensembles::instances_to_collect(spec.request, *system).parameters;
  added.joints = spec.request.joints;
  added.coordinates = system->coordinates;
  if (const std::string doubled = doubled_name(added); !doubled.empty())
    refuse(place, fmt::format("the result would have {} twice", doubled), "other names");
}

template <class Reader>
void SpecReader::read_event(const Section& entry, const Reader& reader) {
  entry.allow(std::vector<std::string>{"name", "when", "direction", "keep", "state"});
  if (!entry.sound()) return;
  ensembles::Event event{};
  if (!entry.has("name")) refuse(entry.place("name"), "missing", "a name for the event");
  event.name = *entry.text("name");
  check_new_name(entry.place("name"), event.name);
  for (const ensembles::Event& other : spec.request.events)
    if (other.name == event.name) refuse(entry.place("name"), fmt::format("'{}' is there twice", event.name));
  event.when = reader.read(entry, "when", true);
  constexpr std::pair<const char*, int> directions[] = {{"both", 0}, {"up", 1}, {"down", -1}};
  event.direction = entry.choice<int>("direction", 0, directions);
  event.keep = static_cast<int>(entry.integer_or("keep", 16, 1, most_kept));
  event.state = entry.truth("state").value_or(false);
  const auto numbers = [&](const ensembles::Event& one) {
    return 1 + std::int64_t{one.keep} * (one.state ? 1 + 2 * system->coordinates : 1);
  };
  std::int64_t kept = numbers(event);
  for (const ensembles::Event& other : spec.request.events) kept += numbers(other);
  if (kept > most_of_events)
    refuse(entry.place("keep"),
           fmt::format("{} numbers of the events up to this one do not fit beside an instance", kept),
           fmt::format("at most {}: fewer events, or fewer that are kept of each", most_of_events));
  if (spec.request.tangent) {
    if (event.name == "final" || event.name == "initial")
      refuse(entry.place("name"), fmt::format("derivatives of the state have names with '{}'", event.name),
             "another name beside [tangent]");
    const int directions = spec.request.tangent->directions(),
              entries = event.state ? 1 + 2 * system->coordinates : 1;
    if (std::int64_t{directions} * entries * event.keep > most_derivatives)
      refuse(entry.place("keep"),
             fmt::format("derivatives of {} events along {} directions do not fit beside an instance",
                         event.keep, directions),
             fmt::format("at most {} events", most_derivatives / (directions * entries)));
  }
  spec.request.events.push_back(std::move(event));
}

void SpecReader::read_observe(const Section& output) {
  ensembles::Request& request = spec.request;
  const ExpressionReader reader(*system);
  const int exponents = request.tangent ? request.tangent->exponents : 0;
  const auto observe = [&](const Place& place, const std::string& name) {
    if (std::find(request.observe.begin(), request.observe.end(), name) != request.observe.end())
      refuse(place, fmt::format("'{}' is named twice", name), "it once");
    request.observe.push_back(name);
    refuse_doubled_name(place, name);
  };
  for (const auto& one : output.texts_and_sections("observe")) {
    if (const std::string* name = std::get_if<std::string>(&one)) {
      // Whatever is wrong with [tangent] has been said.
      if (!request.tangent && document.has("tangent") && name->starts_with("lyapunov[")) continue;
      if (!can_be_observed(*system, *name) && !is_exponent(exponents, *name))
        reader.refuse_expression(output.place("observe"), *name);
      check_observable(output.place("observe"), *name, *system, exponents);
      observe(output.place("observe"), *name);
      continue;
    }
    const Section& entry = std::get<Section>(one);
    entry.allow(std::vector<std::string>{"name", "unit", "expression"});
    if (!output.sound()) continue;  // a misspelt key is not missing as well
    const std::string name = read_name(entry, *system);
    observe(entry.place("name"), name);
    request.expressions.push_back(
        {name, entry.text("unit").value_or("SI"), reader.read(entry, "expression", false)});
  }
  for (const Section& entry : output.sections("stop")) {
    entry.allow(std::vector<std::string>{"when"});
    if (!output.sound()) continue;
    request.stops.push_back(reader.read(entry, "when", true));
  }
  for (const Section& entry : output.sections("event")) read_event(entry, reader);
  refuse_without_walls(output, "keep_impacts");
  if (output.has("keep_impacts"))
    request.keep_impacts = static_cast<int>(output.integer_or("keep_impacts", 1, 1, most_kept));
  const std::size_t expressions = request.expressions.size() + request.stops.size() + request.events.size();
  if (expressions > most_expressions)
    refuse(output.place("observe"), fmt::format("{} expressions", expressions),
           fmt::format("at most {}", most_expressions));
  if (!output.sound()) return;
  catalogue = observing(catalogue, request);
  system = catalogue.system(request.system)->info;
}

}  // namespace livens::host
