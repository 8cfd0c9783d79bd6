#include "host/layout/dataset_names.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ensembles/node_values.hpp"
#include "ensembles/observables.hpp"
#include "host/layout/result_layout.hpp"

namespace livens::host {
namespace {

/// The walker that notes names.
class Names {
 public:
  std::string doubled;
  std::set<std::string> datasets;

  std::string unit_of(const std::string&) const { return {}; }
  template <class T>
  bool has(const std::string&, const std::vector<T>&) const {
    return true;
  }
  bool keeps(const std::string&) const { return true; }
  template <class T>
  void field(const std::string& name, const std::vector<T>&, const Shape&, const std::string&,
             const std::string&) {
    add_path(name);
    add_flat(netcdf_name(name), false);
  }
  void status(const std::string& name, const std::vector<std::uint8_t>& codes, const Shape& shape,
              const std::string&) {
    field(name, codes, shape, {}, {});
  }
  template <class T>
  void attribute(const std::string&, const char*, const T&) {}
  void growth(const std::string&, const ensembles::Growth&) {}
  void axis(const std::string& name, std::int64_t) {
    add_path(name);
    add_flat(netcdf_axis(name), true);
  }
  template <class T>
  void labels(const std::string& name, const std::vector<T>&, const std::string&, const std::string&) {
    axis(name, 0);
  }
  void indices(const std::string& name, std::int64_t length, const std::string&) { axis(name, length); }
  void instances(const std::string& name, std::int64_t length, const std::vector<std::int64_t>&) {
    axis(name, length);
  }

 private:
  void found(const std::string& name) {
    if (doubled.empty()) doubled = name;
  }
  void add_path(const std::string& path) {
    if (!datasets.insert(path).second || groups_.contains(path)) found(path);
    for (std::size_t slash = path.rfind('/'); slash > 0; slash = path.rfind('/', slash - 1)) {
      const std::string group = path.substr(0, slash);
      groups_.insert(group);
      if (datasets.contains(group)) found(group);
    }
  }
  /// Axes are the same in all groups, and `time` is one that is a dataset, too.
  void add_flat(const std::string& name, bool axis) {
    if (name == "/time") return;
    const auto [place, is_new] = flat_.try_emplace(name, axis);
    if (!is_new && !(axis && place->second)) found(name.substr(1) + " in the netCDF file");
  }

  std::set<std::string> groups_;
  std::map<std::string, bool> flat_;
};

Names names_with(const AddedNames& added) {
  constexpr int some = 1;
  SystemInfo system{};
  system.constraints = system.momentum_maps = some;
  ensembles::Result result{};
  result.coordinates = added.coordinates;
  result.constraints = result.momentum_maps = some;
  result.instances.quantities = ensembles::record_quantities(some, some, true);
  std::vector<ensembles::Observable> observed;
  for (const std::string& name : added.observed) observed.push_back({name, {}, {}});
  const auto name_only = [](const std::string& name) { return ensembles::Quantity{name, {}, {}, {}}; };
  auto& of_instances = result.instances.observables;
  for (const std::string& name : added.own) of_instances.push_back(name_only(name));
  for (const auto& one : observed) of_instances.push_back(name_only("final_" + one.name));
  for (auto& one : ensembles::Extremes(0, observed).quantities()) of_instances.push_back(std::move(one));
  of_instances.push_back(name_only(position_error_name));
  result.instances.parameters = added.varied;
  const std::string_view of_final = ensembles::tangent_of_final;
  for (const std::string& name : added.own)
    if (name.starts_with(of_final))
      result.trajectories.tangents.push_back(name_only(name.substr(of_final.size())));
  if (std::ranges::find(added.own, ensembles::tangent_covariance) != added.own.end()) {
    result.trajectories.tangents.push_back(name_only(ensembles::followed_covariance));
    for (const char* axis : ensembles::covariance_axes)
      result.trajectories.tangents.back().axes.push_back({axis, some});
  }

  std::set<std::string> quantities;
  for (const auto& one : ensembles::observables_of(system)) quantities.insert(one.name);
  for (const auto& one : observed) quantities.insert(one.name);
  for (const std::string& name : quantities) result.statistics.emplace_back().name = name;
  for (const auto& one : observed)
    if (one.name != "energy" && one.name != "total_energy")
      result.trajectories.observed.push_back(name_only(one.name));
  for (const ensembles::Joint& joint : added.joints) {
    auto& entry = result.joints.emplace_back();
    entry.joint = joint;
    entry.middles.resize(joint.axes.size());
    entry.edges.resize(joint.axes.size());
  }

  Names names;
  if (quantities.contains(joint_group)) names.doubled = std::string("/statistics/") + joint_group;
  walk_instances(names, result.instances, 0, result.coordinates);
  walk_samples(names, result);
  return names;
}

bool is_any_of(const std::string& name, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return name == word; });
}

}  // namespace

DatasetPlace place_of(const std::string& path) {
  const std::size_t second = path.find('/', 1), last = path.rfind('/');
  std::string quantity = last > second ? path.substr(second + 1, last - second - 1) : "";
  std::ranges::replace(quantity, '/', '_');  // joint/NAME
  return {path.substr(1, second - 1), quantity, path.substr(last + 1)};
}

std::string netcdf_name(const std::string& path) {
  const DatasetPlace at = place_of(path);
  if (at.name == "time") return "/time";
  if (at.group == "trajectories") return "/trajectory_" + at.name;
  if (at.group == "tangent" && at.quantity == "trajectories") return "/tangent_trajectory_" + at.name;
  if (at.group == "tangent") return "/tangent_" + at.name;
  if (at.group == "statistics" && !at.quantity.empty()) return "/" + at.quantity + "_" + at.name;
  return "/" + at.name;
}

std::string netcdf_axis(const std::string& path) {
  const DatasetPlace at = place_of(path);
  if (at.group == "statistics" && !at.quantity.empty() && !is_any_of(at.name, {"time", "level"}))
    return "/" + at.quantity + "_" + at.name;
  return "/" + at.name;
}

std::string doubled_name(const AddedNames& added) {
  const std::string doubled = names_with(added).doubled;
  if (!doubled.empty() || std::ranges::find(added.observed, "constraint") != added.observed.end())
    return doubled;
  // The axis that gives its name away has its other name for nobody else.
  AddedNames with_constraint = added;
  with_constraint.observed.emplace_back("constraint");
  return names_with(with_constraint).doubled;
}

std::set<std::string> datasets_of_trajectories(bool constraint_observed) {
  AddedNames added;
  if (constraint_observed) added.observed = {"constraint"};
  std::set<std::string> names = names_with(added).datasets;
  std::erase_if(names, [](const std::string& path) { return !path.starts_with("/trajectories/"); });
  if (constraint_observed) names.erase("/trajectories/constraint");
  return names;
}

}  // namespace livens::host
