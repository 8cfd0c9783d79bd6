#include "host/library/adjoint.hpp"

#include "host/errors.hpp"
#include "host/library/checked.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/results/hdf5_inputs.hpp"

namespace livens::host {
namespace {

/// Throws RequestError where there is none.
const SystemInfo& system_of_adjoint(const Spec& spec, const Catalogue& catalogue) {
  if (!spec.adjoint) refuse({.key = "tangent"}, "missing", "names in tangent.of");
  const SystemInfo& system = *catalogue.system(spec.request.system)->info;
  const ensembles::Tangent& tangent = *spec.adjoint;
  const auto without = [](const char* key, const char* what) {
    refuse({.key = key}, std::string(what) + ": the adjoint goes back over whole steps alone",
           "mode = \"forward\", or a study without");
  };
  if (tangent.state || tangent.exponents > 0 || !tangent.spreads.empty())
    refuse({.key = "tangent"}, "the adjoint has gradients by names alone", "of = [...] without more");
  if (has_impacts(system)) without("system", "impacts");
  if (!spec.request.stops.empty()) without("output.stop", "stops");
  if (!spec.request.events.empty()) without("output.event", "events");
  return system;
}

}  // namespace

AdjointNames adjoint_names(const Ensemble& ensemble) {
  const Spec spec = checked(ensemble, registered(), &hdf5_inputs(), true);
  AdjointNames names;
  for (const ObservableInfo& one : system_of_adjoint(spec, catalogue_of(spec.request)).sampled)
    names.sampled.emplace_back(one.name);
  names.of = spec.adjoint->names;
  return names;
}

Adjoint::Adjoint(const Ensemble& ensemble) : Prepared(ensemble, true) {
  system_of_adjoint(spec(), catalogue_of(spec().request));
}

std::vector<double> Adjoint::gradients(std::vector<std::vector<double>> columns, const CountedNodes& counted,
                                       const std::function<bool()>& cancelled) {
  ensembles::Backend& backend = with(std::move(columns), cancelled);
  ensembles::Request request = spec().request;
  request.tangent = spec().adjoint;
  try {
    return host::gradients(request, backend, counted, cancelled);
  } catch (const ensembles::Stopped&) {
    throw Interrupted("cancelled");
  }
}

}  // namespace livens::host
