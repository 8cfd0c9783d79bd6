#include "host/results/dataset_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <stdexcept>

#include "host/results/attributes.hpp"
#include "host/results/compression.hpp"
#include "host/results/hdf5_scales.hpp"

namespace livens::host {
namespace {

/// The enumeration, in the file under a name of its own: netCDF knows no others, and only from a group above
/// in every version.
hdf5::Handle status_type(hid_t file) {
  const char* const name = "/status_code";
  if (hdf5::exists(file, name)) return {H5Topen2(file, name, H5P_DEFAULT), H5Tclose};
  hdf5::Handle type(H5Tenum_create(H5T_NATIVE_UINT8), H5Tclose);
  for (std::size_t code = 0; code < status_count; ++code) {
    const auto value = static_cast<std::uint8_t>(code);
    hdf5::check(H5Tenum_insert(type, status_rows[code].name, &value));
  }
  hdf5::commit_type(file, name, type);
  return type;
}

void write_attributes(hid_t dataset, const Attributes& attributes) {
  for (const Attribute& one : attributes)
    std::visit([&](const auto& value) { hdf5::write_attribute(dataset, one.name.c_str(), value); },
               one.value);
}

}  // namespace

void DatasetWriter::status(const std::string& name, const std::vector<std::uint8_t>& values,
                           const Shape& shape, const std::string& description) {
  write(name, values.data(), static_cast<std::int64_t>(values.size()), shape, status_type(file_), "1",
        description);
  write_meanings(hdf5::open_dataset(file_, name));
}

void write_meanings(hid_t statuses) {
  if (hdf5::has_attribute(statuses, "flag_values")) return;  // of an earlier portion
  write_attributes(statuses, status_attributes());
}

void DatasetWriter::growth(const std::string& name, const ensembles::Growth& growth) {
  write_attributes(hdf5::open_dataset(file_, name), growth_attributes(growth));
}

void DatasetWriter::axis(const std::string& name, std::int64_t length) {
  hdf5::create_bare_scale(file_, name, length);
}

void DatasetWriter::indices(const std::string& name, std::int64_t length, const std::string& description) {
  if (hdf5::exists(file_, name)) return;  // of an earlier portion
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(length));
  std::iota(numbers.begin(), numbers.end(), 0);
  labels(name, numbers, "1", description);
}

void DatasetWriter::names(const std::string& name, const std::vector<std::string>& words,
                          const std::string& description) {
  if (hdf5::exists(file_, name)) return;  // of an earlier portion
  const hdf5::Handle dataset = hdf5::create_texts(file_, name, words);
  write_attributes(dataset, attributes_of("1", description));
  hdf5::make_scale(dataset, name.substr(name.rfind('/') + 1));
}

void DatasetWriter::instances(const std::string& name, std::int64_t length,
                              const std::vector<std::int64_t>& numbers) {
  std::vector<std::int64_t> following = numbers;
  if (numbers.empty()) {
    following.resize(static_cast<std::size_t>(length));
    std::iota(following.begin(), following.end(), rows_ ? rows_->number + rows_->first : 0);
  }
  field(name, following, {{"instance", length}}, "1", "number of the instance in the ensemble");
}

void DatasetWriter::write(const std::string& name, const void* values, std::int64_t count, const Shape& shape,
                          hid_t type, const std::string& unit, const std::string& description) {
  std::int64_t entries = 1;
  for (const Axis& axis : shape) entries *= axis.length;
  if (count != entries)
    throw std::logic_error(name + " has " + std::to_string(count) + " entries instead of " +
                           std::to_string(entries));
  const hdf5::Handle dataset = opened(name, values, type, shape, unit, description);
  hdf5::write_rows(dataset, type, rows_ ? rows_->first : 0, shape[0].length, values);
}

/// The dataset, made when its first rows come: they tell how it is stored.
hdf5::Handle DatasetWriter::opened(const std::string& name, const void* values, hid_t type,
                                   const Shape& shape, const std::string& unit,
                                   const std::string& description) {
  std::vector<hsize_t> extent;
  for (const Axis& axis : shape) extent.push_back(static_cast<hsize_t>(axis.length));
  if (rows_) extent[0] = static_cast<hsize_t>(rows_->all);
  if (rows_ && hdf5::exists(file_, name)) {
    hdf5::Handle dataset = hdf5::open_dataset(file_, name);
    if (hdf5::shape_of(dataset) != extent) throw std::logic_error(name + " has rows of different lengths");
    return dataset;
  }
  hsize_t entries = 1, here = 1;
  for (const hsize_t length : extent) entries *= length;
  for (const Axis& axis : shape) here *= static_cast<hsize_t>(axis.length);
  const bool compressed =
      entries >= hdf5::compressed_from && compression_pays(values, here, H5Tget_size(type));
  hdf5::Handle dataset = hdf5::create_dataset(file_, name, type, extent, compressed);
  write_attributes(dataset, attributes_of(unit, description));
  if (shape.size() == 1 && name.ends_with("/" + shape[0].name)) {
    hdf5::make_scale(dataset, shape[0].name);
  } else {
    for (unsigned k = 0; k < shape.size(); ++k) hdf5::attach_scale(file_, name, k, shape[k].name);
  }
  return dataset;
}

void name_axes(DatasetWriter& writer, const ensembles::Result& result, const std::vector<std::string>& paths,
               std::string (*place)(const std::string& path)) {
  for (const std::string& path : paths)
    if (const std::vector<std::string>& names = names_of_axis(result, path); !names.empty())
      writer.names(place(path), names,
                   path.ends_with(ensembles::tangent_axis) ? "what derivatives are taken of"
                   : path.ends_with("/coordinate")         ? "name of the coordinate, as in initial.NAME"
                                                           : "name of the constraint");
}

std::vector<std::string> named_axes_of(const ensembles::Instances& instances) {
  std::vector<std::string> paths = {"/instances/coordinate"};
  if (has_tangents(instances))
    paths.insert(paths.end(),
                 {path_of_directions(), std::string("/") + ensembles::tangent_group + "coordinate"});
  return paths;
}

std::vector<std::string> named_axes_of(const ensembles::Trajectories& trajectories) {
  std::vector<std::string> paths = {"/trajectories/coordinate",
                                    std::string("/trajectories/") + constraint_axis(trajectories)};
  if (!trajectories.tangents.empty())
    paths.insert(paths.end(), {path_of_followed_directions(), path_of_followed_tangents() + "coordinate"});
  return paths;
}

void write_origin(hid_t file, const ensembles::Result& result, const Provenance& provenance) {
  hdf5::write_attribute(file, "livens_version", provenance.version);
  hdf5::write_attribute(file, "system", provenance.system);
  hdf5::write_attribute(file, "scheme", provenance.scheme);
  hdf5::write_attribute(file, "form", provenance.form);
  hdf5::write_attribute(file, "spec", provenance.spec);
  hdf5::write_attribute(file, "overrides", provenance.overrides);
  hdf5::write_attribute(file, "backend", result.backend);
  hdf5::write_attribute(file, "device", result.device);
  hdf5::write_attribute(file, "seed", result.seed);
  hdf5::write_attribute(file, "wall_seconds", result.wall_seconds);
  hdf5::write_attribute(file, "steps_per_second", result.steps_per_second);
  hdf5::write_attribute(file, "steps", static_cast<std::int64_t>(result.instances.steps));
  for (const auto& [key, names] : {std::pair{"wrt", &result.wrt},
                                   {"coordinate_names", &result.labels.coordinates},
                                   {"constraint_names", &result.labels.rows}})
    if (!names->empty()) hdf5::write_attribute(file, key, fmt::format("{}", fmt::join(*names, " ")));
}

}  // namespace livens::host
