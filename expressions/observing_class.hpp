#pragma once
// Expressions over a system that is there already, built in or written as text: what is observed at its
// nodes, and what ends an instance where it changes sign. They become a class derived from the system's own.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expressions/complaint.hpp"
#include "expressions/parser.hpp"
#include "expressions/text_system.hpp"
#include "kernels/description/tangent_info.hpp"

namespace livens::expressions {

/// What an expression over the system may use: q, v and p as vectors, parameters, time, and of a text the
/// names it has given its coordinates, velocities and momenta with them. `text`: what the system is written
/// as, or null.
Scope names_at_nodes(const SystemInfo& system, const TextSystem* text);

/// Reads an expression and throws RequestError where it is no scalar of finite parts. Returns its dependence on the motion
/// or the time, and on reactions.
struct Dependence {
  bool varies, of_reactions;
};
Dependence dependence_of(const Scope& scope, const std::string& expression, const Span& place);

/// An event of a spec: an expression whose changes of sign are counted, and what is kept of them.
struct WatchedEvent {
  std::string when;
  EventInfo info;
};
/// [tangent] of a spec: along what derivatives are carried, and where the initial state comes from.
struct CarriedTangents {
  bool state;                 ///< along a basis of the state
  int directions;             ///< beside those of exponents
  std::vector<Direction> of;  ///< as many, or none with `state`
  std::vector<Origin> q, v;   ///< d each
  bool momentum, projected;   ///< initial.p is given in place of v; the start is made consistent
  int exponents, every;       ///< Lyapunov's, and the steps from one orthonormalisation to the next
};
/// What a spec adds to a system.
struct Additions {
  std::vector<std::string> observed, stops;
  std::vector<WatchedEvent> events;
  int kept_impacts = 0;  ///< times of impacts that are kept of each wall; 0: as many as the system keeps
  std::optional<CarriedTangents> tangents = {};
};

/// The header with a class template of this name, which has stop_values() for the stops, event_values() for
/// the events, sampled() with the values of the system's own before those observed, and Tangents where there
/// are some. It is derived from the class template `base` of `header`, whose text comes first. The same expressions give the same text,
/// whatever they are called. Throws RequestError. `text`: what the system is written as, or null.
inline constexpr const char* observing_class_name = "Observing";
std::string observing_header(const SystemInfo& system, const TextSystem* text, const Scope& scope,
                             const std::string& base, const std::string& header, const Additions& additions);

}  // namespace livens::expressions
