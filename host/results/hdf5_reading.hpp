#pragma once
// The one reader of HDF5: of files that anybody may have made. Nothing is read before its kind, its type, its
// rank and its extent have been found to be what is asked for; nothing out of the file is followed; and no
// more memory is taken than the file can account for.

#include <optional>
#include <string>
#include <vector>

#include "host/results/hdf5_handles.hpp"

namespace livens::host::hdf5 {

/// Of the axes of a dataset, outermost first.
using Lengths = std::vector<std::int64_t>;

/// A test that a type is the one that is asked for.
using TypeTest = bool (*)(hid_t type);

/// A file open for reading. Everything throws Failure, which names the object that is not as it should be.
class Source {
 public:
  explicit Source(const std::string& path);

  /// True where a path leads to something by links within the file. Any other link on the way is a Failure.
  bool has(const std::string& path) const;
  /// Names of the links in a group, in the order of their characters; none where there is no such group.
  std::vector<std::string> names_in(const std::string& group) const;

  bool has_attribute(const std::string& object, const char* key) const;
  /// Attributes of an object, of exactly this type and of one value; "/" is the root.
  std::string text(const std::string& object, const char* key) const;
  double number(const std::string& object, const char* key) const;
  std::int64_t integer(const std::string& object, const char* key) const;
  std::uint64_t natural(const std::string& object, const char* key) const;
  /// Any number of doubles in a row.
  std::vector<double> numbers(const std::string& object, const char* key) const;

  /// Lengths of a dataset's axes, one or more of them.
  Lengths shape_of(const std::string& dataset) const;
  /// The dataset, if its type is that of the vector and its shape the one given.
  void read(const std::string& dataset, const Lengths& shape, std::vector<double>& values) const;
  void read(const std::string& dataset, const Lengths& shape, std::vector<std::int64_t>& values) const;
  void read(const std::string& dataset, const Lengths& shape, std::vector<std::uint8_t>& values) const;
  /// `count` rows of it from row `first` on, rows being entries of the first axis; codes are bytes of an
  /// enumeration.
  void read_rows(const std::string& dataset, const Lengths& shape, std::int64_t first, std::int64_t count,
                 std::vector<double>& values) const;
  void read_rows(const std::string& dataset, const Lengths& shape, std::int64_t first, std::int64_t count,
                 std::vector<std::int64_t>& values) const;
  void read_code_rows(const std::string& dataset, const Lengths& shape, std::int64_t first,
                      std::int64_t count, std::vector<std::uint8_t>& codes) const;
  /// One whose type is an enumeration of bytes.
  void read_codes(const std::string& dataset, const Lengths& shape, std::vector<std::uint8_t>& values) const;

 private:
  std::optional<Handle> find(const std::string& path) const;
  Handle open(const std::string& path) const;
  Handle open_dataset(const std::string& path) const;
  Handle open_attribute(const std::string& object, const char* key, TypeTest fits, H5S_class_t extent) const;
  void take(const std::string& what, hsize_t entries, std::size_t size) const;
  template <class T>
  T scalar(const std::string& object, const char* key, TypeTest fits) const;
  template <class T>
  void read_as(const std::string& dataset, const Lengths& shape, TypeTest fits, std::vector<T>& values) const;
  template <class T>
  void read_rows_as(const std::string& dataset, const Lengths& shape, std::int64_t first, std::int64_t count,
                    TypeTest fits, std::vector<T>& values) const;

  Handle file_;
  mutable hsize_t left_;  ///< bytes that may still be read
};

}  // namespace livens::host::hdf5
