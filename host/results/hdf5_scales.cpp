#include "host/results/hdf5_scales.hpp"

#include <hdf5_hl.h>

#include <cstdio>

#include "host/results/hdf5_writing.hpp"

namespace livens::host::hdf5 {
namespace {

/// Path of the scale that holds for a dataset.
std::string scale_for(hid_t file, const std::string& dataset, const std::string& scale) {
  for (std::size_t slash = dataset.rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : dataset.rfind('/', slash - 1)) {
    std::string path = dataset.substr(0, slash + 1) + scale;
    if (exists(file, path)) return path;
  }
  throw Failure{dataset + " has the axis " + scale + ", which has no scale"};
}

}  // namespace

void make_scale(hid_t dataset, const std::string& axis) { check(H5DSset_scale(dataset, axis.c_str())); }

void create_bare_scale(hid_t file, const std::string& name, std::int64_t length) {
  const Handle scale = create_dataset(file, name, H5T_NATIVE_UINT8, {static_cast<hsize_t>(length)});
  // The name by which netCDF tells an axis without labels.
  char note[80];
  std::snprintf(note, sizeof note, "This is a netCDF dimension but not a netCDF variable.%10lld",
                static_cast<long long>(length));
  make_scale(scale, note);
}

void attach_scale(hid_t file, const std::string& dataset, unsigned axis, const std::string& scale) {
  const Handle opened = open_dataset(file, dataset);
  const Handle labels = open_dataset(file, scale_for(file, dataset, scale));
  check(H5DSattach_scale(opened, labels, axis));
}

}  // namespace livens::host::hdf5
