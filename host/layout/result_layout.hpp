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
//   keeps(name)                                     whether output.columns keeps a dataset of every instance
// and for those who open the file with other tools, no part of the result itself:
//   axis(name, length)                              an axis without labels
//   labels(name, vector, unit, description)         an axis and its labels
//   indices(name, length, description)              an axis whose labels are 0, 1, ...
//   instances(name, length, numbers)                the axis of the instances: their numbers in the ensemble
//
// Every axis of a dataset has a name. It is a dimension scale of HDF5 in the group of the dataset or in one
// above it, which is how netCDF, and xarray on it, knows of axes; a dataset with one axis of its own name is
// itself the scale.

#include <algorithm>
#include <string>
#include <vector>

#include "ensembles/distribution.hpp"
#include "ensembles/result.hpp"

namespace livens::host {

struct Axis {
  std::string name;
  std::int64_t length;
};
/// Of a dataset, outermost axis first.
using Shape = std::vector<Axis>;

inline std::vector<std::int64_t> lengths_of(const Shape& shape) {
  std::vector<std::int64_t> lengths;
  for (const Axis& axis : shape) lengths.push_back(axis.length);
  return lengths;
}

/// The axis of a varied quantity that is `width` numbers, by its `what`: initial.v has an entry a coordinate
/// of d, initial.p[9:12] and system.mass have axes of their own.
inline std::string axis_of_entries(const std::string& what, std::int64_t width, int d) {
  return what.starts_with("initial.") && width == d ? "coordinate"
                                                    : what.substr(what.find('.') + 1) + "_entry";
}

/// The axis of the multipliers. One that follows the violation of the constraints under that name gives the
/// name away.
inline const char* constraint_axis(const ensembles::Trajectories& trajectories) {
  for (const ensembles::Quantity& one : trajectories.observed)
    if (one.name == "constraint") return "constraint_row";
  return "constraint";
}

/// The path of a dataset of every instance: below /instances, or of derivatives in their group.
inline std::string path_of_column(const std::string& name) {
  return (name.starts_with(ensembles::tangent_group) ? "/" : "/instances/") + name;
}
/// The labels of what derivatives are taken of, an axis of these.
inline std::string path_of_directions() {
  return std::string("/") + ensembles::tangent_group + ensembles::tangent_axis;
}
/// Derivatives at the samples are below this.
inline std::string path_of_followed_tangents() {
  return std::string("/") + ensembles::tangent_group + "trajectories/";
}
inline std::string path_of_followed_directions() {
  return path_of_followed_tangents() + ensembles::tangent_axis;
}
/// Names that label an axis, by the path of its labels; none where it has 0, 1, ...
inline const std::vector<std::string>& names_of_axis(const ensembles::Result& result,
                                                     const std::string& path) {
  static const std::vector<std::string> none;
  if (path == path_of_directions() || path == path_of_followed_directions()) return result.wrt;
  if (path.ends_with("/coordinate")) return result.labels.coordinates;
  return path.starts_with("/trajectories/constraint") ? result.labels.rows : none;
}
/// Derivatives are among the observables.
inline bool has_tangents(const ensembles::Instances& instances) {
  return std::any_of(
      instances.observables.begin(), instances.observables.end(),
      [](const ensembles::Quantity& one) { return one.name.starts_with(ensembles::tangent_group); });
}

/// The group of the joint histograms, among those of the quantities.
inline constexpr const char* joint_group = "joint";

/// An observable of every instance where output.error_against asks for it, and then a trajectory, too.
inline constexpr const char* position_error_name = "position_error";
inline constexpr const char* position_error_description =
    "largest |q - q of the true motion| over the coordinates";

/// Attribute of a quantity with several entries: the names of the axes that these have.
inline constexpr const char* axes_attribute = "axes";

template <class Walker, class Instances>
void walk_instances(Walker& walker, Instances& data, std::int64_t n, int d) {
  const std::string at = "/instances/";
  const Axis instance = {"instance", n};
  const Shape each = {instance}, state = {instance, {"coordinate", d}};
  const auto field = [&](const std::string& name, auto& values, const Shape& shape, const std::string& unit,
                         const std::string& description) {
    if (walker.keeps(name)) walker.field(at + name, values, shape, unit, description);
  };
  walker.instances(at + "instance", n, data.number);
  walker.indices(at + "coordinate", d, "index of the coordinate, as in initial.q[i]");
  field("initial_q", data.initial_q, state, "SI", "coordinates at time 0, consistent");
  field("initial_v", data.initial_v, state, "SI", "velocities at time 0, consistent");
  field("final_q", data.final_q, state, "SI", "coordinates at the end, or at the last good step");
  field("final_v", data.final_v, state, "SI", "velocities at the end, or at the last good step");
  field("final_p", data.final_p, state, "SI", "momenta at the end, or at the last good step");
  const auto count = [&](Column column, auto& values) {
    const ColumnRow& row = columns[static_cast<int>(column)];
    field(row.name, values, each, row.unit, row.meaning);
  };
  walker.status(at + "status", data.status, each, columns[static_cast<int>(Column::status)].meaning);
  count(Column::failed_step, data.failed_step);
  count(Column::newton_iterations, data.newton_iterations);
  count(Column::retried_steps, data.retried_steps);
  for (auto& one : data.quantities) field(one.name, one.values, each, one.unit, one.description);
  // The next two are there where a spec asks for them; a reader asks its file.
  if (walker.has(at + "bound_exceeded", data.bound_exceeded)) {
    field("bound_exceeded", data.bound_exceeded, each, "s",
          "first sample after the energy error has exceeded output.energy_bound times the scale");
  }
  if (walker.has(at + "number", data.number)) {
    field("number", data.number, each, "1", "number in the ensemble, as ensemble.instances has it");
  }
  std::string axes_at = at;  // the group whose axes were the last to be walked
  for (auto& own : data.observables) {
    if (!walker.keeps(own.name)) continue;
    const std::string path = path_of_column(own.name), group = path.substr(0, path.rfind('/') + 1);
    if (group != axes_at && group != at) {
      walker.instances(group + "instance", n, data.number);
      walker.indices(group + "coordinate", d, "index of the coordinate, as in initial.q[i]");
      axes_at = group;
    }
    Shape shape = each;
    for (const auto& axis : own.axes) {
      shape.push_back({axis.name, axis.length});
      if (axis.name != "coordinate")
        walker.indices(group + axis.name, axis.length, "index of the " + axis.name);
    }
    walker.field(path, own.values, shape, own.unit, own.description);
  }
  for (auto& varied : data.parameters) {
    if (!walker.keeps("parameters/" + varied.what)) continue;
    Shape shape = each;
    if (varied.width > 1) {
      shape.push_back({axis_of_entries(varied.what, varied.width, d), varied.width});
      if (shape.back().name != "coordinate")
        walker.indices(at + shape.back().name, varied.width, "index of the entry of " + varied.what);
    }
    walker.field(at + "parameters/" + varied.what, varied.values, shape, walker.unit_of(varied.what),
                 "value used, before projection");
  }
}

template <class Walker, class Result>
void walk_statistics(Walker& walker, Result& result) {
  const Axis k = {"time", static_cast<std::int64_t>(result.time.size())};
  const Axis levels = {"level", static_cast<std::int64_t>(result.quantile_levels.size())};
  walker.field("/statistics/time", result.time, {k}, "s", "time of the samples");
  walker.field("/statistics/ok", result.ok, {k}, "1", "instances ok at the sample");
  for (auto& entry : result.statistics) {
    const std::string at = "/statistics/" + entry.name + "/";
    const Axis bins = {"bin", entry.bin_count};
    walker.labels(at + "time", result.time, "s", "time of the samples");
    walker.labels(at + "level", result.quantile_levels, "1", "level of the quantile");
    walker.axis(at + "bin", bins.length);
    const auto describe = [&](const char* what) { return entry.description + ": " + what; };
    walker.field(at + "mean", entry.mean, {k}, entry.unit,
                 describe("mean of the instances ok at the sample"));
    walker.field(at + "std", entry.std, {k}, entry.unit, describe("standard deviation"));
    walker.field(at + "min", entry.min, {k}, entry.unit, describe("minimum"));
    walker.field(at + "max", entry.max, {k}, entry.unit, describe("maximum"));
    walker.field(at + "rms", entry.rms, {k}, entry.unit, describe("root mean square"));
    walker.growth(at + "rms", entry.growth);
    walker.field(at + "quantiles", entry.quantiles, {k, levels}, entry.unit,
                 describe("quantiles at `levels`, within `resolution` times the distance from 5 to 95 %"));
    walker.attribute(at + "quantiles", "levels", result.quantile_levels);
    walker.attribute(at + "quantiles", "resolution", ensembles::quantile_resolution);
    walker.field(at + "histogram", entry.histogram, {k, bins}, "1",
                 describe("counts in the bins of the sample, of `bin_width`, which begin at `bins`"));
    walker.attribute(at + "histogram", "coordinates", std::string("bins"));
    // Older files have one set of bins for all samples.
    const bool by_sample = walker.has(at + "bin_width", entry.bin_width);
    walker.field(at + "bins", entry.bins, by_sample ? Shape{k, bins} : Shape{bins}, entry.unit,
                 describe("lower edges of the bins that occur"));
    if (by_sample)
      walker.field(at + "bin_width", entry.bin_width, {k}, entry.unit, describe("width of the bins"));
  }
}

/// In a group of its own each, as its axes have labels of their own.
template <class Walker, class Result>
void walk_joints(Walker& walker, Result& result) {
  for (auto& entry : result.joints) {
    const std::string at = std::string("/statistics/") + joint_group + "/" + entry.joint.name + "/";
    Shape shape;
    std::string names;
    if (entry.joint.at_samples) {
      shape.push_back({"time", static_cast<std::int64_t>(result.time.size())});
      walker.labels(at + "time", result.time, "s", "time of the samples");
    }
    for (std::size_t k = 0; k < entry.joint.axes.size(); ++k) {
      const auto& axis = entry.joint.axes[k];
      const std::string edges = axis.name + "_edges";
      shape.push_back({axis.name, static_cast<std::int64_t>(entry.middles[k].size())});
      walker.field(at + axis.name, entry.middles[k], {shape.back()}, axis.unit,
                   axis.description + ": middles of the bins");
      walker.field(at + edges, entry.edges[k], {{edges, static_cast<std::int64_t>(entry.edges[k].size())}},
                   axis.unit, axis.description + ": edges of the bins");
      walker.attribute(at + edges, "bins", axis.bins);
      if (axis.range)
        walker.attribute(at + edges, "range", std::vector<double>{axis.range->first, axis.range->second});
      names += (names.empty() ? "" : " ") + axis.name;
    }
    walker.field(at + "histogram", entry.histogram, shape, "1",
                 "instances ok at the " + std::string(entry.joint.at_samples ? "sample" : "end") +
                     " whose values lie in the bins");
    walker.attribute(at + "histogram", "of", names);
  }
}

template <class Walker, class Result>
void walk_trajectories(Walker& walker, Result& result) {
  auto& data = result.trajectories;
  const std::string at = "/trajectories/";
  const Axis r = {"trajectory", static_cast<std::int64_t>(data.instance.size())},
             k = {"time", static_cast<std::int64_t>(result.time.size())},
             d = {"coordinate", result.coordinates}, m = {constraint_axis(data), result.constraints},
             s = {"momentum_map", result.momentum_maps};
  walker.axis(at + "trajectory", r.length);
  walker.indices(at + "coordinate", d.length, "index of the coordinate, as in initial.q[i]");
  if (m.length > 0) walker.indices(at + m.name, m.length, "index of the constraint");
  if (s.length > 0) walker.indices(at + "momentum_map", s.length, "index of the momentum map");
  walker.field(at + "time", result.time, {k}, "s", "time of the samples");
  walker.field(at + "instance", data.instance, {r}, "1", "number of the instance");
  const auto followed = [&](const std::string& name, auto& values, const std::vector<Axis>& entries,
                            const std::string& unit, const std::string& description) {
    Shape shape = {r, k};
    shape.insert(shape.end(), entries.begin(), entries.end());
    walker.field(at + name, values, shape, unit, description);
    walker.attribute(at + name, "coordinates", std::string("instance"));
  };
  followed("q", data.q, {d}, "SI", "coordinates");
  followed("p", data.p, {d}, "SI", "momenta");
  followed("v", data.v, {d}, "SI", "velocities");
  if (m.length > 0) {
    followed("lambda", data.lambda, {m}, "SI",
             "multipliers of the constraints, of the step that ends at the sample");
    followed("gamma", data.gamma, {m}, "SI",
             "multipliers of the velocity constraints, of the step that ends at the sample");
  }
  if (s.length > 0) followed("momentum", data.momentum, {s}, "SI", "momentum maps");
  followed("energy", data.energy, {}, "J", "energy of the scheme");
  followed("total_energy", data.total_energy, {}, "J", "T(q,v) + V(q)");
  followed("z", data.z, {}, "J s", "action of contact schemes");
  if (walker.has(at + "position_error", data.position_error))
    followed("position_error", data.position_error, {}, "SI", position_error_description);
  for (auto& one : data.observed) followed(one.name, one.values, {}, one.unit, one.description);
  if (data.tangents.empty()) return;
  const std::string tangents = path_of_followed_tangents();
  walker.axis(tangents + "trajectory", r.length);
  walker.indices(tangents + "coordinate", d.length, "index of the coordinate, as in initial.q[i]");
  walker.labels(tangents + "time", result.time, "s", "time of the samples");
  walker.indices(tangents + ensembles::tangent_axis, static_cast<std::int64_t>(result.wrt.size()),
                 "what derivatives are taken of");
  walker.field(tangents + "instance", data.instance, {r}, "1", "number of the instance");
  for (auto& one : data.tangents) {
    Shape shape = {r, k};
    for (const auto& axis : one.axes) {
      shape.push_back({axis.name, axis.length});
      if (axis.name != "coordinate" && axis.name != ensembles::tangent_axis)
        walker.indices(tangents + axis.name, axis.length, "index of the " + axis.name);
    }
    walker.field(tangents + one.name, one.values, shape, one.unit, one.description);
    walker.attribute(tangents + one.name, "coordinates", std::string("instance"));
  }
}

/// Everything but /instances.
template <class Walker, class Result>
void walk_samples(Walker& walker, Result& result) {
  walk_statistics(walker, result);
  walk_joints(walker, result);
  walk_trajectories(walker, result);
}

}  // namespace livens::host
