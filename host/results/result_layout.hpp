#pragma once
// The datasets of a result file (contract, section 4), stated once: the writer and the reader both walk this
// list.
//
// A Walker offers
//   field(name, vector, shape, unit, description)   a dataset of numbers
//   status(name, vector, shape, description)        the enumeration of Status
//   attribute(name of a dataset, key, value)        a further attribute of it
//   growth(name of a dataset, growth)               the attributes of a growth exponent
//   has(name, vector)                               whether a dataset that may be absent is there

#include <string>
#include <vector>

#include "ensembles/histogram.hpp"
#include "ensembles/result.hpp"

namespace livens::host {

using Shape = std::vector<std::int64_t>;

/// An observable of every instance where output.error_against asks for it, and then a trajectory, too.
inline constexpr const char* position_error_name = "position_error";
inline constexpr const char* position_error_description =
    "largest |q - q of the true motion| over the coordinates";

template <class Walker, class Instances>
void walk_instances(Walker& walker, Instances& data, std::int64_t n, int d) {
  const std::string at = "/instances/";
  const Shape each = {n}, state = {n, d};
  walker.field(at + "initial_q", data.initial_q, state, "SI", "coordinates at time 0, consistent");
  walker.field(at + "initial_v", data.initial_v, state, "SI", "velocities at time 0, consistent");
  walker.field(at + "final_q", data.final_q, state, "SI", "coordinates at the end, or at the last good step");
  walker.field(at + "final_v", data.final_v, state, "SI", "velocities at the end, or at the last good step");
  walker.field(at + "final_p", data.final_p, state, "SI", "momenta at the end, or at the last good step");
  const auto count = [&](Column column, auto& values) {
    const ColumnRow& row = columns[static_cast<int>(column)];
    walker.field(at + row.name, values, each, row.unit, row.meaning);
  };
  walker.status(at + "status", data.status, each, columns[static_cast<int>(Column::status)].meaning);
  count(Column::failed_step, data.failed_step);
  count(Column::newton_iterations, data.newton_iterations);
  count(Column::retried_steps, data.retried_steps);
  for (auto& one : data.quantities) walker.field(at + one.name, one.values, each, one.unit, one.description);
  // The next two are there where a spec asks for them; a reader asks its file.
  if (walker.has(at + "bound_exceeded", data.bound_exceeded)) {
    walker.field(at + "bound_exceeded", data.bound_exceeded, each, "s",
                 "first sample after the energy error has exceeded output.energy_bound times the scale");
  }
  if (walker.has(at + "number", data.number)) {
    walker.field(at + "number", data.number, each, "1",
                 "number in the ensemble, as ensemble.instances has it");
  }
  for (auto& own : data.observables) walker.field(at + own.name, own.values, each, own.unit, own.description);
  for (auto& varied : data.parameters) {
    const Shape shape = varied.width == 1 ? each : Shape{n, varied.width};
    walker.field(at + "parameters/" + varied.what, varied.values, shape, walker.unit_of(varied.what),
                 "value used, before projection");
  }
}

template <class Walker, class Result>
void walk_statistics(Walker& walker, Result& result) {
  const auto k = static_cast<std::int64_t>(result.time.size());
  const auto levels = static_cast<std::int64_t>(result.quantile_levels.size());
  walker.field("/statistics/time", result.time, {k}, "s", "time of the samples");
  walker.field("/statistics/ok", result.ok, {k}, "1", "instances ok at the sample");
  for (auto& entry : result.statistics) {
    const std::string at = "/statistics/" + entry.name + "/";
    const auto bins = static_cast<std::int64_t>(entry.bins.size());
    const auto describe = [&](const char* what) { return entry.description + ": " + what; };
    walker.field(at + "mean", entry.mean, {k}, entry.unit,
                 describe("mean of the instances ok at the sample"));
    walker.field(at + "std", entry.std, {k}, entry.unit, describe("standard deviation"));
    walker.field(at + "min", entry.min, {k}, entry.unit, describe("minimum"));
    walker.field(at + "max", entry.max, {k}, entry.unit, describe("maximum"));
    walker.field(at + "rms", entry.rms, {k}, entry.unit, describe("root mean square"));
    walker.growth(at + "rms", entry.growth);
    walker.field(at + "quantiles", entry.quantiles, {k, levels}, entry.unit,
                 describe("quantiles at `levels`, relative accuracy `resolution`"));
    walker.attribute(at + "quantiles", "levels", result.quantile_levels);
    walker.attribute(at + "quantiles", "resolution", ensembles::histogram_resolution);
    walker.field(at + "histogram", entry.histogram, {k, bins}, "1",
                 describe("counts in `bins`, whose middles are within `resolution` of their numbers"));
    walker.attribute(at + "histogram", "resolution", ensembles::histogram_resolution);
    walker.field(at + "bins", entry.bins, {bins}, entry.unit,
                 describe("lower edges of the histogram's bins"));
  }
}

template <class Walker, class Trajectories>
void walk_trajectories(Walker& walker, Trajectories& data, std::int64_t k, int d, int m, int s) {
  const std::string at = "/trajectories/";
  const auto r = static_cast<std::int64_t>(data.instance.size());
  const Shape state = {r, k, d}, each = {r, k};
  walker.field(at + "instance", data.instance, {r}, "1", "number of the instance");
  walker.field(at + "q", data.q, state, "SI", "coordinates");
  walker.field(at + "p", data.p, state, "SI", "momenta");
  walker.field(at + "v", data.v, state, "SI", "velocities");
  if (m > 0) {
    walker.field(at + "lambda", data.lambda, {r, k, m}, "SI",
                 "multipliers of the constraints, of the step that ends at the sample");
    walker.field(at + "gamma", data.gamma, {r, k, m}, "SI",
                 "multipliers of the velocity constraints, of the step that ends at the sample");
  }
  if (s > 0) walker.field(at + "momentum", data.momentum, {r, k, s}, "SI", "momentum maps");
  walker.field(at + "energy", data.energy, each, "J", "energy of the scheme");
  walker.field(at + "total_energy", data.total_energy, each, "J", "T(q,v) + V(q)");
  walker.field(at + "z", data.z, each, "J s", "action of contact schemes");
  if (walker.has(at + "position_error", data.position_error))
    walker.field(at + "position_error", data.position_error, each, "SI", position_error_description);
  for (auto& one : data.observed) walker.field(at + one.name, one.values, each, one.unit, one.description);
}

/// Everything but /instances.
template <class Walker, class Result>
void walk_samples(Walker& walker, Result& result) {
  const int d = result.coordinates, m = result.constraints, s = result.momentum_maps;
  walk_statistics(walker, result);
  const auto k = static_cast<std::int64_t>(result.time.size());
  walk_trajectories(walker, result.trajectories, k, d, m, s);
  walker.field("/trajectories/time", result.time, {k}, "s", "time of the samples");
}

}  // namespace livens::host
