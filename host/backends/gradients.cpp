#include "host/backends/gradients.hpp"

#include "ensembles/population.hpp"
#include "ensembles/schedule.hpp"
#include "host/compilation/compiled.hpp"
#include "host/pairs/text_pairs.hpp"

namespace livens::host {

std::vector<double> gradients(const ensembles::Request& request, ensembles::Backend& backend,
                              const CountedNodes& counted, const ensembles::StopAsked& stop) {
  ensembles::Request in_form = request;  // of the values
  in_form.form = backend.form();
  const AdjointKernels& adjoint = compiled_adjoint(*choose_pair(catalogue_of(in_form), in_form).pair);
  const ensembles::Population population(request, {0, request.size}, backend);
  const std::vector<std::int64_t> beats =
      counted.beats.empty() ? std::vector{ensembles::beat_count(request)} : counted.beats;
  const auto numbers = [](const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data();
  };
  const Counted sums{static_cast<std::int64_t>(beats.size()),
                     beats.data(),
                     numbers(counted.q),
                     numbers(counted.p),
                     numbers(counted.v),
                     numbers(counted.sampled),
                     counted.kept_every};
  std::vector<double> found(static_cast<std::size_t>(request.size * adjoint.directions));
  backend.for_each_block(request.size, [&](std::int64_t i) {
    if (stop && stop()) throw ensembles::Stopped();
    adjoint.gradients(population.batch(), request.settings, population.status().data(), sums, found.data(), i,
                      i + 1);
  });
  return found;
}

}  // namespace livens::host
