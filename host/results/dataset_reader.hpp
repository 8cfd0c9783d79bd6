#pragma once
// The walker that fills the fields of the layout (result_layout.hpp) from an open file.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/layout/result_layout.hpp"
#include "host/results/hdf5_reading.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {

/// Throws hdf5::Failure where a code is that of no status.
void expect_statuses(const std::vector<std::uint8_t>& codes, const std::string& name);

/// Everything throws hdf5::Failure.
class DatasetReader {
 public:
  /// A portion of the instances, of all.
  struct Rows {
    std::int64_t first, all;
  };
  /// `left_out`: as of a ResultFile. `rows`: where what is walked is a portion of datasets of more rows.
  explicit DatasetReader(const hdf5::Source& file, std::span<const std::string> left_out = {},
                         std::optional<Rows> rows = {})
      : file_(file), left_out_(left_out), rows_(rows) {}

  std::string unit_of(const std::string&) const { return {}; }

  template <class T>
  bool has(const std::string& name, const std::vector<T>&) const {
    return file_.has(name);
  }

  bool keeps(const std::string& name) const { return keeps_column(left_out_, name); }

  template <class T>
  void field(const std::string& name, std::vector<T>& values, const Shape& shape, const std::string&,
             const std::string&) const {
    file_.read_rows(name, stored(shape), first_row(), shape.at(0).length, values);
  }

  void status(const std::string& name, std::vector<std::uint8_t>& codes, const Shape& shape,
              const std::string&) const {
    file_.read_code_rows(name, stored(shape), first_row(), shape.at(0).length, codes);
    expect_statuses(codes, name);
  }

  template <class T>
  void attribute(const std::string&, const char*, const T&) const {}

  // Labels follow from what is read; a file of version 0.1 has none.
  void axis(const std::string&, std::int64_t) const {}
  template <class T>
  void labels(const std::string&, const std::vector<T>&, const std::string&, const std::string&) const {}
  void indices(const std::string&, std::int64_t, const std::string&) const {}
  void instances(const std::string&, std::int64_t, const std::vector<std::int64_t>&) const {}

  void growth(const std::string& name, ensembles::Growth& growth) const;

 private:
  std::int64_t first_row() const { return rows_ ? rows_->first : 0; }
  /// The lengths of the dataset that has a portion of this shape.
  hdf5::Lengths stored(const Shape& shape) const;

  const hdf5::Source& file_;
  std::span<const std::string> left_out_;
  std::optional<Rows> rows_;
};

}  // namespace livens::host
