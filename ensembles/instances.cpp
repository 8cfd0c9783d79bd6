#include "ensembles/instances.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "ensembles/canonical_nan.hpp"
#include "ensembles/large_array.hpp"
#include "ensembles/node_values.hpp"
#include "ensembles/statistics.hpp"
#include "ensembles/tangents.hpp"

namespace livens::ensembles {
namespace {

// Quantities measured on an instance that could not start are not a number.
void forget_unstarted(const std::vector<std::uint8_t>& status, std::int64_t size, Instances& instances) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::int64_t i = 0; i < size; ++i) {
    if (status[i] == static_cast<std::uint8_t>(Status::ok)) continue;
    for (auto* list : {&instances.quantities, &instances.observables})
      for (Quantity& quantity : *list) {
        const std::int64_t width = quantity.width();
        std::fill_n(quantity.values.begin() + i * width, width, nan);
      }
    const std::int64_t d = static_cast<std::int64_t>(instances.final_q.size()) / size;
    for (std::int64_t c = i * d; c < (i + 1) * d; ++c) {
      instances.final_q[c] = instances.initial_q[c];
      instances.final_v[c] = instances.initial_v[c];
      instances.final_p[c] = nan;
    }
  }
}

/// The columns of records on the host.
class Records {
 public:
  Records(const Batch& batch, int width) : batch_(batch), width_(width) {}
  double operator()(std::int64_t instance, int column) const {
    return batch_.records[column_offset(instance / tile_size, width_, column) + instance % tile_size];
  }
  double operator()(std::int64_t instance, Column column) const {
    return (*this)(instance, static_cast<int>(column));
  }

 private:
  const Batch& batch_;
  int width_;
};

void collect_counts(const Records& value, std::int64_t size, Instances& instances) {
  instances.status.reserve(size);
  for (auto* counts : {&instances.failed_step, &instances.newton_iterations, &instances.retried_steps})
    counts->reserve(size);
  for (std::int64_t i = 0; i < size; ++i) {
    instances.steps += value(i, Column::steps);
    instances.status.push_back(static_cast<std::uint8_t>(value(i, Column::status)));
    instances.failed_step.push_back(static_cast<std::int64_t>(value(i, Column::failed_step)));
    instances.newton_iterations.push_back(static_cast<std::int64_t>(value(i, Column::newton_iterations)));
    instances.retried_steps.push_back(static_cast<std::int64_t>(value(i, Column::retried_steps)));
  }
}

void collect_quantities(const Records& value, const SystemInfo& system, std::int64_t size,
                        bool largest_violations, Instances& instances) {
  instances.quantities = record_quantities(system.constraints, system.momentum_maps, largest_violations);
  for (Quantity& quantity : instances.quantities) {
    const ColumnRow& row = *std::find_if(std::begin(columns), std::end(columns),
                                         [&](const ColumnRow& one) { return one.name == quantity.name; });
    quantity.values.reserve(size);
    for (std::int64_t i = 0; i < size; ++i) {
      const double kept = value(i, row.column), steps = value(i, Column::steps);
      // No step, no error: the only node is the initial one.
      const double mean = steps > 0.0 ? kept / steps : 0.0;
      quantity.values.push_back(row.kind == Kind::mean_square ? std::sqrt(mean) : kept);
    }
  }
  int column = column_count + system.momentum_maps;
  for (const ObservableInfo& own : system.observables) {
    Quantity& quantity = instances.observables.emplace_back(own_quantity(own));
    quantity.values.reserve(size * own.size());
    for (std::int64_t i = 0; i < size; ++i)
      for (int k = 0; k < own.size(); ++k) quantity.values.push_back(value(i, column + k));
    column += own.size();
  }
}

Quantity final_covariance(const SystemInfo& system) {
  return covariance_of(tangent_covariance, "final_q and then final_p", system);
}

void collect_covariance(const SystemInfo& system, const Tangent& tangent, std::int64_t size,
                        Instances& instances) {
  Quantity covariance = final_covariance(system);
  const std::string begin = tangent_of_final;
  const std::int64_t of_state = std::int64_t{system.coordinates} * tangent.directions();
  const double *const by_q = instances[begin + "q"].data(), *const by_p = instances[begin + "p"].data();
  covariance.values.resize(static_cast<std::size_t>(size * covariance.width()));
  for (std::int64_t i = 0; i < size; ++i)
    propagate_covariance(tangent, system.coordinates, by_q + i * of_state, by_p + i * of_state,
                         covariance.values.data() + i * covariance.width());
  instances.observables.push_back(std::move(covariance));
}

Quantity final_of(const Observable& one) {
  return {"final_" + one.name, one.unit, one.description + ": at the end, or at the last good step", {}};
}

void collect_finals(const Nodes& nodes, std::int64_t size, const std::vector<Observable>& observed,
                    Instances& instances) {
  if (observed.empty()) return;
  const NodeValues values(nodes, size, observed);
  for (std::size_t k = 0; k < observed.size(); ++k) {
    Quantity& final = instances.observables.emplace_back(final_of(observed[k]));
    final.values.reserve(size);
    for (std::int64_t i = 0; i < size; ++i) final.values.push_back(values.value(i, k));
  }
}

void collect_final_states(const Nodes& nodes, std::int64_t size, Instances& instances) {
  const SystemInfo& system = nodes.backend().system();
  const std::int64_t d = system.coordinates;
  for (auto* array : {&instances.final_q, &instances.final_v, &instances.final_p})
    make_large(*array, static_cast<std::size_t>(size * d));
  nodes.backend().for_each_block(block_count(size), [&](std::int64_t block) {
    std::vector<double> multipliers(2 * system.constraints), momentum(system.momentum_maps);
    const std::int64_t last = std::min((block + 1) * block_size, size);
    for (std::int64_t i = block * block_size; i < last; ++i) {
      NodeView view{};
      view.q = instances.final_q.data() + i * d;
      view.v = instances.final_v.data() + i * d;
      view.p = instances.final_p.data() + i * d;
      view.lambda = multipliers.data();
      view.gamma = multipliers.data() + system.constraints;
      view.momentum = momentum.data();
      nodes.node(nullptr, i, view);
    }
  });
}

/// Failures by the names that the request has for them.
void diagnose(const Request& request, const Batch& batch, std::int64_t size, Instances& instances) {
  if (!request.diagnosis || size == 0) return;
  const std::size_t d = instances.final_q.size() / static_cast<std::size_t>(size);
  std::vector<double> parameters(request.parameters.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const auto status = static_cast<Status>(instances.status[i]);
    if (!is_failure(status)) continue;
    for (std::size_t k = 0; k < parameters.size(); ++k)
      parameters[k] = batch.varied[k] == nullptr ? batch.shared_parameters[k] : batch.varied[k][i];
    const double step = batch.varied_step == nullptr ? batch.shared_step : batch.varied_step[i];
    const auto of = [&](const auto& all) {
      return std::span<const double>(all.data() + static_cast<std::size_t>(i) * d, d);
    };
    const auto steps = static_cast<double>(std::max<std::int64_t>(instances.failed_step[i], 0));
    instances.status[i] = static_cast<std::uint8_t>(request.diagnosis(
        {status, of(instances.final_q), of(instances.final_v), parameters, steps * step, step}));
  }
}

}  // namespace

const std::vector<double>& Instances::operator[](std::string_view name) const {
  static const std::vector<double> none;
  for (const auto* list : {&quantities, &observables})
    for (const Quantity& quantity : *list)
      if (quantity.name == name) return quantity.values;
  return none;
}

Instances collect_instances(const Request& request, Population& population, const Nodes& nodes,
                            std::vector<Quantity> more) {
  Instances instances;
  const std::int64_t size = population.size();
  const Backend& backend = nodes.backend();
  const Records records(nodes.batch(), backend.record_width());
  collect_counts(records, size, instances);
  collect_quantities(records, backend.system(), size, request.settings.largest_violations, instances);
  if (has_covariance(request)) collect_covariance(backend.system(), *request.tangent, size, instances);
  collect_final_states(nodes, size, instances);
  collect_finals(nodes, size, observed(backend.system(), request.observe, request.units), instances);
  std::move(more.begin(), more.end(), std::back_inserter(instances.observables));
  instances.parameters = population.take_varied();
  population.take_initial_states(instances.initial_q, instances.initial_v);
  forget_unstarted(population.status(), size, instances);
  diagnose(request, nodes.batch(), size, instances);
  for (auto* values : {&instances.final_q, &instances.final_v, &instances.final_p})
    make_nan_canonical(*values);
  for (auto* list : {&instances.quantities, &instances.observables})
    for (Quantity& quantity : *list) make_nan_canonical(quantity.values);
  return instances;
}

Instances instances_to_collect(const Request& request, const SystemInfo& system) {
  Instances instances;
  instances.quantities =
      record_quantities(system.constraints, system.momentum_maps, request.settings.largest_violations);
  for (const ObservableInfo& own : system.observables) instances.observables.push_back(own_quantity(own));
  if (has_covariance(request)) instances.observables.push_back(final_covariance(system));
  const std::vector<Observable> observables = observed(system, request.observe, request.units);
  for (const Observable& one : observables) instances.observables.push_back(final_of(one));
  if (request.extremes)
    for (Quantity& one : Extremes(0, observables).quantities())
      instances.observables.push_back(std::move(one));
  for (const Variation* entry : recorded_entries(request))
    instances.parameters.push_back({entry->what, entry->count, {}});
  return instances;
}

}  // namespace livens::ensembles
