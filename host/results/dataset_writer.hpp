#pragma once
// The walker that writes the datasets of the layout (result_layout.hpp) into an open file.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/layout/result_layout.hpp"
#include "host/results/hdf5_writing.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {

/// Everything throws hdf5::Failure, and std::logic_error for values that do not have their shape.
class DatasetWriter {
 public:
  /// Rows that a portion of the instances fills, of all.
  struct Rows {
    std::int64_t first, all;
    std::int64_t number;  ///< in the ensemble, of row 0
  };
  /// `rows`: where what is written is a portion of datasets of more rows. `left_out`: as of a ResultFile.
  DatasetWriter(hid_t file, const UnitOf& units, std::optional<Rows> rows = {},
                std::span<const std::string> left_out = {})
      : file_(file), units_(units), rows_(rows), left_out_(left_out) {}

  std::string unit_of(const std::string& what) const { return units_(what); }
  template <class T>
  bool has(const std::string&, const std::vector<T>& values) const {
    return !values.empty();
  }
  bool keeps(const std::string& name) const { return keeps_column(left_out_, name); }
  template <class T>
  void field(const std::string& name, const std::vector<T>& values, const Shape& shape,
             const std::string& unit, const std::string& description) {
    write(name, values.data(), static_cast<std::int64_t>(values.size()), shape, hdf5::type_of(values.data()),
          unit, description);
  }
  void status(const std::string& name, const std::vector<std::uint8_t>& values, const Shape& shape,
              const std::string& description);
  template <class T>
  void attribute(const std::string& name, const char* key, const T& value) {
    hdf5::write_attribute(hdf5::open_dataset(file_, name), key, value);
  }
  void growth(const std::string& name, const ensembles::Growth& growth);

  void axis(const std::string& name, std::int64_t length);
  template <class T>
  void labels(const std::string& name, const std::vector<T>& values, const std::string& unit,
              const std::string& description) {
    const std::string own = name.substr(name.rfind('/') + 1);
    const std::optional<Rows> none;
    DatasetWriter(file_, units_, none)
        .field(name, values, {{own, static_cast<std::int64_t>(values.size())}}, unit, description);
  }
  void indices(const std::string& name, std::int64_t length, const std::string& description);
  /// An axis whose labels are words. Where it is there, indices() leaves it as it is.
  void names(const std::string& name, const std::vector<std::string>& words, const std::string& description);
  void instances(const std::string& name, std::int64_t length, const std::vector<std::int64_t>& numbers);

 private:
  void write(const std::string& name, const void* values, std::int64_t count, const Shape& shape, hid_t type,
             const std::string& unit, const std::string& description);
  hdf5::Handle opened(const std::string& name, const void* values, hid_t type, const Shape& shape,
                      const std::string& unit, const std::string& description);

  hid_t file_;
  const UnitOf& units_;
  std::optional<Rows> rows_;
  std::span<const std::string> left_out_;
};

/// Labels the axes of these paths with names, where the result has names for them; `place`: where the labels go.
void name_axes(DatasetWriter& writer, const ensembles::Result& result, const std::vector<std::string>& paths,
               std::string (*place)(const std::string& path));
/// The axes of the instances that may have names, with those of derivatives where there are any, and of the trajectories.
std::vector<std::string> named_axes_of(const ensembles::Instances& instances);
std::vector<std::string> named_axes_of(const ensembles::Trajectories& trajectories);

/// Attributes of a dataset of statuses: what its codes mean.
void write_meanings(hid_t statuses);
/// Attributes of a file: what the run was.
void write_origin(hid_t file, const ensembles::Result& result, const Provenance& provenance);

}  // namespace livens::host
