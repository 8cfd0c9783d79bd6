#pragma once
// A result as one flat netCDF-4 file.

#include <string>

#include "host/results/result_file.hpp"

namespace livens::host {

/// Writes the datasets of a result into one group, for tools that look at no other: panels, R, MATLAB's
/// ncread, `xarray.open_dataset(FILE)` without a group. A result is netCDF already, but in groups, with an
/// enumeration as the type of `status`, and numbers as root attributes whose names have a meaning of their
/// own in CF ("coordinates"). Here
///
///   /instances/X, /instances/parameters/X   is X, over `instance`
///   /tangent/X                              is tangent_X, over `instance` and `wrt`
///   /trajectories/X                         is trajectory_X, over `trajectory` and `time`
///   /statistics/QUANTITY/X                  is QUANTITY_X, over `time`, `level`, QUANTITY_bin
///
/// with the same numbers, units and attributes; `status` is plain bytes with flag_values and flag_meanings.
/// What livens reads a result by (the check block, /shard, d, m and s) is left behind: the file is no result
/// of livens any more. Read portion by portion. Throws FileError, also where two datasets would have the same
/// name.
void export_netcdf(const ResultReader& file, const std::string& path);

}  // namespace livens::host
