#pragma once
// The names in a result, and in the netCDF file that is made of one, as result_layout.hpp walks over them:
// what a spec names itself must not be there twice. Known before the first step, and without HDF5.

#include <set>
#include <string>
#include <vector>

#include "ensembles/result.hpp"

namespace livens::host {

/// "/statistics/energy_error/mean": its group, the quantity (or joint_NAME) of a statistic, the dataset.
struct DatasetPlace {
  std::string group, quantity, name;
};
DatasetPlace place_of(const std::string& path);

/// The name of a dataset, and of an axis, in one group for all.
std::string netcdf_name(const std::string& path);
std::string netcdf_axis(const std::string& path);

/// What a spec adds to the names that a result has anyway.
struct AddedNames {
  std::vector<std::string> own;       ///< observables of the system's own
  std::vector<std::string> observed;  ///< what output.observe names
  std::vector<ensembles::Instances::Varied> varied;
  std::vector<ensembles::Joint> joints;
  int coordinates = 1;
};

/// The first name that two datasets, axes or groups would have, as a path, or "NAME in the netCDF file" where
/// it is only there; empty where there is none. A result is taken to have all that some result has:
/// multipliers, momentum maps, the error of the position, chosen instances, extremes.
std::string doubled_name(const AddedNames& added);

/// The datasets of /trajectories, by their paths, that are there for another reason than output.observe;
/// `constraint_observed`: where it names the violation of the constraints, which is then none of these.
std::set<std::string> datasets_of_trajectories(bool constraint_observed);

}  // namespace livens::host
