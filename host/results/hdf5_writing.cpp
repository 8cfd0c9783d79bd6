#include "host/results/hdf5_writing.hpp"

#include <algorithm>

namespace livens::host::hdf5 {
namespace {

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void write_scalar(hid_t object, const char* name, hid_t file_type, hid_t memory_type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, memory_type, value));
}

void write_row(hid_t object, const char* name, hid_t file_type, hid_t memory_type, hsize_t count,
               const void* values) {
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, memory_type, values));
}

/// Makes groups that are missing on the way to a new object.
Handle links_with_groups() {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links, 1));
  return links;
}

}  // namespace

hid_t type_of(const double*) { return H5T_NATIVE_DOUBLE; }
hid_t type_of(const std::int64_t*) { return H5T_NATIVE_INT64; }
hid_t type_of(const std::uint8_t*) { return H5T_NATIVE_UINT8; }

Handle create_file(const std::string& path) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));
  const auto create = [&](hid_t access) { return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access); };
  return {with_locks_if_any(create), H5Fclose};
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const char* characters = text.c_str();
  const Handle type = text_type();
  write_scalar(object, name, type, type, &characters);
}

void write_attribute(hid_t object, const char* name, double value) {
  write_scalar(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const char* name, std::int64_t value) {
  write_scalar(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void write_attribute(hid_t object, const char* name, std::uint64_t value) {
  write_scalar(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void write_attribute(hid_t object, const char* name, const std::vector<double>& values) {
  write_row(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void write_attribute(hid_t object, const char* name, const std::vector<std::uint8_t>& values) {
  write_row(object, name, H5T_STD_U8LE, H5T_NATIVE_UINT8, values.size(), values.data());
}

bool has_attribute(hid_t object, const char* name) {
  const htri_t found = H5Aexists(object, name);
  check(found);
  return found > 0;
}

void commit_type(hid_t file, const std::string& name, hid_t type) {
  const Handle links = links_with_groups();
  check(H5Tcommit2(file, name.c_str(), type, links, H5P_DEFAULT, H5P_DEFAULT));
}

Handle create_dataset(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                      bool compressed) {
  const Handle links = links_with_groups();
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));  // the same numbers make the same bytes
  const int rank = static_cast<int>(shape.size());
  hsize_t row = 1, entries = 1;
  for (const hsize_t length : shape) entries *= length;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) row *= shape[axis];
  if (entries >= compressed_from && compressed) {
    std::vector<hsize_t> chunk = shape;
    chunk[0] = std::clamp<hsize_t>(compressed_from / row, 1, shape[0]);
    check(H5Pset_chunk(properties, rank, chunk.data()));
    check(H5Pset_shuffle(properties));
    check(H5Pset_deflate(properties, 1));
  }
  const Handle space(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose);
  return {H5Dcreate2(file, name.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose};
}

Handle create_texts(hid_t file, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<const char*> characters;
  for (const std::string& text : texts) characters.push_back(text.c_str());
  const Handle type = text_type();
  Handle dataset = create_dataset(file, name, type, {texts.size()});
  write_rows(dataset, type, 0, texts.size(), characters.data());
  return dataset;
}

void write_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t rows, const void* values) {
  std::vector<hsize_t> count = shape_of(dataset), start(count.size(), 0);
  if (std::find(count.begin(), count.end(), 0u) != count.end() || rows == 0) return;
  start[0] = first;
  count[0] = rows;
  const Handle file_space(H5Dget_space(dataset), H5Sclose);
  check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  const Handle memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
  check(H5Dwrite(dataset, type, memory_space, file_space, H5P_DEFAULT, values));
}

bool exists(hid_t file, const std::string& name) {
  // Every group on the way has to be asked for by itself.
  for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
    if (H5Lexists(file, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

Handle open_dataset(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose};
}

std::vector<hsize_t> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(rank, 0)));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
  return shape;
}

}  // namespace livens::host::hdf5
