#pragma once
// Dimension scales: how HDF5, and netCDF on it, knows which axes of which datasets are the same.

#include <cstdint>
#include <string>

#include "host/results/hdf5_handles.hpp"

namespace livens::host::hdf5 {

/// Makes a dataset of one axis the scale of that axis: its entries are the labels.
void make_scale(hid_t dataset, const std::string& axis);

/// A scale without labels, as netCDF writes one, which takes no room for its entries.
void create_bare_scale(hid_t file, const std::string& name, std::int64_t length);

/// Attaches to an axis of a dataset the scale of that name in the dataset's group, or else in the nearest
/// above it. Throws Failure where there is none.
void attach_scale(hid_t file, const std::string& dataset, unsigned axis, const std::string& scale);

}  // namespace livens::host::hdf5
