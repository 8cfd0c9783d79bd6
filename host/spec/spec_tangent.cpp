// [tangent]: along what derivatives of the discrete motion are carried, and what is made of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ensembles/draws.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/spec/quantity_name.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

using ensembles::Mode;
using ensembles::Tangent;
using ensembles::Target;
using ensembles::Variation;

/// Directions times coordinates and multipliers: what a step has of them on the stack of a thread, several times, stays
/// below some megabytes.
constexpr int most_carried = 2048;
constexpr std::int64_t most_steps_between = std::int64_t{1} << 30;

WithRespectTo kind_of(Target target) {
  switch (target) {
    case Target::q:
      return WithRespectTo::q;
    case Target::v:
      return WithRespectTo::v;
    case Target::p:
      return WithRespectTo::p;
    case Target::step:
      return WithRespectTo::step;
    case Target::parameter:
      break;
  }
  return WithRespectTo::parameter;
}

bool meets(const Variation& variation, Target target, int entry) {
  return variation.target == target && variation.first <= entry && entry < variation.first + variation.count;
}

bool any_of_target(const std::vector<Variation>& variations, Target target) {
  return std::ranges::any_of(variations, [&](const Variation& one) { return one.target == target; });
}

/// What names a quantity takes its entries from: "initial.q[3:5]" is initial.q[3] and initial.q[4].
struct Named {
  std::string name;
  QuantityName quantity;
  int offset;    ///< of the first entry, in what the name without an index has
  bool indexed;  ///< its entries are numbered

  std::string label(int k) const { return indexed ? fmt::format("{}[{}]", name, offset + k) : name; }
};

Named read_named(const Place& place, const std::string& what, const SystemInfo& system) {
  const QuantityName quantity = read_quantity_name(place, what, system);
  const std::string name = what.substr(0, what.find('['));
  const QuantityName whole = read_quantity_name(place, name, system);
  const bool of_vector = std::ranges::any_of(system.names, [&](const CoordinateInfo& one) {
    return one.is_vector && one.first == whole.first && one.size == whole.count;
  });
  const bool state = whole.target == Target::q || whole.target == Target::v || whole.target == Target::p;
  const bool by_letter = name == "initial.q" || name == "initial.v" || name == "initial.p";
  return {name, quantity, quantity.first - whole.first,
          whole.count > 1 || (state && (by_letter || of_vector))};
}

/// By [initial].
bool is_given(const std::optional<std::vector<double>>& state, int k) {
  return state && !std::isnan((*state)[static_cast<std::size_t>(k)]);
}

/// The sources of q and v, where the laws leave them alone.
std::vector<Origin> origins(const ensembles::Request& request, Target target,
                            const std::optional<std::vector<double>>& given, int d, const Place& place,
                            bool of_parameters) {
  std::vector<Origin> entries;
  for (int k = 0; k < d; ++k) {
    bool sets = is_given(given, k), adds = false, multiplies = false;
    for (const Variation& one : request.taken_over) sets = sets || meets(one, target, k);
    for (const Variation& one : request.variations) {
      if (!meets(one, target, k)) continue;
      sets = sets || one.mode == Mode::set;
      adds = adds || one.mode == Mode::add;
      multiplies = multiplies || one.mode == Mode::multiply;
    }
    if (!sets && adds && multiplies && of_parameters)
      refuse(
          place,
          fmt::format("what parameters do to initial.{}[{}] is not known: laws add to the system's own value "
                      "and multiply it",
                      target == Target::q ? 'q' : 'v', k),
          fmt::format("initial.{} in [initial]", target == Target::q ? 'q' : 'v'));
    entries.push_back(sets ? Origin::given : multiplies ? Origin::multiplied : Origin::own);
  }
  return entries;
}

/// Momenta of the system's own, some of which laws vary.
void refuse_own_momenta(const Place& place, const ensembles::Request& request, int d) {
  for (int k = 0; k < d; ++k) {
    const auto sets = [&](const Variation& one) { return one.mode == Mode::set && meets(one, Target::p, k); };
    if (!is_given(request.p, k) && std::ranges::none_of(request.variations, sets))
      refuse(
          place,
          fmt::format("what parameters do to initial.p[{}] is not known: it is the system's own, where laws "
                      "vary initial.p",
                      k),
          "initial.p in [initial]");
  }
}

/// The scheme, the system and the rest of the request, as far as derivatives are not there for them. `state`: a
/// basis of the state is asked for.
void refuse_what_has_none(const SpecReader& reader, bool state) {
  const Section& document = reader.document;
  const ensembles::Request& request = reader.spec.request;
  const SystemInfo& system = *reader.system;
  const Place place = document.place("tangent");
  const auto of_scheme = [&](const PairKernels& pair) { return request.scheme == pair.scheme->name; };
  const auto pair = std::ranges::find_if(reader.catalogue.pairs, of_scheme);
  if (pair != reader.catalogue.pairs.end() && is_true_motion(*pair))
    refuse(
        document.section("scheme").place("name"),
        fmt::format("[tangent] has the derivatives of the steps of a scheme, and {} is none", request.scheme),
        "a scheme with steps of its own");
  if (request.settings.precision != Precision::full)
    refuse(document.section("scheme").place("precision"), "[tangent] carries derivatives in double precision",
           "\"double\"");
  if (reader.catalogue.system(system.name)->capabilities.has(Capability::assembly))
    refuse(
        place,
        fmt::format("{} is assembled of bodies and beams, on which no derivatives are carried", system.name),
        "another system, or the mechanism as a text");
  if (state && system.nonholonomic)
    refuse(place, fmt::format("{} is nonholonomic: its states have no basis here", system.name),
           "names of entries of initial, system and scheme.step");
  if (state && system.singular_mass)
    refuse(place,
           fmt::format("the mass matrix of {} is singular: its states have no basis here", system.name),
           "names of entries of initial, system and scheme.step");
}

/// The directions of `of`, where it is a list.
void read_directions(const Section& section, const ensembles::Request& request, const SystemInfo& system,
                     Tangent& tangent) {
  const Place place = section.place("of");
  const std::vector<std::string> typed = section.texts("of");
  if (typed.empty())
    refuse(place, "empty", "names like \"initial.v[1]\", \"system.mass[0]\", \"scheme.step\", or \"state\"");
  for (const std::string& what : typed)
    section.attempt([&] {
      const Named named = read_named(place, what, system);
      const QuantityName& quantity = named.quantity;
      refuse_singular_momenta(place, quantity.target, system);
      if (quantity.target == Target::p && !tangent.momentum)
        refuse(place, fmt::format("'{}': the initial state is not given by initial.p", what),
               "initial.v, or initial.p in [initial]");
      if (quantity.target == Target::v && tangent.momentum)
        refuse(place, fmt::format("'{}': the initial state is given by initial.p", what), "initial.p");
      for (int k = 0; k < quantity.count; ++k) {
        const int entry = quantity.first + k;
        const auto same = [&](const Direction& one) {
          return one.of == kind_of(quantity.target) && one.entry == entry;
        };
        if (std::ranges::any_of(tangent.of, same))
          refuse(place, fmt::format("'{}' is there twice", named.label(k)), "each once");
        const bool varied = std::ranges::any_of(
            request.variations, [&](const Variation& one) { return meets(one, quantity.target, entry); });
        if (quantity.target == Target::parameter && !varied &&
            std::isnan(request.parameters[static_cast<std::size_t>(entry)]))
          refuse(place, fmt::format("'{}' follows from other parameters", named.label(k)),
                 "its value in [system]");
        tangent.of.push_back({kind_of(quantity.target), entry});
        tangent.names.push_back(named.label(k));
      }
    });
}

/// lyapunov = { count, every }: of directions of their own, of which there are `most`.
void read_exponents(const Section& section, int most, Tangent& tangent) {
  const Section lyapunov = section.section("lyapunov");
  lyapunov.allow(std::vector<std::string>{"count", "every"});
  for (const auto& [key, expected] : {std::pair{"count", "how many exponents"},
                                      {"every", "the steps from one orthonormalisation to the next"}})
    if (!lyapunov.has(key))
      lyapunov.attempt(
          [&, key = key, expected = expected] { refuse(lyapunov.place(key), "missing", expected); });
  if (!lyapunov.sound()) return;
  tangent.exponents = static_cast<int>(lyapunov.integer_or("count", 1, 1, most));
  tangent.every = static_cast<int>(lyapunov.integer_or("every", 1, 1, most_steps_between));
}

/// The value that a law multiplies: that of the spec, the same for all instances.
double multiplied_by(const Place& place, const ensembles::Request& request, const Variation& variation,
                     int entry) {
  const auto in = [&](const std::optional<std::vector<double>>& given) {
    return given ? (*given)[static_cast<std::size_t>(entry)] : std::nan("");
  };
  const bool taken_over = std::ranges::any_of(
      request.taken_over, [&](const Variation& one) { return meets(one, variation.target, entry); });
  const double base = taken_over ? std::nan("")
                      : variation.target == Target::parameter
                          ? request.parameters[static_cast<std::size_t>(entry)]
                      : variation.target == Target::q ? in(request.q)
                      : variation.target == Target::v ? in(request.v)
                                                      : in(request.p);
  if (std::isnan(base))
    refuse(place, fmt::format("what the law of '{}' multiplies is not in the spec", variation.what),
           "its value there, or mode = \"set\" or \"add\"");
  return base;
}

/// covariance = "initial": the laws of the draws, as standard deviations along the directions.
void read_covariance(const Section& section, const ensembles::Request& request, Tangent& tangent) {
  const Place place = section.place("covariance");
  if (!section.is_text("covariance") || *section.text("covariance") != "initial")
    refuse(place, "is no covariance that is propagated", "\"initial\", that of the draws' own laws");
  if (tangent.of.empty())
    refuse(place, "the draws are of entries of initial and system, and `of` has no names",
           "the names of all that is drawn in `of`");
  const auto none = std::vector<double>(tangent.of.size(), 0.0);
  for (const Variation& one : request.variations) {
    if (!one.is_random()) continue;
    const double deviation = ensembles::standard_deviation(one);
    std::vector<double> together = none;
    for (int entry = one.first; entry < one.first + one.count; ++entry) {
      const auto along = std::ranges::find_if(tangent.of, [&](const Direction& direction) {
        return direction.of == kind_of(one.target) && direction.entry == entry;
      });
      if (along == tangent.of.end())
        refuse(place, fmt::format("'{}' is drawn, and not all of it is in `of`", one.what),
               "the names of all that is drawn");
      if (one.target == Target::step)
        refuse(place, "'scheme.step' is drawn: with it the number of steps changes",
               "the same step for all instances");
      const auto laws = std::ranges::count_if(
          request.variations, [&](const Variation& other) { return meets(other, one.target, entry); });
      if (laws > 1)
        refuse(place, fmt::format("'{}' is drawn, and a second law acts on it", one.what),
               "one law for each entry");
      const double by = one.mode == Mode::multiply ? multiplied_by(place, request, one, entry) : 1.0;
      together[static_cast<std::size_t>(along - tangent.of.begin())] = by * deviation;
      if (!one.each) continue;
      tangent.spreads.push_back(std::exchange(together, none));
    }
    if (!one.each) tangent.spreads.push_back(std::move(together));
  }
  if (tangent.spreads.empty())
    refuse(place, "nothing is drawn", "an [[ensemble.vary]] with a random law, as normal or uniform");
}

}  // namespace

void SpecReader::read_tangent() {
  if (!document.has("tangent")) return;
  const Section section = document.section("tangent");
  section.allow(std::vector<std::string>{"of", "lyapunov", "covariance"});
  if (!document.sound()) return;
  ensembles::Request& request = spec.request;
  Tangent tangent;
  const bool word = section.is_text("of");
  if (word && *section.text("of") != "state")
    refuse(section.place("of"), fmt::format("'{}' is no list of names", *section.text("of")),
           "\"state\", or an array of names");
  if (!section.has("of") && !section.has("lyapunov"))
    refuse(section.place("of"), "missing", "an array of names, or \"state\"");
  tangent.state = word || !section.has("of");  // without directions for exponents alone
  refuse_what_has_none(*this, word || section.has("lyapunov"));

  const int d = system->coordinates;
  const bool drawn = any_of_target(request.variations, Target::p),
             given = request.p.has_value() || any_of_target(request.taken_over, Target::p);
  tangent.momentum = given || drawn;
  const int most = 2 * (d - system->constraints);
  if (word)
    for (int k = 0; k < most; ++k) tangent.names.push_back(fmt::format("state[{}]", k));
  else if (section.has("of"))
    read_directions(section, request, *system, tangent);
  if (section.has("lyapunov")) read_exponents(section, most, tangent);
  const bool of_parameters = std::ranges::any_of(
      tangent.of, [](const Direction& one) { return one.of == WithRespectTo::parameter; });
  if (tangent.momentum && of_parameters && !any_of_target(request.taken_over, Target::p))
    refuse_own_momenta(section.place("of"), request, d);
  tangent.q = origins(request, Target::q, request.q, d, section.place("of"), of_parameters);
  // Momenta give all of them.
  const auto v = tangent.momentum ? std::vector<double>(static_cast<std::size_t>(d)) : request.v;
  tangent.v = origins(request, Target::v, v, d, section.place("of"), of_parameters);
  if (section.has("covariance")) read_covariance(section, request, tangent);
  const auto directions = static_cast<int>(tangent.names.size()) + tangent.exponents;
  if (!inputs.adjoint && directions * (d + 2 * system->constraints) > most_carried)
    refuse(section.place("of"),
           fmt::format("{} directions of {} coordinates and {} constraints do not fit beside an instance",
                       directions, d, system->constraints),
           fmt::format("at most {} of them", most_carried / (d + 2 * system->constraints)));
  if (section.sound()) (inputs.adjoint ? spec.adjoint : request.tangent) = std::move(tangent);
}

}  // namespace livens::host
