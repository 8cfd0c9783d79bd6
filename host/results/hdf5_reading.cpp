#include "host/results/hdf5_reading.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>

namespace livens::host::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little);  // files are, and nothing is converted

/// No stream of deflate is longer than this many times its compressed length.
constexpr hsize_t most_expansion = 1032;

hsize_t size_of(hid_t file) {
  hsize_t bytes = 0;
  check(H5Fget_filesize(file, &bytes));
  return bytes;
}

/// A superblock of version 0 or 1 may lead to a block about the driver that wrote the file in several parts
/// (family, multi). HDF5 takes as much memory as that block asks for, up to 4 GiB, when the file is opened,
/// and fills it with zeros where the file ends before.
void expect_no_driver_block(const std::string& path) {
  const std::string signature = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  // Where HDF5 looks for it: at the beginning, or behind a user block of 512 bytes, 1024, 2048 and so on.
  for (std::int64_t at = 0; file.seekg(at); at = at == 0 ? 512 : 2 * at) {
    std::string bytes(160, '\0');  // its addresses of up to 32 bytes end before
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!bytes.starts_with(signature)) continue;
    const auto version = static_cast<unsigned char>(bytes[8]), width = static_cast<unsigned char>(bytes[13]);
    if (version > 1 || width > 32) return;  // there is no such block, or HDF5 takes it for no file of its own
    const std::string driver = bytes.substr((version == 0 ? 24U : 28U) + 3U * width, width);
    if (driver != std::string(width, '\xff')) throw Failure{"it is one part of several files"};
    return;
  }
}

hid_t open_file(const std::string& path) {
  expect_no_driver_block(path);
  return with_locks_if_any([&](hid_t access) { return H5Fopen(path.c_str(), H5F_ACC_RDONLY, access); });
}

/// The numbers lie in the file itself, plain or through filters that this program writes with. HDF5 would
/// open other files for a virtual dataset or external storage, and load a program for a filter it does not
/// know.
void expect_stored_within(hid_t dataset, const std::string& name) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties);
  const bool plain = layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED;
  if (!plain || H5Pget_external_count(properties) != 0) throw Failure{name + " is stored in other files"};
  for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
    unsigned flags = 0, about = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &about);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
      throw Failure{name + " is stored through an unexpected filter"};
  }
}

/// A chunk is taken into memory as a whole, so none may be longer than the dataset is.
void expect_chunks_within(hid_t dataset, const Lengths& shape, const std::string& name) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties) != H5D_CHUNKED) return;
  std::vector<hsize_t> chunk(shape.size());
  const int rank = H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  bool good = rank == static_cast<int>(shape.size());
  for (std::size_t axis = 0; good && axis < chunk.size(); ++axis)
    good = chunk[axis] <= static_cast<hsize_t>(std::max<std::int64_t>(shape[axis], 1));
  if (!good) throw Failure{name + " has chunks beyond its shape"};
}

// Types are taken as they are: nothing is converted.
bool is_double(hid_t type) { return H5Tequal(type, H5T_IEEE_F64LE) > 0; }
bool is_integer(hid_t type) { return H5Tequal(type, H5T_STD_I64LE) > 0; }
bool is_natural(hid_t type) { return H5Tequal(type, H5T_STD_U64LE) > 0; }
bool is_byte(hid_t type) { return H5Tequal(type, H5T_STD_U8LE) > 0; }
bool is_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0; }
bool is_enumeration(hid_t type) {
  return H5Tget_class(type) == H5T_ENUM && is_byte(Handle(H5Tget_super(type), H5Tclose));
}

void expect_type(hid_t type, TypeTest fits, const std::string& name) {
  if (!fits(type)) throw Failure{name + " has an unexpected type"};
}

std::string attribute_name(const std::string& object, const char* key) {
  return std::string("the attribute ") + key + (object == "/" ? "" : " of " + object);
}

}  // namespace

Source::Source(const std::string& path)
    : file_(open_file(path), H5Fclose), left_(most_expansion * size_of(file_)) {}

std::optional<Handle> Source::find(const std::string& path) const {
  Handle at(H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose);
  std::istringstream steps(path);
  for (std::string step; std::getline(steps, step, '/');) {
    if (step.empty()) continue;
    if (H5Iget_type(at) != H5I_GROUP) throw Failure{path + " lies in what is not a group"};
    const htri_t there = H5Lexists(at, step.c_str(), H5P_DEFAULT);
    check(there);
    if (there == 0) return std::nullopt;
    H5L_info_t link;
    check(H5Lget_info(at, step.c_str(), &link, H5P_DEFAULT));
    if (link.type != H5L_TYPE_HARD) throw Failure{path + " is a link to elsewhere"};
    at = Handle(H5Oopen(at, step.c_str(), H5P_DEFAULT), H5Oclose);
  }
  return at;
}

Handle Source::open(const std::string& path) const {
  std::optional<Handle> found = find(path);
  if (!found) throw Failure{path + " is missing"};
  return *std::move(found);
}

bool Source::has(const std::string& path) const { return find(path).has_value(); }

std::vector<std::string> Source::names_in(const std::string& group) const {
  std::vector<std::string> names;
  const std::optional<Handle> opened = find(group);
  if (!opened) return names;
  if (H5Iget_type(*opened) != H5I_GROUP) throw Failure{group + " is not a group"};
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  check(H5Literate(*opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names));
  return names;
}

/// Takes `entries` of `size` bytes from what may still be read.
void Source::take(const std::string& what, hsize_t entries, std::size_t size) const {
  if (entries > left_ / size) throw Failure{what + " is larger than the file can hold"};
  left_ -= entries * size;
}

// --- Attributes
// ----------------------------------------------------------------------------------------------

Handle Source::open_attribute(const std::string& object, const char* key, TypeTest fits,
                              H5S_class_t extent) const {
  Handle attribute(H5Aopen(open(object), key, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  expect_type(type, fits, attribute_name(object, key));
  if (H5Sget_simple_extent_type(space) != extent || H5Sget_simple_extent_ndims(space) > 1)
    throw Failure{attribute_name(object, key) + " has an unexpected shape"};
  return attribute;
}

template <class T>
T Source::scalar(const std::string& object, const char* key, TypeTest fits) const {
  const Handle attribute = open_attribute(object, key, fits, H5S_SCALAR);
  T value{};
  check(H5Aread(attribute, Handle(H5Aget_type(attribute), H5Tclose), &value));
  return value;
}

bool Source::has_attribute(const std::string& object, const char* key) const {
  const htri_t found = H5Aexists(open(object), key);
  check(found);
  return found > 0;
}

double Source::number(const std::string& object, const char* key) const {
  return scalar<double>(object, key, is_double);
}

std::int64_t Source::integer(const std::string& object, const char* key) const {
  return scalar<std::int64_t>(object, key, is_integer);
}

std::uint64_t Source::natural(const std::string& object, const char* key) const {
  return scalar<std::uint64_t>(object, key, is_natural);
}

std::string Source::text(const std::string& object, const char* key) const {
  char* characters = scalar<char*>(object, key, is_text);
  const std::string text = characters ? characters : "";
  H5free_memory(characters);
  return text;
}

std::vector<double> Source::numbers(const std::string& object, const char* key) const {
  const Handle attribute = open_attribute(object, key, is_double, H5S_SIMPLE);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  const auto count = static_cast<hsize_t>(H5Sget_simple_extent_npoints(space));
  take(attribute_name(object, key), count, sizeof(double));
  std::vector<double> values(count);
  if (count > 0) check(H5Aread(attribute, H5T_IEEE_F64LE, values.data()));
  return values;
}

// --- Datasets
// ------------------------------------------------------------------------------------------------

Handle Source::open_dataset(const std::string& path) const {
  Handle dataset = open(path);
  if (H5Iget_type(dataset) != H5I_DATASET) throw Failure{path + " is not a dataset"};
  expect_stored_within(dataset, path);
  return dataset;
}

Lengths Source::shape_of(const std::string& path) const {
  const Handle space(H5Dget_space(open_dataset(path)), H5Sclose);
  if (H5Sget_simple_extent_type(space) != H5S_SIMPLE) throw Failure{path + " is not an array"};
  std::vector<hsize_t> lengths(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  check(H5Sget_simple_extent_dims(space, lengths.data(), nullptr));
  hsize_t entries = 1;
  for (const hsize_t length : lengths) {
    // Also where another axis has no length at all: lengths become sizes of what is not read.
    if (length > left_ / std::max<hsize_t>(entries, 1))
      throw Failure{path + " is larger than the file can hold"};
    entries = std::max<hsize_t>(entries, 1) * std::max<hsize_t>(length, 1);
  }
  return {lengths.begin(), lengths.end()};
}

template <class T>
void Source::read_as(const std::string& path, const Lengths& shape, TypeTest fits,
                     std::vector<T>& values) const {
  read_rows_as(path, shape, 0, shape.empty() ? 0 : shape[0], fits, values);
}

template <class T>
void Source::read_rows_as(const std::string& path, const Lengths& shape, std::int64_t first,
                          std::int64_t count, TypeTest fits, std::vector<T>& values) const {
  const Handle dataset = open_dataset(path);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  expect_type(type, fits, path);
  if (shape_of(path) != shape) throw Failure{path + " has an unexpected shape"};
  expect_chunks_within(dataset, shape, path);
  std::vector<hsize_t> start(shape.size(), 0), rows(shape.begin(), shape.end());
  start.at(0) = static_cast<hsize_t>(first);
  rows.at(0) = static_cast<hsize_t>(count);
  const auto entries = std::accumulate(rows.begin(), rows.end(), hsize_t{1}, std::multiplies<>());
  take(path, entries, sizeof(T));
  values.resize(entries);
  if (entries == 0) return;
  const Handle chosen(H5Dget_space(dataset), H5Sclose);
  check(H5Sselect_hyperslab(chosen, H5S_SELECT_SET, start.data(), nullptr, rows.data(), nullptr));
  const Handle memory(H5Screate_simple(1, &entries, nullptr), H5Sclose);
  check(H5Dread(dataset, type, memory, chosen, H5P_DEFAULT, values.data()));
}

void Source::read(const std::string& path, const Lengths& shape, std::vector<double>& values) const {
  read_as(path, shape, is_double, values);
}
void Source::read(const std::string& path, const Lengths& shape, std::vector<std::int64_t>& values) const {
  read_as(path, shape, is_integer, values);
}
void Source::read(const std::string& path, const Lengths& shape, std::vector<std::uint8_t>& values) const {
  read_as(path, shape, is_byte, values);
}
void Source::read_rows(const std::string& path, const Lengths& shape, std::int64_t first, std::int64_t count,
                       std::vector<double>& values) const {
  read_rows_as(path, shape, first, count, is_double, values);
}
void Source::read_rows(const std::string& path, const Lengths& shape, std::int64_t first, std::int64_t count,
                       std::vector<std::int64_t>& values) const {
  read_rows_as(path, shape, first, count, is_integer, values);
}
void Source::read_code_rows(const std::string& path, const Lengths& shape, std::int64_t first,
                            std::int64_t count, std::vector<std::uint8_t>& codes) const {
  read_rows_as(path, shape, first, count, is_enumeration, codes);
}
void Source::read_codes(const std::string& path, const Lengths& shape,
                        std::vector<std::uint8_t>& values) const {
  read_as(path, shape, is_enumeration, values);
}

}  // namespace livens::host::hdf5
