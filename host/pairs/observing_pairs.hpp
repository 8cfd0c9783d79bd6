#pragma once
// Systems with expressions of a spec's own, as the catalogue shows them: their pairs without functions, since
// a class that evaluates the expressions is compiled on first use.

#include <string>
#include <vector>

#include "expressions/observing_class.hpp"
#include "host/pairs/catalogue.hpp"

namespace livens::host {

/// The system that expressions are about, and the expressions.
struct Observing {
  const SystemInfo* base;
  expressions::Scope scope;
  expressions::Additions additions;
};

/// What a system evaluates beside its own, or null where that is nothing.
const Observing* observing_of(const SystemInfo& system);

/// Refuse [tangent] and output.event for a solver that has no steps of a scheme: derivatives are those of steps, and shorter
/// ones find the times.
void refuse_tangents(const expressions::Additions& additions, const std::string& solver);
void refuse_events(const expressions::Additions& additions, const std::string& solver);

/// The catalogue of a request with expressions: its system alone, which then has them among its observables,
/// and what is kept of stops, events and impacts. Without any the catalogue as it is. What it refers to
/// lives as long as the program; the same request gives the same entries.
Catalogue observing(const Catalogue& catalogue, const ensembles::Request& request);

}  // namespace livens::host
