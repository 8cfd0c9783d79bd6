#include "host/library/adjoint.hpp"

#include "ensembles/population.hpp"
#include "ensembles/schedule.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/library/checked.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/results/hdf5_inputs.hpp"

namespace livens::host {
namespace {

/// The request with the directions in its system, which the kernels of the adjoint have.
ensembles::Request with_directions(const Spec& spec) {
  ensembles::Request request = spec.request;
  request.tangent = spec.adjoint;
  return request;
}

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
  const Catalogue values = catalogue_of(spec().request);
  system_of_adjoint(spec(), values);
  // In the form of the values.
  ensembles::Request request = with_directions(spec());
  request.form = choose_pair(values, spec().request).pair->form;
  pair_ = choose_pair(catalogue_of(request), request).pair;
}

std::vector<double> Adjoint::gradients(std::vector<std::vector<double>> columns, const CountedNodes& counted,
                                       const std::function<bool()>& cancelled) {
  ensembles::Backend& backend = with(std::move(columns), cancelled);
  const AdjointKernels& adjoint = compiled_adjoint(*pair_);
  const ensembles::Request request = with_directions(spec());
  const ensembles::Population population(request, {0, request.size}, backend);
  const auto numbers = [](const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data();
  };
  const std::vector<std::int64_t> units =
      counted.units.empty() ? std::vector{ensembles::unit_count(request)} : counted.units;
  const Counted sums{static_cast<std::int64_t>(units.size()),
                     units.data(),
                     numbers(counted.q),
                     numbers(counted.p),
                     numbers(counted.v),
                     numbers(counted.sampled),
                     counted.kept_every};
  std::vector<double> gradients(static_cast<std::size_t>(request.size * adjoint.directions));
  backend.for_each_block(request.size, [&](std::int64_t i) {
    if (cancelled && cancelled()) throw Interrupted("cancelled");
    adjoint.gradients(population.batch(), request.settings, population.status().data(), sums,
                      gradients.data(), i, i + 1);
  });
  return gradients;
}

}  // namespace livens::host
