#pragma once
// A table of numbers, a row an instance, columns named by what they are values of; and the files it comes in.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/spec/spec_section.hpp"

namespace livens::host {

struct Table {
  struct Column {
    std::string name;
    int width;  ///< numbers a row
    std::shared_ptr<const std::vector<double>> values;
  };
  std::vector<Column> columns;
  std::int64_t rows = 0;

  /// Puts a column of `height` rows beside those there are. Throws RequestError where these have another number.
  void add(const Place& place, Column column, std::int64_t height);

  /// 64 hexadecimal digits of the SHA-256 of all numbers as little-endian doubles, column after column in the
  /// order of their names: the same in any file.
  std::string sha256() const;
};

/// Rows, and numbers a row, of an array of N or of N,k numbers. Throws RequestError for one of another shape.
std::pair<std::int64_t, int> rows_and_width(const Place& place, std::span<const std::int64_t> shape);

/// Comma-separated values, the names in the first line. Throws RequestError, which names file, line and column.
Table read_csv(const std::string& path);

/// NumPy's archive, arrays of N or N,k numbers. Throws RequestError, which names file and array.
Table read_npz(const std::string& path);

/// The end of a run, for [initial] from.
struct EndOfRun {
  std::string spec, overrides;  ///< of the run
  std::int64_t size = 0;        ///< N
  bool is_shard = false;
  std::shared_ptr<const std::vector<double>> q, v, p;  ///< N,d
  std::vector<std::uint8_t> status;                    ///< N
  std::vector<Table::Column> parameters;               ///< those that varied, "system.mass[0]"

  std::string sha256() const;
};

/// The reader of HDF5, which the library of specs does not have (host/results/hdf5_inputs.hpp). Both throw
/// FileError.
struct Hdf5Inputs {
  /// The datasets of a group that are numbers.
  Table (*table)(const std::string& path, const std::string& group);
  EndOfRun (*end_of_run)(const std::string& path);
};

/// What a spec may refer to beside its text.
struct Inputs {
  const Hdf5Inputs* hdf5 = nullptr;     ///< null: what HDF5 files say is not looked at
  std::shared_ptr<const Table> memory;  ///< stands in for the file of [ensemble.table]
  bool adjoint = false;                 ///< [tangent] is that of an adjoint: Spec::adjoint has it
};

/// The bytes of some doubles.
std::string_view bytes_of(const std::vector<double>& values);

}  // namespace livens::host
