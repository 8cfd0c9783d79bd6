#pragma once
// The calls that write a result file: attributes, datasets and their rows.

#include <cstdint>
#include <string>
#include <vector>

#include "host/results/hdf5_handles.hpp"

namespace livens::host::hdf5 {

/// Memory types of what a dataset holds.
hid_t type_of(const double*);
hid_t type_of(const std::int64_t*);
hid_t type_of(const std::uint8_t*);

/// Makes a file, which replaces one of that name. Nothing in it tells the time, so that the same datasets are
/// the same bytes.
Handle create_file(const std::string& path);

/// New attributes of an open object.
void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, double value);
void write_attribute(hid_t object, const char* name, std::int64_t value);
void write_attribute(hid_t object, const char* name, std::uint64_t value);
void write_attribute(hid_t object, const char* name, const std::vector<double>& values);
void write_attribute(hid_t object, const char* name, const std::vector<std::uint8_t>& values);
bool has_attribute(hid_t object, const char* name);

/// Gives a type a name in the file.
void commit_type(hid_t file, const std::string& name, hid_t type);

/// Entries from which on a dataset may be compressed, and those of a chunk of it.
inline constexpr hsize_t compressed_from = 1 << 16;
/// Makes a dataset; groups in its name are made where missing.
Handle create_dataset(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                      bool compressed = false);
/// A dataset of texts.
Handle create_texts(hid_t file, const std::string& name, const std::vector<std::string>& texts);
/// Writes `rows` rows (entries of the first axis) from row `first` on, of a memory type.
void write_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t rows, const void* values);
bool exists(hid_t file, const std::string& name);
Handle open_dataset(hid_t file, const std::string& name);
std::vector<hsize_t> shape_of(hid_t dataset);

}  // namespace livens::host::hdf5
